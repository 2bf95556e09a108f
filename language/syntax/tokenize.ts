import { afterBlanks } from './characters.ts';
import { type Token, tokenAt } from './token.ts';

/** The tokens of the text of one clause, comments left out. */
export function tokenize(text: string): Token[] {
    return tokenizeWithComments(text).filter(token => token.kind !== 'comment');
}

/** The tokens of the text of one clause. */
export function tokenizeWithComments(text: string): Token[] {
    const tokens: Token[] = [];
    let previous: Token | undefined;
    let arrow = false;
    let afterArrow = false;
    for (let at = afterBlanks(text, 0); at < text.length; ) {
        const token = tokenAt(text, at, previous, afterArrow);
        at = afterBlanks(text, token.end);
        tokens.push(token);
        if (token.kind === 'comment') continue;
        afterArrow = token.kind === 'arrow' && !arrow;
        arrow ||= token.kind === 'arrow';
        previous = token;
    }
    return tokens;
}
