import { aggregatedColumns } from '#language/analysis/aggregated-columns.ts';
import { textOf } from '#language/analysis/annotation-arguments.ts';
import type { NullCreation } from '#language/analysis/chase-analysis.ts';
import type { ClauseState, RuleState } from '#language/analysis/clause-state.ts';
import type { RetypedRules } from '#language/analysis/complete.ts';
import type { Declarations, ProgramFacts } from '#language/analysis/declarations.ts';
import { emptyPredicates } from '#language/analysis/empty-predicates.ts';
import { equalityCycles } from '#language/analysis/equality-cycles.ts';
import type { EqualityGroup } from '#language/analysis/equality-groups.ts';
import { MOST_CYCLES } from '#language/analysis/forbidden-cycles.ts';
import type { NameEntry } from '#language/analysis/name-entry.ts';
import type { NameIndex } from '#language/analysis/name-index.ts';
import { OtherNulls } from '#language/analysis/null-sources.ts';
import type { PredicateNode, RecursiveComponent } from '#language/analysis/predicate-graph.ts';
import type { AnalysisOptions, ParameterUse, RuleFacts } from '#language/analysis/program-facts.ts';
import type { GraphChange } from '#language/analysis/rule-graph.ts';
import type { ColumnTypes } from '#language/analysis/rule-types.ts';
import { shownPredicates } from '#language/analysis/shown-predicates.ts';
import { type Steps, withEach } from '#language/analysis/steps.ts';
import type { TypeEnvironment } from '#language/library/expression-type.ts';
import { checkGroupValues } from '#language/problems/checks/aggregate-use.ts';
import { checkAskedInRecursion } from '#language/problems/checks/asked-in-recursion.ts';
import { checkClauseOrder } from '#language/problems/checks/clause-order.ts';
import { checkColumnTypes } from '#language/problems/checks/column-types.ts';
import { checkEmptyPredicates } from '#language/problems/checks/empty-predicates.ts';
import { checkEqualityCycles, checkEqualityHeads } from '#language/problems/checks/equality-heads.ts';
import { checkMergedElements, checkMergedValues } from '#language/problems/checks/merged-values.ts';
import { checkMixedAggregation } from '#language/problems/checks/mixed-aggregation.ts';
import { checkModules } from '#language/problems/checks/modules.ts';
import { checkNullCreation, checkOutputNulls } from '#language/problems/checks/null-creation.ts';
import { checkHasOutput } from '#language/problems/checks/outputs.ts';
import { checkParameters } from '#language/problems/checks/parameters.ts';
import { checkRecursivePredicates, checkSameAggregates } from '#language/problems/checks/recursive-predicates.ts';
import { checkSimilarNames, foldedName } from '#language/problems/checks/similar-names.ts';
import { checkTests } from '#language/problems/checks/tests.ts';
import { checkPostOrder, tellColumnsOnce } from '#language/problems/checks/text-order.ts';
import { checkUnreachableRules } from '#language/problems/checks/unreachable-rules.ts';
import { checkUnusedColumns } from '#language/problems/checks/unused-columns.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Program } from '#language/program/program.ts';
import { queryParameters } from '#language/program/query-parameters.ts';
import type { ClausePlace } from '#language/program/span.ts';
import { type ComponentProblems, problemsOfComponent } from './component-problems.ts';
import { inTextOrder, problemsOfClause, problemsOfDeclarations, problemsOfName, problemsOfRule, problemsOfTypes } from './find-problems.ts';
import { ProblemBoard, problemsOf } from './problem-board.ts';

/** A program as it is now, and what changed in it. */
export interface ProgramChange {
    readonly program: Program;
    readonly states: readonly ClauseState[];
    readonly stateAt: (place: ClausePlace) => ClauseState | undefined;
    readonly hasBrokenClause: boolean;
    readonly declarations: Declarations;
    readonly parameterUses: readonly ParameterUse[];
    readonly graph: GraphChange;
    readonly nulls: NullCreation;
    readonly equalities: readonly EqualityGroup<RuleFacts>[];
    readonly types: RetypedRules;
    readonly dirty: Dirty;
}

/** The parts of a program whose problems may have changed: the four things that a check can ask about. */
export interface Dirty {
    readonly clauses: {
        /** New ones, and those that mean something else. */
        readonly read: Iterable<ClauseState>;
        /** Rules that are new, mean something else, or read predicates whose types are others. */
        readonly typed: Iterable<RuleState>;
        /** Rules before which another one stands than before. */
        readonly apart: Iterable<RuleState>;
        /** Rules that the program has lost. */
        readonly gone: Iterable<RuleState>;
    };
    /** The names about which the facts are others. */
    readonly names: Iterable<NameEntry>;
    readonly predicates: {
        /** Rules that read them came, went or mean something else. */
        readonly reread: Iterable<PredicateNode>;
        /** Rules connect others than before. */
        readonly reconnected: boolean;
    };
    /** The annotations, or facts about names in them, are others. */
    readonly declarations: boolean;
}

