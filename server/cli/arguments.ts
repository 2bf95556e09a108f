import { parseArgs } from 'node:util';
import { nearestName } from '#language/library/nearest-name.ts';
import { say } from '#language/program/say.ts';

/** An option of a command. */
export interface Option {
    /** The value behind it in help; absent for a switch. */
    readonly value?: string;
    /** A letter that stands for its name. */
    readonly letter?: string;
    readonly repeats?: boolean;
    readonly help: string;
}

export type Options = Readonly<Record<string, Option>>;

/** A parsed command line. Values are kept by name in a map, in the order of writing. */
export interface Arguments {
    readonly positionals: readonly string[];
    has(name: string): boolean;
    value(name: string): string | undefined;
    values(name: string): readonly string[];
}

/** Refuses a command line, which ends with its own exit code and a hint to the help of the command. */
export class UsageError extends Error {}

export const COLOURS = ['auto', 'always', 'never'] as const;

/** Options of every command. */
export const COMMON_OPTIONS: Options = {
    color: {
        value: COLOURS.join('|'),
        help: 'Use colours. Default: auto, which means on a terminal without NO_COLOR, or with FORCE_COLOR.',
    },
    help: { letter: 'h', help: 'Print this help.' },
};

/** Reads a command line strictly; abbreviations are not understood. */
export function readArguments(args: readonly string[], options: Options): Arguments {
    const known: Options = { ...options, ...COMMON_OPTIONS };
    const described = Object.fromEntries(
        Object.entries(known).map(([name, { value, letter, repeats }]) => [
            name,
            {
                type: value === undefined ? 'boolean' : 'string',
                multiple: repeats === true,
                ...(letter !== undefined && { short: letter }),
            } as const,
        ]),
    );
    const { tokens } = parseArgs({ args: [...args], options: described, strict: false, allowPositionals: true, tokens: true });
    const positionals: string[] = [];
    const given = new Map<string, string[]>();
    for (const token of tokens) {
        if (token.kind === 'positional') positionals.push(token.value);
        if (token.kind !== 'option') continue;
        const { name } = token;
        const option = Object.hasOwn(known, name) ? known[name] : undefined;
        if (option === undefined || ![`--${name}`, `-${option.letter}`].includes(token.rawName))
            throw new UsageError(unknownOption(token.rawName, known));
        if (option.value !== undefined && token.value === undefined)
            throw new UsageError(say`option '--${name}' needs a value: --${name} ${option.value}`);
        if (option.value === undefined && token.value !== undefined) throw new UsageError(say`option '--${name}' takes no value`);
        const before = given.get(name);
        if (before !== undefined && option.value !== undefined && option.repeats !== true)
            throw new UsageError(say`option '--${name}' is given twice`);
        given.set(name, [...(before ?? []), token.value ?? '']);
    }
    return {
        positionals,
        has: name => given.has(name),
        value: name => given.get(name)?.[0],
        values: name => given.get(name) ?? [],
    };
}

function unknownOption(written: string, known: Options): string {
    const meant = nearestName(written.replace(/^-+/, ''), Object.keys(known));
    return say`unknown option '${written}'${meant === undefined ? '' : say`; did you mean '--${meant}'?`}`;
}

/** One of a few words. */
export function choiceOf<T extends string>(args: Arguments, name: string, choices: readonly T[], usual: T): T {
    const text = args.value(name);
    if (text === undefined) return usual;
    const choice = choices.find(known => known === text);
    if (choice === undefined) throw new UsageError(say`option '--${name}' cannot be '${text}': choose ${choices.join(', ')}`);
    return choice;
}

/** `name=value` pairs. */
export function pairsOf(args: Arguments, name: string): [string, string][] {
    return args.values(name).map(text => {
        const at = text.indexOf('=');
        if (at <= 0) throw new UsageError(say`option '--${name}' needs a name and a value, not '${text}': --${name} name=value`);
        return [text.slice(0, at), text.slice(at + 1)];
    });
}

/** A whole number from 0 on. */
export function countOf(args: Arguments, name: string): number | undefined {
    const text = args.value(name);
    if (text === undefined) return undefined;
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (!Number.isSafeInteger(value)) throw new UsageError(say`option '--${name}' needs a whole number, not '${text}'`);
    return value;
}

const SIZES = new Map([
    ['', 1],
    ['k', 1024],
    ['m', 1024 ** 2],
    ['g', 1024 ** 3],
]);

/** Bytes, with an optional k, m or g. */
export function bytesOf(args: Arguments, name: string): number | undefined {
    const text = args.value(name);
    if (text === undefined) return undefined;
    const [, digits, unit] = /^(\d+(?:\.\d+)?)([kmg]?)(?:i?b)?$/i.exec(text) ?? [];
    const bytes = Math.floor(Number(digits) * (SIZES.get(unit?.toLowerCase() ?? '') ?? 1));
    if (!Number.isSafeInteger(bytes) || bytes <= 0)
        throw new UsageError(say`option '--${name}' needs a size such as 512m or 4g, not '${text}'`);
    return bytes;
}

const DURATIONS = new Map([
    ['', 1000],
    ['ms', 1],
    ['s', 1000],
    ['m', 60_000],
    ['h', 3_600_000],
]);

/** Milliseconds, from seconds or a number with ms, s, m or h. */
export function durationOf(args: Arguments, name: string): number | undefined {
    const text = args.value(name);
    if (text === undefined) return undefined;
    const [, digits, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/i.exec(text) ?? [];
    const duration = Number(digits) * (DURATIONS.get(unit?.toLowerCase() ?? '') ?? 1000);
    if (!Number.isFinite(duration) || duration <= 0)
        throw new UsageError(say`option '--${name}' needs a time such as 30s or 5m, not '${text}'`);
    return duration;
}

const INSTANT = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:\d{2})?)?$/i;

/** Milliseconds since 1970, from an ISO date or time; without an offset the time is UTC. */
export function instantOf(args: Arguments, name: string): number | undefined {
    const text = args.value(name);
    if (text === undefined) return undefined;
    const [, day, time = '00:00', offset = 'Z'] = INSTANT.exec(text) ?? [];
    const instant = Date.parse(`${day}T${time}${offset}`);
    if (Number.isNaN(instant)) throw new UsageError(say`option '--${name}' needs a time such as 2031-04-09T10:15:00Z, not '${text}'`);
    return instant;
}
