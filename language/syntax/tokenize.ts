import { afterBlanks } from './characters.ts';
import { type Token, tokenAt } from './token.ts';

/** The tokens of the text of one clause, comments left out. */
export function tokenize(text: string): Token[] {
    const tokens: Token[] = [];
    let arrow = false;
    let afterArrow = false;
    for (let at = afterBlanks(text, 0); at < text.length; ) {
        const token = tokenAt(text, at, tokens.at(-1), afterArrow);
        at = afterBlanks(text, token.end);
        if (token.kind === 'comment') continue;
        afterArrow = token.kind === 'arrow' && !arrow;
        arrow ||= token.kind === 'arrow';
        tokens.push(token);
    }
    return tokens;
}
