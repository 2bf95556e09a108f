import type { ColumnProfile } from '#extension/surfaces/source/profile-shape.ts';
import type { PlatformClient } from '#server/client/platform-client.ts';
import type { BoundTable, Dialect } from './bound-table.ts';

/** Values that are listed. */
const TOP = 10;
/** Rows that are looked at where the source does not count them itself. */
const READ = 10_000;

const WHOLE = 'profile';
const MOST_FREQUENT = 'top';
const FIGURES = 8;

/** Has the source count what a column holds, or counts it in its first rows where it answers no queries. */
export async function columnProfile(
    client: PlatformClient,
    table: BoundTable,
    column: string,
    signal: AbortSignal,
): Promise<ColumnProfile> {
    const about = table.source.columns.find(({ name }) => name === column);
    if (about === undefined) throw new TypeError(`no column ${column}`);
    const { dialect } = table;
    if (dialect === undefined) return readProfile(client, table, about, signal);
    const { value, hasTexts, ordered } = expressions(dialect, about);
    const { quoted, length } = dialect;
    const own = quoted(column);
    const figures = (from: string): string =>
        [
            'SELECT count(*) AS f0',
            `count(${own}) AS f1`,
            `count(${value}) AS f2`,
            `count(DISTINCT ${value}) AS f3`,
            `min(${ordered}) AS f4`,
            `max(${ordered}) AS f5`,
            hasTexts ? `min(${length}(${value})) AS f6` : 'NULL AS f6',
            hasTexts ? `max(${length}(${value})) AS f7 FROM ${from}` : `NULL AS f7 FROM ${from}`,
        ].join(', ');
    const top = (from: string): string =>
        `SELECT ${value} AS v, count(*) AS n FROM ${from} WHERE ${value} IS NOT NULL GROUP BY ${value} ORDER BY n DESC, v LIMIT ${TOP}`;
    const program = table.answer(WHOLE, FIGURES, figures) + table.answer(MOST_FREQUENT, 2, top);
    const { resultSet } = await client.evaluate({ body: { program } }, signal);
    const [found = []] = resultSet[WHOLE] ?? [];
    const [rows = 0, known = 0, filled = 0, distinct = 0] = found.map(countIn);
    return {
        column,
        type: about.type.toLowerCase(),
        rows,
        more: false,
        distinctRows: false,
        nulls: rows - known,
        ...((hasTexts || dialect.isText) && { empty: known - filled }),
        distinct,
        ...extremes(textIn(found[4]), textIn(found[5])),
        ...(hasTexts && lengths(countIn(found[6]), countIn(found[7]))),
        top: (resultSet[MOST_FREQUENT] ?? [])
            .map(([value, count]) => ({ value: textIn(value) ?? '', count: countIn(count) ?? 0 }))
            .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1)),
    };
}

/** A column in SQL: its values, without empty texts, and what they are ordered by. */
function expressions({ quoted, text, isText }: Dialect, { name, type }: { readonly name: string; readonly type: string }) {
    const own = quoted(name);
    const hasTexts = type === 'STRING';
    // Databases have types whose values are texts here, but are not compared with texts there.
    const asText = isText ? own : `CAST(${own} AS ${text})`;
    const value = hasTexts || isText ? `NULLIF(${asText}, '')` : ORDERED.has(type) ? own : asText;
    const cast = isText ? CASTS[type] : undefined;
    return { value, hasTexts, ordered: cast === undefined ? value : `TRY_CAST(${own} AS ${cast})` };
}

/** Types whose values every database orders and tells apart. */
const ORDERED: ReadonlySet<string> = new Set(['INT', 'DOUBLE', 'DATE', 'DATETIME']);
/** What texts are read as that a file has for values of a type. */
const CASTS: Readonly<Record<string, string>> = { INT: 'BIGINT', DOUBLE: 'DOUBLE', DATE: 'DATE', DATETIME: 'TIMESTAMP' };

async function readProfile(
    client: PlatformClient,
    table: BoundTable,
    { name, type }: { readonly name: string; readonly type: string },
    signal: AbortSignal,
): Promise<ColumnProfile> {
    const at = table.source.columns.findIndex(column => column.name === name);
    const { resultSet } = await client.evaluate({ body: { program: table.rows(WHOLE, READ + 1) } }, signal);
    const found = resultSet[WHOLE] ?? [];
    const values = found.slice(0, READ).map(row => row[at]);
    return {
        column: name,
        type: type.toLowerCase(),
        more: found.length > READ,
        distinctRows: true,
        ...profileOf(values, type === 'STRING'),
    };
}

/** Counts what stands in a column. */
function profileOf(values: readonly unknown[], hasTexts: boolean) {
    const texts = values.flatMap(value => textIn(value) ?? []);
    const counts = new Map<string, number>();
    for (const text of texts) if (text !== '') counts.set(text, (counts.get(text) ?? 0) + 1);
    const different = [...counts.keys()];
    const isNumeric = different.every(text => !Number.isNaN(Number(text)));
    const ordered = different.toSorted((a, b) => (isNumeric ? Number(a) - Number(b) : a < b ? -1 : 1));
    const sizes = different.map(text => [...text].length);
    return {
        rows: values.length,
        nulls: values.length - texts.length,
        ...(hasTexts && { empty: texts.filter(text => text === '').length }),
        distinct: different.length,
        ...extremes(ordered[0], ordered.at(-1)),
        ...(hasTexts && sizes.length > 0 && lengths(Math.min(...sizes), Math.max(...sizes))),
        top: [...counts]
            .map(([value, count]) => ({ value, count }))
            .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
            .slice(0, TOP),
    };
}

function extremes(least: string | undefined, most: string | undefined) {
    return { ...(least !== undefined && { least }), ...(most !== undefined && { most }) };
}

function lengths(shortest: number | undefined, longest: number | undefined) {
    return { ...(shortest !== undefined && { shortest }), ...(longest !== undefined && { longest }) };
}

/** The text of a value; nothing for a null. */
function textIn(value: unknown): string | undefined {
    if (value === null || value === undefined || (typeof value === 'string' && /^_:n\d+$/u.test(value))) return undefined;
    if (typeof value === 'object') return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part));
    return String(value);
}

function countIn(value: unknown): number | undefined {
    const text = textIn(value);
    return text === undefined ? undefined : Number(text);
}
