import { isAggregateName } from '#language/program/aggregates.ts';
import type { Span } from '#language/program/span.ts';
import { isClosing, isOpening } from '#language/syntax/brackets.ts';
import { queryBodyAt } from '#language/syntax/query-body.ts';
import type { Token } from '#language/syntax/token.ts';
import { tokenize } from '#language/syntax/tokenize.ts';
import { type ArgumentToken, annotationMentions } from './annotation-mentions.ts';
import { closingBrackets } from './closing-brackets.ts';
import type { Mention, PredicateRole } from './mention.ts';
import { queryMentions } from './query-mentions.ts';
import { sqlMentions } from './sql-mentions.ts';
import { stringContent } from './string-content.ts';

/**
 * Everything in the text of a clause that means something by itself, in text order, with spans relative to the clause. It
 * reads tokens and not the syntax tree, so that a clause with errors has an answer too.
 */
export function clauseMentions(text: string): readonly Mention[] {
    const found = new MentionWalk(tokenize(text)).mentions();
    return found.sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
}

class MentionWalk {
    private readonly tokens: readonly Token[];
    private readonly closing: ReadonlyMap<number, number>;
    private readonly hasArrow: boolean;
    private readonly found: Mention[] = [];
    private section: 'head' | 'body' = 'head';
    /** Brackets around the current token, except parentheses around a whole item. */
    private depth = 0;
    /** For each open bracket: it surrounds an item, not terms. */
    private readonly groups: boolean[] = [];
    /** Index of the token that ends the negated atom around the current token. */
    private negatedUntil = -1;

    constructor(tokens: readonly Token[]) {
        this.tokens = tokens;
        this.closing = closingBrackets(tokens);
        this.hasArrow = tokens.some(token => token.kind === 'arrow');
    }

    mentions(): Mention[] {
        for (let index = 0; index < this.tokens.length; index++) {
            const token = this.tokens[index];
            if (token?.kind === 'annotation') index = this.annotation(token, index);
            else if (token !== undefined) this.token(token, index);
        }
        return this.found;
    }

    private add(mention: Mention): void {
        this.found.push(mention);
    }

    private token(token: Token, index: number): void {
        switch (token.kind) {
            case 'arrow':
                if (this.section === 'body') return;
                this.section = 'body';
                this.depth = 0;
                this.groups.length = 0;
                return;
            case 'mark':
                this.bracket(token, index);
                return;
            case 'name':
                this.name(token, index);
                return;
            case 'variable':
                this.variable(token, index);
                return;
            case 'parameter':
                this.add({ kind: 'parameter', name: parameterName(token), span: parameterSpan(token), role: 'use' });
                return;
            case 'hash':
                this.hash(token, index);
                return;
            case 'string':
            case 'unterminated-string':
                this.string(token);
                return;
            case 'query':
            case 'unterminated-query':
                this.add({ kind: 'query', span: spanOf(token) });
                this.parametersIn(token);
                if (queryBodyAt(token.text, 0)?.language === 'sql')
                    this.sql(token.text, span => ({ start: token.start + span.start, end: token.start + span.end }));
                else for (const mention of queryMentions(token.text, token.start)) this.add(mention);
                return;
            case 'number':
            case 'malformed-number':
                this.add({ kind: 'literal', literal: 'number', span: spanOf(token) });
                return;
            case 'time':
                this.add({ kind: 'literal', literal: 'time', span: spanOf(token) });
                return;
            case 'null':
                this.add({ kind: 'literal', literal: 'null', span: spanOf(token) });
                return;
            case 'annotation':
            case 'dot':
            case 'operator':
            case 'word-operator':
            case 'unknown-operator':
            case 'comment':
            case 'foreign-comment':
            case 'directive':
            case 'member':
            case 'range':
            case 'lookalike':
            case 'stray':
                return;
        }
    }

