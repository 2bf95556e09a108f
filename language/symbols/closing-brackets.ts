import type { Token } from '#language/syntax/token.ts';

const OPENING = '([{';
const CLOSING = ')]}';
/** No clause may be nested as deeply as this; how many brackets without their closing ones are passed over. */
const DEEPEST = 100;

/** For each opening bracket that is closed, by index among the tokens, the index of the bracket that closes it. */
export function closingBrackets(tokens: readonly Token[]): ReadonlyMap<number, number> {
    const pairs = new Map<number, number>();
    const open: number[] = [];
    for (const [index, token] of tokens.entries()) {
        if (token.kind === 'arrow' || token.kind === 'dot') open.length = token.kind === 'dot' ? 0 : open.length;
        if (token.kind !== 'mark') continue;
        if (OPENING.includes(token.text)) open.push(index);
        else if (CLOSING.includes(token.text)) {
            const wanted = OPENING.charAt(CLOSING.indexOf(token.text));
            let at = open.length - 1;
            const least = Math.max(0, open.length - DEEPEST);
            while (at > least && tokens[open[at] ?? 0]?.text !== wanted) at--;
            const opened = open[at];
            if (opened === undefined || tokens[opened]?.text !== wanted) continue;
            open.length = at;
            pairs.set(opened, index);
        }
    }
    return pairs;
}