/** The problems of a program, of which those that a change can touch are looked for again. */
export class ProgramChecks {
    readonly #options: AnalysisOptions;
    readonly #names: NameIndex;
    readonly #board = new ProblemBoard();
    #concerned: ReadonlySet<string> = new Set();
    #parameterUses: readonly ParameterUse[] = [];
    #hasScripts = false;
    #nulls: NullCreation | undefined;
    /** The names that are the same without letter case and underscores. */
    readonly #alike = new Map<string, Set<string> | string>();
    /** The names of which only a model is known, and those that embedded texts mention. */
    readonly #modelled = new Set<string>();
    readonly #mentioned = new Set<string>();
    /** The predicates that lead to outputs may have changed since the last search. */
    #reconnected = true;
    #empty: ReadonlySet<PredicateNode> = new Set();
    #shown: ReadonlySet<PredicateNode> = new Set();
    /** The names that rules read. */
    readonly #used = new Set<string>();
    #components = new Map<RecursiveComponent, ComponentProblems>();

    constructor(options: AnalysisOptions, names: NameIndex) {
        this.#options = options;
        this.#names = names;
    }

    /** Whether an annotation speaks of the name. */
    concerns(name: string): boolean {
        return this.#concerned.has(name);
    }

    /** All problems in text order. */
    *update(change: ProgramChange): Steps<Problem[]> {
        yield* this.#checkClauses(change);
        yield* this.#checkNames(change);
        yield;
        yield* this.#checkGraph(change);
        this.#checkAskedQueries(change);
        yield;
        this.#checkNulls(change);
        yield;
        yield* this.#checkTypes(change);
        yield;
        yield* this.#checkUses(change);
        this.#checkReach(change);
        this.#checkDeclarations(change);
        yield;
        return tellColumnsOnce(problemsOf(change.states));
    }

    *#checkClauses({ declarations, dirty }: ProgramChange): Steps<void> {
        yield* withEach(dirty.clauses.read, state => {
            const { clause, rule, summary } = state;
            const own = [...problemsOfClause(clause, summary.annotations, declarations)];
            if (rule !== undefined)
                for (const found of problemsOfRule(rule.facts, this.#names.meaningOf, declarations, this.#options)) own.push(found);
            state.own = own.length === 0 ? NO_PROBLEMS : inTextOrder(own);
            state.problems = undefined;
        });
    }

    *#checkNames({ declarations, dirty, stateAt }: ProgramChange): Steps<void> {
        yield* withEach(dirty.names, entry => {
            const { facts } = entry;
            this.#board.pin(entry, facts === undefined ? NO_PROBLEMS : problemsOfName(facts, declarations, this.#options), stateAt);
        });
    }

