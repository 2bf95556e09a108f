import type { Fact } from '#language/program/program.ts';
import { parseClause } from '#language/syntax/parse-clause.ts';
import { type ClauseSlice, splitClauses } from '#language/syntax/split-clauses.ts';
import { formatClause } from './format-clause.ts';

/** Replaces the text from `start` to before `end`, UTF-16 offsets in the file. */
export interface TextEdit {
    readonly start: number;
    readonly end: number;
    readonly text: string;
}

/** The edits that lay a text out; none when it is laid out already. */
export function formatEdits(text: string): readonly TextEdit[] {
    const formatted = formatText(text);
    if (formatted === text) return [];
    const shorter = Math.min(text.length, formatted.length);
    let start = 0;
    while (start < shorter && text.charCodeAt(start) === formatted.charCodeAt(start)) start++;
    let tail = 0;
    while (tail < shorter - start && text.charCodeAt(text.length - 1 - tail) === formatted.charCodeAt(formatted.length - 1 - tail)) tail++;
    return [{ start, end: text.length - tail, text: formatted.slice(start, formatted.length - tail) }];
}

/**
 * The text in the house layout: one clause per line where it fits, `<-` for arrows, at most one blank line in a row.
 * Comments, strings, query bodies and the order of clauses stay; a clause with a syntax error is not touched. The result
 * means the same program, and laying it out again changes nothing.
 */
export function formatText(text: string): string {
    const slices = [...splitClauses(text, '')];
    const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
    const layout = new Layout(lineBreak);
    const broken: string[] = [];
    let before = text.startsWith('\ufeff') ? 1 : 0;
    for (const slice of slices) {
        layout.gap(text.slice(before, slice.place.offset));
        const source = text.slice(slice.place.offset, slice.end);
        if (isBroken(slice, source)) {
            broken.push(source);
            layout.line(`${indentation(text, slice.place.offset)}${source}`);
        } else layout.line(slice.fact === undefined ? formatClause(source, lineBreak) : formatFact(source, slice.fact));
        before = slice.end;
    }
    layout.gap(text.slice(before));
    const formatted = `${text.startsWith('\ufeff') ? '\ufeff' : ''}${layout.finish()}`;
    return broken.length === 0 || sameBroken(formatted, slices.length, broken) ? formatted : text;
}

/** A plain fact as `formatClause` lays it out: there are many of them in some texts. */
function formatFact(source: string, { atom }: Fact): string {
    const constants = atom.arguments.map(({ span: { start, end } }) => source.slice(start, end));
    return `${atom.predicate}(${constants.join(', ')}).`;
}

function isBroken({ fact, last }: ClauseSlice, source: string): boolean {
    return fact === undefined && parseClause(source, last).problems.some(problem => problem.severity === 'error');
}

/** Checks that broken clauses read the same after formatting. The end of an unfinished clause depends on the lines after it. */
function sameBroken(formatted: string, count: number, broken: readonly string[]): boolean {
    const slices = [...splitClauses(formatted, '')];
    const after: string[] = [];
    for (const slice of slices) {
        const source = formatted.slice(slice.place.offset, slice.end);
        if (isBroken(slice, source)) after.push(source);
    }
    return slices.length === count && after.length === broken.length && after.every((source, index) => source === broken[index]);
}

function indentation(text: string, offset: number): string {
    const start = Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
    return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}

/** Collects clauses, comments and blank lines. */
class Layout {
    private readonly lineBreak: string;
    private text = '';
    private blankWaiting = false;

    constructor(lineBreak: string) {
        this.lineBreak = lineBreak;
    }

    /** Blanks and comments between two clauses; a comment on the line of the first stays there. */
    gap(text: string): void {
        const [sameLine = '', ...lines] = text.split(/\r\n|\r|\n/);
        const comment = sameLine.trim();
        if (comment !== '') this.comment(comment);
        for (const [index, line] of lines.entries()) {
            const content = line.trim();
            if (content !== '') this.line(content);
            else if (index < lines.length - 1) this.blankWaiting = true;
        }
    }

    finish(): string {
        return this.text === '' ? '' : `${this.text}${this.lineBreak}`;
    }

    private comment(comment: string): void {
        if (this.text === '') this.line(comment);
        else this.text += ` ${comment}`;
    }

    /** A clause, or a comment on a line of its own. */
    line(content: string): void {
        if (this.text !== '') this.text += this.blankWaiting ? this.lineBreak + this.lineBreak : this.lineBreak;
        this.blankWaiting = false;
        this.text += content;
    }
}
