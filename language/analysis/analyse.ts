import { ProgramChecks } from '#language/problems/program-checks.ts';
import type { AnalysedProgram, PredicateKey, SourceSchema } from '#language/program/analysed-program.ts';
import type { Program, Rule } from '#language/program/program.ts';
import type { QueryColumn, QuerySchema } from '#language/program/sql-reading.ts';
import { analysedProgram } from './analysed-view.ts';
import { ChaseAnalysis } from './chase-analysis.ts';
import type { ClauseState, RuleState } from './clause-state.ts';
import { Completion } from './complete.ts';
import { equalityGroups } from './equality-groups.ts';
import type { NameEntry } from './name-entry.ts';
import { NameIndex } from './name-index.ts';
import type { OwnNulls } from './null-graph.ts';
import { ownNulls } from './null-sources.ts';
import { ProgramAnnotations } from './program-annotations.ts';
import { type Exchange, isInPlace, ProgramClauses, rulesOf } from './program-clauses.ts';
import type { AnalysisOptions, NameMeaning, ReadItem } from './program-facts.ts';
import { type QueryOf, queryReader, querySchemaOf } from './queries.ts';
import { QueryHeads } from './query-heads.ts';
import { readItems } from './read-items.ts';
import { RuleGraph } from './rule-graph.ts';
import { finished, type Steps, withEach } from './steps.ts';

/** Analyses a program. Pure; a bad program gives a partial answer and problems. */
export function analyse(program: Program, options: AnalysisOptions = {}): AnalysedProgram {
    return new ProgramAnalysis(options).update(program);
}

/**
 * The analysis of a program that changes. Each step looks at the clauses that came and went and at what depends on what
 * they changed. A program that is analysed once is one of which every clause is new.
 */
export class ProgramAnalysis {
    readonly #options: AnalysisOptions;
    readonly #schemas: ReadonlyMap<string, SourceSchema>;
    readonly #clauses: ProgramClauses;
    readonly #names: NameIndex;
    readonly #annotations: ProgramAnnotations;
    readonly #graph: RuleGraph;
    readonly #chase: ChaseAnalysis;
    readonly #completion: Completion;
    readonly #queryOf: QueryOf;
    readonly #heads: QueryHeads;
    readonly #checks: ProgramChecks;
    #version = 0;

    constructor(options: AnalysisOptions) {
        this.#options = options;
        this.#schemas = options.schemas ?? NO_SCHEMAS;
        this.#queryOf = queryReader(options.sql);
        this.#heads = new QueryHeads(rule => this.#resultOf(rule));
        this.#clauses = new ProgramClauses(this.#queryOf, options.sql === undefined ? undefined : this.#heads);
        this.#names = new NameIndex(this.#schemas, this.#clauses.compare);
        this.#annotations = new ProgramAnnotations(options, this.#names);
        this.#graph = new RuleGraph(this.#names, this.#queryOf);
        this.#chase = new ChaseAnalysis(this.#names);
        this.#completion = new Completion(this.#names, this.#schemas);
        this.#checks = new ProgramChecks(options, this.#names);
    }

    /** Analyses the program as it is now. If possible, the cost is that of the difference from the program before. */
    update(program: Program): AnalysedProgram {
        return finished(this.updating(program));
    }

