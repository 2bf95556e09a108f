import type { Token } from '#language/syntax/token.ts';

/** The parts of a clause without errors between which its layout may break a line. */
export interface ClauseOutline {
    readonly annotations: readonly Part[];
    /** Empty for a stand-alone annotation. */
    readonly heads: readonly Part[];
    /** The comment behind the arrow on its line. */
    readonly arrowComment: string | undefined;
    readonly items: readonly Part[];
    readonly query: Token | undefined;
}

export interface Part {
    readonly tokens: readonly Token[];
    /** Comments on lines of their own above the part. */
    readonly above: readonly string[];
    /** The comment at the end of the part's line. */
    readonly behind: string | undefined;
}

/**
 * The outline of a clause; undefined when a comment stands where no layout of ours has a place for it. `text` is the
 * clause's text, `tokens` its tokens with their comments.
 */
export function clauseOutline(text: string, tokens: readonly Token[]): ClauseOutline | undefined {
    const builder = new OutlineBuilder(text);
    for (const token of tokens) {
        if (!builder.add(token)) return undefined;
    }
    return builder.outline();
}

interface OpenPart {
    readonly tokens: Token[];
    readonly above: readonly string[];
    behind: string | undefined;
}

class OutlineBuilder {
    private readonly text: string;
    private readonly annotations: OpenPart[] = [];
    private readonly heads: OpenPart[] = [];
    private readonly items: OpenPart[] = [];
    private arrowComment: string | undefined;
    private query: Token | undefined;
    private part: OpenPart | undefined;
    /** The part whose comma was read last. */
    private finished: OpenPart | undefined;
    private above: string[] = [];
    private depth = 0;
    private arrow = false;
    private previous: Token | undefined;

    constructor(text: string) {
        this.text = text;
    }

    /** False when the clause has no outline. */
    add(token: Token): boolean {
        const placed = token.kind === 'comment' ? this.addComment(token) : this.addToken(token);
        this.previous = token;
        return placed;
    }

    outline(): ClauseOutline | undefined {
        if (this.above.length > 0) return undefined;
        const { annotations, heads, items, arrowComment, query } = this;
        return { annotations, heads, items, arrowComment, query };
    }

    private addToken(token: Token): boolean {
        if (token.kind === 'dot') return this.above.length === 0 && this.part?.behind === undefined;
        if (token.kind === 'query') {
            this.query = token;
            return this.above.length === 0 && this.arrowComment === undefined;
        }
        if (token.kind === 'arrow' && !this.arrow && this.depth === 0) {
            this.arrow = true;
            return this.endPart();
        }
        if (token.text === ',' && token.kind === 'mark' && this.depth === 0) return this.endPart();
        if (this.depth === 0 && this.startsPart(token)) this.startPart(token);
        if (this.part?.behind !== undefined) return false;
        this.part?.tokens.push(token);
        if (token.kind === 'mark') this.depth += '([{'.includes(token.text) ? 1 : ')]}'.includes(token.text) ? -1 : 0;
        return true;
    }

    private startsPart(token: Token): boolean {
        if (this.part === undefined) return true;
        const annotation = this.part.tokens[0]?.kind === 'annotation';
        return token.kind === 'annotation' || (annotation && !(token.text === '(' && this.part.tokens.length === 1));
    }

    private startPart(token: Token): void {
        const group = token.kind === 'annotation' ? this.annotations : this.arrow ? this.items : this.heads;
        this.part = { tokens: [], above: this.above, behind: undefined };
        this.above = [];
        group.push(this.part);
    }

    /** At a comma between parts or at the arrow. */
    private endPart(): boolean {
        if (this.above.length > 0) return false;
        this.finished = this.part;
        this.part = undefined;
        return true;
    }

    /** Comments have a place behind a part, behind the arrow, and above an item. */
    private addComment(token: Token): boolean {
        const comment = token.text.trimEnd();
        const ownLine = this.previous === undefined || /[\r\n]/.test(this.text.slice(this.previous.end, token.start));
        if (!this.arrow || this.depth > 0) return false;
        if (ownLine) {
            if (this.part !== undefined) return false;
            this.above.push(comment);
            return true;
        }
        if (this.previous?.kind === 'arrow') {
            this.arrowComment = comment;
            return true;
        }
        const owner = this.part ?? this.finished;
        if (owner === undefined || owner.behind !== undefined || this.heads.includes(owner)) return false;
        owner.behind = comment;
        return true;
    }
}
