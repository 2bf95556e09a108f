import type { AST } from '@eslint-community/regexpp';
import { parsedExpression } from './parsed-expression.ts';

/**
 * The ASCII characters of a text, as bits. `words` has a bit for each letter whatever its case, and for digits, blanks, capitals and small
 * letters. `signs` has a bit for each other character.
 */
export interface CharacterBits {
    readonly words: number;
    readonly signs: number;
}

const NONE: CharacterBits = { words: 0, signs: 0 };
const ALL: CharacterBits = { words: ~0, signs: ~0 };
const LETTERS = 26;
const DIGIT = 1 << LETTERS;
const BLANK = 1 << (LETTERS + 1);
const CAPITAL = 1 << (LETTERS + 2);
const SMALL = 1 << (LETTERS + 3);
const SIGNS = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';

const BITS: readonly CharacterBits[] = Array.from({ length: 128 }, (_, code) => {
    const character = String.fromCharCode(code);
    const letter = 'abcdefghijklmnopqrstuvwxyz'.indexOf(character.toLowerCase());
    if (letter >= 0) return { words: (1 << letter) | (character < 'a' ? CAPITAL : SMALL), signs: 0 };
    if (/\d/u.test(character)) return { words: DIGIT, signs: 0 };
    return /\s/u.test(character) ? { words: BLANK, signs: 0 } : { words: 0, signs: 1 << SIGNS.indexOf(character) };
});

/** The characters of a text. One with a character beyond ASCII, which a pattern may take for another, counts as having all. */
export function charactersOf(text: string): CharacterBits {
    let { words, signs } = NONE;
    for (let i = 0; i < text.length; i++) {
        const bits = BITS[text.charCodeAt(i)];
        if (bits === undefined) return ALL;
        words |= bits.words;
        signs |= bits.signs;
    }
    return { words, signs };
}

export function hasAll(text: CharacterBits, needed: CharacterBits): boolean {
    return (needed.words & ~text.words) === 0 && (needed.signs & ~text.signs) === 0;
}

/** Characters without which a text does not match a pattern; it may need more than these. */
export function neededCharacters({ source, ignoreCase }: RegExp): CharacterBits {
    const { alternatives } = parsedExpression(source);
    const needed = neededByOne(alternatives);
    return ignoreCase ? { ...needed, words: needed.words & ~(CAPITAL | SMALL) } : needed;
}

function neededByOne(alternatives: readonly AST.Alternative[]): CharacterBits {
    return common(alternatives.map(({ elements }) => elements.map(neededBy).reduce(union, NONE)));
}

function neededBy(element: AST.Element): CharacterBits {
    switch (element.type) {
        case 'Group':
        case 'CapturingGroup':
            return neededByOne(element.alternatives);
        case 'Assertion':
            return 'alternatives' in element && !element.negate ? neededByOne(element.alternatives) : NONE;
        case 'Quantifier':
            return element.min === 0 ? NONE : neededBy(element.element);
        case 'Character':
            return BITS[element.value] ?? NONE;
        case 'CharacterSet':
            return neededBySet(element);
        case 'CharacterClass':
            return element.negate ? NONE : common(element.elements.map(neededByMember));
        default:
            return NONE;
    }
}

function neededByMember(member: AST.CharacterClass['elements'][number]): CharacterBits {
    switch (member.type) {
        case 'Character':
            return BITS[member.value] ?? NONE;
        case 'CharacterClassRange':
            return member.max.value < BITS.length ? common(BITS.slice(member.min.value, member.max.value + 1)) : NONE;
        case 'CharacterSet':
            return neededBySet(member);
        default:
            return NONE;
    }
}

function neededBySet({ kind, ...set }: AST.CharacterSet): CharacterBits {
    const isPositive = 'negate' in set && !set.negate;
    return { words: isPositive && kind === 'digit' ? DIGIT : isPositive && kind === 'space' ? BLANK : 0, signs: 0 };
}

function union(a: CharacterBits, b: CharacterBits): CharacterBits {
    return { words: a.words | b.words, signs: a.signs | b.signs };
}

/** Returns the characters that every set needs: none for an empty list. */
function common([first = NONE, ...others]: readonly CharacterBits[]): CharacterBits {
    return others.reduce((a, b) => ({ words: a.words & b.words, signs: a.signs & b.signs }), first);
}
