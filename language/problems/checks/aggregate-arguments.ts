import { legacyForm } from '#language/analysis/legacy-aggregates.ts';
import type { RuleFacts } from '#language/analysis/program-facts.ts';
import { aggregatesIn } from '#language/analysis/resolve-rule.ts';
import { nearestNames } from '#language/library/nearest-name.ts';
import { AGGREGATES } from '#language/program/aggregates.ts';
import { printExpression } from '#language/program/print.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Aggregate, Expression } from '#language/program/program.ts';
import { say, translated } from '#language/program/say.ts';
import { visitExpression } from '#language/program/subexpressions.ts';
import { problem, withForm, withMeant, withRemedy } from '../catalogue.ts';

/** The arguments of assigned aggregates: RL3002, RL3003, RL3004, RL3006, RL3008, RL3030, RL3031. */
export function* checkAggregateArguments(facts: RuleFacts): Iterable<Problem> {
    const nearestTo = nearestNames(facts.resolved.bound);
    for (const item of facts.items) {
        if (item.kind !== 'equation') continue;
        for (const aggregate of aggregatesIn(item.value)) yield* argumentsOf(aggregate, facts, nearestTo);
    }
}

function* argumentsOf(aggregate: Aggregate, facts: RuleFacts, nearestTo: (name: string) => string | undefined): Iterable<Problem> {
    const { place } = facts;
    const entry = AGGREGATES[aggregate.name];
    const legacy = legacyForm(aggregate);
    const given = legacy?.plain ?? aggregate;
    if (legacy !== undefined) {
        const implied = isGroupKey(legacy.keys, facts);
        yield implied ? problem('RL3030', place, legacy.keySpan) : problem('RL3031', place, legacy.keySpan);
    }
    const count = given.arguments.length;
    if (count < entry.least || count > entry.most) yield wrongCount(given, facts);
    yield* variant(given, facts);
    const { contributors } = given;
    const [first] = contributors ?? [];
    if (first !== undefined && !entry.contributors) {
        const span = { start: first.span.start, end: contributors?.at(-1)?.span.end ?? first.span.end };
        yield problem('RL3006', place, span, aggregate.name);
        return;
    }
    for (const argument of given.arguments) yield* resultsIn(argument, facts);
    for (const { name, span } of contributors ?? []) {
        if (facts.resolved.bound.has(name) && !facts.aggregated.has(name)) continue;
        yield withMeant(problem('RL3004', place, span, name), name.length < 3 ? undefined : nearestTo(name));
    }
}

/** A grouping variable as in SQL, `sum(A, X)`, gets the aggregate alone as its remedy. */
function wrongCount({ name, arguments: given, contributors, span, nameSpan }: Aggregate, { place }: RuleFacts): Problem {
    const { takes, most } = AGGREGATES[name];
    const [value, ...others] = given;
    const isGrouped = most === 1 && value !== undefined && contributors === undefined && others.every(({ kind }) => kind === 'variable');
    if (!isGrouped) return problem('RL3003', place, nameSpan, name, translated(takes));
    return withForm(problem('RL3003', place, span, name, translated(takes)), `${name}(${printExpression(value)})`);
}

/** An aggregate has no result yet while another of its rule collects what it takes. */
function* resultsIn(argument: Expression, { aggregated, place }: RuleFacts): Iterable<Problem> {
    const results: Problem[] = [];
    visitExpression(argument, part => {
        if (part.kind !== 'variable' || !aggregated.has(part.name)) return;
        results.push(withRemedy(problem('RL3002', place, part.span), say`compute '${part.name}' in a rule of its own first`));
    });
    yield* results;
}

function* variant({ name, arguments: [, argument] }: Aggregate, { place }: RuleFacts): Iterable<Problem> {
    const { variants } = AGGREGATES[name];
    if (argument?.kind === 'string' && variants?.includes(argument.value) === false) {
        yield problem('RL3008', place, argument.span, argument.value);
    }
}

/** The listed keys are exactly the head's group columns (5.2). */
function isGroupKey(keys: readonly Expression[], { occurrences, resolved, aggregated }: RuleFacts): boolean {
    const listed = new Set(keys.flatMap(key => (key.kind === 'variable' ? [key.name] : [])));
    if (listed.size !== keys.length) return false;
    const implied = [...occurrences]
        .filter(([name, places]) => places.some(({ where }) => where === 'head') && resolved.bound.has(name) && !aggregated.has(name))
        .map(([name]) => name);
    return implied.length === listed.size && implied.every(name => listed.has(name));
}
