import type { PredicateKey } from '#language/program/analysed-program.ts';
import type { PlanLiteral, PlanRead, PlanRelation, PlanRule, PlanStep } from '../plan.ts';

/** Smaller literals are read in whatever order. */
const LEAST_ROWS = 10_000;
/** So many times larger is the second literal: less gains nothing, and of more its index, which other rules may use too, costs less than to read it all. */
const LEAST_FACTOR = 4;
const MOST_FACTOR = 256;

/**
 * Reads the second of two literals before the first where it is larger, as orders are before their products: then the smaller one is
 * indexed, and the larger one is read in its own order. Only where a rule contributes to groups: rows that a rule adds should come with
 * equal first values one after another, which the order of the smaller literal often brings about.
 */
export function readLargeFirst(
    rule: PlanRule,
    steps: readonly PlanStep[],
    relations: ReadonlyMap<PredicateKey, PlanRelation>,
    rowsOf: (literal: PlanLiteral) => number,
    isComplete: (literal: PlanLiteral) => boolean,
): readonly PlanStep[] {
    const [small, large, ...others] = steps;
    if (rule.outputs.some(({ kind }) => kind !== 'contribute')) return steps;
    if (small?.kind !== 'read' || large?.kind !== 'read' || small.access.kind !== 'scan' || large.access.kind !== 'index') return steps;
    if (small.range !== 'all' || large.range !== 'all' || small.checks.length > 0 || large.checks.length > 0) return steps;
    const { columns, variables } = large.access;
    const [column, variable] = [columns[0]!, variables[0]!];
    const met = small.binds.find(bind => bind.variable === variable);
    const [first, second] = [rule.literals[small.literal]!, rule.literals[large.literal]!];
    if (columns.length > 1 || met === undefined || !isComplete(first) || !isComplete(second)) return steps;
    const factor = rowsOf(second) / Math.max(1, rowsOf(first));
    if (rowsOf(second) < LEAST_ROWS || factor < LEAST_FACTOR || factor > MOST_FACTOR) return steps;
    const keys = relations.get(first.relation)!.groups?.keys ?? [...first.terms.keys()];
    const isKey = keys.length === 1 && keys[0] === met.column;
    const found: PlanRead = {
        ...small,
        access: isKey ? { kind: 'key', variables: [variable] } : { kind: 'index', columns: [met.column], variables: [variable] },
        binds: small.binds.filter(bind => bind !== met),
    };
    const binds = [...large.binds, { column, variable }].sort((left, right) => left.column - right.column);
    return [{ ...large, access: { kind: 'scan' }, binds }, found, ...others];
}
