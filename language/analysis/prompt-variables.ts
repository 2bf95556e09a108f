import { argumentNumber, extraArguments, placeholdersIn } from '#language/library/prompt-text.ts';
import type { Call, Expression } from '#language/program/program.ts';
import { visitExpression, withParts } from '#language/program/subexpressions.ts';
import type { ReadItem } from './program-facts.ts';

/**
 * The items with the variables that prompts name written as arguments: `llm:generate("Sum up ${Text}")` becomes
 * `llm:generate("Sum up {arg_1}", Text)`, so that everything that asks which variables an expression has knows of them. In a
 * prompt of `ask`, other names take the arguments in order (7.7).
 */
export function withPromptVariables(items: readonly ReadItem[]): readonly ReadItem[] {
    if (!items.some(hasPrompt)) return items;
    const names = new Set<string>();
    for (const item of items) {
        if (item.kind === 'equation') names.add(item.variable.name);
        if (item.kind !== 'literal' || item.negated) continue;
        for (const term of item.atom.arguments) if (term.kind === 'variable') names.add(term.name);
    }
    const rewrite = (expression: Expression): Expression => withCalls(expression, call => withVariables(call, names));
    const withVariablesIn = (item: ReadItem): ReadItem => {
        switch (item.kind) {
            case 'condition':
            case 'negated-condition':
                return { ...item, expression: rewrite(item.expression) };
            case 'equation':
                return { ...item, value: rewrite(item.value), expression: rewrite(item.expression) };
            case 'literal':
            case 'joined-atoms':
            case 'domain':
                return item;
        }
    };
    return items.map(withVariablesIn);
}

function hasPrompt(item: ReadItem): boolean {
    let found = false;
    if ('expression' in item) {
        visitExpression(item.expression, part => {
            found ||= part.kind === 'call' && isPrompting(part.name) && part.arguments[0]?.kind === 'string';
        });
    }
    return found;
}

function isPrompting(name: string): name is 'llm:generate' | 'ask' {
    return name === 'llm:generate' || name === 'ask';
}

function withVariables(call: Call, names: ReadonlySet<string>): Call {
    const [prompt] = call.arguments;
    if (!isPrompting(call.name) || prompt?.kind !== 'string' || (call.name === 'ask' && call.arguments.length < 2)) return call;
    const given = extraArguments(call, call.name).length;
    const added: string[] = [];
    const inOrder: string[] = [];
    const numberOf = (name: string): number | undefined => {
        if (names.has(name)) {
            if (!added.includes(name)) added.push(name);
            return given + added.indexOf(name) + 1;
        }
        const number = argumentNumber(name);
        if (number !== undefined || call.name !== 'ask') return number;
        if (!inOrder.includes(name) && inOrder.length < given) inOrder.push(name);
        return inOrder.includes(name) ? inOrder.indexOf(name) + 1 : undefined;
    };
    let value = '';
    let from = 0;
    for (const { name, start, end } of placeholdersIn(prompt.value)) {
        const number = numberOf(name);
        if (number === undefined || number > given + added.length) continue;
        value += `${prompt.value.slice(from, start)}{arg_${number}}`;
        from = end;
    }
    value += prompt.value.slice(from);
    const variables = added.map((name): Expression => ({ kind: 'variable', name, span: prompt.span }));
    return { ...call, arguments: [value === prompt.value ? prompt : { ...prompt, value }, ...call.arguments.slice(1), ...variables] };
}

function withCalls(expression: Expression, change: (call: Call) => Call): Expression {
    const changed = withParts(expression, part => withCalls(part, change));
    return changed.kind === 'call' ? change(changed) : changed;
}
