import type { Dictionary } from '../../values/dictionary.ts';
import { elementType, joined, textOf } from '../../values/text.ts';
import type { ValueId } from '../../values/value-id.ts';
import { type CallSite, eager, type Family, type Implementation } from './builtin.ts';
import { compilePattern, type Pattern } from './pattern.ts';

/** A function of texts to a boolean. */
function textTest(test: (text: string, other: string) => boolean) {
    return eager(
        ({ dictionary }) =>
            args =>
                dictionary.boolean(test(dictionary.stringOf(args[0]!), dictionary.stringOf(args[1]!))),
    );
}

/** A function of one text to a text. */
function textMap(map: (text: string) => string) {
    return eager(
        ({ dictionary }) =>
            args =>
                dictionary.string(map(dictionary.stringOf(args[0]!))),
    );
}

/** A function of one text to one with other letters, of which three may stand for one. */
function letterMap(map: (text: string) => string) {
    return eager(({ dictionary }) => args => {
        const text = dictionary.stringOf(args[0]!);
        dictionary.admit(text.length * 3);
        return dictionary.string(map(text));
    });
}

/** String functions (6.2). Lengths and positions count code points (D-42). */
export const STRING_FUNCTIONS: Family = [
    ['substring', eager(substring)],
    ['contains', textTest((text, part) => text.includes(part))],
    ['contains_any', eager(containsAny)],
    ['starts_with', textTest((text, part) => text.startsWith(part))],
    ['ends_with', textTest((text, part) => text.endsWith(part))],
    ['rlike', eager(rlike)],
    ['concat', eager(concat)],
    ['concat_ws', eager(concatWithSeparator)],
    ['replace', eager(replace)],
    ['join', eager(join)],
    ['split', eager(split)],
    ['index_of', eager(indexOf)],
    [
        'string_length',
        eager(
            ({ dictionary }) =>
                args =>
                    dictionary.number(length(dictionary.stringOf(args[0]!))),
        ),
    ],
    ['to_lower', letterMap(text => text.toLowerCase())],
    ['to_upper', letterMap(text => text.toUpperCase())],
    ['strip', textMap(strip)],
    [
        'is_empty',
        eager(
            ({ dictionary }) =>
                args =>
                    dictionary.boolean(strip(dictionary.stringOf(args[0]!)) === ''),
        ),
    ],
];

/** A 1-based start and a length; a start before the first character is the first character (D-43). */
function substring({ dictionary }: CallSite): Implementation {
    return args => {
        const text = dictionary.stringOf(args[0]!);
        const count = length(text);
        const written = dictionary.numberOf(args[1]!);
        const start = Math.max(written > 0 ? written - 1 : written < 0 ? count + written : 0, 0);
        const end = args.length > 2 ? start + Math.max(dictionary.numberOf(args[2]!), 0) : count;
        const piece = count === text.length ? text.slice(start, end) : Array.from(text).slice(start, end).join('');
        return dictionary.string(piece);
    };
}

function containsAny({ dictionary }: CallSite): Implementation {
    return args => {
        const text = dictionary.stringOf(args[0]!);
        const keys = dictionary.membersOf(args[1]!).filter(key => dictionary.kind(key) === 'string');
        return dictionary.boolean(keys.some(key => text.includes(dictionary.stringOf(key))));
    };
}

/** Patterns that come from data are kept, up to this number at a time. */
const KEPT_PATTERNS = 256;

function rlike({ dictionary, stop }: CallSite): Implementation {
    const patterns = new Map<ValueId, Pattern>();
    const patternOf = (id: ValueId): Pattern => {
        const source = dictionary.stringOf(id);
        const compiled = compilePattern(source);
        if (!compiled.ok) return stop('RT023', source.length > 60 ? `${source.slice(0, 57)}...` : source, compiled.reason);
        if (patterns.size === KEPT_PATTERNS) patterns.clear();
        patterns.set(id, compiled.matches);
        return compiled.matches;
    };
    return args => {
        const matches = patterns.get(args[1]!) ?? patternOf(args[1]!);
        return dictionary.boolean(matches(dictionary.stringOf(args[0]!)));
    };
}

function concat({ dictionary, types }: CallSite): Implementation {
    return args => {
        let text = '';
        for (let i = 0; i < args.length; i++) {
            const next = textOf(dictionary, args[i]!, types[i]!, String);
            dictionary.admit(text.length + next.length);
            text += next;
        }
        return dictionary.string(text);
    };
}

/** Skips unknown values; the elements of a list stand for themselves. */
function concatWithSeparator({ dictionary, types, missing }: CallSite): Implementation {
    return args => {
        if (dictionary.isNull(args[0]!)) return missing(args);
        const pieces: string[] = [];
        for (let i = 1; i < args.length; i++) {
            const isList = dictionary.kind(args[i]!) === 'list';
            const values = isList ? dictionary.membersOf(args[i]!) : [args[i]!];
            const type = isList ? elementType(types[i]!) : types[i]!;
            for (const value of values) if (!dictionary.isNull(value)) pieces.push(textOf(dictionary, value, type, String));
        }
        return dictionary.string(joined(dictionary, pieces, dictionary.stringOf(args[0]!)));
    };
}

function replace({ dictionary }: CallSite): Implementation {
    return args => {
        const find = dictionary.stringOf(args[1]!);
        if (find === '') return args[0]!;
        const replacement = dictionary.stringOf(args[2]!);
        const text = dictionary.stringOf(args[0]!);
        const growth = replacement.length - find.length;
        if (growth > 0) dictionary.admit(text.length + growth * occurrences(text, find));
        return dictionary.string(text.replaceAll(find, () => replacement));
    };
}

function occurrences(text: string, part: string): number {
    let count = 0;
    for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count++;
    return count;
}

function join({ dictionary, types }: CallSite): Implementation {
    const type = elementType(types[0]!);
    return args => {
        const known = dictionary.membersOf(args[0]!).filter(member => !dictionary.isNull(member));
        const texts = known.map(member => textOf(dictionary, member, type, String));
        return dictionary.string(joined(dictionary, texts, dictionary.stringOf(args[1]!)));
    };
}

function split({ dictionary }: CallSite): Implementation {
    return args => {
        const text = dictionary.stringOf(args[0]!);
        const separator = dictionary.stringOf(args[1]!);
        const pieces = separator === '' && text !== '' ? Array.from(text) : text.split(separator);
        return dictionary.list(textIds(dictionary, pieces.length === 0 ? [''] : pieces));
    };
}

function textIds(dictionary: Dictionary, texts: readonly string[]): ValueId[] {
    return texts.map(text => dictionary.string(text));
}

function indexOf({ dictionary }: CallSite): Implementation {
    return args => {
        const text = dictionary.stringOf(args[0]!);
        const unit = text.indexOf(dictionary.stringOf(args[1]!));
        return dictionary.number(unit < 0 ? -1 : length(text.slice(0, unit)));
    };
}

/** The number of code points of a text. */
function length(text: string): number {
    let count = text.length;
    for (let i = 0; i < text.length; i++) {
        const unit = text.charCodeAt(i);
        if (unit >= 0xd800 && unit < 0xdc00) {
            count--;
            i++;
        }
    }
    return count;
}

const WHITE_SPACE = /^\p{White_Space}$/u;

/** The text without Unicode white space at its ends. */
function strip(text: string): string {
    let start = 0;
    let end = text.length;
    while (start < end && WHITE_SPACE.test(text[start]!)) start++;
    while (end > start && WHITE_SPACE.test(text[end - 1]!)) end--;
    return text.slice(start, end);
}
