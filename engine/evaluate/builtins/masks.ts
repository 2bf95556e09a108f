import type { ValueId } from '../../values/value-id.ts';
import { type CallSite, eager, type Family, type Implementation } from './builtin.ts';

/** The classes of characters in the order of the arguments; what fits none of the first three is the fourth. */
const CLASSES: readonly { readonly pattern: RegExp; readonly replacement: string | undefined }[] = [
    { pattern: /\p{Lu}/u, replacement: 'X' },
    { pattern: /\p{Ll}/u, replacement: 'x' },
    { pattern: /\p{Nd}/u, replacement: 'n' },
    { pattern: /[\s\S]/u, replacement: undefined },
];

/** Masking of personal data (6.8). */
export const MASK_FUNCTIONS: Family = [['mask', eager(mask)]];

/** Replaces the characters of each class by one character; an unknown value keeps a class as it is. */
function mask({ dictionary, missing, undefinedFor }: CallSite): Implementation {
    const replacementOf = (value: ValueId): string | undefined => {
        return dictionary.kind(value) === 'string' ? dictionary.stringOf(value) : undefined;
    };
    return args => {
        if (dictionary.isNull(args[0]!)) return missing(args);
        const replacements = CLASSES.map(({ replacement }, i) => (i + 1 < args.length ? replacementOf(args[i + 1]!) : replacement));
        const isUsable = (value: ValueId, i: number): boolean =>
            i === 0 || dictionary.isNull(value) || Array.from(replacementOf(value) ?? '').length === 1;
        if (!args.every(isUsable)) return undefinedFor(args);
        const masked = Array.from(
            dictionary.stringOf(args[0]!),
            character => replacements[CLASSES.findIndex(({ pattern }) => pattern.test(character))] ?? character,
        );
        return dictionary.string(masked.join(''));
    };
}
