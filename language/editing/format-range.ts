import { lastClauseStartingAt, type OpenDocument, rangeOf, type TextRange } from '#language/document/open-document.ts';
import { clauseText } from '#language/symbols/document-symbols.ts';
import { formatClause } from './format-clause.ts';
import type { TextEdit } from './format-edits.ts';

/** The edits that lay out the clauses which ranges touch, each once. */
export function formatRanges(document: OpenDocument, ranges: readonly TextRange[]): readonly TextEdit[] {
    return [...new Map(ranges.flatMap(range => formatRange(document, range)).map(edit => [edit.start, edit])).values()];
}

/** The edits that lay out the clauses which a range touches; broken ones stay as they are, and so does all between clauses. */
export function formatRange(document: OpenDocument, range: TextRange): readonly TextEdit[] {
    const { text, analysed } = document;
    const { clauses } = analysed.program;
    const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
    const edits: TextEdit[] = [];
    for (let index = Math.max(0, lastClauseStartingAt(clauses, range.start)); index < clauses.length; index++) {
        const clause = clauses[index];
        if (clause === undefined || clause.place.offset >= range.end) break;
        const { start, end } = rangeOf(clause);
        if (clause.kind === 'broken' || end <= range.start || !text.startsWith('.', end - 1)) continue;
        const formatted = formatClause(clauseText(document, clause), lineBreak);
        if (formatted !== text.slice(start, end)) edits.push({ start, end, text: formatted });
    }
    return edits;
}
