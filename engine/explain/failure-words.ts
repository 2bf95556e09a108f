import type { Predicate } from '#language/program/analysed-program.ts';
import { countText } from '#language/program/count-text.ts';
import { variablesOf } from '#language/program/expression-variables.ts';
import { printExpression } from '#language/program/print.ts';
import type { Expression } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import type { Database } from '../contracts/database.ts';
import type { Scope } from '../evaluate/scope.ts';
import type { NullLabel } from '../values/text.ts';
import type { AbsentFact } from './cause.ts';
import type { FailingStep, Matches, StoppingCondition } from './empty-rules.ts';
import { FactWords } from './fact-words.ts';
import { patternOf } from './item-pattern.ts';
import type { FactRow } from './match-rule.ts';
import { UNBOUND } from './rule-scope.ts';

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
export function failureWords(database: Database, label: NullLabel, step: FailingStep): FailureWords {
    const { item, text, matches, example, matcher } = step;
    const facts = new FactWords(database, label);
    const none =
        example === undefined
            ? say`${text} does not hold`
            : isOne(matches)
              ? say`${text} does not hold for the only match`
              : say`${text} holds for none of ${theMatches(matches)}`;
    switch (item.kind) {
        case 'condition':
        case 'assignment': {
            const expression = item.kind === 'condition' ? item.condition.expression : item.assignment.value;
            const values = given(facts, expression, matcher.scope, example?.registers);
            return { words: forOne(none, values, matches), example: values };
        }
        case 'negation': {
            const [row] = example === undefined ? [] : matcher.matching(item, example.registers);
            if (row === undefined) return { words: none };
            const present = { predicate: item.literal.predicate, row };
            const found = say`${facts.row(present)} is there`;
            return { words: forOne(none, found, matches), example: found, present };
        }
        case 'atom': {
            const predicate = database.program.predicates.get(item.literal.predicate)!;
            const isEmpty = (item.rows?.count ?? 0) === 0;
            const registers = example?.registers ?? new Int32Array(matcher.slots.size).fill(UNBOUND);
            const values = isEmpty ? predicate.columns.map(() => undefined) : patternOf(matcher, item, registers, predicate.arity).values;
            const missing = { predicate: predicate.key, values };
            if (isEmpty) return { words: say`${predicate.name} has no facts`, missing };
            const pattern = facts.pattern(predicate, values);
            if (example === undefined) return { words: say`no fact fits ${pattern}`, missing };
            const joined = say`no fact joins ${text} with ${isOne(matches) ? say`the only match` : theMatches(matches)}`;
            return { words: forOne(joined, say`${pattern} is missing`, matches), missing };
        }
    }
}

/** Why a condition on aggregates stops a rule, by its first group. */
export function stoppingWords(
    database: Database,
    label: NullLabel,
    predicate: Predicate,
    { condition, group, registers, scope }: StoppingCondition,
): string {
    const facts = new FactWords(database, label);
    const fact = facts.pattern(predicate, group);
    return say`for ${fact}, ${printExpression(condition)} does not hold: ${given(facts, condition, scope, registers)}`;
}

/** `28 matches`, `more than 1,000 matches` */
export function matchesText(matches: Matches): string {
    const { count, more } = matches;
    return `${more ? say`more than ` : ''}${countText(count)} ${isOne(matches) ? 'match' : 'matches'}`;
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
    return count > 1 ? say`${words}: in the first, ${example}` : `${words}: ${example}`;
}

/** `X is 4 and Y is "a"` */
function given(facts: FactWords, expression: Expression, scope: Scope, registers: Int32Array | undefined): string {
    const values = variablesOf(expression).flatMap(name => {
        const value = registers?.[scope.slot(name)] ?? UNBOUND;
        return value === UNBOUND ? [] : [say`${name} is ${facts.term(value)}`];
    });
    return values.join(say` and `);
}