    *#checkGraph({ graph, stateAt }: ProgramChange): Steps<void> {
        yield* withEach(graph.predicates, node => this.#board.pin(node, this.#problemsOfColumns(node), stateAt));
        const known = this.#components;
        this.#components = new Map(
            graph.components.map(component => {
                const before = graph.changed.has(component) ? undefined : known.get(component);
                if (before !== undefined) return [component, before];
                const found = problemsOfComponent(component);
                this.#board.pin(component, [...found.others, ...checkRecursivePredicates(component)], stateAt);
                return [component, found];
            }),
        );
        for (const component of known.keys()) if (!this.#components.has(component)) this.#board.pin(component, NO_PROBLEMS, stateAt);
        const cycles = [...this.#components.values()].flatMap(found => found.cycles);
        this.#board.pin('cycles', cycles.slice(0, MOST_CYCLES), stateAt);
    }

    /** Queries that recursions ask: few programs have some, and whether a rule asks one is said by an annotation. */
    #checkAskedQueries({ graph, declarations, stateAt }: ProgramChange): void {
        const asks = declarations.binds.some(({ bind }) => queryParameters(bind).length > 0);
        const found = asks
            ? graph.components.flatMap(component => [...checkAskedInRecursion(component, this.#names.meaningOf)])
            : NO_PROBLEMS;
        this.#board.pin('queries asked in recursions', found, stateAt);
    }

    #checkNulls({ nulls, equalities, declarations, dirty, stateAt }: ProgramChange): void {
        if (nulls !== this.#nulls || dirty.declarations) {
            this.#board.pin('null creation', checkNullCreation(nulls, declarations.relaxedSafety), stateAt);
        }
        this.#nulls = nulls;
        this.#board.pin('unknown outputs', checkOutputNulls(nulls, declarations, this.#names.factsOf), stateAt);
        const otherNulls = new OtherNulls(this.#names);
        const heads = checkEqualityHeads(nulls, rule => otherNulls.mayBeRead(rule));
        this.#board.pin('equality heads', heads, stateAt);
        this.#board.pin('equality cycles', checkEqualityCycles(equalityCycles(equalities, this.#names.nodeOf)), stateAt);
    }

    *#checkTypes({
        types,
        declarations,
        dirty: {
            clauses,
            predicates: { reread },
        },
        stateAt,
    }: ProgramChange): Steps<void> {
        for (const rule of clauses.gone) this.#board.pin(rule, NO_PROBLEMS, stateAt);
        yield* withEach(clauses.typed, rule =>
            this.#board.pin(rule, problemsOfTypes(rule.facts, types.typesIn(rule.facts), types.columns), stateAt),
        );
        const known = new Map<RuleFacts, TypeEnvironment>();
        const typesIn = (facts: RuleFacts): TypeEnvironment => {
            const found = known.get(facts) ?? types.typesIn(facts);
            known.set(facts, found);
            return found;
        };
        yield* withEach(types.predicates, node =>
            this.#board.pin(`columns of ${node.key}`, this.#problemsOfColumnTypes(node, types.columns, typesIn), stateAt),
        );
        yield* withEach(new Set([...types.predicates, ...reread]), node =>
            this.#board.pin(`merged elements of ${node.key}`, checkMergedElements(node, this.#names, typesIn), stateAt),
        );
        const posts = { posts: declarations.posts, nameFacts: this.#names.factsOf };
        this.#board.pin('orders of outputs', checkPostOrder(posts, types.columns), stateAt);
    }

    #problemsOfColumnTypes(
        { name, arity, key, rules }: PredicateNode,
        columns: ColumnTypes,
        typesIn: RetypedRules['typesIn'],
    ): Iterable<Problem> {
        const facts = this.#names.factsOf(name);
        const types = columns.get(key);
        if (facts === undefined || types === undefined) return NO_PROBLEMS;
        return checkColumnTypes({ name: facts, arity, types, rules: rules.map(rule => rule.facts), typesIn });
    }

    *#problemsOfColumns({ key, name, arity, rules, component }: PredicateNode): Iterable<Problem> {
        const facts = rules.map(rule => rule.facts);
        const columns = aggregatedColumns(key, facts);
        if (columns.size === 0) return;
        const definition = this.#names.entry(name)?.definitions.get(arity);
        yield* checkMixedAggregation({ name, columns, recursive: component !== undefined, facts: definition?.facts ?? [] });
        if (component === undefined) for (const rule of facts) yield* checkSameAggregates(rule);
        const [only, another] = facts;
        if (only !== undefined && another === undefined && only.resolved.heads[0]?.predicate === key) yield* checkGroupValues(only);
    }

    /** Reports columns that nothing reads, names that differ in letter case or underscores only, and rules that stand apart. */
    *#checkUses({ graph, dirty, stateAt }: ProgramChange): Steps<void> {
        const looked = new Set(dirty.predicates.reread);
        const alike = new Set<string>();
        for (const entry of dirty.names) {
            for (const node of entry.nodes.values()) looked.add(node);
            alike.add(foldedName(entry.name));
            this.#remember(entry);
        }
        yield* withEach(looked, node => {
            this.#board.pin(`unused columns of ${node.key}`, checkUnusedColumns(node, this.#names), stateAt);
            this.#board.pin(`merged values of ${node.key}`, checkMergedValues(node, this.#names), stateAt);
        });
        yield* withEach(alike, folded => {
            const group = this.#alike.get(folded);
            const similar =
                group instanceof Set ? checkSimilarNames([...group].flatMap(name => this.#names.factsOf(name) ?? [])) : NO_PROBLEMS;
            this.#board.pin(`like ${folded}`, similar, stateAt);
        });
        const reordered = new Set(graph.predicates);
        for (const { heads } of dirty.clauses.apart) for (const head of heads) reordered.add(head);
        yield* withEach(reordered, node => this.#board.pin(`order of ${node.key}`, checkClauseOrder(node), stateAt));
    }

    #remember({ name, facts, meaning }: NameEntry): void {
        this.#group(name, facts !== undefined && facts.definitions.size > 0);
        if (meaning?.emptyModel) this.#modelled.add(name);
        else this.#modelled.delete(name);
        this.#note(this.#used, name, facts?.used === true);
        this.#note(this.#mentioned, name, facts?.mentioned === true);
    }

    /** Puts a name among those that are like it, or takes it away. A name that none was like stands without a set. */
    #group(name: string, isMember: boolean): void {
        const folded = foldedName(name);
        const known = this.#alike.get(folded);
        if (known instanceof Set && isMember) known.add(name);
        else if (known instanceof Set) known.delete(name);
        else if (isMember) this.#alike.set(folded, known === undefined || known === name ? name : new Set([known, name]));
        else if (known === name) this.#alike.delete(folded);
    }

