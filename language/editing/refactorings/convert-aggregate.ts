import { AGGREGATES } from '#language/program/aggregates.ts';
import { say } from '#language/program/say.ts';
import { replacement } from '../quick-fixes/fix.ts';
import { inClause, type Refactoring, type RefactoringRequest, selectedNode } from './refactoring.ts';
import { isRecursive } from './rule-parts.ts';

/** Outside recursion a monotonic aggregate and the standard one of the same name mean the same (5.6). */
const PAIRS: readonly (readonly [monotonic: string, standard: string])[] = Object.values(AGGREGATES)
    .filter(({ name, family }) => name !== family)
    .map(({ name, family }) => [family, name]);

/** Between `sum` and `msum`, for a predicate that no other rule aggregates: all rules have to name one function (D-38). */
export function* convertAggregate(request: RefactoringRequest): Iterable<Refactoring> {
    const { programs, rule } = request;
    const node = selectedNode(request);
    if (rule === undefined || node?.mention.kind !== 'aggregate') return;
    const { name, span } = node.mention;
    const pair = PAIRS.find(names => names.includes(name));
    const keys = rule.heads.map(({ predicate }) => predicate);
    if (
        pair === undefined ||
        keys.some(key => isRecursive(programs, key)) ||
        keys.some(key => programs.some(({ predicates }) => (predicates.get(key)?.rules.length ?? 1) > 1))
    )
        return;
    const other = name === pair[0] ? pair[1] : pair[0];
    yield inClause(request, { kind: 'rewrite', title: say`Replace '${name}' with '${other}'` }, replacement(span, other));
}
