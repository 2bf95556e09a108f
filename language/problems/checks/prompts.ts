import { spanInText } from '#language/analysis/annotation-arguments.ts';
import type { Declarations } from '#language/analysis/declarations.ts';
import type { RuleFacts } from '#language/analysis/program-facts.ts';
import { ASK_OPTIONS, askOptions } from '#language/library/ask-options.ts';
import { functionNamed } from '#language/library/function-catalogue.ts';
import { nearestName } from '#language/library/nearest-name.ts';
import { argumentNumber, extraArguments, generateOptions, placeholdersIn, REPLY_TYPES } from '#language/library/prompt-text.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Call } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import { problem, withMeant } from '../catalogue.ts';

/** Prompts and options of `llm:generate` and `ask`: RL5004, RL7120, RL7121 (7.6, 7.7). */
export function* checkPrompt(call: Call, facts: RuleFacts, program: Declarations): Iterable<Problem> {
    const name = functionNamed(call.name, program.prefixes)?.name;
    if (name === 'llm:generate') {
        yield* checkReplyType(call, facts);
        yield* checkPlaceholders(call, name, facts, program);
    } else if (name === 'ask') {
        yield* checkAskOptions(call, facts);
        yield* checkPlaceholders(call, name, facts, program);
    }
}

function* checkReplyType(call: Call, { place }: RuleFacts): Iterable<Problem> {
    const type = generateOptions(call)?.get('output_type');
    const argument = call.arguments[1];
    if (type === undefined || argument === undefined || type.includes('${')) return;
    const known: readonly string[] = REPLY_TYPES;
    if (known.includes(type)) return;
    const found = problem('RL5004', place, argument.span, type, say`output type`, say`one of ${known.join(', ')}`);
    yield withMeant(found, nearestName(type, known));
}

function* checkAskOptions(call: Call, { place }: RuleFacts): Iterable<Problem> {
    const argument = call.arguments[1];
    if (argument?.kind !== 'string') return;
    for (const { key, value } of askOptions(argument.value)) {
        const form = ASK_OPTIONS.get(key);
        const keys = [...ASK_OPTIONS.keys()];
        if (form === undefined) {
            const found = problem('RL5004', place, argument.span, key === '' ? value : key, 'option', say`one of ${keys.join(', ')}`);
            yield withMeant(found, nearestName(key, keys));
        } else if (!value.includes('${') && !form.test(value)) {
            yield problem('RL5004', place, argument.span, value, key, EXPECTED.get(key)?.() ?? say`a value`);
        }
    }
}

const EXPECTED: ReadonlyMap<string, () => string> = new Map([
    ['limit', () => say`a whole number of at least 1`],
    ['port', () => say`a whole number`],
    ['useTls', () => say`true or false`],
]);

/** `arg_1` is the first extra argument; for `ask`, other placeholders take the arguments in order. */
function* checkPlaceholders(call: Call, name: 'llm:generate' | 'ask', facts: RuleFacts, program: Declarations): Iterable<Problem> {
    const [prompt] = call.arguments;
    if (prompt?.kind !== 'string') return;
    const extra = extraArguments(call, name);
    const used = new Set<number>();
    const bound = facts.resolved.bound;
    const inOrder: string[] = [];
    for (const placeholder of placeholdersIn(prompt.value)) {
        const number = argumentNumber(placeholder.name);
        if (bound.has(placeholder.name) || program.parameters.has(placeholder.name)) continue;
        if (number !== undefined && number >= 1 && number <= extra.length) {
            used.add(number);
            continue;
        }
        if (name === 'ask' && number === undefined) {
            if (!inOrder.includes(placeholder.name)) inOrder.push(placeholder.name);
            if (inOrder.length <= extra.length) {
                used.add(inOrder.length);
                continue;
            }
        }
        const span = spanInText(prompt, placeholder.start, placeholder.end);
        const known = [...bound, ...program.parameters.keys()];
        yield withMeant(problem('RL7120', facts.place, span, placeholder.name), nearestName(placeholder.name, known));
    }
    for (const [i, argument] of extra.entries()) {
        if (!used.has(i + 1)) yield problem('RL7121', facts.place, argument.span, call.arguments.length - extra.length + i + 1);
    }
}
