import type { Annotation, Constant, Fact } from '#language/program/program.ts';
import type { ClausePlace } from '#language/program/span.ts';
import { trimmed } from '#language/program/trimmed.ts';
import {
    afterBlanks,
    afterWord,
    BACKSLASH,
    CAPITAL_F,
    CAPITAL_T,
    CARRIAGE_RETURN,
    CLOSING,
    COMMA,
    DOT,
    HASH,
    isDigit,
    isLower,
    isWord,
    LINE_FEED,
    MINUS,
    OPENING,
    QUOTE,
} from './characters.ts';
import { timeConstant } from './literals.ts';

/**
 * Reads `name(constant, …).` at `start` without the grammar, as far as its constants are plain: strings without
 * escapes, small integers, decimals, dates, booleans. Anything else, also anything wrong, is undefined and left to the grammar,
 * which reads the same value.
 */
export function readPlainFact(text: string, start: number, place: ClausePlace): Fact | undefined {
    if (!isLower(text.charCodeAt(start))) return undefined;
    const nameEnd = afterWord(text, start);
    if (text.charCodeAt(nameEnd) !== OPENING) return undefined;
    const predicate = text.slice(start, nameEnd);
    if (RESERVED.has(predicate)) return undefined;
    const values: Constant[] = [];
    let at = afterBlanks(text, nameEnd + 1);
    if (text.charCodeAt(at) !== CLOSING) {
        while (true) {
            const value = readConstant(text, at, start);
            if (value === undefined) return undefined;
            values.push(value);
            at = afterBlanks(text, start + value.span.end);
            const unit = text.charCodeAt(at);
            if (unit === CLOSING) break;
            if (unit !== COMMA) return undefined;
            at = afterBlanks(text, at + 1);
        }
    }
    const dot = afterBlanks(text, at + 1);
    if (text.charCodeAt(dot) !== DOT) return undefined;
    const atom = {
        predicate,
        arguments: trimmed(values),
        nameSpan: { start: 0, end: nameEnd - start },
        span: { start: 0, end: at + 1 - start },
    };
    return { kind: 'fact', place, span: { start: 0, end: dot + 1 - start }, annotations: NO_ANNOTATIONS, atom };
}

const NO_ANNOTATIONS: readonly Annotation[] = [];

const RESERVED: ReadonlySet<string> = new Set(['not', 'in', 'dom', 'null']);

function readConstant(text: string, at: number, base: number): Constant | undefined {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) return readString(text, at, base);
    if (unit === MINUS) return isDigit(text.charCodeAt(at + 1)) ? readNumber(text, at, at + 1, base) : undefined;
    if (isDigit(unit)) return readDate(text, at, base) ?? readNumber(text, at, at, base);
    if (unit === HASH) return readBoolean(text, at, base);
    return undefined;
}

/** A string of one line without backslashes and doubled quotes. */
function readString(text: string, start: number, base: number): Constant | undefined {
    for (let at = start + 1; at < text.length; at++) {
        const unit = text.charCodeAt(at);
        if (unit === BACKSLASH || unit === LINE_FEED || unit === CARRIAGE_RETURN) return undefined;
        if (unit === QUOTE) {
            if (text.charCodeAt(at + 1) === QUOTE) return undefined;
            return { kind: 'string', value: text.slice(start + 1, at), span: { start: start - base, end: at + 1 - base } };
        }
    }
    return undefined;
}

const DATE = /\d{4}-\d\d-\d\d(?![\w.:-]|[ T]\d)/y;

/** A date that the calendar has. */
function readDate(text: string, start: number, base: number): Constant | undefined {
    if (text.charCodeAt(start + 4) !== MINUS) return undefined;
    DATE.lastIndex = start;
    if (!DATE.test(text)) return undefined;
    const end = DATE.lastIndex;
    let exists = true;
    const date = timeConstant(text.slice(start, end), { start: start - base, end: end - base }, () => {
        exists = false;
    });
    return exists ? date : undefined;
}

/** At most fifteen digits, so that no figure is lost. `start` is at the sign, `digits` at the first digit. */
function readNumber(text: string, start: number, digits: number, base: number): Constant | undefined {
    let end = digits;
    while (isDigit(text.charCodeAt(end))) end++;
    const decimal = text.charCodeAt(end) === DOT && isDigit(text.charCodeAt(end + 1));
    if (decimal) {
        end++;
        while (isDigit(text.charCodeAt(end))) end++;
    }
    const next = text.charCodeAt(end);
    if (end - digits > 15 || next === MINUS || next === DOT || isWord(next)) return undefined;
    const value = Number(text.slice(start, end));
    const span = { start: start - base, end: end - base };
    return decimal ? { kind: 'double', value, span } : { kind: 'integer', value: value === 0 ? 0 : value, span };
}

function readBoolean(text: string, start: number, base: number): Constant | undefined {
    const letter = text.charCodeAt(start + 1);
    if ((letter !== CAPITAL_T && letter !== CAPITAL_F) || isWord(text.charCodeAt(start + 2))) return undefined;
    return { kind: 'boolean', value: letter === CAPITAL_T, span: { start: start - base, end: start + 2 - base } };
}
