import type { AST } from '@eslint-community/regexpp';
import { RE2JS } from 're2js';
import { readPattern } from '#language/library/pattern.ts';
import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import { complement, DIGIT, LINE_ENDS, type Range, rangesOfProperty, SPACE, setText, union, WORD } from './character-ranges.ts';

/** Tells whether a pattern matches somewhere in a text. */
export type Pattern = (text: string) => boolean;

/** A pattern, or why there is none. */
export type CompiledPattern = { readonly ok: true; readonly matches: Pattern } | { readonly ok: false; readonly reason: string };

/** RE2 repeats nothing more often. */
const MOST_REPEATS = 1000;

/**
 * The pattern of an ECMAScript regular expression with the `u` flag. It is printed again for RE2 (Russ Cox, 2010), which
 * matches in time linear in the text: sets of characters as ranges, because both languages read `.`, `\s` and `\p`
 * differently, and groups without captures. What RE2 cannot do, which are look-around, back references and long repeats,
 * is left to the built-in RegExp; it may take exponential time, so that patterns are matched in the process of a run only.
 */
export function compilePattern(source: string): CompiledPattern {
    const read = readPattern(source);
    return read.ok ? { ok: true, matches: linearPattern(read.pattern) ?? builtInPattern(source) } : read;
}

/** As `compilePattern`, without constructs that may take more than linear time: for texts and patterns of one client while others wait. */
export function compileLinearPattern(source: string): CompiledPattern {
    const read = readPattern(source);
    if (!read.ok) return read;
    const matches = linearPattern(read.pattern);
    const most = countText(MOST_REPEATS);
    return matches === undefined
        ? { ok: false, reason: say`look-around, back references and more than ${most} repeats are not possible here` }
        : { ok: true, matches };
}

function linearPattern(pattern: AST.Pattern): Pattern | undefined {
    try {
        const printed = printAlternatives(pattern.alternatives);
        if (printed === undefined) return undefined;
        const compiled = RE2JS.compile(printed);
        return text => compiled.test(text);
    } catch {
        return undefined;
    }
}

function builtInPattern(source: string): Pattern {
    const expression = new RegExp(source, 'u');
    return text => expression.test(text);
}

/** The text for RE2; undefined where it has no such construct. */
function printAlternatives(alternatives: readonly AST.Alternative[]): string | undefined {
    return joined(alternatives, '|', alternative => joined(alternative.elements, '', printElement));
}

function printElement(element: AST.Element): string | undefined {
    switch (element.type) {
        case 'Assertion':
            switch (element.kind) {
                case 'start':
                    return '\\A';
                case 'end':
                    return '\\z';
                case 'word':
                    return element.negate ? '\\B' : '\\b';
                case 'lookahead':
                case 'lookbehind':
                    return undefined;
            }
            break;
        case 'Character':
            return setText([[element.value, element.value]]);
        case 'CharacterSet':
        case 'CharacterClass':
            return setText(rangesOf(element));
        case 'Group':
        case 'CapturingGroup':
            return grouped(printAlternatives(element.alternatives));
        case 'Quantifier': {
            const repeated = printElement(element.element);
            const most = element.max === Number.POSITIVE_INFINITY ? element.min : element.max;
            if (repeated === undefined || most > MOST_REPEATS) return undefined;
            const end = element.max === Number.POSITIVE_INFINITY ? '' : String(element.max);
            return `${grouped(repeated)}{${element.min},${end}}${element.greedy ? '' : '?'}`;
        }
        case 'Backreference':
        case 'ExpressionCharacterClass':
            return undefined;
    }
    return undefined;
}

function grouped(text: string | undefined): string | undefined {
    return text === undefined ? undefined : `(?:${text})`;
}

function joined<T>(parts: readonly T[], separator: string, print: (part: T) => string | undefined): string | undefined {
    const texts: string[] = [];
    for (const part of parts) {
        const text = print(part);
        if (text === undefined) return undefined;
        texts.push(text);
    }
    return texts.join(separator);
}

/** The code points that one element of a pattern matches. */
function rangesOf(element: AST.CharacterSet | AST.CharacterClass | AST.CharacterClassElement): readonly Range[] {
    switch (element.type) {
        case 'Character':
            return [[element.value, element.value]];
        case 'CharacterClassRange':
            return [[element.min.value, element.max.value]];
        case 'CharacterClass': {
            const ranges = union(element.elements.flatMap(rangesOf));
            return element.negate ? complement(ranges) : ranges;
        }
        case 'CharacterSet': {
            const ranges = rangesOfSet(element);
            return element.kind !== 'any' && element.negate ? complement(ranges) : ranges;
        }
        case 'ClassStringDisjunction':
        case 'ExpressionCharacterClass':
            throw new Error('A set that only the v flag has');
    }
}

function rangesOfSet(set: AST.CharacterSet): readonly Range[] {
    switch (set.kind) {
        case 'any':
            return complement(LINE_ENDS);
        case 'digit':
            return DIGIT;
        case 'space':
            return SPACE;
        case 'word':
            return WORD;
        case 'property':
            return rangesOfProperty(set.value === null ? set.key : `${set.key}=${set.value}`);
    }
}
