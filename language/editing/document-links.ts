import { lastClauseStartingAt, type OpenDocument, rangeOf, type TextRange } from '#language/document/open-document.ts';
import { mentionsOfClause } from '#language/symbols/document-symbols.ts';

export interface DocumentLink {
    readonly range: TextRange;
    /** The folder, where the bind names it apart from the file. */
    readonly directory?: { readonly range: TextRange; readonly path: string };
    /** As the bind gives it, relative to whatever binds are relative to. */
    readonly path: string;
}

/** The files that binds name, in text order. Paths with parameters in them are left out. */
export function documentLinks(document: OpenDocument): readonly DocumentLink[] {
    const { clauses } = document.analysed.program;
    const links: DocumentLink[] = [];
    const seen = new Set<number>();
    for (const { place } of document.analysed.binds) {
        const clause = clauses[lastClauseStartingAt(clauses, place.offset)];
        if (clause?.place !== place || seen.has(place.offset)) continue;
        seen.add(place.offset);
        let directory: DocumentLink['directory'];
        for (const mention of mentionsOfClause(document, clause)) {
            if (mention.kind !== 'file') continue;
            const { path } = mention;
            const range = rangeOf({ place, span: mention.span });
            if (mention.part === 'directory') {
                directory = { range, path };
                continue;
            }
            if (path !== '' && !path.includes('${')) links.push({ range, path, ...(directory !== undefined && { directory }) });
            directory = undefined;
        }
    }
    return links;
}