    #note(names: Set<string>, name: string, isMember: boolean): void {
        if (isMember === names.has(name)) return;
        this.#reconnected = true;
        if (isMember) names.add(name);
        else names.delete(name);
    }

    /** Finds the predicates that lead to outputs, and those that can have facts at all. */
    #checkReach({ states, graph, declarations, dirty, stateAt }: ProgramChange): void {
        const { outputs, openWorld, file } = declarations;
        const names = this.#names;
        const modelled = [...this.#modelled].flatMap(name => [...(names.entry(name)?.nodes.values() ?? [])]);
        const empty = openWorld ? new Set<PredicateNode>() : emptyPredicates(modelled, graph.components, names);
        const unfilled = mayBeWritten(declarations) ? emptyPredicates([], graph.components, names) : NO_PREDICATES;
        this.#board.pin('empty', checkEmptyPredicates(empty, unfilled, names), stateAt);
        const isSame = empty.size === this.#empty.size && [...empty].every(node => this.#empty.has(node));
        const wereHidden = [...dirty.clauses.gone].some(({ heads }) => heads.length > 0 && !heads.some(head => this.#shown.has(head)));
        const isConnected = !dirty.declarations && !dirty.predicates.reconnected && !this.#reconnected;
        if (isSame && isConnected && !wereHidden) return;
        this.#empty = empty;
        this.#reconnected = false;
        const rules = outputs.length === 0 || openWorld ? [] : states.flatMap(({ rule }) => rule ?? []);
        const shown = shownPredicates(rules, declarations, this.#mentioned, names);
        this.#shown = shown;
        const waiting = empty.size === 0 ? rules : rules.filter(({ heads }) => !heads.every(head => empty.has(head)));
        const isUsed = (name: string): boolean => names.factsOf(name)?.used ?? true;
        this.#board.pin('unreachable', checkUnreachableRules(waiting, shown, isUsed, file), stateAt);
    }

    #checkDeclarations({ program, states, declarations, parameterUses, hasBrokenClause, dirty, stateAt }: ProgramChange): void {
        const options = this.#options;
        const { clauses } = program;
        const facts: ProgramFacts = {
            ...declarations,
            options,
            parameterUses,
            clauses,
            hasBrokenClause,
            nameFacts: this.#names.factsOf,
            meaningOf: this.#names.meaningOf,
        };
        this.#board.pin('outputs', checkHasOutput(facts), stateAt);
        this.#board.pin('tests', checkTests(facts), stateAt);
        this.#board.pin('modules', checkModules(program, declarations.annotations), stateAt);
        const hasScripts = states.some(({ clause }) => clause.kind === 'rule' && clause.body.kind === 'script');
        if (dirty.declarations || parameterUses !== this.#parameterUses || hasScripts !== this.#hasScripts)
            this.#board.pin('parameters', checkParameters(facts, hasScripts), stateAt);
        this.#parameterUses = parameterUses;
        this.#hasScripts = hasScripts;
        if (!dirty.declarations) return;
        const named = declarations.annotations.flatMap(({ annotation }) => textOf(annotation.arguments[0]) ?? []);
        const explained = declarations.provenance.flatMap(({ predicates }) => predicates ?? []);
        this.#concerned = new Set([...named, ...explained, ...declarations.models.map(({ model }) => model.predicate)]);
        this.#board.pin('declarations', problemsOfDeclarations(facts), stateAt);
    }
}

/** An output is written, and no other file may fill it. */
function mayBeWritten({ binds, openFile }: Declarations): boolean {
    return !openFile && binds.some(({ bind }) => bind.direction === 'output');
}

const NO_PROBLEMS: readonly Problem[] = [];
const NO_PREDICATES: ReadonlySet<PredicateNode> = new Set();
