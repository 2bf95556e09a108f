import { lastClauseStartingAt, type OpenDocument, type TextRange } from '#language/document/open-document.ts';
import { mentionsOfClause } from '#language/symbols/document-symbols.ts';

export interface DocumentLink {
    readonly range: TextRange;
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
        for (const mention of mentionsOfClause(document, clause)) {
            if (mention.kind !== 'file' || mention.part === 'directory' || mention.path === '' || mention.path.includes('${')) continue;
            links.push({
                range: { start: place.offset + mention.span.start, end: place.offset + mention.span.end },
                path: mention.path,
            });
        }
    }
    return links;
}
