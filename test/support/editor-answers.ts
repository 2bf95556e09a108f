import { expect } from 'vitest';
import type { OpenDocument, TextRange } from '#language/document/open-document.ts';
import { codeLenses } from '#language/editing/code-lenses.ts';
import { completions } from '#language/editing/completions.ts';
import { definition } from '#language/editing/definition.ts';
import { documentLinks } from '#language/editing/document-links.ts';
import { folding } from '#language/editing/folding.ts';
import { formatRange } from '#language/editing/format-range.ts';
import { highlights } from '#language/editing/highlights.ts';
import { hoverCard } from '#language/editing/hover-card.ts';
import { inlineCompletion } from '#language/editing/inline-completion.ts';
import { linkedRanges } from '#language/editing/linked-ranges.ts';
import { type OutlineItem, outline } from '#language/editing/outline.ts';
import { narrowerThan, widerThan } from '#language/editing/predicate-inclusions.ts';
import { neededBy, predicatesAt, usersOf } from '#language/editing/predicate-uses.ts';
import { refactorings } from '#language/editing/refactorings.ts';
import { references } from '#language/editing/references.ts';
import { renameEdits } from '#language/editing/rename-edits.ts';
import { selectionRanges } from '#language/editing/selection-ranges.ts';
import { semanticTokens } from '#language/editing/semantic-tokens.ts';
import { signatureHelp } from '#language/editing/signature-help.ts';
import { workspaceOf } from '#language/symbols/workspace.ts';

/** Asks every editing function about a document, at these offsets where it wants one: none throws and no answer lies outside. */
export function expectEditorAnswers(document: OpenDocument, offsets: Iterable<number>): void {
    const { length } = document.text;
    const inside = ({ start, end }: TextRange): boolean => start >= 0 && start <= end && end <= length;
    expect(wholeRanges(document).filter(range => !inside(range))).toEqual([]);
    const outside = Array.from(offsets, offset => ({ offset, ranges: rangesAt(document, offset).filter(range => !inside(range)) }));
    expect(outside.filter(({ ranges }) => ranges.length > 0)).toEqual([]);
}

/** A place that is wrong in a text other than the document. */
const NOWHERE: TextRange = { start: -1, end: -1 };

/** Every function at one offset; the ranges of their answers. */
function rangesAt(document: OpenDocument, offset: number): TextRange[] {
    const workspace = workspaceOf(document);
    const found: (TextRange | undefined)[] = [];
    found.push(hoverCard(document, offset)?.range);
    const completed = completions(document, offset, { limit: 20, listFiles: prefix => [`${prefix}x`, `${prefix}y/`] });
    found.push(completed?.range);
    for (const { insert } of completed?.items ?? []) {
        if (insert.placeholders.some(({ start, end }) => start < 0 || start > end || end > insert.text.length)) found.push(NOWHERE);
    }
    const defined = definition(workspace, document, offset);
    found.push(defined?.origin, ...(defined?.targets ?? []).flatMap(({ range, clause }) => [range, clause]));
    found.push(...references(workspace, document, offset).map(({ range }) => range));
    found.push(...(linkedRanges(document, offset) ?? []));
    found.push(inlineCompletion(document, offset)?.range);
    for (const { key, range } of predicatesAt(document, offset)) {
        found.push(range);
        for (const uses of [usersOf, neededBy]) found.push(...uses(workspace, document, key).flatMap(({ places }) => places.ranges));
        for (const among of [widerThan, narrowerThan]) found.push(...among(document, key).map(({ range: other }) => other));
    }
    found.push(...highlights(document, offset).map(({ range }) => range));
    const renaming = renameEdits(workspace, document, offset, offset % 2 === 0 ? 'renamed' : 'Renamed');
    if (renaming.kind === 'edits') for (const edits of renaming.edits.values()) found.push(...edits);
    for (const { edits } of refactorings(workspace, document, {
        start: offset,
        end: Math.min(offset + (offset % 4) * 9, document.text.length),
    })) {
        for (const changes of edits().values()) found.push(...changes);
    }
    found.push(...selectionRanges(document, offset));
    const { label = '', parameters = [] } = signatureHelp(document, offset)?.signature ?? {};
    if (parameters.some(({ start, end }) => start < 0 || end > label.length)) found.push(NOWHERE);
    return found.filter(range => range !== undefined);
}

function wholeRanges(document: OpenDocument): TextRange[] {
    const items = (all: readonly OutlineItem[]): TextRange[] =>
        all.flatMap(item => {
            expect(item.selection.start >= item.range.start && item.selection.end <= item.range.end).toBe(true);
            return [item.range, ...items(item.children)];
        });
    return [
        ...items(outline(document)),
        ...folding(document).map(({ range }) => range),
        ...codeLenses(document).map(({ range }) => range),
        ...documentLinks(document).map(({ range }) => range),
        ...formatRange(document, { start: 0, end: document.text.length }),
        ...tokenRanges(document),
    ];
}

function tokenRanges(document: OpenDocument): TextRange[] {
    let before = 0;
    return semanticTokens(document).map(({ start, length }) => {
        expect(start).toBeGreaterThanOrEqual(before);
        before = start + length;
        expect(document.text.slice(start, before)).not.toMatch(/[\r\n]/);
        return { start, end: before };
    });
}
