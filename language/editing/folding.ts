import { type OpenDocument, rangeOf, type TextRange } from '#language/document/open-document.ts';
import type { Clause } from '#language/program/program.ts';

export interface Fold {
    readonly range: TextRange;
    readonly kind: 'clause' | 'facts' | 'annotations' | 'comment';
}

/** Finds the ranges to fold: clauses over several lines, runs of facts and of annotations, blocks of comments. */
export function folding(document: OpenDocument): readonly Fold[] {
    const { analysed, text } = document;
    const { clauses } = analysed.program;
    const folds: Fold[] = [];
    let before = 0;
    for (const clause of clauses) {
        const range = rangeOf(clause);
        folds.push(...commentBlocks(text, before, range.start));
        if (spansLines(text, range)) folds.push({ range, kind: 'clause' });
        before = range.end;
    }
    folds.push(...commentBlocks(text, before, text.length), ...runs(text, clauses));
    return folds.sort((a, b) => a.range.start - b.range.start || b.range.end - a.range.end);
}

function spansLines(text: string, { start, end }: TextRange): boolean {
    const lineFeed = text.indexOf('\n', start);
    return lineFeed >= 0 && lineFeed < end;
}

/** Two or more lines in a row that hold nothing but comments. */
function* commentBlocks(text: string, from: number, to: number): Iterable<Fold> {
    if (to - from < 4) return;
    let start = -1;
    let end = -1;
    let lines = 0;
    for (const line of text.slice(from, to).matchAll(/([^\n]*)(?:\n|$)/g)) {
        const content = line[1]?.trim() ?? '';
        const first = line.index === 0 && from > 0;
        if (content.startsWith('%') && !first) {
            const at = from + line.index + (line[1] ?? '').indexOf('%');
            if (lines === 0) start = at;
            end = from + line.index + (line[1] ?? '').trimEnd().length;
            lines++;
            continue;
        }
        if (lines > 1) yield { range: { start, end }, kind: 'comment' };
        lines = 0;
        if (line[0] === '') break;
    }
    if (lines > 1) yield { range: { start, end }, kind: 'comment' };
}

/** Neighbours that are facts of one predicate, or annotations. */
function* runs(text: string, clauses: readonly Clause[]): Iterable<Fold> {
    for (let start = 0; start < clauses.length; ) {
        const first = clauses[start];
        const key = runKey(first);
        let end = start + 1;
        if (key !== undefined) while (runKey(clauses[end]) === key) end++;
        const last = clauses[end - 1];
        if (first !== undefined && last !== undefined && end - start > 1) {
            const range = { start: rangeOf(first).start, end: rangeOf(last).end };
            if (spansLines(text, range)) yield { range, kind: first.kind === 'fact' ? 'facts' : 'annotations' };
        }
        start = end;
    }
}

function runKey(clause: Clause | undefined): string | undefined {
    if (clause?.kind === 'fact') return clause.atom.predicate;
    return clause?.kind === 'annotation' ? '@' : undefined;
}
