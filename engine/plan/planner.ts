import type { PredicateKey } from '#language/program/analysed-program.ts';
import { append } from '#language/program/append.ts';
import { variablesOf } from '#language/program/expression-variables.ts';
import type { Expression } from '#language/program/program.ts';
import type { SwitchedOff } from './decisions.ts';
import { type Estimate, expectedRows } from './estimates.ts';
import { LeastFirst } from './least-first.ts';
import { withExecution } from './passes/execution.ts';
import { differsPerMatch, dropUnread, uniteUnread } from './passes/first-match.ts';
import { forkVariants } from './passes/fork-variants.ts';
import { readLargeFirst } from './passes/large-first.ts';
import { uniteReads } from './passes/multiway-join.ts';
import { fireOnCrossing } from './passes/threshold-firing.ts';
import { variablesIn } from './passes/value-flow.ts';
import type {
    Access,
    ColumnRegister,
    OrderedRule,
    Plan,
    PlanLiteral,
    PlanRead,
    PlanRelation,
    PlanRule,
    PlanStep,
    PlanVariant,
    RowRange,
    StratumExecution,
} from './plan.ts';
import { mayFail } from './silent-expression.ts';
import { Waiting } from './waiting.ts';
import { waitsForMatch } from './waits-for-match.ts';

export interface PlannerInput {
    readonly plan: Pick<Plan, 'relations' | 'trees' | 'heights' | 'rewrites'>;
    /** That of the stratum which the rules belong to. */
    readonly execution?: StratumExecution;
    readonly estimate: (relation: PredicateKey) => Estimate;
    /** Whether a literal sees its relation grow while the stratum runs. */
    readonly moving: (literal: PlanLiteral) => boolean;
    readonly disabledPasses: SwitchedOff;
}

/** The literals that can start a variant: every positive one that moves. */
export function deltaLiterals(rule: PlanRule, input: PlannerInput): number[] {
    return rule.literals.flatMap((literal, index) => (!literal.negated && input.moving(literal) ? [index] : []));
}

/**
 * Returns the literals from whose new rows the variants of a rule start in a round. A rule of very many literals starts once from
 * everything: a variant for each of them would cost the number of literals squared.
 */
export function variantStarts(rule: PlanRule, input: PlannerInput): readonly (number | undefined)[] {
    const deltas = deltaLiterals(rule, input);
    return deltas.length > MOST_VARIANTS && mayRepeat(rule, input) ? [undefined] : deltas;
}

const MOST_VARIANTS = 128;

/** Whether a match that is found again adds nothing to what it gave the first time. */
function mayRepeat({ outputs, parent, inventions, assignments, filters }: PlanRule, { plan }: PlannerInput): boolean {
    return (
        parent === undefined &&
        inventions.length === 0 &&
        outputs.every(output => output.kind === 'emit' && !plan.relations.get(output.relation)!.columns.some(({ cast }) => cast)) &&
        ![...assignments.map(({ value }) => value), ...filters].some(differsPerMatch)
    );
}

/** The order of a rule, and how it is run in this order. */
export function planVariant(rule: PlanRule, delta: number | undefined, input: PlannerInput): PlanVariant {
    return withExecution(orderRule(rule, delta, input), input);
}

/** As `planVariant` for rules without a delta; those that begin alike share their first steps. */
export function planTogether(orders: readonly OrderedRule[], input: PlannerInput): readonly PlanVariant[] {
    return forkVariants(orders).map(order => withExecution(order, input));
}

/**
 * Orders the work of a rule: the delta first, then always the literal that is expected to match the fewest rows, with
 * conditions, negations and assignments as soon as they can be decided. What may fail comes last, so that whether a run
 * fails does not depend on the order.
 */
export function orderRule(rule: PlanRule, delta: number | undefined, input: PlannerInput): OrderedRule {
    const { disabledPasses, estimate, moving, plan } = input;
    const { relations, heights, rewrites } = plan;
    const isFirstMatch = !disabledPasses.has('first-match');
    const isComplete = (literal: PlanLiteral): boolean => !literal.recursive && !moving(literal);
    const rowsOf = (literal: PlanLiteral): number => estimate(literal.relation).rows;
    const planned = new VariantPlanner(rule, delta, input).steps();
    const steps = disabledPasses.has('join-order') ? planned : readLargeFirst(rule, planned, relations, rowsOf, isComplete);
    const read = isFirstMatch ? dropUnread(rule, steps) : steps;
    const isUnited = !disabledPasses.has('multiway-join') && !heights && !rewrites;
    const united = isUnited ? uniteReads(rule, read, relations, isComplete) : read;
    const last = isFirstMatch ? uniteUnread(rule, united) : united;
    const fired = disabledPasses.has('threshold-firing') ? last : fireOnCrossing(rule, last, relations);
    return { rule, ...(delta === undefined ? {} : { delta }), steps: fired };
}

