import type { RuleFacts } from '#language/analysis/program-facts.ts';
import type { ColumnTypes } from '#language/analysis/rule-types.ts';
import { type TypeEnvironment, typesIn } from '#language/library/expression-type.ts';
import type { Problem } from '#language/program/problem.ts';
import { UNKNOWN } from '#language/program/types.ts';
import { checkMixedNumbers } from './text-order.ts';

/** Numbers beside texts that read as numbers where a rule joins, looks up, groups or aggregates them: RL4026. */
export function* checkMixedUse(
    { resolved, place, aggregated }: RuleFacts,
    columns: ColumnTypes,
    environment: TypeEnvironment,
): Iterable<Problem> {
    const places = new Map<string, number>();
    for (const { atom } of resolved.literals)
        for (const term of atom.arguments) if (term.kind === 'variable') places.set(term.name, (places.get(term.name) ?? 0) + 1);
    for (const { atom, predicate } of resolved.literals) {
        const types = columns.get(predicate) ?? [];
        for (const [i, term] of atom.arguments.entries()) {
            const isLookedUp = term.kind === 'variable' ? (places.get(term.name) ?? 0) > 1 : term.kind !== 'anonymous';
            if (isLookedUp) yield* checkMixedNumbers(types[i] ?? UNKNOWN, place, term.span);
        }
    }
    const aggregates = resolved.assignments.flatMap(assignment => assignment.aggregates);
    if (aggregates.length === 0) return;
    const typeOf = typesIn(environment);
    const keys = resolved.heads.flatMap(({ atom }) =>
        atom.arguments.filter(term => term.kind !== 'variable' || !aggregated.has(term.name)),
    );
    const given = aggregates.flatMap(({ arguments: of, contributors }) => [...of, ...(contributors ?? [])]);
    for (const term of [...keys, ...given]) yield* checkMixedNumbers(typeOf(term), place, term.span);
}
