import { isClosing, isOpening } from './brackets.ts';
import { afterTrivia } from './characters.ts';
import { type Token, tokenAt } from './token.ts';

/** How far the start of a line is looked at to learn what it begins. */
const LOOK_AHEAD = 600;

/** True when `name(…)`, possibly followed by more atoms, and then an arrow stand at `offset`. */
export function startsRule(text: string, offset: number): boolean {
    let at: number | undefined = offset;
    while (at !== undefined) {
        const after = afterAtom(text, at);
        if (after === undefined) return false;
        const next = tokenAt(text, after, undefined, false);
        if (next.kind === 'arrow') return true;
        at = next.text === ',' ? afterTrivia(text, next.end) : undefined;
    }
    return false;
}

/** True when `name(…).` stands at `offset`. */
export function startsFact(text: string, offset: number): boolean {
    const after = afterAtom(text, offset);
    return after !== undefined && text.charAt(after) === '.';
}

const EQUATION = /[A-Z]\w*[ \t]*=[ \t]*(?:[A-Z]\w*|"[^"\r\n]*"|-?\d[\d.-]*|#[TF])[ \t]*(?:<-|:-)/y;

/** True when the head of an equality rule and its arrow stand at `offset`. */
export function startsEquation(text: string, offset: number): boolean {
    EQUATION.lastIndex = offset;
    return EQUATION.test(text);
}

const CONSTRAINT = /#F[ \t]*(?:<-|:-)/y;

/** True when `#F` and an arrow stand at `offset`. */
export function startsConstraint(text: string, offset: number): boolean {
    CONSTRAINT.lastIndex = offset;
    return CONSTRAINT.test(text);
}

/** Offset of the token after `name(…)` at `offset`; undefined when there is no such atom, or only a very long one. */
function afterAtom(text: string, offset: number): number | undefined {
    const name = tokenAt(text, offset, undefined, false);
    if (name.kind !== 'name') return undefined;
    const limit = offset + LOOK_AHEAD;
    let depth = 0;
    let previous: Token = name;
    let at = afterTrivia(text, name.end);
    if (text.charAt(at) !== '(') return undefined;
    while (at < text.length && at < limit) {
        const token = tokenAt(text, at, previous, false);
        if (token.kind === 'dot' || token.kind === 'arrow' || token.kind === 'annotation' || token.kind === 'unterminated-string')
            return undefined;
        if (isOpening(token)) depth++;
        else if (isClosing(token)) depth--;
        at = afterTrivia(text, token.end);
        if (depth === 0) return at;
        previous = token;
    }
    return undefined;
}
