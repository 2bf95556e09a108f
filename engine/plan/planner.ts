import type { PredicateKey } from '#language/program/analysed-program.ts';
import { variablesOf } from '#language/program/expression-variables.ts';
import type { Expression } from '#language/program/program.ts';
import type { RowRange } from '../relations/relation.ts';
import type { PassName } from '../run-options.ts';
import { type Estimate, expectedRows } from './estimates.ts';
import { dropUnread, uniteUnread } from './passes/first-match.ts';
import { readLargeFirst } from './passes/large-first.ts';
import { uniteReads } from './passes/multiway-join.ts';
import { fireOnCrossing } from './passes/threshold-firing.ts';
import type {
    Access,
    ColumnRegister,
    PlanDefinition,
    PlanInvention,
    PlanLiteral,
    PlanRead,
    PlanRelation,
    PlanRule,
    PlanStep,
    PlanVariant,
} from './plan.ts';
import { waitsForMatch } from './waits-for-match.ts';

export interface PlannerInput {
    readonly relations: ReadonlyMap<PredicateKey, PlanRelation>;
    readonly estimate: (relation: PredicateKey) => Estimate;
    /** Whether a literal sees its relation grow while the stratum runs. */
    readonly moving: (literal: PlanLiteral) => boolean;
    readonly disabledPasses: ReadonlySet<PassName>;
}

/** The literals that can start a variant: every positive one that moves. */
export function deltaLiterals(rule: PlanRule, input: PlannerInput): number[] {
    return rule.literals.flatMap((literal, index) => (!literal.negated && input.moving(literal) ? [index] : []));
}

/**
 * Orders the work of a rule: the delta first, then always the literal that is expected to match the fewest rows, with
 * conditions, negations and assignments as soon as they can be decided. What may fail comes last, so that whether a run
 * fails does not depend on the order.
 */
export function planVariant(rule: PlanRule, delta: number | undefined, input: PlannerInput): PlanVariant {
    const { disabledPasses, estimate, relations, moving } = input;
    const isFirstMatch = !disabledPasses.has('first-match');
    const isComplete = (literal: PlanLiteral): boolean => !literal.recursive && !moving(literal);
    const rowsOf = (literal: PlanLiteral): number => estimate(literal.relation).rows;
    const planned = new VariantPlanner(rule, delta, input).steps();
    const steps = disabledPasses.has('join-order') ? planned : readLargeFirst(rule, planned, relations, rowsOf, isComplete);
    const read = isFirstMatch ? dropUnread(rule, steps) : steps;
    const united = disabledPasses.has('multiway-join') ? read : uniteReads(rule, read, relations, isComplete);
    const last = isFirstMatch ? uniteUnread(rule, united) : united;
    const fired = disabledPasses.has('threshold-firing') ? last : fireOnCrossing(rule, last, relations);
    return { rule, ...(delta === undefined ? {} : { delta }), steps: fired };
}

class VariantPlanner {
    readonly #rule: PlanRule;
    readonly #delta: number | undefined;
    readonly #input: PlannerInput;
    readonly #bound: Set<string>;
    readonly #bindable: ReadonlySet<string>;
    readonly #constants: ReadonlySet<string>;
    readonly #steps: PlanStep[] = [];
    readonly #literals: Set<number>;
    readonly #filters: Set<Expression>;
    readonly #assignments: Set<PlanDefinition>;
    readonly #inventions: Set<PlanInvention>;

    constructor(rule: PlanRule, delta: number | undefined, input: PlannerInput) {
        this.#rule = rule;
        this.#delta = delta;
        this.#input = input;
        this.#constants = new Set(rule.constants.map(constant => constant.variable));
        this.#bound = new Set(this.#constants);
        this.#bindable = bindableVariables(rule);
        this.#literals = new Set(rule.literals.keys());
        this.#filters = new Set(rule.filters);
        this.#assignments = new Set(rule.assignments);
        this.#inventions = new Set(rule.inventions);
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
        if (this.#rule.constantsOnly) this.#steps.push({ kind: 'constants only' });
        this.#placeInventions();
        this.#steps.push({ kind: 'output' });
        return this.#steps;
    }

    /** The positive literal to read next: by text without the pass, else the one with the fewest expected rows. */
    #nextLiteral(): number | undefined {
        const open = [...this.#literals].filter(index => !this.#rule.literals[index]!.negated);
        if (open.length < 2 || this.#input.disabledPasses.has('join-order')) return open[0];
        let best: number | undefined;
        let fewest = Number.POSITIVE_INFINITY;
        for (const index of open) {
            const rows = this.#expectedRows(this.#rule.literals[index]!);
            if (rows >= fewest) continue;
            fewest = rows;
            best = index;
        }
        return best;
    }

    #expectedRows(literal: PlanLiteral): number {
        const relation = this.#relation(literal);
        const columns = literal.terms.flatMap((term, column) => (term.kind === 'variable' && this.#bound.has(term.name) ? [column] : []));
        const keys = relation.groups?.keys;
        if (keys?.every(column => columns.includes(column))) return 1;
        return expectedRows(this.#input.estimate(literal.relation), literal.terms.length, columns);
    }

    #read(index: number, first: boolean): void {
        this.#literals.delete(index);
        const literal = this.#rule.literals[index]!;
        const access = this.#accessOf(literal, index === this.#delta, first);
        const step = this.#readStep(index, this.#rangeOf(index), access);
        this.#steps.push(step);
        for (const term of literal.terms) if (term.kind === 'variable') this.#bound.add(term.name);
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
        return this.#input.relations.get(literal.relation)!;
    }

    /** Places everything that the bound variables decide; `matched` says that the literals are all placed. */
    #placeDecided(matched: boolean): void {
        let again = true;
        while (again) {
            again = false;
            for (const filter of this.#filters) {
                if (!this.#isBound(filter) || (!matched && waitsForMatch(filter))) continue;
                this.#filters.delete(filter);
                this.#steps.push({ kind: 'filter', condition: filter });
            }
            for (const index of this.#literals) this.#placeNegated(index);
            for (const definition of this.#assignments) {
                const waits = definition.exploded || waitsForMatch(definition.value);
                if (!this.#isBound(definition.value) || (!matched && waits)) continue;
                this.#assignments.delete(definition);
                this.#steps.push({ kind: 'assign', definition });
                this.#bound.add(definition.variable);
                again = true;
                break;
            }
        }
    }

    /** Last of all, and before head terms that are computed from them. */
    #placeInventions(): void {
        for (const invention of this.#inventions) {
            this.#steps.push({ kind: 'invent', invention });
            this.#bound.add(invention.variable);
        }
        this.#placeDecided(true);
    }

    /** Variables that nothing else binds are quantified inside the negated atom (4.9). */
    #placeNegated(index: number): void {
        const literal = this.#rule.literals[index]!;
        if (!literal.negated) return;
        const waiting = literal.terms.some(
            term => term.kind === 'variable' && this.#bindable.has(term.name) && !this.#bound.has(term.name),
        );
        if (waiting) return;
        this.#literals.delete(index);
        const isSearched = this.#input.disabledPasses.has('anti-join-indexes');
        const access = isSearched ? ({ kind: 'scan' } as const) : this.#accessOf(literal, false, this.#steps.length === 0);
        const { binds, checks } = this.#readStep(index, 'all', access);
        this.#steps.push({ kind: 'absent', literal: index, access, binds, checks });
    }

    #isBound(expression: Expression): boolean {
        return variablesOf(expression).every(name => this.#bound.has(name));
    }
}

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
