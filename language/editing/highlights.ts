import type { OpenDocument, TextRange } from '#language/document/open-document.ts';
import { workspaceOf } from '#language/symbols/workspace.ts';
import { references } from './references.ts';

export interface Highlight {
    readonly range: TextRange;
    /** A predicate is written by its heads and facts, a variable by its assignment. */
    readonly kind: 'read' | 'write';
}

/** The places of the document that mean what is at the offset. */
export function highlights(document: OpenDocument, offset: number): readonly Highlight[] {
    const found = references(workspaceOf(document), document, offset);
    return found.map(({ range, kind }) => ({ range, kind: kind === 'definition' ? 'write' : 'read' }));
}
