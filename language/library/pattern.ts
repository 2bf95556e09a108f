import { type AST, RegExpParser } from '@eslint-community/regexpp';
import { say } from '#language/program/say.ts';

/** A pattern as its parts, or why there is none. */
export type ReadPattern = { readonly ok: true; readonly pattern: AST.Pattern } | { readonly ok: false; readonly reason: string };

/** The longest pattern, in bytes of UTF-8. */
const LONGEST = 8192;

const encoder = new TextEncoder();

/** Reads a regular expression of ECMAScript with the `u` flag. */
export function readPattern(source: string): ReadPattern {
    if (encoder.encode(source).length > LONGEST) return { ok: false, reason: say`it is longer than 8 KiB` };
    try {
        const pattern = new RegExpParser({ ecmaVersion: 2024 }).parsePattern(source, 0, source.length, { unicode: true });
        return { ok: true, pattern };
    } catch (thrown) {
        return { ok: false, reason: thrown instanceof RangeError ? say`it is nested too deeply` : reasonOf(thrown) };
    }
}

/** The words of a syntax error behind the pattern that it repeats. */
function reasonOf(thrown: unknown): string {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    return message.slice(message.lastIndexOf(': ') + 2).toLowerCase();
}
