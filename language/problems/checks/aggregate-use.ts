import type { RuleFacts } from '#language/analysis/program-facts.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Aggregate } from '#language/program/program.ts';
import { problem } from '../catalogue.ts';

/** Aggregates that do less than they seem to: RL3005, RL3007, RL3032. */
export function* checkAggregateUse(facts: RuleFacts): Iterable<Problem> {
    const { resolved, occurrences, place } = facts;
    for (const { variable, aggregates, value } of resolved.assignments) {
        for (const aggregate of aggregates) {
            yield* checkContributors(aggregate, facts);
            yield* checkCount(aggregate, facts);
        }
        if (value.kind === 'aggregate' && occurrences.get(variable.name)?.length === 1) {
            yield problem('RL3032', place, variable.span, variable.name);
        }
    }
}

/** Contributors that are the same for the whole group. */
function* checkContributors({ contributors, name }: Aggregate, facts: RuleFacts): Iterable<Problem> {
    if (name === 'maxcount') return;
    for (const variable of contributors ?? []) {
        if (isGroupColumn(variable.name, facts)) yield problem('RL3005', facts.place, variable.span, variable.name);
    }
}

/** A count of rows that names a variable with other values in other rows. */
function* checkCount({ name, arguments: [argument], contributors }: Aggregate, facts: RuleFacts): Iterable<Problem> {
    if ((name !== 'mcount' && name !== 'count') || argument?.kind !== 'variable' || contributors !== undefined) return;
    const others = facts.resolved.literals.some(({ atom, negated }) => !negated && atom.arguments.length > 1);
    if (others && !isGroupColumn(argument.name, facts)) yield problem('RL3007', facts.place, argument.span, argument.name);
}

function isGroupColumn(name: string, { resolved, aggregated }: RuleFacts): boolean {
    if (aggregated.has(name)) return false;
    return resolved.heads.some(({ atom }) => atom.arguments.some(term => term.kind === 'variable' && term.name === name));
}
