import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { codeLenses } from '#language/editing/code-lenses.ts';
import { completions } from '#language/editing/completions.ts';
import { definition } from '#language/editing/definition.ts';
import { documentLinks } from '#language/editing/document-links.ts';
import { folding } from '#language/editing/folding.ts';
import { formatRange } from '#language/editing/format-range.ts';
import { highlights } from '#language/editing/highlights.ts';
import { hoverCard } from '#language/editing/hover-card.ts';
import { type OpenDocument, openDocument, type TextRange } from '#language/editing/open-document.ts';
import { type OutlineItem, outline } from '#language/editing/outline.ts';
import { references } from '#language/editing/references.ts';
import { renameEdits } from '#language/editing/rename-edits.ts';
import { selectionRanges } from '#language/editing/selection-ranges.ts';
import { semanticTokens } from '#language/editing/semantic-tokens.ts';
import { signatureHelp } from '#language/editing/signature-help.ts';
import { workspaceOf } from '#language/symbols/workspace.ts';
import { SAMPLE_TEXTS } from '../syntax/sample-texts.ts';

const SAMPLES = new URL('../../../samples/', import.meta.url).pathname;

function sampleFiles(): string[] {
    const folders = readdirSync(SAMPLES, { withFileTypes: true }).filter(entry => entry.isDirectory());
    return folders.flatMap(({ name }) =>
        readdirSync(join(SAMPLES, name))
            .filter(file => file.endsWith('.rulelang'))
            .map(file => readFileSync(join(SAMPLES, name, file), 'utf8')),
    );
}

const HOSTILE = [
    '',
    '.',
    '@',
    '@@@("("(',
    '"',
    "'",
    '%',
    '#',
    '?',
    '${',
    'p(${',
    '@bind("',
    '@bind("p", "csv a=\'',
    '@bind(p, "csv \\',
    '@model("(a)b(", "[\'x:y[",',
    '@model("(()", "[[[[")',
    '@post("p", "argmin(1,<2")',
    '@param("\\u12", 1). @output("""").',
    'p(X) <- SELECT',
    'p(X) <- SELECT "unclosed',
    'p(X) <- not',
    'p(X) <- ((((((((',
    'p(X) <- ]]])))}}}',
    'p(X) <- #TC(',
    'p(X) <- q(X), , , r(',
    `p(${'['.repeat(300)}`,
    `p(X) <- ${'!'.repeat(300)}q(X).`,
    '__proto__(X) <- constructor(X). constructor(1). @output("__proto__"). @output("toString"). toString(X) <- hasOwnProperty(X).',
    'p("a\r\nb").\r\nq(X)\r<- p(X).\r@output("q").',
    '\ufeffp(1).\u0000\u2028q("\ud800").',
    '% only\n%% comments\n% here',
];

/** Every function at one offset; the ranges of their answers. */
function rangesAt(document: OpenDocument, offset: number): TextRange[] {
    const workspace = workspaceOf(document);
    const found: (TextRange | undefined)[] = [];
    found.push(hoverCard(document, offset)?.range);
    const completed = completions(document, offset, { limit: 20, listFiles: prefix => [`${prefix}x`, `${prefix}y/`] });
    found.push(completed?.range);
    for (const { insert } of completed?.items ?? []) {
        for (const { start, end } of insert.placeholders) expect(start >= 0 && start <= end && end <= insert.text.length).toBe(true);
    }
    const defined = definition(workspace, document, offset);
    found.push(defined?.origin, ...(defined?.targets ?? []).flatMap(({ range, clause }) => [range, clause]));
    found.push(...references(workspace, document, offset).map(({ range }) => range));
    found.push(...highlights(document, offset).map(({ range }) => range));
    const renaming = renameEdits(workspace, document, offset, offset % 2 === 0 ? 'renamed' : 'Renamed');
    if (renaming.kind === 'edits') for (const edits of renaming.edits.values()) found.push(...edits);
    found.push(...selectionRanges(document, offset));
    for (const { label, parameters } of signatureHelp(document, offset)?.signatures ?? []) {
        for (const { start, end } of parameters) expect(start >= 0 && end <= label.length).toBe(true);
    }
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

function check(text: string, step: number): void {
    const document = openDocument(text, 'hostile.rulelang');
    const inside = ({ start, end }: TextRange): boolean => start >= 0 && start <= end && end <= text.length;
    expect(wholeRanges(document).filter(range => !inside(range))).toEqual([]);
    for (let offset = 0; offset <= text.length; offset += step) {
        expect({ offset, outside: rangesAt(document, offset).filter(range => !inside(range)) }).toEqual({ offset, outside: [] });
    }
}

describe('no function throws and no answer lies outside the document', () => {
    test('at any offset of the sample texts', () => {
        for (const text of SAMPLE_TEXTS) check(text, 1);
    });
    test('at many offsets of the samples', () => {
        for (const text of sampleFiles()) check(text, 17);
    });
    test('at any offset of hostile texts', () => {
        for (const text of HOSTILE) check(text, 1);
    });
    test('in truncated texts', () => {
        for (const text of SAMPLE_TEXTS) {
            for (let end = 3; end < text.length; end += 41) check(text.slice(Math.max(0, end - 120), end), 11);
        }
    });
});