class VariantPlanner {
    readonly #rule: PlanRule;
    readonly #delta: number | undefined;
    readonly #input: PlannerInput;
    readonly #bound: Set<string>;
    readonly #constants: ReadonlySet<string>;
    readonly #steps: PlanStep[] = [];
    /** The positive literals that are still to be read. */
    readonly #open: Set<number>;
    /** Expected matches of each open literal; `#changed` has the literals whose variables were bound since then. */
    readonly #rows: number[] = [];
    readonly #changed: Set<number>;
    readonly #readers = new Map<string, number[]>();
    readonly #fewest = new LeastFirst();
    readonly #filters: readonly Expression[];
    readonly #waitingFilters: Waiting;
    readonly #waitingNegations: Waiting;
    readonly #waitingAssignments: Waiting;

    constructor(rule: PlanRule, delta: number | undefined, input: PlannerInput) {
        const { constants, literals, assignments } = rule;
        this.#rule = rule;
        this.#delta = delta;
        this.#input = input;
        this.#constants = new Set(constants.map(constant => constant.variable));
        this.#bound = new Set(this.#constants);
        this.#open = new Set([...literals.keys()].filter(index => !literals[index]!.negated));
        this.#changed = new Set(this.#open);
        for (const index of this.#open) {
            for (const name of new Set(variablesIn(literals[index]!))) append(this.#readers, name, index);
        }
        const bindable = bindableVariables(rule);
        // Variables that nothing else binds are quantified inside the negated atom (4.9).
        const awaited = (literal: PlanLiteral): string[] =>
            literal.negated ? variablesIn(literal).filter(name => bindable.has(name)) : [NEVER];
        const values = assignments.map(({ value }) => value);
        this.#filters = [...new Set(rule.filters)];
        const isLate = input.disabledPasses.has('early-arithmetic') ? mayFail : waitsForMatch;
        this.#waitingFilters = new Waiting(this.#filters.map(variablesOf), this.#bound, index => isLate(this.#filters[index]!));
        this.#waitingNegations = new Waiting(literals.map(awaited), this.#bound, () => false);
        this.#waitingAssignments = new Waiting(
            values.map(variablesOf),
            this.#bound,
            index => assignments[index]!.exploded || isLate(values[index]!),
        );
    }

