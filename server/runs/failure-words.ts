import type { Scope } from '#engine/evaluate/scope.ts';
import type { AbsentFact } from '#engine/explain/cause.ts';
import type { FactRow } from '#engine/explain/match-rule.ts';
import type { AtomItem, PartialMatch } from '#engine/explain/partial-match.ts';
import { UNBOUND } from '#engine/explain/rule-scope.ts';
import { factText } from '#engine/values/fact-text.ts';
import { termText } from '#engine/values/text.ts';
import type { PredicateKey } from '#language/program/analysed-program.ts';
import { countText } from '#language/program/count-text.ts';
import { variablesOf } from '#language/program/expression-variables.ts';
import { printExpression } from '#language/program/print.ts';
import type { Expression } from '#language/program/program.ts';
import { MIXED } from '#language/program/types.ts';
import { valuesOf } from './asked-fact.ts';
import type { FailingStep, Matches, StoppingCondition } from './empty-rules.ts';
import type { Results } from './evaluate-run.ts';

/** What is said of the premise that stops a rule. */
export interface FailureWords {
    readonly words: string;
    /** What is so in the first match, where that tells more. */
    readonly example?: string;
    /** The facts that are missed. */
    readonly missing?: AbsentFact;
    /** A fact that should not be there. */
    readonly present?: FactRow;
}

/** Why a premise holds for none of the matches before it, by the first of them. */
export function failureWords(results: Results, step: FailingStep): FailureWords {
    const { item, text, matches, example, matcher } = step;
    const none =
        example === undefined
            ? `${text} does not hold`
            : isOne(matches)
              ? `${text} does not hold for the only match`
              : `${text} holds for none of ${theMatches(matches)}`;
    switch (item.kind) {
        case 'condition':
        case 'assignment': {
            const expression = item.kind === 'condition' ? item.condition.expression : item.assignment.value;
            const values = given(results, expression, matcher.scope, example?.registers);
            return { words: forOne(none, values, matches), example: values };
        }
        case 'negation': {
            let present: FactRow | undefined;
            if (example !== undefined) {
                matcher.matching(item, example.registers, row => {
                    present = { predicate: item.literal.predicate, row };
                    return false;
                });
            }
            if (present === undefined) return { words: none };
            const found = `${textOf(results, present)} is there`;
            return { words: forOne(none, found, matches), example: found, present };
        }
        case 'atom': {
            const { predicate } = item.literal;
            const { name = '', arity = 0 } = results.database.program.predicates.get(predicate) ?? {};
            if ((item.rows?.count ?? 0) === 0)
                return { words: `${name} has no facts`, missing: { predicate, values: Array.from({ length: arity }, () => undefined) } };
            const values = valuesAt(step, item, example);
            const missing = { predicate, values: Array.from({ length: arity }, (_, column) => values[column]) };
            const pattern = patternText(results, missing);
            if (example === undefined) return { words: `no fact fits ${pattern}`, missing };
            return {
                words: forOne(
                    `no fact joins ${text} with ${isOne(matches) ? 'the only match' : theMatches(matches)}`,
                    `${pattern} is missing`,
                    matches,
                ),
                missing,
            };
        }
    }
}

/** Why a condition on aggregates stops a rule, by its first group. */
export function stoppingWords(
    results: Results,
    predicate: PredicateKey,
    { condition, group, registers, scope }: StoppingCondition,
): string {
    const fact = patternText(results, { predicate, values: group });
    return `for ${fact}, ${printExpression(condition)} does not hold: ${given(results, condition, scope, registers)}`;
}

/** `28 matches`, `more than 1,000 matches` */
export function matchesText(matches: Matches): string {
    const { count, more } = matches;
    return `${more ? 'more than ' : ''}${countText(count)} ${isOne(matches) ? 'match' : 'matches'}`;
}

function theMatches(matches: Matches): string {
    return `${matches.more ? '' : 'the '}${matchesText(matches)}`;
}

function isOne({ count, more }: Matches): boolean {
    return count === 1 && !more;
}

/** With what is so in one match, where there are several. */
function forOne(words: string, example: string, { count }: Matches): string {
    if (example === '') return words;
    return count > 1 ? `${words}: in the first, ${example}` : `${words}: ${example}`;
}

/** `X is 4 and Y is "a"` */
function given({ database, label }: Results, expression: Expression, scope: Scope, registers: Int32Array | undefined): string {
    const values = variablesOf(expression).flatMap(name => {
        const value = registers?.[scope.slot(name)] ?? UNBOUND;
        return value === UNBOUND ? [] : [`${name} is ${termText(database.dictionary, value, MIXED, label)}`];
    });
    return values.join(' and ');
}

function valuesAt({ matcher }: FailingStep, item: AtomItem, example: PartialMatch | undefined): AbsentFact['values'] {
    const registers = example?.registers ?? new Int32Array(matcher.slots.size).fill(UNBOUND);
    return item.terms.map((_, column) => {
        const value = matcher.argument(item, column, registers);
        return value === UNBOUND ? undefined : value;
    });
}

function patternText({ database, label }: Results, { predicate: key, values }: AbsentFact): string {
    const predicate = database.program.predicates.get(key);
    const terms = values.map((value, column) =>
        value === undefined ? '_' : termText(database.dictionary, value, predicate?.columns[column]?.type ?? MIXED, label),
    );
    return `${predicate?.name ?? key}(${terms.join(',')})`;
}

function textOf({ database, label }: Results, fact: FactRow): string {
    const predicate = database.program.predicates.get(fact.predicate);
    return predicate === undefined ? '' : factText(database.dictionary, predicate, valuesOf(database, fact), label);
}