    /** The same in steps; nothing else may be asked of the analysis before the last. */
    *updating(program: Program): Steps<AnalysedProgram> {
        let analysed = yield* this.#update(program);
        // The columns of a query may be those of another one, and so on.
        for (let passes = 0; passes < MOST_PASSES && this.#heads.isStale(); passes++) analysed = yield* this.#update(program);
        return analysed;
    }

    /** The steps of one pass, in the order in which one needs the other. */
    *#update(program: Program): Steps<AnalysedProgram> {
        const version = ++this.#version;

        // 1. Clauses: which came and which went, and what each of them says by itself.
        const exchange = yield* this.#clauses.exchange(program);
        const { states, stateAt } = this.#clauses;
        const gone = rulesOf(exchange.removed);
        yield;

        // 2. Names: who defines and uses them.
        const redefined = yield* this.#names.exchange(exchange.removed, exchange.added);

        // 3. Annotations: outputs, binds, models, parameters, and what they say of names, and so which of these are predicates.
        const changed = this.#annotations.read(exchange, states, program);
        const { declarations, parameterUses } = this.#annotations;

        // 4. Rules: their items, and to which predicates their atoms lead.
        const read = yield* this.#readRules(exchange, changed.rules);
        yield;
        this.#graph.remove(exchange.removed);
        const { touched, meant } = yield* this.#names.settle();
        const resolved = yield* this.#graph.resolve(
            read,
            meant.size === 0 ? NOTHING : new Set([...rulesToWhich(meant, this.#graph), ...this.#graph.unsettled]),
        );
        const rules = resolved.map(({ rule }) => rule);
        yield;

        // 5. The graph of predicates: components, recursion, strata.
        const graph = yield* this.#graph.relink(exchange.removed, resolved, redefined);
        yield;

        // 6. Nulls: which positions hold them, and which of them equality heads may replace.
        const nulls = this.#chase.update(gone, rules);
        const equalities = nulls.equalities.length === 0 ? [] : this.#equalityGroups();
        yield;

        // 7. Columns and types.
        this.#completion.mark({
            names: touched,
            predicates: graph.predicates,
            everything: changed.types,
            reordered: changed.isChanged || meant.size > 0 || graph.relinked || rules.length > 1 || !isInPlace(exchange),
            recursion: graph.changed.size > 0,
            rules,
            exchanged: { before: rulesOf(exchange.before), now: rulesOf(exchange.now) },
        });
        yield;
        const types = yield* this.#completion.retype({ states, declarations, parameters: declarations.parameters });
        yield;

        // 8. Problems: those that the change can touch are looked for again.
        const readers = [...gone, ...resolved.map(({ rule, before }) => before ?? rule), ...rules];
        const problems = yield* this.#checks.update({
            program,
            states,
            stateAt,
            hasBrokenClause: this.#clauses.hasBroken,
            declarations,
            parameterUses,
            graph,
            nulls,
            equalities,
            types,
            dirty: {
                clauses: {
                    read: changed.rules ? states : [...exchange.added, ...resolved.map(({ state }) => state)],
                    typed: changed.types ? rulesOf(states) : new Set([...rules, ...types.rules]),
                    apart: this.#clauses.relinkNeighbours(exchange),
                    gone,
                },
                names: changed.rules || changed.outputs ? [...this.#names.entries] : touched,
                predicates: {
                    reread: readers.flatMap(({ needs }) => needs),
                    reconnected: graph.relinked || definedBy(gone) !== definedBy(rules),
                },
                declarations: changed.isChanged || [...touched, ...meant.keys()].some(({ name }) => this.#checks.concerns(name)),
            },
        });
        return analysedProgram({
            program,
            declarations,
            parameterUses,
            schemas: this.#schemas,
            hasSql: this.#clauses.hasSql,
            querySchema: rule => this.#schemaOf(rule),
            states,
            completion: this.#completion,
            nulls,
            equalities,
            problems,
            isCurrent: () => this.#version === version,
            again: () => new ProgramAnalysis(this.#options).update(program),
        });
    }

    /** The columns of the result of a rule's query, as far as they are known. */
    #resultOf(rule: Rule): readonly QueryColumn[] | undefined {
        return this.#schemaOf(rule)?.columns;
    }

    #schemaOf(rule: Rule): QuerySchema | undefined {
        const facts = this.#graph.queryFacts(rule);
        return facts && querySchemaOf(facts, key => this.#completion.typesOf(key));
    }

    #equalityGroups(): ReturnType<typeof equalityGroups<RuleState['facts']>> {
        const facts = rulesOf(this.#clauses.states).map(rule => rule.facts);
        const nullsOf = (key: PredicateKey): OwnNulls => ownNulls(this.#names.nodeOf(key), this.#names);
        return equalityGroups(facts, nullsOf, this.#annotations.declarations.prefixes);
    }

    /** Reads the items of new rules, and of rules in which a name became or ceased to be that of a predicate. */
    *#readRules({ removed, added }: Exchange, everything: boolean): Steps<Map<ClauseState, readonly ReadItem[]>> {
        const { prefixes, implemented } = this.#annotations.declarations;
        const naming = { isPredicate: this.#names.isIntroduced, isImplemented: (name: string) => implemented.has(name), prefixes };
        const waiting = this.#names.introduce();
        for (const state of everything ? this.#clauses.states : added) if (state.clause.kind === 'rule') waiting.add(state);
        for (const { rule } of removed) if (rule !== undefined) this.#names.countUses(rule.facts.items, -1);
        const read = new Map<ClauseState, readonly ReadItem[]>();
        yield* withEach(waiting, state => {
            if (state.clause.kind !== 'rule') return;
            const items = readItems(state.clause, naming);
            if (state.rule !== undefined) this.#names.countUses(state.rule.facts.items, -1);
            this.#names.countUses(items, 1);
            read.set(state, items);
        });
        return read;
    }
}

const NOTHING: ReadonlySet<ClauseState> = new Set();

/** Queries that read the columns of each other, one after the other. */
const MOST_PASSES = 20;

const NO_SCHEMAS: ReadonlyMap<string, SourceSchema> = new Map();

/** The predicates that rules define, in order. */
function definedBy(rules: readonly RuleState[]): string {
    return rules.map(({ heads }) => heads.map(({ key }) => key).join()).join(';');
}

/** The rules to which a name means something else than before. */
function rulesToWhich(meant: ReadonlyMap<NameEntry, NameMeaning | undefined>, graph: RuleGraph): Set<ClauseState> {
    const states = new Set<ClauseState>();
    for (const [entry, before] of meant) {
        for (const asker of entry.askers) states.add(asker);
        if (before?.written === entry.meaning?.written) continue;
        for (const { rules } of entry.definitions.values()) {
            for (const { rule } of rules) {
                const state = graph.ruleState(rule)?.state;
                if (state !== undefined) states.add(state);
            }
        }
    }
    return states;
}
