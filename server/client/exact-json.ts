import { closingQuote } from '#server/protocol/json-text.ts';

/** Matches the start of a string, and numbers. */
const TOKEN = /"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gu;
const LONG_INTEGER = /^-?\d{16,}$/u;
/** Begins a string that stands for an integer. Strings that begin so themselves are marked, too. */
const MARK = '\u0000';

/** `JSON.parse`, but with `bigint` for integers that a number does not hold exactly. */
export function exactJson(text: string): unknown {
    let marked = '';
    let from = 0;
    let hasOthers = false;
    for (const token = new RegExp(TOKEN); ; ) {
        const found = token.exec(text);
        if (found === null) break;
        const { index, 0: written } = found;
        if (written === '"') {
            if (text.startsWith('\\u0000', index + 1)) {
                marked += `${text.slice(from, index)}"\\u0000s`;
                from = index + 1;
            }
            token.lastIndex = closingQuote(text, index) + 1;
        } else if (LONG_INTEGER.test(written) && !Number.isSafeInteger(Number(written))) {
            marked += `${text.slice(from, index)}"\\u0000n${written}"`;
            from = token.lastIndex;
            hasOthers = true;
        }
    }
    // A text that is not JSON stays as it is.
    const value: unknown = JSON.parse(text);
    if (!hasOthers) return value;
    return JSON.parse(marked + text.slice(from), (_, one: unknown) => {
        if (typeof one !== 'string' || !one.startsWith(MARK)) return one;
        return one[1] === 'n' ? BigInt(one.slice(2)) : one.slice(2);
    });
}
