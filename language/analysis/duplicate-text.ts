import { printAtomText, printRuleText } from '#language/program/print.ts';
import type { Expression, Fact, Rule } from '#language/program/program.ts';
import { partsOf } from '#language/program/subexpressions.ts';

/** A text that facts share which say the same; none where a `null` makes each of them another. */
export function factText({ atom }: Fact): string | undefined {
    return atom.arguments.some(holdsNull) ? undefined : printAtomText(atom);
}

function holdsNull(expression: Expression): boolean {
    return expression.kind === 'null' || partsOf(expression).some(holdsNull);
}

/** Rules do not change, so that their texts are made once. */
const TEXTS = new WeakMap<Rule, string>();

/** A text that rules share which are the same up to the names of variables. */
export function ruleText(rule: Rule): string {
    let text = TEXTS.get(rule);
    if (text === undefined) {
        text = withNumberedVariables(printRuleText(rule));
        TEXTS.set(rule, text);
    }
    return text;
}

/** Variables are numbered in the order in which they come; strings, `#F` and `?parameters` stay. */
function withNumberedVariables(text: string): string {
    const numbers = new Map<string, number>();
    return text.replace(/"(?:[^"\\]|\\.)*"|(?<![#?@$\w:])(?:[A-Z]\w*|_\w*)/gu, found => {
        if (found.startsWith('"')) return found;
        if (found.startsWith('_')) return '_';
        const number = numbers.get(found) ?? numbers.size;
        numbers.set(found, number);
        return `V${number}`;
    });
}
