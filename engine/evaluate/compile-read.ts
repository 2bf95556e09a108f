import type { ColumnRegister, PlanRead, RowRange } from '../plan/plan.ts';
import type { Relation } from '../relations/relation.ts';
import { groupsOf, relationOf } from './run-context.ts';
import type { VariantContext } from './variant-context.ts';

/** The rest of a rule, run for each match so far. */
export type Step = () => void;

/** Takes a row, or refuses it. */
type Accept = (row: number) => boolean;

/** Calls `accept` for rows until it has accepted one, or for all of them. */
type Enumerate = (accept: Accept, first: boolean) => boolean;

/** Runs `next` for every row, or for one row, that a literal matches. */
export function compileRead(step: PlanRead, rowSlot: number | undefined, next: Step, context: VariantContext): Step {
    const literal = context.variant.rule.literals[step.literal]!;
    const relation = relationOf(context.run, literal.relation);
    const isComplete = !literal.recursive && context.run.options.heights !== true && !context.run.plan.rewrites;
    const { search } = context;
    if (step.access.kind === 'index' && isComplete && !step.exists && search === undefined)
        return compileClustered(step, rowSlot, relation, next, context);
    const enumerate = compileAccess(step.access, step.range, step.literal, relation, context);
    if (step.exists) {
        const matches = present(compileMatch(step, relation.columns, context), relation, context);
        return () => {
            if (enumerate(matches, true)) next();
        };
    }
    if (search !== undefined) {
        const matches = present(compileMatch(step, relation.columns, context), relation, context);
        const { values } = context.registers;
        const look: Accept = row => {
            if (matches(row)) {
                if (rowSlot !== undefined) values[rowSlot] = row;
                next();
            }
            return search.found;
        };
        return () => {
            enumerate(look, true);
        };
    }
    const each = present(compileEach(step, rowSlot, relation.columns, undefined, next, context), relation, context);
    if (unitesChains(step, context)) return compileUniting(step, each, relation, context);
    return () => {
        enumerate(each, false);
    };
}

/** Passes over rows that others have taken the place of, where the run may rewrite rows (4.8). */
function present(accept: Accept, relation: Relation, { run }: VariantContext): Accept {
    if (!run.plan.rewrites) return accept;
    return row => !relation.isGone(row) && accept(row);
}

/** Whether this is the last read of an equality head, and finds the values that one value is to be equal to. */
function unitesChains({ access, checks, binds }: PlanRead, { variant: { rule, steps } }: VariantContext): boolean {
    if (rule.source?.rule.head.kind !== 'equality' || access.kind !== 'index' || checks.length > 0) return false;
    const [output] = rule.outputs;
    const [last, before] = [steps.at(-1), steps.at(-2)];
    const united = output?.kind === 'match' && binds.filter(({ variable }) => output.terms.includes(variable)).length === 1;
    return united && last?.kind === 'output' && before?.kind === 'read' && before.binds === binds;
}

/**
 * As an index, for the last literal of an equality head: when all rows of a chain have been made equal to one value, the
 * next value needs to meet only one of them. So `Y = Z <- p(X, Y), p(X, Z)` takes time for each row, not for each pair.
 * It holds for one pass over the matches; a pass compiles its own.
 */
function compileUniting(step: PlanRead, each: Accept, relation: Relation, context: VariantContext): Step {
    const united = new Set<number>();
    const enumerate = compileAccess(step.access, step.range, step.literal, relation, context);
    let first = -1;
    let known = false;
    const unite: Accept = row => {
        if (relation.isGone(row)) return false;
        if (first < 0) {
            first = row;
            known = united.has(row);
        }
        each(row);
        return known;
    };
    return () => {
        first = -1;
        known = false;
        enumerate(unite, true);
        if (first >= 0) united.add(first);
    };
}

