import type { RuleFacts } from '#language/analysis/program-facts.ts';
import type { ColumnTypes } from '#language/analysis/rule-types.ts';
import { comparisonClass } from '#language/library/comparison-class.ts';
import type { Problem } from '#language/program/problem.ts';
import { say } from '#language/program/say.ts';
import type { Span } from '#language/program/span.ts';
import { printType, type Type } from '#language/program/types.ts';
import { problem, withRelated } from '../catalogue.ts';

/** Variables that stand in columns without a common value, of which one may be that of an absence: RL4022. */
export function* checkJoinTypes({ resolved, place }: RuleFacts, columns: ColumnTypes): Iterable<Problem> {
    const seen = new Map<string, { readonly type: Type; readonly span: Span }>();
    const told = new Set<string>();
    const { literals } = resolved;
    for (const { atom, predicate, negated } of [...literals.filter(one => !one.negated), ...literals.filter(one => one.negated)]) {
        const types = columns.get(predicate) ?? [];
        for (const [i, term] of atom.arguments.entries()) {
            const type = types[i];
            const found = type && comparisonClass(type);
            if (term.kind !== 'variable' || type === undefined || found === undefined || told.has(term.name)) continue;
            const first = seen.get(term.name);
            if (first === undefined && !negated) seen.set(term.name, { type, span: term.span });
            else if (first !== undefined && comparisonClass(first.type) !== found) {
                told.add(term.name);
                const here = problem(
                    'RL4022',
                    place,
                    term.span,
                    term.name,
                    printType(first.type),
                    printType(type),
                    ...(negated ? [true] : []),
                );
                yield withRelated(here, [{ place, span: first.span, message: say`'${term.name}' is ${printType(first.type)} here` }]);
            }
        }
    }
}
