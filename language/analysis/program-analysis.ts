import { ProgramChecks } from '#language/problems/program-checks.ts';
import type { AnalysedProgram, Parameter, PredicateKey, SourceSchema } from '#language/program/analysed-program.ts';
import { allClauses, type Inclusion } from '#language/program/inclusion.ts';
import type { Clause, Program } from '#language/program/program.ts';
import type { ClausePlace } from '#language/program/span.ts';
import { analysedProgram } from './analysed-view.ts';
import { ChaseAnalysis } from './chase-analysis.ts';
import { type ClauseState, clauseState, type RuleState } from './clause-state.ts';
import { commonEnds } from './common-ends.ts';
import { Completion } from './complete.ts';
import { declarationsByName, type NameDeclarations, readDeclarations, sameForRules } from './declarations.ts';
import { documentedNames } from './documented-names.ts';
import { equalityGroups } from './equality-groups.ts';
import { FileOrder } from './file-order.ts';
import { atomsOf, type NameEntry } from './name-entry.ts';
import { NameIndex } from './name-index.ts';
import type { OwnNulls } from './null-graph.ts';
import { ownNulls } from './null-sources.ts';
import type { AnalysisOptions, Declarations, NameMeaning, ParameterUse, ReadItem } from './program-facts.ts';
import { readItems } from './read-items.ts';
import { RuleGraph } from './rule-graph.ts';
import { spliced } from './spliced.ts';
import { finished, type Steps, withEach } from './steps.ts';

/**
 * The analysis of a program that changes. Each step looks at the clauses that came and went and at what depends on what
 * they changed: names, the rules that mention these, components, problems. A program that is analysed once is one of which
 * every clause is new.
 */
export class ProgramAnalysis {
    readonly #options: AnalysisOptions;
    readonly #schemas: ReadonlyMap<string, SourceSchema>;
    readonly #order = new FileOrder();
    readonly #names: NameIndex;
    readonly #graph: RuleGraph;
    readonly #chase: ChaseAnalysis;
    readonly #checks: ProgramChecks;
    readonly #completion: Completion;
    #clauses: readonly Clause[] = [];
    #states: ClauseState[] = [];
    readonly #stateOf = new Map<ClausePlace, ClauseState>();
    /** How many clauses of the file itself have a syntax error. */
    #broken = 0;
    #inclusion: Inclusion | undefined;
    #declarations: Declarations;
    #declared: ReadonlyMap<string, NameDeclarations> = new Map();
    #parameterUses: readonly ParameterUse[] = [];
    #version = 0;

    constructor(options: AnalysisOptions) {
        this.#options = options;
        this.#schemas = options.schemas ?? NO_SCHEMAS;
        this.#names = new NameIndex(this.#schemas, this.#order.compare);
        this.#graph = new RuleGraph(this.#names);
        this.#chase = new ChaseAnalysis(this.#names);
        this.#checks = new ProgramChecks(options, this.#names);
        this.#completion = new Completion(this.#names, this.#schemas);
        this.#declarations = readDeclarations([], options, NO_PROGRAM);
    }

    /** What the program means now. Where that is possible, the costs are those of the difference from the program before. */
    update(program: Program): AnalysedProgram {
        return finished(this.updating(program));
    }

    /** The same in steps; nothing else may be asked of the analysis before the last. */
    *updating(program: Program): Steps<AnalysedProgram> {
        const version = ++this.#version;
        const before = this.#declarations;
        const exchange = yield* this.#exchange(program);
        yield;
        this.#readAnnotations(exchange, program);
        const declarations = this.#declarations;
        const prompted = this.#parameterUses.some(({ lenient }) => lenient) && !sameNames(before.parameters, declarations.parameters);
        const everything = version === 1 || prompted || !sameForRules(before, declarations);

        const redefined = yield* this.#names.exchange(exchange.removed, exchange.added);
        const read = this.#readRules(exchange, everything);
        yield;
        const { touched, meant } = this.#names.settle();
        const rules = this.#graph.resolve(read, rulesToWhich(meant, this.#graph));
        yield;
        const graph = this.#graph.relink(exchange.removed, rules, redefined);
        yield;
        const nulls = this.#chase.update(
            rulesOf(exchange.removed),
            rules.map(({ rule }) => rule),
        );

