import type { AnswerTarget } from '#engine/contracts/answer-target.ts';
import { QueryFailed, type QueryInput, type RelationalQuery } from '#engine/contracts/queries.ts';
import { stop } from '#engine/reports/reports.ts';
import { columnPlan } from '#engine/sources/column-plan.ts';
import { PlannedRows } from '#engine/sources/planned-rows.ts';
import { nullMaker, RowFaults } from '#engine/sources/row-faults.ts';
import type { RowTarget } from '#engine/sources/source.ts';
import { type SourceOptions, sourceOptions } from '#engine/sources/source-options.ts';
import { Dictionary } from '#engine/values/dictionary.ts';
import { dataSourceNamed } from '#language/library/data-sources.ts';
import type { Column, SourceSchema } from '#language/program/analysed-program.ts';
import { say } from '#language/program/say.ts';
import type { Type } from '#language/program/types.ts';
import { sqlPieces } from '#language/sql/sql-pieces.ts';
import { type AnswerColumn, sqlEngine } from '#server/compute/sql-engine.ts';
import type { BoundFile, FileFormat } from './bound-file.ts';
import { chosenOf } from './file-parts.ts';

/** What the database of a query may use. */
const LIMITS = { memory: 2 ** 31, threads: 2 };

type Engine = ReturnType<typeof sqlEngine>;

