import type { OpenDocument, TextRange } from '#language/document/open-document.ts';
import { symbolsOf } from '#language/symbols/document-symbols.ts';
import type { PlacedSymbol } from '#language/symbols/symbol-index.ts';
import type { Workspace } from '#language/symbols/workspace.ts';
import { fitOf, standsInOrder } from './fuzzy-fit.ts';

export interface WorkspaceSymbol {
    readonly name: string;
    readonly file: string;
    readonly range: TextRange;
}

/** The predicates of all documents whose names fit the letters, best first: each at its first rule, fact or declaration. */
export function workspaceSymbols(workspace: Workspace, query: string, limit: number): readonly WorkspaceSymbol[] {
    const found: Found[] = [];
    const letters = query.toLowerCase();
    for (const document of workspace.documents()) {
        for (const name of symbolsOf(document).introduced()) {
            const fit = fitOf(query, name) ?? looseFit(letters, name.toLowerCase());
            if (fit !== undefined && name !== '') found.push({ name, document, fit });
        }
    }
    return bestOf(found, limit).flatMap(({ name, document }) => {
        const place = bestPlace(symbolsOf(document).named(name));
        if (place === undefined) return [];
        const { clause, mention } = place;
        const base = clause.place.offset;
        return [{ name, file: document.file, range: { start: base + mention.span.start, end: base + mention.span.end } }];
    });
}

interface Found {
    readonly name: string;
    readonly document: OpenDocument;
    readonly fit: 0 | 1 | 2 | 3 | 4;
}

/** Only as many are sorted as are wanted. */
function bestOf(found: readonly Found[], limit: number): readonly Found[] {
    const best: Found[] = [];
    for (const fit of [0, 1, 2, 3, 4]) {
        if (best.length >= limit) break;
        const alike = found.filter(one => one.fit === fit);
        best.push(...alike.sort((a, b) => a.name.length - b.name.length || (a.name < b.name ? -1 : 1)).slice(0, limit - best.length));
    }
    return best;
}

/** The letters stand together somewhere in the name, or at least in their order. */
function looseFit(letters: string, name: string): 3 | 4 | undefined {
    if (name.includes(letters)) return 3;
    return standsInOrder(letters, name) ? 4 : undefined;
}

function bestPlace(places: readonly PlacedSymbol[]): PlacedSymbol | undefined {
    const role = (...roles: readonly string[]): PlacedSymbol | undefined =>
        places.find(({ mention }) => mention.kind === 'predicate' && roles.includes(mention.role));
    return role('head') ?? role('fact') ?? role('annotation');
}
