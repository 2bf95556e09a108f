import { type ReportContext, stop } from '#engine/reports/reports.ts';
import { type ColumnPlan, type ColumnRequest, chosenColumns, columnPlan } from '#engine/sources/column-plan.ts';
import type { AskedValues } from '#engine/sources/source.ts';
import type { Dictionary } from '#engine/values/dictionary.ts';
import { textOf } from '#engine/values/text.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import type { Bind, Column } from '#language/program/analysed-program.ts';
import { counted } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import { MIXED } from '#language/program/types.ts';
import { type Backslashes, isComment, quotedParts } from './sql-parts.ts';

/** A query that takes values as `${n}`, taken apart. */
interface AskedQuery {
    /** What stands between the values, one more than there are. */
    readonly pieces: readonly string[];
    /** The columns that they are taken from, counted from 0. */
    readonly columns: readonly number[];
    /** A `${n}` within a longer text in quotes, where nothing can be bound. */
    readonly quoted: string | undefined;
}

/** What stands for a value, and what values do not stand in. */
function partsOf(backslashes: Backslashes): RegExp {
    return new RegExp(String.raw`'\$\{(\d+)\}'(?!')|\$\$\{|\$\{(\d+)\}|${quotedParts(backslashes)}`, 'gu');
}

const PARTS = { kept: partsOf('kept'), escapes: partsOf('escapes') };

/** How a database takes values: by their numbers, `$1`, or one `?` after the other; and whether backslashes in its texts escape. */
export interface BindingForm {
    readonly marks: '$1' | '?1' | '?';
    readonly backslashes: Backslashes;
}

/** Takes a query apart. One in quotes of its own is a value too, as where it would be pasted; `$${` stands for `${`. */
function askedQuery(text: string, { backslashes }: BindingForm): AskedQuery {
    const pieces: string[] = [];
    const columns: number[] = [];
    let quoted: string | undefined;
    let piece = '';
    let end = 0;
    for (const match of text.matchAll(PARTS[backslashes])) {
        const [whole] = match;
        const number = match[1] ?? match[2];
        piece += text.slice(end, match.index);
        end = match.index + whole.length;
        if (number !== undefined) {
            columns.push(Number(number) - 1);
            pieces.push(piece);
            piece = '';
            continue;
        }
        const inside = isComment(whole) ? undefined : /(?<!\$)\$\{\d+\}/u.exec(whole)?.[0];
        quoted ??= inside;
        piece += whole.replaceAll('$${', '${');
    }
    return { pieces: [...pieces, piece + text.slice(end)], columns, quoted };
}

/** A query with marks for its values, and which values of a tuple it takes, in their order. */
export function boundQuery({ pieces, columns }: AskedQuery, { marks }: BindingForm, asked: readonly number[]) {
    // A column that only a comment names is asked for, and no value of the text.
    const used = marks === '?' ? columns : asked.filter(column => columns.includes(column));
    const mark = (column: number): string => (marks === '?' ? marks : `${marks[0]}${used.indexOf(column) + 1}`);
    const text = pieces.reduce((before, piece, i) => `${before}${mark(columns[i - 1] ?? 0)}${piece}`);
    return { text, order: used.map(column => asked.indexOf(column)) };
}

/** A value as it is bound: a text as databases write it, with `1` and `0` for what is true and false, or an integer. */
export function boundValue(dictionary: Dictionary, id: ValueId): string | bigint {
    if (dictionary.isNumber(id)) return dictionary.isInteger(id) ? dictionary.bigintOf(id) : String(dictionary.numberOf(id));
    if (dictionary.kind(id) === 'boolean') return id === dictionary.boolean(true) ? '1' : '0';
    return textOf(dictionary, id, MIXED, String);
}

/** Whether a row, as a predicate has it, is one for these values: other rows of an answer say nothing about them. */
export function hasValues(row: ArrayLike<ValueId>, { columns }: AskedValues, tuple: readonly ValueId[]): boolean {
    return columns.every((column, i) => row[column] === tuple[i]);
}

/** Takes the query of a bind apart. RT064 where a value stands within a text. */
export function readAskedQuery(
    text: string,
    form: BindingForm,
    { shown, report }: { readonly shown: string; readonly report: ReportContext },
) {
    const query = askedQuery(text, form);
    const { quoted } = query;
    if (quoted === undefined) return query;
    const remedy = say`take it out of the quotes: values are bound, and not put into texts; SQL joins texts with || or CONCAT`;
    return stop('RT064', { ...report, remedy }, shown, say`is asked with ${quoted} inside a text in quotes, where no value can stand`);
}

/**
 * Which cell of an answer goes to which column: an answer has all columns of the predicate, or those alone whose values it was not asked
 * for.
 */
export function askedPlan(
    columns: readonly Column[],
    header: readonly string[],
    request: ColumnRequest,
    asked: AskedValues,
    { predicate }: Bind,
): ColumnPlan {
    const width = chosenColumns(header, request)?.length ?? header.length;
    if (width === columns.length) return columnPlan(columns, header, request);
    const others = [...columns.keys()].filter(at => !asked.columns.includes(at));
    if (width !== others.length) {
        const reason = say`answers with ${counted(width, 'column')}, and '${predicate}' has ${columns.length}`;
        const remedy = say`name all columns of '${predicate}' in the query, or all but those that it is asked for`;
        return stop('RT064', { ...request.context, remedy }, request.file, reason);
    }
    const plan = columnPlan(
        columns.filter((_, at) => others.includes(at)),
        header,
        request,
    );
    const own = (at: number): number => others[at] ?? -1;
    return {
        ...plan,
        targets: plan.targets.map(own),
        copies: plan.copies.map(([from, to]) => [own(from), own(to)]),
        absent: plan.absent.map(own),
    };
}

/** Letters of a query that stand in the name of what it reads. */
const LONGEST_NAME = 120;

/** What the rows of a bind are said to come from: a query is told with its text. */
export function sourceName(shown: string, { kind, inner }: Bind): string {
    if (kind !== 'qbind') return shown;
    const text = inner.replace(/\s+/gu, ' ').trim();
    return `${shown}: ${text.length > LONGEST_NAME ? `${text.slice(0, LONGEST_NAME - 1)}…` : text}`;
}
