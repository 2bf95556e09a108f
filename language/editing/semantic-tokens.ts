import { lastClauseStartingAt, type OpenDocument, type TextRange } from '#language/document/open-document.ts';
import { functionNamed } from '#language/library/function-catalogue.ts';
import { isAggregateName } from '#language/program/aggregates.ts';
import type { Clause } from '#language/program/program.ts';
import type { SqlPart } from '#language/sql/sql-outline.ts';
import { clauseMentions } from '#language/symbols/clause-mentions.ts';
import { clauseText, symbolsOf, symbolsOfClause } from '#language/symbols/document-symbols.ts';
import type { Mention, MentionOf } from '#language/symbols/mention.ts';

export const TOKEN_TYPES = [
    'predicate',
    'function',
    'aggregate',
    'relationFunction',
    'variable',
    'parameter',
    'annotation',
    'option',
    'type',
    'field',
    'string',
    'number',
    'constant',
    'keyword',
    'comment',
] as const;
export type TokenType = (typeof TOKEN_TYPES)[number];

export const TOKEN_MODIFIERS = ['definition', 'negated', 'external', 'output', 'existential', 'anonymous'] as const;
export type TokenModifier = (typeof TOKEN_MODIFIERS)[number];

/** A token lies within one line. */
export interface SemanticToken {
    readonly start: number;
    readonly length: number;
    readonly type: TokenType;
    readonly modifiers: readonly TokenModifier[];
}

/** The tokens of one clause in text order, relative to it. */
export type ClauseTokens = readonly SemanticToken[];

/** Facts on which the tokens of a clause depend beside its text. */
export interface NameTraits {
    /** An item of this name is an atom. */
    isPredicate(name: string): boolean;
    /** The program defines or declares it. */
    introduces(name: string): boolean;
    /** The rows come from outside the program. */
    isExternal(name: string): boolean;
    isOutput(name: string): boolean;
}

/** Looks names up in `known`, and computes and adds missing ones. */
export function nameTraits(document: OpenDocument, known = new Map<string, Traits>()): NameTraits {
    const traits = (name: string): Traits => {
        let found = known.get(name);
        if (found === undefined) {
            found = traitsOf(document, name);
            known.set(name, found);
        }
        return found;
    };
    return {
        isPredicate: name => traits(name).predicate,
        introduces: name => traits(name).introduced,
        isExternal: name => traits(name).external,
        isOutput: name => traits(name).output,
    };
}

/** The same of one name. */
export interface Traits {
    readonly introduced: boolean;
    readonly predicate: boolean;
    readonly external: boolean;
    readonly output: boolean;
}

export function traitsOf(document: OpenDocument, name: string): Traits {
    const { analysed } = document;
    const predicates = analysed.predicatesNamed(name);
    const introduced = symbolsOf(document).introduces(name);
    return {
        introduced,
        predicate: introduced || !(isAggregateName(name) || functionNamed(name, analysed.libraryPrefixes) !== undefined),
        external: predicates.some(({ input, inputBinds }) => input || inputBinds.length > 0),
        output: predicates.some(({ output }) => output),
    };
}

export function sameTraits(a: Traits, b: Traits): boolean {
    return a.introduced === b.introduced && a.predicate === b.predicate && a.external === b.external && a.output === b.output;
}

/** The tokens of a clause in text order, relative to the clause; they never overlap. */
export function clauseTokens(text: string, traits: NameTraits): readonly SemanticToken[] {
    const mentions = clauseMentions(text);
    const inBody = new Set(mentions.flatMap(mention => (mention.kind === 'variable' && mention.role !== 'head' ? [mention.name] : [])));
    const isRule = mentions.some(mention => mention.kind === 'predicate' && mention.role === 'head');
    const raw = mentions.some(({ kind }) => kind === 'query' || kind === 'relation-function');
    const existential = (name: string): boolean => isRule && !raw && !inBody.has(name);
    const tokens: SemanticToken[] = [];
    for (const mention of withoutOverlap(mentions, traits)) {
        const found = tokenOf(mention, traits, existential);
        if (found !== undefined) tokens.push(...linesOf(text, mention.span, found));
    }
    return tokens;
}

/** The clauses that a range touches, with their tokens relative to them. */
export function tokensInRange(document: OpenDocument, range: TextRange): { readonly clause: Clause; readonly tokens: ClauseTokens }[] {
    const { clauses } = document.program;
    const traits = nameTraits(document);
    const first = Math.max(0, lastClauseStartingAt(clauses, range.start));
    const touched = clauses.slice(first, lastClauseStartingAt(clauses, range.end) + 1);
    return touched.map(clause => ({ clause, tokens: cachedTokens(document, clause, traits) }));
}

/** The tokens of the clauses that a range touches, all of them without one, in offsets of the document. */
export function semanticTokens(document: OpenDocument, range = { start: 0, end: document.text.length }): readonly SemanticToken[] {
    return tokensInRange(document, range).flatMap(({ clause: { place }, tokens }) =>
        tokens.map(token => ({ ...token, start: place.offset + token.start })),
    );
}

const CACHE = new WeakMap<Clause, { readonly traits: string; readonly tokens: readonly SemanticToken[] }>();

