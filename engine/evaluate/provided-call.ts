import { resultOfCall } from '#language/library/expression-type.ts';
import type { FunctionEntry } from '#language/library/function-entry.ts';
import { argumentNumber, extraArguments, generateOptions, placeholdersIn } from '#language/library/prompt-text.ts';
import type { Call } from '#language/program/program.ts';
import type { Location } from '#language/program/span.ts';
import { MIXED, type Type } from '#language/program/types.ts';
import type { ProvidedArguments, ProvidedReply } from '../contracts/providers.ts';
import { stop } from '../reports/reports.ts';
import { castValue } from '../values/cast.ts';
import type { Dictionary } from '../values/dictionary.ts';
import { textOf } from '../values/text.ts';
import type { ValueId } from '../values/value-id.ts';
import { type Compiled, shown, type Warn, warnOnce } from './expression-site.ts';
import type { Scope } from './scope.ts';

/** A call that the host has answered; `entry` is absent for a function of `@implement`. RT060 where the host answers none. */
export function compileProvided(call: Call, entry: FunctionEntry | undefined, args: readonly Compiled[], scope: Scope): Compiled {
    const { dictionary } = scope;
    const name = entry?.name ?? call.name;
    const type =
        entry === undefined
            ? MIXED
            : resultOfCall(
                  entry,
                  args.map(arg => arg.type),
                  call.arguments,
              );
    const missing = (values: readonly ValueId[]): ValueId => dictionary.labelledNull(name, values, false);
    // A search for derivations asks the host no second time.
    if (scope.surroundings === undefined) return { evaluate: () => missing([]), type };
    const provided = providedFor(name, scope, { place: scope.place, span: call.nameSpan });
    const read = replyReader(type, scope, warnOnce('RT021', call, scope));
    const written = argumentsFor(call, name);
    return {
        type,
        evaluate: registers => {
            const values = args.map(arg => arg.evaluate(registers));
            if (entry?.strict && values.some(value => dictionary.isNull(value))) return missing(values);
            const texts = values.map((value, i) => textOrNothing(dictionary, value, args[i]?.type ?? MIXED));
            return read(provided(written(texts))) ?? missing(values);
        },
    };
}

/** The host's answers to calls of a function; RT060 where it answers none. */
export function providedFor(
    name: string,
    { surroundings }: Pick<Scope, 'surroundings'>,
    location: Location,
): (args: ProvidedArguments) => ProvidedReply {
    return surroundings?.provided(name) ?? stop('RT060', { location }, name);
}

/** Turns the text of an answer into a value of a type; undefined, with RT021 the first time, where it is none. */
export function replyReader(
    type: Type,
    { dictionary }: Pick<Scope, 'dictionary'>,
    warn: Warn<'RT021'>,
): (reply: string | undefined) => ValueId | undefined {
    return reply => {
        if (reply === undefined) return undefined;
        const text = dictionary.string(reply);
        const value = castValue(dictionary, text, type, { kind: 'string' });
        if (value === undefined) warn(() => [1, type.kind, undefined, undefined, shown(dictionary, text)]);
        return value;
    };
}

/** A value as the host gets it; nothing for an unknown one. */
export function textOrNothing(dictionary: Dictionary, value: ValueId, type: Type): string | undefined {
    return dictionary.isNull(value) ? undefined : textOf(dictionary, value, type, String);
}

/** Returns the arguments for the host: of functions with a prompt, the filled prompt and the options. */
function argumentsFor(call: Call, name: string): (texts: ProvidedArguments) => ProvidedArguments {
    if (name !== 'llm:generate' && name !== 'ask') return texts => texts;
    const extra = extraArguments(call, name).length;
    const hasOptions = name === 'ask' || generateOptions(call) !== undefined;
    return texts => {
        const values = texts.slice(texts.length - extra);
        return [filledPrompt(texts[0] ?? '', number => values[number - 1]), ...(hasOptions ? [texts[1]] : [])];
    };
}

/** The prompt with `{arg_1}` and `${arg_1}` replaced; one without a value stays. */
export function filledPrompt(prompt: string, textOfArgument: (number: number) => string | undefined): string {
    let filled = '';
    let from = 0;
    for (const { name, start, end } of placeholdersIn(prompt)) {
        const number = argumentNumber(name);
        const value = number === undefined ? undefined : textOfArgument(number);
        if (value === undefined) continue;
        filled += prompt.slice(from, start) + value;
        from = end;
    }
    return filled + prompt.slice(from);
}
