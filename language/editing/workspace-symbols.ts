import type { OpenDocument, TextRange } from '#language/document/open-document.ts';
import { symbolsOf } from '#language/symbols/document-symbols.ts';
import type { PlacedSymbol } from '#language/symbols/symbol-index.ts';
import type { Workspace } from '#language/symbols/workspace.ts';
import { fitOf } from './fuzzy-fit.ts';

export interface WorkspaceSymbol {
    readonly name: string;
    readonly file: string;
    readonly range: TextRange;
}

/** The predicates of all documents whose names fit the letters, best first: each at its first rule, fact or declaration. */
export function workspaceSymbols(workspace: Workspace, query: string, limit: number): readonly WorkspaceSymbol[] {
    const found: { readonly name: string; readonly document: OpenDocument; readonly fit: number }[] = [];
    for (const document of workspace.documents()) {
        for (const name of symbolsOf(document).introduced()) {
            const fit = fitOf(query, name) ?? looseFit(query.toLowerCase(), name.toLowerCase());
            if (fit !== undefined && name !== '') found.push({ name, document, fit });
        }
    }
    found.sort((a, b) => a.fit - b.fit || a.name.length - b.name.length || (a.name < b.name ? -1 : 1));
    return found.slice(0, limit).flatMap(({ name, document }) => {
        const place = bestPlace(symbolsOf(document).named(name));
        if (place === undefined) return [];
        const { clause, mention } = place;
        const base = clause.place.offset;
        return [{ name, file: document.file, range: { start: base + mention.span.start, end: base + mention.span.end } }];
    });
}

/** The letters stand together somewhere in the name, or at least in their order. */
function looseFit(letters: string, name: string): 3 | 4 | undefined {
    if (name.includes(letters)) return 3;
    let at = 0;
    for (const letter of name) if (letter === letters.charAt(at)) at++;
    return at === letters.length ? 4 : undefined;
}

function bestPlace(places: readonly PlacedSymbol[]): PlacedSymbol | undefined {
    const role = (...roles: readonly string[]): PlacedSymbol | undefined =>
        places.find(({ mention }) => mention.kind === 'predicate' && roles.includes(mention.role));
    return role('head') ?? role('fact') ?? role('annotation');
}
