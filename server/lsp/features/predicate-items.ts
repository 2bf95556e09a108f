import { type CallHierarchyItem, type Position, SymbolKind, type TypeHierarchyItem } from 'vscode-languageserver/node';
import type { ListedPredicate } from '#language/editing/predicate-uses.ts';
import type { PredicateKey } from '#language/program/analysed-program.ts';
import { isText, object } from '#server/protocol/shape.ts';
import type { EditorDocument } from '#server/workspace/documents.ts';
import type { LanguageServer } from '../language-server.ts';

/** Data of an item in a hierarchy, with which the next question finds its predicate: the program of the question, and the key. */
const isAsked = object({ uri: isText, key: isText });

/** A predicate as an item of the call or the type hierarchy. */
export function itemOf(
    { documents }: LanguageServer,
    { uri }: EditorDocument,
    { key, marks, file, range }: ListedPredicate,
): (CallHierarchyItem & TypeHierarchyItem)[] {
    const place = documents.positionsOf(file)?.rangeOf(range);
    if (place === undefined) return [];
    return [
        {
            name: key,
            kind: SymbolKind.Class,
            ...(marks.length > 0 && { detail: marks.join(' · ') }),
            uri: file,
            range: place,
            selectionRange: place,
            data: { uri, key },
        },
    ];
}

/** The open document and the predicate that an item is about, while the document is still open and has the predicate. */
export function askedOf(
    { documents }: LanguageServer,
    { data }: { readonly data?: unknown },
): { readonly document: EditorDocument; readonly key: PredicateKey } | undefined {
    if (!isAsked(data)) return undefined;
    const document = documents.get(data.uri);
    const key = data.key as PredicateKey;
    return document?.program.analysed.predicates.has(key) ? { document, key } : undefined;
}

/** The places of a file as ranges of the protocol. */
export function rangesIn(
    { documents }: LanguageServer,
    { file, ranges }: { readonly file: string; readonly ranges: readonly { readonly start: number; readonly end: number }[] },
): { readonly start: Position; readonly end: Position }[] {
    const positions = documents.positionsOf(file);
    return positions === undefined ? [] : ranges.map(range => positions.rangeOf(range));
}