    steps(): PlanStep[] {
        const early = !this.#input.disabledPasses.has('filter-early');
        if (this.#delta !== undefined) this.#read(this.#delta, true);
        for (;;) {
            if (early) this.#placeDecided(false);
            const next = this.#nextLiteral();
            if (next === undefined) break;
            this.#read(next, this.#steps.length === 0);
        }
        this.#placeDecided(false);
        this.#placeDecided(true);
        if (this.#rule.constantsOnly.length > 0) this.#steps.push({ kind: 'constants only' });
        this.#placeInventions();
        this.#steps.push({ kind: 'output' });
        return this.#steps;
    }

    /** The positive literal to read next: by text without the pass, else the one with the fewest expected rows. */
    #nextLiteral(): number | undefined {
        if (this.#open.size < 2 || this.#input.disabledPasses.has('join-order')) return this.#open.values().next().value;
        for (const index of this.#changed) {
            const rows = this.#expectedRows(this.#rule.literals[index]!);
            this.#rows[index] = rows;
            this.#fewest.add(index, rows);
        }
        this.#changed.clear();
        for (;;) {
            const next = this.#fewest.next();
            if (next === undefined) return undefined;
            if (this.#open.has(next.thing) && this.#rows[next.thing] === next.cost) return next.thing;
        }
    }

    #expectedRows(literal: PlanLiteral): number {
        const relation = this.#relation(literal);
        const columns = literal.terms.flatMap((term, column) => (term.kind === 'variable' && this.#bound.has(term.name) ? [column] : []));
        const keys = relation.groups?.keys;
        if (keys?.every(column => columns.includes(column))) return 1;
        return expectedRows(this.#input.estimate(literal.relation), literal.terms.length, columns);
    }

    #bind(name: string): void {
        if (this.#bound.has(name)) return;
        this.#bound.add(name);
        for (const index of this.#readers.get(name) ?? []) if (this.#open.has(index)) this.#changed.add(index);
        this.#waitingFilters.bind(name);
        this.#waitingNegations.bind(name);
        this.#waitingAssignments.bind(name);
    }

    #read(index: number, first: boolean): void {
        this.#open.delete(index);
        this.#changed.delete(index);
        const literal = this.#rule.literals[index]!;
        const access = this.#accessOf(literal, index === this.#delta, first);
        const step = this.#readStep(index, this.#rangeOf(index), access);
        this.#steps.push(step);
        for (const name of variablesIn(literal)) this.#bind(name);
    }

    #readStep(index: number, range: RowRange, access: Access): PlanRead {
        const literal = this.#rule.literals[index]!;
        const reached = new Set(access.kind === 'index' ? access.columns : access.kind === 'key' ? this.#keysOf(literal) : []);
        const binds: ColumnRegister[] = [];
        const checks: ColumnRegister[] = [];
        const here = new Set<string>();
        for (const [column, term] of literal.terms.entries()) {
            if (term.kind === 'anonymous' || reached.has(column)) continue;
            if (this.#bound.has(term.name) || here.has(term.name)) {
                checks.push({ column, variable: term.name });
            } else {
                here.add(term.name);
                binds.push({ column, variable: term.name });
            }
        }
        return { kind: 'read', literal: index, range, access, binds, checks, exists: false };
    }

    /** Groups have no old rows of their own: a match may come twice, which their contributor stores allow for. */
    #rangeOf(index: number): RowRange {
        const literal = this.#rule.literals[index]!;
        if (index === this.#delta) return 'delta';
        if (this.#delta === undefined || index < this.#delta || !this.#input.moving(literal)) return 'all';
        return this.#changesInPlace(literal) ? 'all' : 'old';
    }

    #accessOf(literal: PlanLiteral, isDelta: boolean, first: boolean): Access {
        if (isDelta) return { kind: this.#changesInPlace(literal) ? 'changed' : 'scan' };
        const bound = literal.terms.flatMap((term, column) => {
            if (term.kind !== 'variable' || !this.#bound.has(term.name)) return [];
            if (this.#constants.has(term.name) && this.#input.disabledPasses.has('constant-probe')) return [];
            return [column];
        });
        const variableAt = (column: number): string => variableOf(literal, column);
        const keys = this.#keysOf(literal);
        if (keys.every(column => bound.includes(column))) return { kind: 'key', variables: keys.map(variableAt) };
        // One pass over the rows costs less than an index that is used once.
        const onlyConstants = bound.every(column => this.#constants.has(variableAt(column)));
        if (first && onlyConstants) return { kind: 'scan' };
        const columns = this.#changesInPlace(literal) ? bound.filter(column => keys.includes(column)) : bound;
        return columns.length === 0 ? { kind: 'scan' } : { kind: 'index', columns, variables: columns.map(variableAt) };
    }

    #changesInPlace(literal: PlanLiteral): boolean {
        return literal.recursive && this.#relation(literal).groups !== undefined;
    }

    #keysOf(literal: PlanLiteral): readonly number[] {
        return this.#relation(literal).groups?.keys ?? [...literal.terms.keys()];
    }

    #relation(literal: PlanLiteral): PlanRelation {
        return this.#input.plan.relations.get(literal.relation)!;
    }

    /** Places everything that the bound variables decide; `matched` says that the literals are all placed. */
    #placeDecided(matched: boolean): void {
        for (;;) {
            for (let index = this.#waitingFilters.next(matched); index !== undefined; index = this.#waitingFilters.next(matched)) {
                this.#steps.push({ kind: 'filter', condition: this.#filters[index]! });
            }
            for (let index = this.#waitingNegations.next(matched); index !== undefined; index = this.#waitingNegations.next(matched)) {
                this.#placeNegated(index);
            }
            const assigned = this.#waitingAssignments.next(matched);
            if (assigned === undefined) return;
            const definition = this.#rule.assignments[assigned]!;
            this.#steps.push({ kind: 'assign', definition });
            this.#bind(definition.variable);
        }
    }

    /** Last of all, and before head terms that are computed from them. */
    #placeInventions(): void {
        for (const invention of new Set(this.#rule.inventions)) {
            this.#steps.push({ kind: 'invent', invention });
            this.#bind(invention.variable);
        }
        this.#placeDecided(true);
    }

    #placeNegated(index: number): void {
        const literal = this.#rule.literals[index]!;
        const isSearched = this.#input.disabledPasses.has('anti-join-indexes');
        const access = isSearched ? ({ kind: 'scan' } as const) : this.#accessOf(literal, false, this.#steps.length === 0);
        const { binds, checks } = this.#readStep(index, 'all', access);
        this.#steps.push({ kind: 'absent', literal: index, access, binds, checks });
    }
}

/** No variable is called like that: what waits for it is not placed here. */
const NEVER = '';

function bindableVariables(rule: PlanRule): ReadonlySet<string> {
    const names = new Set<string>();
    for (const { variable } of [...rule.constants, ...rule.assignments]) names.add(variable);
    for (const literal of rule.literals) {
        if (literal.negated) continue;
        for (const term of literal.terms) if (term.kind === 'variable') names.add(term.name);
    }
    return names;
}

function variableOf(literal: PlanLiteral, column: number): string {
    const term = literal.terms[column]!;
    if (term.kind !== 'variable') throw new Error('A bound column without a variable');
    return term.name;
}