/** As an index, for a relation that is complete: positions of the clustered index stand for rows. */
function compileClustered(step: PlanRead, rowSlot: number | undefined, relation: Relation, next: Step, context: VariantContext): Step {
    const { registers, run } = context;
    if (step.access.kind !== 'index') throw new Error('Only an index is clustered');
    const index = relation.clustered(step.access.columns);
    const read = new Set([...step.binds, ...step.checks].map(({ column }) => column));
    const columns = relation.columns.map((column, i) => (read.has(i) ? index.column(i) : column));
    const each = compileEach(step, rowSlot, columns, rowSlot === undefined ? undefined : index.rows, next, context);
    const { checkpoint } = run;
    const { values } = registers;
    const slots = step.access.variables.map(variable => registers.slot(variable));
    const [slot0 = 0] = slots;
    const key = new Int32Array(slots.length);
    if (slots.length === 1) {
        return () => {
            const start = index.locate1(values[slot0]!);
            const { end } = index;
            for (let position = start; position < end; position++) {
                if (--checkpoint.left < 0) checkpoint.check();
                each(position);
            }
        };
    }
    return () => {
        for (let i = 0; i < slots.length; i++) key[i] = values[slots[i]!]!;
        const start = index.locate(key);
        const { end } = index;
        for (let position = start; position < end; position++) {
            if (--checkpoint.left < 0) checkpoint.check();
            each(position);
        }
    };
}

/** Runs the rest of the rule for a row, or for a position that `rowAt` gives the row of. The common cases are written out: a call less per row is a fifth of a join's time. */
function compileEach(
    step: PlanRead,
    rowSlot: number | undefined,
    columns: readonly Int32Array[],
    rowAt: Int32Array | undefined,
    next: Step,
    context: VariantContext,
): Accept {
    const { registers } = context;
    const { values } = registers;
    if (step.checks.length > 0 || rowSlot !== undefined || step.binds.length > 3) {
        const matches = compileMatch(step, columns, context);
        return row => {
            if (!matches(row)) return false;
            if (rowSlot !== undefined) values[rowSlot] = rowAt === undefined ? row : rowAt[row]!;
            next();
            return false;
        };
    }
    const [column0 = 0, column1 = 0, column2 = 0] = step.binds.map(bind => bind.column);
    const [slot0 = 0, slot1 = 0, slot2 = 0] = step.binds.map(bind => registers.slot(bind.variable));
    switch (step.binds.length) {
        case 0:
            return () => {
                next();
                return false;
            };
        case 1:
            return row => {
                values[slot0] = columns[column0]![row]!;
                next();
                return false;
            };
        case 2:
            return row => {
                values[slot0] = columns[column0]![row]!;
                values[slot1] = columns[column1]![row]!;
                next();
                return false;
            };
        default:
            return row => {
                values[slot0] = columns[column0]![row]!;
                values[slot1] = columns[column1]![row]!;
                values[slot2] = columns[column2]![row]!;
                next();
                return false;
            };
    }
}

/** Runs `next` when no row matches a negated literal. */
export function compileAbsence(step: Omit<PlanRead, 'kind' | 'range' | 'exists'>, next: Step, context: VariantContext): Step {
    const relation = relationOf(context.run, context.variant.rule.literals[step.literal]!.relation);
    const enumerate = compileAccess(step.access, 'complete', step.literal, relation, context);
    const matches = present(compileMatch(step, relation.columns, context), relation, context);
    return () => {
        if (!enumerate(matches, true)) next();
    };
}

/** Puts the columns of a row into registers and compares the others with theirs. */
function compileMatch(step: Pick<PlanRead, 'binds' | 'checks'>, columns: readonly Int32Array[], context: VariantContext): Accept {
    const { registers } = context;
    const { values } = registers;
    const bind = compileBinds(step.binds, columns, context);
    if (step.checks.length === 0) return bind;
    const places = step.checks.map(check => check.column);
    const slots = step.checks.map(check => registers.slot(check.variable));
    return row => {
        bind(row);
        for (let i = 0; i < places.length; i++) if (columns[places[i]!]![row] !== values[slots[i]!]) return false;
        return true;
    };
}