/** The tokens of a clause, kept for as long as the clause stays and its names mean the same. */
export function cachedTokens(document: OpenDocument, clause: Clause, traits: NameTraits): readonly SemanticToken[] {
    const key = traitsKey(document, clause, traits);
    const known = CACHE.get(clause);
    if (known?.traits === key) return known.tokens;
    const tokens = clauseTokens(clauseText(document, clause), traits);
    CACHE.set(clause, { traits: key, tokens });
    return tokens;
}

function traitsKey(document: OpenDocument, clause: Clause, traits: NameTraits): string {
    let key = '';
    for (const { kind, name } of symbolsOfClause(document, clause)) {
        if (kind !== 'predicate') continue;
        key += traits.isPredicate(name) ? 'p' : 'f';
        if (traits.introduces(name)) key += 'i';
        if (traits.isExternal(name)) key += 'x';
        if (traits.isOutput(name)) key += 'o';
    }
    return key;
}

/** A text is interrupted by the names inside it. */
function withoutOverlap(mentions: readonly Mention[], traits: NameTraits): Mention[] {
    const meant = mentions.filter(mention => {
        if (mention.kind === 'query' || mention.kind === 'file') return false;
        if (mention.kind !== 'predicate' || !mention.role.startsWith('query')) return true;
        return mention.role === 'query' && traits.introduces(mention.name);
    });
    meant.sort((a, b) => a.span.start - b.span.start || b.span.end - a.span.end);
    const pieces: Mention[] = [];
    for (const [index, mention] of meant.entries()) {
        let { start } = mention.span;
        const { end } = mention.span;
        for (let inner = index + 1; inner < meant.length; inner++) {
            const span = meant[inner]?.span;
            if (span === undefined || span.start >= end) break;
            if (span.start > start) pieces.push({ ...mention, span: { start, end: span.start } });
            start = Math.max(start, span.end);
        }
        if (end > start) pieces.push({ ...mention, span: { start, end } });
    }
    return pieces.sort((a, b) => a.span.start - b.span.start);
}

type Kind = Pick<SemanticToken, 'type' | 'modifiers'>;

function tokenOf(mention: Mention, traits: NameTraits, existential: (name: string) => boolean): Kind | undefined {
    switch (mention.kind) {
        case 'predicate':
            return predicateToken(mention, traits);
        case 'variable':
            return { type: 'variable', modifiers: mention.role === 'head' && existential(mention.name) ? EXISTENTIAL : NONE };
        case 'anonymous':
            return { type: 'variable', modifiers: ANONYMOUS };
        case 'call':
        case 'skolem':
            return { type: 'function', modifiers: NONE };
        case 'aggregate':
            return { type: 'aggregate', modifiers: NONE };
        case 'relation-function':
            return { type: 'relationFunction', modifiers: NONE };
        case 'annotation':
            return { type: 'annotation', modifiers: NONE };
        case 'parameter':
            return { type: 'parameter', modifiers: mention.role === 'declaration' ? DEFINITION : NONE };
        case 'option':
        case 'directive':
        case 'expectation':
            return { type: 'option', modifiers: NONE };
        case 'source-type':
        case 'type':
        case 'library':
            return { type: 'type', modifiers: NONE };
        case 'field':
            return { type: 'field', modifiers: NONE };
        case 'option-value':
            return { type: 'string', modifiers: NONE };
        case 'literal':
            return { type: LITERALS[mention.literal], modifiers: NONE };
        case 'sql':
            return { type: SQL_PARTS[mention.part.kind], modifiers: NONE };
        case 'file':
        case 'query':
            return undefined;
    }
}

const SQL_PARTS: Readonly<Record<SqlPart['kind'], TokenType>> = {
    keyword: 'keyword',
    function: 'function',
    type: 'type',
    string: 'string',
    number: 'number',
    comment: 'comment',
    parameter: 'parameter',
    table: 'predicate',
    alias: 'variable',
    column: 'field',
};

const NONE: readonly TokenModifier[] = [];
const DEFINITION: readonly TokenModifier[] = ['definition'];
const EXISTENTIAL: readonly TokenModifier[] = ['existential'];
const ANONYMOUS: readonly TokenModifier[] = ['anonymous'];

const LITERALS: Readonly<Record<MentionOf<'literal'>['literal'], TokenType>> = {
    string: 'string',
    number: 'number',
    time: 'number',
    boolean: 'constant',
    null: 'constant',
};

function predicateToken({ name, role }: MentionOf<'predicate'>, traits: NameTraits): Kind {
    const item = role === 'item' || role === 'negated';
    if (item && !traits.isPredicate(name)) return { type: isAggregateName(name) ? 'aggregate' : 'function', modifiers: NONE };
    const modifiers: TokenModifier[] = [];
    if (role === 'head' || role === 'fact') modifiers.push('definition');
    if (role === 'negated') modifiers.push('negated');
    if (traits.isExternal(name)) modifiers.push('external');
    if (traits.isOutput(name)) modifiers.push('output');
    return { type: 'predicate', modifiers };
}

function linesOf(text: string, { start, end }: TextRange, kind: Kind): SemanticToken[] {
    if (end <= start) return [];
    const inside = text.slice(start, end);
    if (!/[\r\n]/.test(inside)) return [{ start, length: end - start, ...kind }];
    return [...inside.matchAll(/[^\r\n]+/g)].map(line => ({ start: start + line.index, length: line[0].length, ...kind }));
}
