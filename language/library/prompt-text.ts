import type { Call, Expression } from '#language/program/program.ts';
import { splitKnownOptions } from './known-options.ts';

/** A placeholder in a prompt: `${Name}`, `${arg_1}` or `{arg_1}`. Offsets count from the start of the text. */
export interface Placeholder {
    readonly name: string;
    readonly start: number;
    readonly end: number;
}

/** `$${` stands for itself. */
export function placeholdersIn(text: string): Placeholder[] {
    return [...text.matchAll(/\$\$\{|\$\{([^{}]*)\}|\{(arg_\d+)\}/gu)].flatMap(match => {
        const name = match[1] ?? match[2];
        return name === undefined ? [] : [{ name: name.trim(), start: match.index, end: match.index + match[0].length }];
    });
}

/** The one-based number in `arg_1`. */
export function argumentNumber(name: string): number | undefined {
    const number = /^arg_(\d+)$/u.exec(name)?.[1];
    return number === undefined ? undefined : Number(number);
}

const GENERATE_OPTIONS: ReadonlySet<string> = new Set(['output_type', 'selected_models']);

/** Types that a reply of `llm:generate` may have (7.6). */
export const REPLY_TYPES = ['string', 'int', 'double', 'boolean', 'list<string>', 'list<int>', 'list<double>', 'list<boolean>'] as const;

/** The options of a call of `llm:generate`: its second argument, where that is a constant like them. */
export function generateOptions(call: Pick<Call, 'arguments'>): ReadonlyMap<string, string> | undefined {
    const text = call.arguments[1];
    if (text?.kind !== 'string') return undefined;
    const options = splitKnownOptions(
        text.value,
        key => GENERATE_OPTIONS.has(key),
        () => false,
    );
    if (options.length === 0 || options.some(({ key }) => !GENERATE_OPTIONS.has(key))) return undefined;
    return new Map(options.map(({ key, value }) => [key, value]));
}

/** The arguments of `llm:generate` or `ask` that placeholders of the prompt name by number or order. */
export function extraArguments(call: Call, name: 'llm:generate' | 'ask'): readonly Expression[] {
    return call.arguments.slice(name === 'ask' || generateOptions(call) !== undefined ? 2 : 1);
}
