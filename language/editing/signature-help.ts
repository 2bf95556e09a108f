import type { OpenDocument } from '#language/document/open-document.ts';
import { ANNOTATIONS } from '#language/library/annotation-catalogue.ts';
import { functionNamed } from '#language/library/function-catalogue.ts';
import { RELATION_FUNCTIONS } from '#language/library/relation-functions.ts';
import { AGGREGATES, isAggregateName } from '#language/program/aggregates.ts';
import { translated } from '#language/program/say.ts';
import { symbolsOf } from '#language/symbols/document-symbols.ts';
import type { Token } from '#language/syntax/token.ts';
import { tokenizeWithComments } from '#language/syntax/tokenize.ts';
import { clauseStart, lastClause } from './completion-context.ts';
import { documentationOf } from './documentation.ts';
import { openBrackets } from './open-brackets.ts';
import {
    aggregateSignature,
    annotationSignature,
    functionSignature,
    predicateSignature,
    relationSignature,
    type Signature,
} from './signatures.ts';

export interface SignatureHelp {
    readonly signatures: readonly (Signature & { /** Markdown. */ readonly documentation?: string })[];
    /** The signature that fits what is written so far. */
    readonly active: number;
    /** The argument at the offset, from zero. */
    readonly argument: number;
}

/** Returns the signature of the innermost call around the offset. */
export function signatureHelp(document: OpenDocument, offset: number): SignatureHelp | undefined {
    const text = document.text.slice(clauseStart(document, offset), offset);
    const tokens = lastClause(tokenizeWithComments(text));
    const last = tokens.at(-1);
    if (last?.kind === 'comment' && last.end === text.length) return undefined;
    const { open } = openBrackets(tokens.filter(token => token.kind !== 'comment'));
    const call = open.findLast(bracket => bracket.name !== undefined);
    if (call?.name === undefined) return undefined;
    const signatures = signaturesOf(document, call.name, open.length === 1);
    if (signatures.length === 0) return undefined;
    const argument = call.commas;
    const fitting = signatures.findIndex(({ parameters }) => parameters.length > argument);
    return { signatures, active: Math.max(0, fitting), argument: withRepetition(signatures[Math.max(0, fitting)], argument) };
}

/** Every argument from a repeated parameter on belongs to it. */
function withRepetition(signature: Signature | undefined, argument: number): number {
    const last = signature?.parameters.at(-1);
    if (signature === undefined || last === undefined || argument < signature.parameters.length) return argument;
    return signature.label.slice(last.start, last.end).includes('…') ? signature.parameters.length - 1 : argument;
}

function signaturesOf(document: OpenDocument, { kind, text }: Token, outermost: boolean): SignatureHelp['signatures'] {
    if (kind === 'annotation') {
        const entry = ANNOTATIONS.get(text.slice(1));
        return entry === undefined ? [] : [{ ...annotationSignature(entry), documentation: translated(entry.documentation) }];
    }
    if (kind === 'hash') return relationSignatures(text);
    if (kind !== 'name') return [];
    if (outermost && symbolsOf(document).introduces(text)) return predicateSignatures(document, text);
    const entry = functionNamed(text, document.analysed.libraryPrefixes);
    if (entry !== undefined) return [{ ...functionSignature(entry, text), documentation: translated(entry.documentation) }];
    if (isAggregateName(text)) {
        const aggregate = AGGREGATES[text];
        return [{ ...aggregateSignature(aggregate), documentation: translated(aggregate.documentation) }];
    }
    return [];
}

function relationSignatures(text: string): SignatureHelp['signatures'] {
    const entry = RELATION_FUNCTIONS.find(({ name }) => `#${name}` === text);
    return entry === undefined ? [] : [{ ...relationSignature(entry.name, entry.columns), documentation: translated(entry.documentation) }];
}

function predicateSignatures({ analysed }: OpenDocument, name: string): SignatureHelp['signatures'] {
    return analysed.predicatesNamed(name).map(predicate => {
        const documentation = documentationOf(analysed, predicate);
        return { ...predicateSignature(predicate), ...(documentation !== undefined && { documentation: documentation.markdown }) };
    });
}