        yield;
        const allTypes = everything || !sameValues(before.parameters, declarations.parameters);
        const { prefixes } = declarations;
        const ownNullsOf = (key: PredicateKey): OwnNulls => ownNulls(this.#names.nodeOf(key), this.#names);
        const equalities =
            nulls.equalities.length === 0
                ? []
                : equalityGroups(
                      rulesOf(this.#states).map(({ facts }) => facts),
                      ownNullsOf,
                      prefixes,
                  );

        this.#completion.mark({
            names: touched,
            predicates: graph.predicates,
            everything: allTypes,
            reordered: before !== declarations || meant.size > 0 || graph.relinked || rules.length > 1 || !isInPlace(exchange),
            recursion: graph.changed.size > 0,
            rules: rules.map(({ rule }) => rule),
            exchanged: { before: rulesOf(exchange.before), now: rulesOf(exchange.now) },
        });
        const { parameters } = declarations;
        yield;
        const types = this.#completion.retype({ states: this.#states, declarations, parameters });
        yield;
        const problems = yield* this.#checks.update({
            program,
            states: this.#states,
            stateAt: place => this.#stateOf.get(place),
            hasBrokenClause: this.#broken > 0,
            declarations,
            parameterUses: this.#parameterUses,
            clauses: everything ? this.#states : [...exchange.added, ...rules.map(({ state }) => state)],
            names: everything || before.outputs.length > 0 !== declarations.outputs.length > 0 ? [...this.#names.entries] : touched,
            redeclared: before !== declarations || [...touched, ...meant.keys()].some(({ name }) => this.#checks.concerns(name)),
            graph,
            nulls,
            equalities,
            types,
            typed: allTypes ? rulesOf(this.#states) : new Set([...rules.map(({ rule }) => rule), ...types.rules]),
            reread: [
                ...rulesOf(exchange.removed),
                ...rules.flatMap(({ rule, before }) => before ?? rule),
                ...rules.map(({ rule }) => rule),
            ].flatMap(({ needs }) => needs),
            apart: this.#relinkNeighbours(exchange),
            reconnected: graph.relinked || definedBy(rulesOf(exchange.removed)) !== definedBy(rules.map(({ rule }) => rule)),
            gone: rulesOf(exchange.removed),
        });
        return analysedProgram({
            program,
            declarations,
            parameterUses: this.#parameterUses,
            schemas: this.#schemas,
            states: this.#states,
            completion: this.#completion,
            nulls,
            equalities,
            problems,
            isCurrent: () => this.#version === version,
            again: () => new ProgramAnalysis(this.#options).update(program),
        });
    }

    /** Clauses that stand where they stood, between others that did, keep their states. */
    *#exchange(program: Program): Steps<Exchange> {
        this.#order.follow(program);
        const clauses = allClauses(program);
        const states = this.#states;
        const before = this.#clauses;
        this.#clauses = clauses;
        const { start, tail } = commonEnds(before, clauses);
        const replaced = states.slice(start, states.length - tail);
        const between = clauses.slice(start, clauses.length - tail);
        const staying = stayingStates(replaced, between);
        yield;
        const current: ClauseState[] = [];
        yield* withEach(between, clause => void current.push(staying.get(clause) ?? clauseState(clause)));
        this.#states = spliced(states, start, replaced.length, current);
        const removed = replaced.filter(({ clause }) => !staying.has(clause));
        const added = current.filter(({ clause }) => !staying.has(clause));
        for (const { clause } of removed) this.#stateOf.delete(clause.place);
        yield* withEach(added, state => void this.#stateOf.set(state.clause.place, state));
        const isBroken = ({ clause }: ClauseState): boolean => clause.kind === 'broken' && clause.place.file === program.file;
        this.#broken += added.filter(isBroken).length - removed.filter(isBroken).length;
        return { removed, added, start, before: replaced, now: current };
    }

    /** Tells rules which one stands before them; gives those for which it is another now. */
    #relinkNeighbours({ start, now }: Exchange): RuleState[] {
        const states = this.#states;
        const changed: RuleState[] = [];
        let at = start - 1;
        while (at >= 0 && states[at]?.rule === undefined) at--;
        let previous = states[at]?.rule;
        for (at = start; at < states.length; at++) {
            const rule = states[at]?.rule;
            if (rule === undefined) continue;
            if (rule.previous !== previous) {
                rule.previous = previous;
                changed.push(rule);
            }
            if (at >= start + now.length) break;
            previous = rule;
        }
        return changed;
    }