function compileBinds(binds: readonly ColumnRegister[], columns: readonly Int32Array[], context: VariantContext): Accept {
    const { values } = context.registers;
    const slots = binds.map(bind => context.registers.slot(bind.variable));
    const places = binds.map(bind => bind.column);
    if (binds.length === 0) return () => true;
    return row => {
        for (let i = 0; i < slots.length; i++) values[slots[i]!] = columns[places[i]!]![row]!;
        return true;
    };
}

export type ReadRange = RowRange | 'complete';

export function firstRow(relation: Relation, range: ReadRange): number {
    return range === 'delta' ? relation.from : 0;
}

export function rowLimit(relation: Relation, range: ReadRange): number {
    return range === 'old' ? relation.from : range === 'complete' ? relation.count : relation.to;
}

function compileAccess(
    access: PlanRead['access'],
    range: ReadRange,
    literal: number,
    relation: Relation,
    context: VariantContext,
): Enumerate {
    const { checkpoint } = context.run;
    switch (access.kind) {
        case 'scan':
            return (accept, first) => {
                let row = firstRow(relation, range);
                let to = rowLimit(relation, range);
                while (row < to) {
                    for (; row < to; row++) {
                        if (--checkpoint.left < 0) checkpoint.check();
                        if (accept(row) && first) return true;
                    }
                    if (relation.isLive && range === 'delta') {
                        relation.to = relation.count;
                        to = relation.to;
                    }
                }
                return false;
            };
        case 'changed': {
            const groups = groupsOf(context.run, context.variant.rule.literals[literal]!.relation);
            return (accept, first) => {
                const { changed, changedCount } = groups;
                for (let i = 0; i < changedCount; i++) {
                    if (--checkpoint.left < 0) checkpoint.check();
                    groups.current = changed[i]!;
                    if (accept(groups.current) && first) return true;
                }
                return false;
            };
        }
        case 'key':
            return compileKeyAccess(access.variables, relation, range, context);
        case 'index':
            return compileIndexAccess(access, relation, range, context);
    }
}

/** The chain of rows with the same values in the index's columns, newest first. */
function compileIndexAccess(
    access: Extract<PlanRead['access'], { kind: 'index' }>,
    relation: Relation,
    range: ReadRange,
    { registers, run: { checkpoint } }: VariantContext,
): Enumerate {
    const { values } = registers;
    const index = relation.index(access.columns);
    const slots = access.variables.map(variable => registers.slot(variable));
    const [slot0 = 0] = slots;
    const follow = (newest: number, accept: Accept, first: boolean): boolean => {
        const from = firstRow(relation, range);
        const to = rowLimit(relation, range);
        const { next } = index;
        for (let row = newest; row >= from; row = next[row]!) {
            if (--checkpoint.left < 0) checkpoint.check();
            if (row < to && accept(row) && first) return true;
        }
        return false;
    };
    if (slots.length === 1) return (accept, first) => follow(index.first1(values[slot0]!), accept, first);
    const key = new Int32Array(slots.length);
    return (accept, first) => {
        for (let i = 0; i < slots.length; i++) key[i] = values[slots[i]!]!;
        return follow(index.first(key), accept, first);
    };
}

/** The one row with a key, which the table of the relation finds. */
function compileKeyAccess(variables: readonly string[], relation: Relation, range: ReadRange, { registers }: VariantContext): Enumerate {
    const { values } = registers;
    const slots = variables.map(variable => registers.slot(variable));
    const [slot0 = 0, slot1 = 0] = slots;
    const take = (row: number, accept: Accept): boolean =>
        row >= firstRow(relation, range) && row < rowLimit(relation, range) && accept(row);
    if (slots.length === 2) return accept => take(relation.findKey2(values[slot0]!, values[slot1]!), accept);
    const key = new Int32Array(slots.length);
    return accept => {
        for (let i = 0; i < slots.length; i++) key[i] = values[slots[i]!]!;
        return take(relation.findKey(key), accept);
    };
}