    private bracket({ text }: Token, index: number): void {
        if (text === '(' || text === '[' || text === '{') {
            const group = text === '(' && this.depth === 0 && this.section === 'body' && this.beginsItem(index);
            this.groups.push(group);
            if (!group) this.depth++;
        } else if (text === ')' || text === ']' || text === '}') {
            if (this.groups.pop() === false) this.depth--;
        }
    }

    private name(token: Token, index: number): void {
        const open = this.tokens[index + 1]?.text === '(' && this.tokens[index + 1]?.kind === 'mark';
        const name = token.text;
        if (name === 'dom' || (!open && this.depth > 0)) return;
        const item = this.section === 'body' && this.isItem(index, open);
        if (name.includes(':') || (this.section === 'body' && !item) || this.depth > 0) {
            if (!open) return;
            this.add({ kind: isAggregateName(name) ? 'aggregate' : 'call', name, span: spanOf(token) });
            return;
        }
        const end = this.closing.get(index + 1);
        const terms = open && end !== undefined ? { terms: this.countTerms(index + 1, end) } : {};
        const negated = item && this.isNegated(index);
        if (negated) this.negatedUntil = end ?? this.tokens.length;
        this.add({ kind: 'predicate', name, span: spanOf(token), role: this.role(negated), ...terms });
    }

    private role(negated: boolean): PredicateRole {
        if (this.section === 'head') return this.hasArrow ? 'head' : 'fact';
        return negated ? 'negated' : 'item';
    }

    private isNegated(index: number): boolean {
        let at = index - 1;
        while (this.tokens[at]?.text === '(') at--;
        return isNegation(this.tokens[at]);
    }

    /** An item of the body by itself: neither side is an operand of something. */
    private isItem(index: number, open: boolean): boolean {
        if (this.depth > 0 || !this.startsItem(index)) return false;
        const end = open ? this.closing.get(index + 1) : index;
        const after = end === undefined ? undefined : this.tokens[end + 1];
        return after === undefined || (after.kind !== 'operator' && after.text !== 'in' && after.text !== '!in') || after.text === '|';
    }

    /** True if the token before does not end an operand: an item begins here. */
    private beginsItem(index: number): boolean {
        const previous = this.tokens[index - 1];
        if (previous === undefined || isNegation(previous) || previous.kind === 'arrow') return true;
        if (previous.text === ',' || previous.text === '|') return true;
        return previous.text === '(' && this.groups.at(-1) === true;
    }

    /** The same, or the comma before the item is missing. */
    private startsItem(index: number): boolean {
        const previous = this.tokens[index - 1];
        if (this.beginsItem(index)) return true;
        return previous?.kind !== 'operator' && previous?.kind !== 'word-operator' && previous?.text !== '(';
    }

    private countTerms(open: number, close: number): number {
        if (close === open + 1) return 0;
        let depth = 0;
        let terms = 1;
        for (let at = open + 1; at < close; at++) {
            const { kind, text } = this.tokens[at] ?? { kind: 'mark', text: '' };
            if (kind !== 'mark') continue;
            if ('([{'.includes(text)) depth++;
            else if (')]}'.includes(text)) depth--;
            else if (text === ',' && depth === 0) terms++;
        }
        return terms;
    }

    private variable(token: Token, index: number): void {
        const { text: name } = token;
        if (name.startsWith('_')) {
            this.add({ kind: 'anonymous', name, span: spanOf(token) });
            return;
        }
        const assigned = this.section === 'body' && this.depth === 0 && this.tokens[index + 1]?.text === '=';
        const role = this.section === 'head' ? 'head' : assigned ? 'assigned' : index < this.negatedUntil ? 'negated' : 'body';
        this.add({ kind: 'variable', name, span: spanOf(token), role });
    }

