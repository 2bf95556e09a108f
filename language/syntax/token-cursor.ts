import { suggesting } from '#language/problems/catalogue.ts';
import type { Expected } from '#language/problems/syntax-catalogue.ts';
import { cutText } from '#language/program/cut-text.ts';
import { say } from '#language/program/say.ts';
import type { Span } from '#language/program/span.ts';
import { clauseProblem } from './clause-problem.ts';
import type { ClauseProblem } from './parsed-clause.ts';
import { lastCharacter, type Token, type TokenKind } from './token.ts';

/** A place among the tokens of a clause that moves forward only. */
export class TokenCursor {
    readonly tokens: readonly Token[];
    private index = 0;

    constructor(tokens: readonly Token[]) {
        this.tokens = tokens;
    }

    get token(): Token | undefined {
        return this.tokens[this.index];
    }

    get following(): Token | undefined {
        return this.tokens[this.index + 1];
    }

    get previous(): Token | undefined {
        return this.tokens[this.index - 1];
    }

    is(text: string): boolean {
        const { token } = this;
        return token !== undefined && token.text === text && TEXTUAL.has(token.kind);
    }

    isKind(kind: TokenKind): boolean {
        return this.token?.kind === kind;
    }

    /** Moves on when the current token has this text. */
    take(text: string): boolean {
        if (!this.is(text)) return false;
        this.index++;
        return true;
    }

    next(): void {
        this.index++;
    }

    /** At the final dot or behind the last token. */
    get ended(): boolean {
        return this.token === undefined || this.token.kind === 'dot';
    }

    /** RL0005 at the current token. */
    unexpected(expected: Expected): ClauseProblem {
        const { token } = this;
        const found = token && cutText(token.text, 40);
        const problem = clauseProblem('RL0005', token ?? this.afterPrevious(), expected, found);
        const [text, ...others] = typeof expected === 'string' ? [] : expected;
        return text === undefined || others.length > 0 ? problem : suggesting(problem, { kind: 'write', text }, say`insert '${text}'`);
    }

    /** The last character before the current token: where something is missing. */
    afterPrevious(): Span {
        return this.previous === undefined ? { start: 0, end: 1 } : lastCharacter(this.previous);
    }
}

/** Kinds of token that differ by their text. */
const TEXTUAL: ReadonlySet<TokenKind> = new Set<TokenKind>(['mark', 'operator', 'word-operator', 'arrow', 'dot', 'hash', 'name']);
