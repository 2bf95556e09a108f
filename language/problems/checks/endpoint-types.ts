import type { RuleFacts } from '#language/analysis/program-facts.ts';
import { querySchemaOf } from '#language/analysis/queries.ts';
import type { ColumnTypes } from '#language/analysis/rule-types.ts';
import { comparisonClass } from '#language/library/comparison-class.ts';
import { isGraphFunction } from '#language/library/relation-options.ts';
import type { Problem } from '#language/program/problem.ts';
import { problem } from '../catalogue.ts';

/** Graph functions over edges from structs to simple values: RL7112 (7.4). */
export function* checkEndpointTypes({ rule: { body }, resolved, place, query }: RuleFacts, columns: ColumnTypes): Iterable<Problem> {
    if (body.kind !== 'relation-function' || !isGraphFunction(body.call.name)) return;
    const [input] = resolved.reads;
    if (input === undefined) return;
    const types = query === undefined ? columns.get(input) : querySchemaOf(query, key => columns.get(key)).columns?.map(({ type }) => type);
    const [from, to] = (types ?? []).slice(0, 2).map(comparisonClass);
    if (from === undefined || to === undefined) return;
    if ((from === 'struct') !== (to === 'struct')) yield problem('RL7112', place, body.call.input.span);
}