    private hash(token: Token, index: number): void {
        const span = spanOf(token);
        if (token.text === '#T' || token.text === '#F') {
            this.add({ kind: 'literal', literal: 'boolean', span });
            return;
        }
        const name = token.text.slice(1);
        if (!/^[A-Z]/.test(name)) {
            this.add({ kind: 'skolem', name, span });
            return;
        }
        this.add({ kind: 'relation-function', name, span });
        const input = this.tokens[index + 2];
        if (this.tokens[index + 1]?.text !== '(' || input === undefined) return;
        if (input.kind === 'name') this.add({ kind: 'predicate', name: input.text, span: spanOf(input), role: 'relation-input' });
        if (input.kind === 'string' || input.kind === 'unterminated-string') this.query(input);
    }

    /** Yields the names in a query that a string contains (10.5). */
    private query(token: Token): void {
        const { value, at } = stringContent(token);
        const spanIn = ({ start, end }: Span): Span => ({ start: at(start), end: at(end) });
        this.sql(value, spanIn);
        for (const match of value.matchAll(/\?([A-Za-z]\w*)/gu)) {
            const [whole, name = ''] = match;
            const span = spanIn({ start: match.index + 1, end: match.index + whole.length });
            this.add({ kind: 'parameter', name, span, role: 'use' });
        }
    }

    private sql(text: string, spanIn: (span: Span) => Span): void {
        for (const mention of sqlMentions(text, spanIn)) this.add(mention);
    }

    private string(token: Token): void {
        this.add({ kind: 'literal', literal: 'string', span: spanOf(token) });
        this.parametersIn(token);
    }

    private parametersIn(token: Token): void {
        if (!token.text.includes('{') && token.kind === 'string') return;
        const pattern = token.kind === 'string' ? /(?<!\$)\$\{()([A-Za-z]\w*)\}/g : /(?<!\$)(?:\$\{()([A-Za-z]\w*)\}|\?([A-Za-z]\w*))/g;
        for (const match of token.text.matchAll(pattern)) {
            const name = match[2] ?? match[3] ?? '';
            const start = token.start + match.index + (match[3] === undefined ? 2 : 1);
            this.add({ kind: 'parameter', name, span: { start, end: start + name.length }, role: 'use' });
        }
    }

    /** Returns the index of the last token of the annotation. */
    private annotation(token: Token, index: number): number {
        const name = token.text.slice(1);
        this.add({ kind: 'annotation', name, span: { start: token.start + 1, end: token.end } });
        if (this.tokens[index + 1]?.text !== '(') return index;
        const end = this.closing.get(index + 1) ?? this.unclosedEnd(index + 2);
        const given: ArgumentToken[] = [];
        let argument: Token[] = [];
        let depth = 0;
        for (let at = index + 2; at <= end; at++) {
            const inside = this.tokens[at];
            if (at === end || inside === undefined || (inside.text === ',' && inside.kind === 'mark' && depth === 0)) {
                given.push(argument.length === 1 ? argument[0] : undefined);
                argument = [];
                continue;
            }
            if (isOpening(inside)) depth++;
            if (isClosing(inside)) depth--;
            argument.push(inside);
            if (inside.kind !== 'name' && inside.kind !== 'mark') this.token(inside, at);
        }
        for (const mention of annotationMentions(name, given)) this.add(mention);
        return this.closing.has(index + 1) ? end : end - 1;
    }

    /** Finds the end of an annotation's arguments if the closing parenthesis is missing. */
    private unclosedEnd(from: number): number {
        const end = this.tokens.findIndex(({ kind }, at) => at >= from && (kind === 'dot' || kind === 'arrow' || kind === 'annotation'));
        return end < 0 ? this.tokens.length : end;
    }
}

function isNegation(token: Token | undefined): boolean {
    return token !== undefined && (token.text === 'not' || ((token.text === '~' || token.text === '!') && token.kind === 'operator'));
}

function spanOf({ start, end }: Token): Span {
    return { start, end };
}

function parameterName({ text }: Token): string {
    return text.startsWith('?') ? text.slice(1) : text.slice(2, -1);
}

function parameterSpan({ text, start, end }: Token): Span {
    return text.startsWith('?') ? { start: start + 1, end } : { start: start + 2, end: end - 1 };
}
