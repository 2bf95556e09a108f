import type { ColumnRegister, PlanRead } from '../plan/plan.ts';
import type { Relation, RowRange } from '../relations/relation.ts';
import type { VariantContext } from './compile-rule.ts';
import { groupsOf, relationOf } from './run-context.ts';

/** The rest of a rule, run for each match so far. */
export type Step = () => void;

/** Takes a row, or refuses it. */
type Accept = (row: number) => boolean;

/** Calls `accept` for rows until it has accepted one, or for all of them. */
type Enumerate = (accept: Accept, first: boolean) => boolean;

/** Runs `next` for every row, or for one row, that a literal matches. */
export function compileRead(step: PlanRead, rowSlot: number | undefined, next: Step, context: VariantContext): Step {
    const relation = relationOf(context.run, context.variant.rule.literals[step.literal]!.relation);
    const enumerate = compileAccess(step.access, step.range, step.literal, relation, context);
    const { values } = context.registers;
    const matches = compileMatch(step, relation, context);
    if (step.exists) {
        return () => {
            if (enumerate(matches, true)) next();
        };
    }
    const each: Accept =
        rowSlot === undefined
            ? row => {
                  if (matches(row)) next();
                  return false;
              }
            : row => {
                  if (matches(row)) {
                      values[rowSlot] = row;
                      next();
                  }
                  return false;
              };
    return () => {
        enumerate(each, false);
    };
}

/** Runs `next` when no row matches a negated literal. */
export function compileAbsence(step: Omit<PlanRead, 'kind' | 'range' | 'exists'>, next: Step, context: VariantContext): Step {
    const relation = relationOf(context.run, context.variant.rule.literals[step.literal]!.relation);
    const enumerate = compileAccess(step.access, 'complete', step.literal, relation, context);
    const matches = compileMatch(step, relation, context);
    return () => {
        if (!enumerate(matches, true)) next();
    };
}

/** Puts the columns of a row into registers and compares the others with theirs. */
function compileMatch(step: Pick<PlanRead, 'binds' | 'checks'>, relation: Relation, context: VariantContext): Accept {
    const { registers } = context;
    const { values } = registers;
    const bind = compileBinds(step.binds, relation, context);
    if (step.checks.length === 0) return bind;
    const columns = step.checks.map(check => check.column);
    const slots = step.checks.map(check => registers.slot(check.variable));
    return row => {
        bind(row);
        for (let i = 0; i < columns.length; i++) if (relation.columns[columns[i]!]![row] !== values[slots[i]!]) return false;
        return true;
    };
}

function compileBinds(binds: readonly ColumnRegister[], relation: Relation, context: VariantContext): Accept {
    const { columns } = relation;
    const { values } = context.registers;
    const slots = binds.map(bind => context.registers.slot(bind.variable));
    const places = binds.map(bind => bind.column);
    const [column0 = 0, column1 = 0, column2 = 0] = places;
    const [slot0 = 0, slot1 = 0, slot2 = 0] = slots;
    switch (binds.length) {
        case 0:
            return () => true;
        case 1:
            return row => {
                values[slot0] = columns[column0]![row]!;
                return true;
            };
        case 2:
            return row => {
                values[slot0] = columns[column0]![row]!;
                values[slot1] = columns[column1]![row]!;
                return true;
            };
        case 3:
            return row => {
                values[slot0] = columns[column0]![row]!;
                values[slot1] = columns[column1]![row]!;
                values[slot2] = columns[column2]![row]!;
                return true;
            };
        default:
            return row => {
                for (let i = 0; i < slots.length; i++) values[slots[i]!] = columns[places[i]!]![row]!;
                return true;
            };
    }
}

function compileAccess(
    access: PlanRead['access'],
    range: RowRange | 'complete',
    literal: number,
    relation: Relation,
    context: VariantContext,
): Enumerate {
    const { registers, run } = context;
    const { values } = registers;
    const { checkpoint } = run;
    const start = range === 'delta' ? () => relation.from : () => 0;
    const end = range === 'old' ? () => relation.from : range === 'complete' ? () => relation.count : () => relation.to;
    switch (access.kind) {
        case 'scan':
            return (accept, first) => {
                const to = end();
                for (let row = start(); row < to; row++) {
                    if (--checkpoint.left < 0) checkpoint.check();
                    if (accept(row) && first) return true;
                }
                return false;
            };
        case 'changed': {
            const groups = groupsOf(run, context.variant.rule.literals[literal]!.relation);
            return (accept, first) => {
                const { changed, changedCount } = groups;
                for (let i = 0; i < changedCount; i++) {
                    if (--checkpoint.left < 0) checkpoint.check();
                    if (accept(changed[i]!) && first) return true;
                }
                return false;
            };
        }
        case 'key':
            return compileKeyAccess(access.variables, relation, start, end, context);
        case 'index': {
            const index = relation.index(access.columns);
            const slots = access.variables.map(variable => registers.slot(variable));
            const [slot0 = 0, slot1 = 0] = slots;
            const key = new Int32Array(slots.length);
            const newest =
                slots.length === 1
                    ? () => index.first1(values[slot0]!)
                    : slots.length === 2
                      ? () => index.first2(values[slot0]!, values[slot1]!)
                      : () => {
                            for (let i = 0; i < slots.length; i++) key[i] = values[slots[i]!]!;
                            return index.first(key);
                        };
            return (accept, first) => {
                const from = start();
                const to = end();
                const { next } = index;
                for (let row = newest(); row >= from; row = next[row]!) {
                    if (--checkpoint.left < 0) checkpoint.check();
                    if (row < to && accept(row) && first) return true;
                }
                return false;
            };
        }
    }
}

/** The one row with a key, which the table of the relation finds. */
function compileKeyAccess(
    variables: readonly string[],
    relation: Relation,
    start: () => number,
    end: () => number,
    context: VariantContext,
): Enumerate {
    const { registers } = context;
    const { values } = registers;
    const slots = variables.map(variable => registers.slot(variable));
    const [slot0 = 0, slot1 = 0] = slots;
    const key = new Int32Array(slots.length);
    const find =
        slots.length === 2
            ? () => relation.findKey2(values[slot0]!, values[slot1]!)
            : () => {
                  for (let i = 0; i < slots.length; i++) key[i] = values[slots[i]!]!;
                  return relation.findKey(key);
              };
    return accept => {
        const row = find();
        return row >= start() && row < end() && accept(row);
    };
}