    #readAnnotations({ removed, added }: Exchange, program: Program): void {
        const relinked = this.#inclusion !== program.inclusion;
        this.#inclusion = program.inclusion;
        const touches = (has: (state: ClauseState) => boolean): boolean => removed.some(has) || added.some(has);
        if (relinked || touches(({ summary }) => summary.annotations.length > 0)) {
            const annotations = this.#states.flatMap(({ summary }) => summary.annotations);
            this.#declarations = readDeclarations(annotations, this.#options, program);
            const declared = declarationsByName(this.#declarations);
            this.#names.declare(declared, this.#declared.keys());
            this.#declared = declared;
        }
        if (touches(({ summary }) => summary.deprecated !== undefined)) {
            const successors = this.#states.flatMap(({ clause, summary: { deprecated } }) =>
                deprecated === undefined ? [] : documentedNames(clause).map(name => [name, deprecated] as const),
            );
            this.#names.deprecate(new Map(successors));
        }
        if (touches(({ summary }) => summary.parameterUses.length > 0)) {
            this.#parameterUses = this.#states.flatMap(({ summary }) => summary.parameterUses);
        }
    }

    /** Reads the items of new rules, and of rules in which a name became or ceased to be that of a predicate. */
    #readRules({ removed, added }: Exchange, everything: boolean): Map<ClauseState, readonly ReadItem[]> {
        const { prefixes, implemented } = this.#declarations;
        const naming = { isPredicate: this.#names.isIntroduced, isImplemented: (name: string) => implemented.has(name), prefixes };
        const waiting = this.#names.introduce();
        for (const state of everything ? this.#states : added) if (state.clause.kind === 'rule') waiting.add(state);
        for (const { rule } of removed) if (rule !== undefined) this.#names.countUses(rule.facts.items, -1);
        const read = new Map<ClauseState, readonly ReadItem[]>();
        for (const state of waiting) {
            if (state.clause.kind !== 'rule') continue;
            const items = readItems(state.clause, naming);
            if (state.rule !== undefined) this.#names.countUses(state.rule.facts.items, -1);
            this.#names.countUses(items, 1);
            read.set(state, items);
        }
        return read;
    }
}

const NO_PROGRAM: Program = { file: '', clauses: [] };

const NO_SCHEMAS: ReadonlyMap<string, SourceSchema> = new Map();

/** The clauses that a program has lost and gained, in text order. */
interface Exchange {
    readonly removed: readonly ClauseState[];
    readonly added: readonly ClauseState[];
    /** Index of the first of them. */
    readonly start: number;
    /** All clauses between the first and the last of them. */
    readonly before: readonly ClauseState[];
    readonly now: readonly ClauseState[];
}

function rulesOf(states: readonly ClauseState[]): RuleState[] {
    return states.flatMap(({ rule }) => rule ?? []);
}

/** Of replaced states, those whose clauses are still there in the same order. */
function stayingStates(replaced: readonly ClauseState[], clauses: readonly Clause[]): Map<Clause, ClauseState> {
    if (replaced.length === 0) return new Map();
    const present = new Set(clauses);
    const staying = new Map(replaced.filter(({ clause }) => present.has(clause)).map(state => [state.clause, state] as const));
    const before = [...staying.keys()];
    const now = clauses.filter(clause => staying.has(clause));
    return before.every((clause, i) => clause === now[i]) ? staying : new Map();
}

/** What the names in prompts mean depends on the parameters that there are. */
function sameNames(a: ReadonlyMap<string, Parameter>, b: ReadonlyMap<string, Parameter>): boolean {
    return a.size === b.size && [...a.keys()].every(name => b.has(name));
}

/** Parameters with the same default values have the same types. */
function sameValues(a: ReadonlyMap<string, Parameter>, b: ReadonlyMap<string, Parameter>): boolean {
    return a.size === b.size && [...a].every(([name, { value }]) => b.get(name)?.value === value);
}

/** At most one clause went, and one came in its place that defines the same predicates in the same order. */
function isInPlace({ removed, added, before, now }: Exchange): boolean {
    if (before.length > 1 || now.length > 1) return false;
    const written = (states: readonly ClauseState[]): string =>
        states.flatMap(({ clause }) => atomsOf(clause).map(atom => `${atom.predicate}/${atom.arguments.length}`)).join();
    return written(removed) === written(added);
}

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
