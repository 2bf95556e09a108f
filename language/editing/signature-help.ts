import { readSourceText } from '#language/analysis/source-text.ts';
import type { OpenDocument } from '#language/document/open-document.ts';
import { ANNOTATIONS } from '#language/library/annotation-catalogue.ts';
import { dataSourceNamed } from '#language/library/data-sources.ts';
import { functionNamed } from '#language/library/function-catalogue.ts';
import { RELATION_FUNCTIONS } from '#language/library/relation-functions.ts';
import { AGGREGATES, isAggregateName } from '#language/program/aggregates.ts';
import { translated } from '#language/program/say.ts';
import { symbolsOf } from '#language/symbols/document-symbols.ts';
import { isClosing, isOpening } from '#language/syntax/brackets.ts';
import type { Token } from '#language/syntax/token.ts';
import { tokenize, tokenizeWithComments } from '#language/syntax/tokenize.ts';
import { argumentOf, clauseStart, lastClause } from './completion-context.ts';
import { documentationOf } from './documentation.ts';
import { openBrackets } from './open-brackets.ts';
import { predicateMeant } from './predicates-named.ts';
import {
    aggregateSignature,
    annotationSignature,
    functionSignature,
    predicateSignature,
    relationSignature,
    type Signature,
} from './signatures.ts';

export interface SignatureHelp {
    /** The one that fits what is written. */
    readonly signature: Documented;
    /** The argument at the offset, from zero. */
    readonly argument: number;
}

type Documented = Signature & { /** Markdown. */ readonly documentation?: string };

/** An open call around the offset. */
interface Call {
    readonly name: Token;
    /** No other bracket is open around it. */
    readonly outermost: boolean;
    /** Its arguments so far, of annotations with the texts that stand before the offset. */
    readonly terms: number;
    readonly given: readonly (string | undefined)[];
}

/** Returns the signature of the innermost call around the offset. */
export function signatureHelp(document: OpenDocument, offset: number): SignatureHelp | undefined {
    const text = document.text.slice(clauseStart(document, offset), offset);
    const tokens = lastClause(tokenizeWithComments(text)).filter(token => token.kind !== 'comment' || token.end === text.length);
    if (tokens.at(-1)?.kind === 'comment') return undefined;
    const { open } = openBrackets(tokens);
    const bracket = open.findLast(({ name }) => name !== undefined);
    if (bracket?.name === undefined) return undefined;
    const { name, commas } = bracket;
    const terms = commas + 1 + (bracket === open.at(-1) ? commasBehind(document, offset) : 0);
    const given = name.kind === 'annotation' ? argumentOf(bracket, tokens).given : [];
    const signature = signatureOf(document, { name, outermost: open.length === 1, terms, given });
    return signature && { signature, argument: withRepetition(signature, commas) };
}

/** How many arguments of the innermost call begin behind the offset. */
function commasBehind(document: OpenDocument, offset: number): number {
    const clause = document.clauseAt(offset);
    const end = clause === undefined ? offset : clause.place.offset + clause.span.end;
    let depth = 0;
    let commas = 0;
    for (const token of tokenize(document.text.slice(offset, end))) {
        if (isOpening(token)) depth++;
        if (isClosing(token)) depth--;
        if (depth < 0) return commas;
        if (depth === 0 && token.text === ',') commas++;
    }
    return 0;
}

/** Every argument from a repeated parameter on belongs to it. */
function withRepetition({ label, parameters }: Signature, argument: number): number {
    const last = parameters.at(-1);
    if (last === undefined || argument < parameters.length) return argument;
    return label.slice(last.start, last.end).includes('…') ? parameters.length - 1 : argument;
}

function signatureOf(document: OpenDocument, { name: { kind, text }, outermost, terms, given }: Call): Documented | undefined {
    if (kind === 'annotation') return annotationHelp(text.slice(1), given);
    if (kind === 'hash') return relationHelp(text);
    if (kind !== 'name') return undefined;
    if (outermost && symbolsOf(document).introduces(text)) return predicateHelp(document, text, terms);
    const entry = functionNamed(text, document.analysed.libraryPrefixes);
    if (entry !== undefined) return { ...functionSignature(entry, text), documentation: translated(entry.documentation) };
    if (!isAggregateName(text)) return undefined;
    const aggregate = AGGREGATES[text];
    return { ...aggregateSignature(aggregate), documentation: translated(aggregate.documentation) };
}

/** Of a bind, what its arguments are follows from the type of its source. */
function annotationHelp(name: string, [, source = '']: Call['given']): Documented | undefined {
    const entry = ANNOTATIONS.get(name);
    if (entry === undefined) return undefined;
    const type = entry.parameters[1]?.name === 'source' ? dataSourceNamed(readSourceText(source).type.text) : undefined;
    return { ...annotationSignature(entry, type), documentation: translated(entry.documentation) };
}

function relationHelp(text: string): Documented | undefined {
    const entry = RELATION_FUNCTIONS.find(({ name }) => `#${name}` === text);
    return entry && { ...relationSignature(entry.name, entry.columns), documentation: translated(entry.documentation) };
}

function predicateHelp({ analysed }: OpenDocument, name: string, terms: number): Documented | undefined {
    const predicate = predicateMeant(analysed, name, terms);
    const documentation = predicate && documentationOf(analysed, predicate);
    return predicate && { ...predicateSignature(predicate), ...(documentation !== undefined && { documentation: documentation.markdown }) };
}
