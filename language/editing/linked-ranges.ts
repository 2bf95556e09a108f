import type { OpenDocument, TextRange } from '#language/document/open-document.ts';
import { workspaceOf } from '#language/symbols/workspace.ts';
import { nodeAt } from './node-at.ts';
import { referencesOf } from './references.ts';

/** The places of the variable at an offset, in its clause: what is typed at one of them belongs to all. Nothing where there is one alone. */
export function linkedRanges(document: OpenDocument, offset: number): readonly TextRange[] | undefined {
    const node = nodeAt(document, offset);
    if (node?.mention.kind !== 'variable') return undefined;
    const places = referencesOf(workspaceOf(document), document, node);
    return places.length > 1 ? places.map(({ range }) => range) : undefined;
}
