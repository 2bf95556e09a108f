import { say } from '#language/program/say.ts';
import { MEBIBYTE } from '#server/protocol/platform/schema.ts';
import { engineError } from './engine-error.ts';

/** A name of a property of the engine. */
export const PROPERTY = /^[A-Za-z][A-Za-z0-9_.-]{0,127}$/u;
const PARAMETER = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/u;
const QUOTED = /^(?:"(?:[^"]|"")*"|'(?:[^']|'')*')$/u;
const OPENING = '([{';
const CLOSING = ')]}';
const BEFORE_VALUE = `=,${OPENING}`;
const DEEPEST = 64;
/** Characters of all parameters, or all properties, together. */
const LONGEST = MEBIBYTE;

/** `X=1, Y=[a, b], Z="a, b"`: the values by name, as an evaluation is given them. */
export function readParameterText(text: string): ReadonlyMap<string, unknown> {
    return new Map(
        assignments(text, 'params').map(([name, value]) => {
            if (PARAMETER.test(name)) return [name, parameterValue(value)];
            throw engineError('INVALID_PARAMETER', say`'params' has no name of a parameter before '='`);
        }),
    );
}

/** `a.b=x, c=y`: the values by name. Messages say nothing of the values, which may be secrets. */
export function readPropertyText(text: string): ReadonlyMap<string, string> {
    return new Map(
        assignments(text, 'prop').map(([name, value]) => {
            if (PROPERTY.test(name)) return [name, QUOTED.test(value) ? unquoted(value) : value];
            throw engineError('INVALID_PARAMETER', say`'prop' has no name of a property before '='`);
        }),
    );
}

function assignments(text: string, field: string): (readonly [string, string])[] {
    if (text.trim() === '') return [];
    if (text.length > LONGEST) throw engineError('TOO_LARGE', `'${field}' exceeds ${LONGEST} characters`);
    return parts(text).map(part => {
        const at = part.indexOf('=');
        if (at < 0) throw engineError('INVALID_PARAMETER', say`'${field}' must be NAME=VALUE, with commas between several`);
        return [part.slice(0, at).trim(), part.slice(at + 1).trim()];
    });
}

/** A text without quotes is left to the evaluation, which takes it for a literal where it reads as one (D-64). */
function parameterValue(text: string): unknown {
    if (QUOTED.test(text)) return { text: unquoted(text) };
    if (text === 'true' || text === '#T') return true;
    if (text === 'false' || text === '#F') return false;
    if (!text.startsWith('[') || !text.endsWith(']')) return text;
    const inside = text.slice(1, -1);
    return inside.trim() === '' ? [] : parts(inside).map(part => parameterValue(part.trim()));
}

function unquoted(text: string): string {
    const quote = text.charAt(0);
    return text.slice(1, -1).replaceAll(quote + quote, quote);
}

/** The parts between commas that stand outside of quotes and brackets. A quote counts where a value begins with it. */
function parts(text: string): string[] {
    const found: string[] = [];
    let depth = 0;
    let quote = '';
    let start = 0;
    let beginsValue = true;
    for (let at = 0; at < text.length; at++) {
        const sign = text.charAt(at);
        if (quote !== '') {
            quote = sign === quote ? '' : quote;
            continue;
        }
        if (beginsValue && (sign === '"' || sign === "'")) quote = sign;
        else if (OPENING.includes(sign)) depth++;
        else if (CLOSING.includes(sign)) depth--;
        else if (sign === ',' && depth <= 0) {
            found.push(text.slice(start, at));
            start = at + 1;
        }
        if (depth > DEEPEST) throw engineError('INVALID_PARAMETER', say`Brackets nest deeper than ${DEEPEST}`);
        if (sign.trim() !== '') beginsValue = BEFORE_VALUE.includes(sign);
    }
    if (quote !== '') throw engineError('INVALID_PARAMETER', say`A quote is not closed`);
    return [...found, text.slice(start)];
}