/** The query that a bind asks its files with, as a table; the database says what else is wrong with it. RT064 where it cannot be one. */
export function fileQuery({ bind, shown, access }: BoundFile, format: FileFormat): string | undefined {
    const query = format.many === undefined || bind.direction === 'output' ? undefined : bind.options.get('query');
    if (query === undefined) return undefined;
    const refuse = (reason: string): never => stop('RT064', { ...access.report, source: { file: shown } }, shown, reason);
    if (!/^[\s(]*(?:select|with|from|values)\b/iu.test(query)) refuse(say`is asked for what gives no rows: write a SELECT`);
    for (const { kind, name } of sqlPieces(query))
        if (kind === 'parameter') refuse(say`is asked with ?${name}, which no bind knows: write \${${name}}`);
    return query;
}

/** Reads the rows that a query gives over the rows of a bind. Of the files no more columns are read than it can need. */
export async function readAnswer(file: BoundFile, query: string, format: FileFormat, target: RowTarget): Promise<void> {
    const table = tableOf(file, query, format);
    if (table === undefined) return;
    await withEngine(file, query, async engine => {
        const used = await engine.used({ text: query, tables: table.tables([], 0) });
        const wanted = new Set(table.columns.flatMap(({ name }, at) => (used(name) ? [at] : [])));
        const rows = keptRows(table.columns, wanted, target);
        await format.load(table.file, rows.target);
        const asked = questionOf(query, table.tables(rows.columns(), rows.count()), target.dictionary);
        const answer = answerInto(file, target);
        await engine.answerTo(asked, () => target.checkpoint(), answer.targetOf);
        answer.end();
    });
}

/**
 * The columns that a query gives, in the order in which the bind chooses them. They have no types where those of the table are only told by its rows.
 */
export async function answerSchema(file: BoundFile, query: string, format: FileFormat): Promise<SourceSchema | undefined> {
    const table = tableOf(file, query, format);
    if (table === undefined) return undefined;
    const isOpen = table.columns.some(({ type }) => type.kind === 'mixed' || type.kind === 'unknown');
    const found = await withEngine(file, query, engine => engine.columns(questionOf(query, table.tables([], 0), new Dictionary())));
    const columns = found.map(({ name, type }) => ({ name, ...(type && !isOpen && { type }) }));
    return { columns: chosenOf(file, columns, chosenBy(optionsOf(file))) };
}

function optionsOf({ bind, shown, access }: BoundFile): SourceOptions {
    return sourceOptions(bind.options, shown, access.report);
}

function chosenBy(options: SourceOptions) {
    const selectedColumns = options.selectedColumns();
    return selectedColumns === undefined ? {} : { selectedColumns };
}

/** The rows of a bind as a table of queries. */
interface FileTable {
    readonly file: BoundFile;
    readonly columns: readonly Column[];
    /** By all names by which the query may call it. */
    readonly tables: (ids: readonly Int32Array[], count: number) => readonly QueryInput[];
}

/** Undefined for files without columns. */
function tableOf(file: BoundFile, query: string, format: FileFormat): FileTable | undefined {
    const { bind } = file;
    const whole = askedFile(file);
    const schema = format.peek(whole, 0);
    if (schema === undefined) return undefined;
    const usual: Type | undefined = dataSourceNamed(bind.type)?.isText ? { kind: 'string' } : undefined;
    const columns = schema.columns.map(({ name, type = usual }, at) => ({ name: name ?? `c${at}`, type, cast: false }));
    const readable = columns.filter((column): column is Column => column.type !== undefined);
    const names = usedNames(file, query);
    const [predicate = ''] = namesOf(file);
    return {
        file:
            readable.length === columns.length
                ? whole
                : withOptions(file, new Map([...whole.bind.options, ['selectedColumns', positions(columns)]])),
        columns: readable,
        tables: (ids, count) =>
            (names.length === 0 ? [predicate] : names).map(name => ({ name, relation: predicate, columns: readable, count, ids })),
    };
}

/** The file as the query sees it: what the bind chooses, it chooses from the answer. */
export function askedFile(file: BoundFile): BoundFile {
    return withOptions(file, new Map([...file.bind.options].filter(([key]) => key !== 'query' && key !== 'selectedColumns')));
}

function withOptions(file: BoundFile, options: ReadonlyMap<string, string>): BoundFile {
    return { ...file, bind: { ...file.bind, options }, at: parts => withOptions(file.at(parts), options) };
}

/** The option that chooses the columns that have values here. */
function positions(columns: readonly { readonly type: Type | undefined }[]): string {
    return `[${columns.flatMap(({ type }, at) => (type === undefined ? [] : [at])).join('; ')}]`;
}

/** The predicate, the name of the file, and that without its endings. */
function namesOf({ bind: { predicate, inner } }: BoundFile): readonly string[] {
    const name = inner.split(/[\\/]/u).at(-1) ?? '';
    return [...new Set([predicate, inner, name, name.replace(/\..*$/su, '')])].filter(one => one !== '');
}

function usedNames(file: BoundFile, query: string): readonly string[] {
    return namesOf(file).filter(name => query.toLowerCase().includes(name.toLowerCase()));
}

function questionOf(text: string, tables: readonly QueryInput[], dictionary: Dictionary): RelationalQuery {
    const parameter = (name: string): never => {
        throw new QueryFailed(say`'?${name}' is not known`);
    };
    return { text, tables, parameter, dictionary };
}

/** Keeps the wanted columns of the rows that are put into it, and their number. */
function keptRows(columns: readonly Column[], wanted: ReadonlySet<number>, { dictionary, checkpoint, report }: RowTarget) {
    const needed = wanted.size === 0 ? new Set([0]) : wanted;
    let count = 0;
    let room = 1024;
    const kept = columns.map((_, at) => new Int32Array(needed.has(at) ? room : 0));
    const grow = (more: number): void => {
        if (count + more <= room) return;
        room = Math.max(count + more, 2 * room);
        for (const at of needed) {
            const larger = new Int32Array(room);
            larger.set(kept[at] ?? []);
            kept[at] = larger;
        }
    };
    const target: RowTarget = {
        dictionary,
        columns,
        needs: { columns: needed },
        add: row => {
            grow(1);
            for (const at of needed) {
                const column = kept[at];
                if (column !== undefined) column[count] = row[at] ?? 0;
            }
            count++;
        },
        addRows: (ids, more) => {
            grow(more);
            for (const at of needed) kept[at]?.set(ids[at]?.subarray(0, more) ?? [], count);
            count += more;
        },
        checkpoint: () => checkpoint(),
        report: one => report(one),
    };
    return { target, columns: () => kept.map(column => column.subarray(0, count)), count: () => count };
}

/** Puts an answer into the predicate as a source with its columns. */
function answerInto(file: BoundFile, target: RowTarget) {
    const { bind, shown, access } = file;
    const options = optionsOf(file);
    const { dictionary, columns } = target;
    const origin = { file: shown, predicate: bind.predicate };
    const faults = new RowFaults(origin, columns);
    const nullFor = nullMaker(origin, options.sameNull(), dictionary);
    let expected = 0;
    let line = 0;
    return {
        targetOf: (found: readonly AnswerColumn[]): AnswerTarget => {
            const request = { file: shown, options: chosenBy(options), context: access.report };
            const names = found.map(({ name }) => name);
            const plan = columnPlan(columns, names, request);
            const rows = new PlannedRows(target, { plan, types: found.map(({ type }) => type), faults, nullFor });
            expected = plan.expected;
            return {
                arity: found.length,
                addRows: (ids, count) => {
                    for (let row = 0; row < count; row++) {
                        line++;
                        rows.fill(source => valueIn(ids[source]?.[row], dictionary), line);
                        if (found.length < expected) faults.padded(line);
                        if (found.length > expected && plan.cutsMore) faults.cut(line);
                        rows.add(0);
                    }
                },
                freshNull: () => dictionary.freshNull(shown),
                unread: (source, text, row) => {
                    const at = plan.targets[source] ?? -1;
                    if (at >= 0) faults.unreadable(at, line + row + 1, () => text);
                    return dictionary.freshNull(shown);
                },
                checkpoint: () => target.checkpoint(),
            };
        },
        end: () => {
            for (const fault of faults.reports(expected)) target.report(fault);
            target.checkpoint();
        },
    };
}

/** A missing value becomes that of its column. */
function valueIn(id: number | undefined, dictionary: Dictionary): number | undefined {
    return id === undefined || dictionary.isNull(id) ? undefined : id;
}

/** Says what is wrong with a query as RT064. */
async function withEngine<T>(file: BoundFile, query: string, use: (engine: Engine) => Promise<T>): Promise<T> {
    const engine = sqlEngine(LIMITS);
    try {
        return await use(engine);
    } catch (error) {
        if (!(error instanceof QueryFailed)) throw error;
        const { shown, access } = file;
        const about = {
            ...access.report,
            source: { file: shown },
            ...(usedNames(file, query).length === 0 && { remedy: remedyFor(file) }),
        };
        return stop('RT064', about, shown, say`cannot answer its query: ${error.message}`);
    } finally {
        engine.close();
    }
}

function remedyFor(file: BoundFile): string {
    const [first, ...others] = namesOf(file).map(name => `'${name}'`);
    return others.length === 0
        ? say`the table of the query is called ${first}`
        : say`the table of the query is called ${first} or ${others.join(', ')}`;
}
