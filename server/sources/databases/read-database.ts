import { stop } from '#engine/reports/reports.ts';
import { columnPlan, readColumns } from '#engine/sources/column-plan.ts';
import { nullMaker, RowFaults } from '#engine/sources/row-faults.ts';
import type { AskedValues, RowTarget, SourceNeeds } from '#engine/sources/source.ts';
import { type ColumnChoice, sourceOptions } from '#engine/sources/source-options.ts';
import { keepsLowestFirst } from '#engine/values/string-store.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import { nearestName } from '#language/library/nearest-name.ts';
import type { Column } from '#language/program/analysed-program.ts';
import { queryParameters } from '#language/program/query-parameters.ts';
import { say } from '#language/program/say.ts';
import { sqlPieces } from '#language/sql/sql-pieces.ts';
import { type ComparedColumn, type ComparedKind, pushedConditions } from '#server/compute/pushed-conditions.ts';
import { askedPlan, boundQuery, boundValue, hasValues, readAskedQuery } from '../asked-query.ts';
import { refuseOptions } from '../refuse-options.ts';
import { type CellReader, cellReader } from './cell-values.ts';
import { rowValues } from './data-rows.ts';
import type { DatabaseBind, TableName } from './database-bind.ts';
import { type Dialect, quotedTable } from './dialect.ts';
import { begin, PATIENCE, withDatabase } from './open-database.ts';
import { type BoundValue, type Cells, type Field, type Session, typeOfForm } from './session.ts';
import { type Watch, watched } from './watched.ts';

/** Rows that are handed on at a time. */
const BATCH = 1024;

/** What a bind says about its rows. RT065 for what is not carried out, RT064 for what cannot be. */
export function readOptions({ bind, shown, report }: DatabaseBind): {
    readonly sameNull: boolean;
    readonly selectedColumns?: readonly ColumnChoice[];
} {
    const options = sourceOptions(bind.options, shown, report);
    refuseOptions(bind, ['compression'], report);
    const selectedColumns = options.selectedColumns();
    return { sameNull: options.sameNull(), ...(selectedColumns && { selectedColumns }) };
}

/** Ends the run where the bind asks for what is not carried out. */
export function verifyReading(target: DatabaseBind, { binding }: Dialect): void {
    readOptions(target);
    const { relation } = target;
    if (relation.kind !== 'query') return;
    requireQuery(relation.text, target);
    if (queryParameters(target.bind).length > 0) readAskedQuery(relation.text, binding, target);
}

/**
 * Reads the rows of a table or a query into the target, in one transaction that changes nothing; those of a query that takes values for each
 * tuple of them. A window of the rows is held.
 */
export async function loadRows(target: DatabaseBind, dialect: Dialect, rows: RowTarget, asked?: AskedValues): Promise<void> {
    const { sameNull, ...options } = readOptions(target);
    const watch = { checkpoint: () => rows.checkpoint() };
    await withDatabase(target, dialect, async session => {
        await begin(session, dialect.beginReading, target, { ...watch, patience: PATIENCE });
        const { shown: file, report: context, bind, relation } = target;
        const question = relation.kind === 'query' && asked ? questionOf(relation.text, asked, dialect, rows, target) : undefined;
        const fields = await fieldsOf(session, target, dialect, watch, question);
        const header = fields.map(({ name }) => name);
        const request = { file, options, context };
        const plan = asked ? askedPlan(rows.columns, header, request, asked, bind) : columnPlan(rows.columns, header, request);
        const filled = fields.flatMap((field, at) => {
            const to = plan.targets[at] ?? -1;
            return to < 0 ? [] : [{ field, at, to }];
        });
        for (const { field } of filled) refuseWithoutValues(field, target);
        const { needs } = rows;
        const isRead = readColumns(plan, needs);
        const read = filled.filter(({ to }) => isRead(to));
        // A query may have columns of one name, which cannot be asked for by their names.
        const isWhole = relation.kind === 'query';
        const cells = read.map(({ field, at, to }, i) => ({ from: isWhole ? at : i, to, field, read: readerOf(field, to, rows, file) }));
        const names = read.map(({ field }) => {
            const name = dialect.quoted(field.name);
            return dialect.exact?.(field, name) ?? name;
        });
        const selected = names.length === 0 ? '1' : names.join(', ');
        const { text, parameters } = isWhole
            ? { text: exactQuery(question?.text ?? relation.text, fields, dialect), parameters: [] }
            : narrowed(`SELECT ${selected} FROM ${quotedTable(relation, dialect)}`, needs, read, rows, { dialect, session });
        const nullFor = nullMaker({ file, predicate: bind.predicate }, sameNull, rows.dictionary);
        const faults = new RowFaults({ file, predicate: bind.predicate }, typedColumns(rows.columns, read));
        const isCut = plan.cutsMore && fields.length > plan.expected;
        const isPadded = fields.length < plan.expected;
        const batch = batchInto(rows);
        const row = batch.row;
        let tuple: readonly ValueId[] | undefined;
        const add = (texts: Cells): void => {
            for (const [i, at] of (tuple && asked?.columns)?.entries() ?? []) row[at] = tuple?.[i] ?? 0;
            for (const { from, to, read: value } of cells) {
                const cell = texts[from] ?? null;
                const id = cell === null ? undefined : value(cell);
                if (id === undefined && cell !== null) faults.unreadable(to, 0, () => cell);
                row[to] = id ?? nullFor(to);
            }
            if (asked && tuple && !hasValues(row, asked, tuple)) return;
            for (const at of plan.absent) row[at] = nullFor(at);
            for (const [from, to] of plan.copies) row[to] = row[from] ?? 0;
            if (isPadded) faults.padded(0);
            if (isCut) faults.cut(0);
            batch.add();
        };
        if (asked && question) {
            for (tuple of asked.tuples) await watched(session, session.read(text, question.values(tuple), add), watch, target);
        } else if (session.readMessages && rows.addRows && keepsLowestFirst) {
            const { addRows } = rows;
            const complete = (columns: readonly Int32Array[], count: number): void => {
                for (const at of plan.absent) for (let i = 0; i < count; i++) columns[at]?.fill(nullFor(at), i, i + 1);
                for (const [from, to] of plan.copies) columns[to]?.set(columns[from]?.subarray(0, count) ?? []);
                for (let i = 0; i < count; i++) {
                    if (isPadded) faults.padded(0);
                    if (isCut) faults.cut(0);
                }
                addRows(columns, count, 0);
                rows.checkpoint();
            };
            const unreadable = (to: number, cell: string): void => faults.unreadable(to, 0, () => cell);
            const width = isWhole ? fields.length : Math.max(1, cells.length);
            const messages = rowValues(width, cells, { target: rows, nullFor, unreadable, complete });
            await watched(session, session.readMessages(text, parameters, messages), watch, target);
        } else await watched(session, session.read(text, parameters, add), watch, target);
        batch.flush();
        for (const found of faults.reports(plan.expected)) rows.report(withoutLine(found));
    });
    rows.checkpoint();
}

/** A query with marks for values, and what is bound to them. */
interface Question {
    readonly text: string;
    readonly values: (tuple: readonly ValueId[]) => readonly BoundValue[];
    /** Those of one tuple. */
    readonly first: readonly BoundValue[];
}

function questionOf(written: string, asked: AskedValues, { binding }: Dialect, { dictionary }: RowTarget, target: DatabaseBind): Question {
    const { text, order } = boundQuery(readAskedQuery(written, binding, target), binding, asked.columns);
    const values = (tuple: readonly ValueId[]): BoundValue[] => order.map(at => boundValue(dictionary, tuple[at] ?? 0));
    return { text, values, first: values(asked.tuples[0] ?? []) };
}

/** The query, with all digits of its numbers. */
function exactQuery(query: string, fields: readonly Field[], dialect: Dialect): string {
    const names = fields.map((_, i) => `c${i}`);
    const exact = fields.map((field, i) => dialect.exact?.(field, `c${i}`));
    if (exact.every(text => text === undefined)) return query;
    const selected = exact.map((text, i) => text ?? `c${i}`).join(', ');
    return `WITH rulelang_rows (${names.join(', ')}) AS (${query.replace(/[\s;]+$/u, '')}\n) SELECT ${selected} FROM rulelang_rows`;
}

/** The query, with conditions that let through what is needed. */
function narrowed(
    query: string,
    needs: SourceNeeds | undefined,
    read: readonly { readonly field: Field; readonly to: number }[],
    { columns, dictionary }: RowTarget,
    { dialect, session }: { readonly dialect: Dialect; readonly session: Session },
): { readonly text: string; readonly parameters: readonly string[] } {
    if (needs === undefined) return { text: query, parameters: [] };
    if (needs.anyRow) return { text: `${query} LIMIT 1`, parameters: [] };
    const parameters: string[] = [];
    const columnOf = (at: number): ComparedColumn | undefined => {
        const [field, column] = [read.find(({ to }) => to === at)?.field, columns[at]];
        if (field === undefined || column === undefined) return undefined;
        const text = dialect.quoted(field.name);
        const how = dialect.compared(field, text, session);
        const kind = how && comparedAs(how.kind, column);
        const isWide = kind === 'integer' && column.type.kind !== 'int' && !field.sqlType.includes('unsigned');
        return kind && { ...how, kind, text, readsAll: kind === 'text' || isWide };
    };
    const bound = (text: string, kind: ComparedKind): string => dialect.parameter(parameters.push(text), kind);
    const condition = pushedConditions(needs, columnOf, bound, dictionary);
    return condition === undefined ? { text: query, parameters: [] } : { text: `${query} WHERE ${condition}`, parameters };
}

/** How the values of a column that is compared in one way are compared once they are of the type of a model. */
function comparedAs(kind: ComparedKind, { type, cast }: Column): ComparedKind | undefined {
    if (!cast || type.kind === 'mixed' || type.kind === 'unknown') return kind;
    switch (kind) {
        case 'integer':
            if (type.kind === 'double') return 'about';
            return type.kind === 'int' || type.kind === 'long' ? kind : undefined;
        case 'double':
        case 'about':
            return type.kind === 'double' ? kind : undefined;
        case 'text':
            return type.kind === 'string' ? kind : undefined;
        default:
            return type.kind === kind ? kind : undefined;
    }
}

/** The columns as reports name them: with the types that the database knows, where nothing else is asked for. */
function typedColumns(columns: readonly Column[], read: readonly { readonly field: Field; readonly to: number }[]): Column[] {
    return columns.map((column, at) => {
        const field = column.cast ? undefined : read.find(({ to }) => to === at)?.field;
        const type = field && typeOfForm(field);
        return type === undefined ? column : { ...column, type };
    });
}

function withoutLine<R extends { readonly source?: { readonly file: string } }>(report: R): R {
    return report.source === undefined ? report : { ...report, source: { file: report.source.file } };
}

function readerOf(field: Field, to: number, { columns, dictionary }: RowTarget, file: string): CellReader {
    const column = columns[to];
    if (column === undefined) throw new RangeError(`There is no column ${to}`);
    return cellReader(field, column, dictionary, () => dictionary.freshNull(file));
}

/** Collects rows and hands them on, column by column where the target takes that. */
function batchInto(target: RowTarget): { readonly row: Int32Array; add(): void; flush(): void } {
    const row = new Int32Array(target.columns.length);
    const columns = Array.from(row, () => new Int32Array(BATCH));
    let count = 0;
    const flush = (): void => {
        if (count > 0) target.addRows?.(columns, count, 0);
        count = 0;
        target.checkpoint();
    };
    const add = (): void => {
        if (target.addRows === undefined) {
            target.add(row, 0);
            return;
        }
        for (let at = 0; at < row.length; at++) {
            const column = columns[at];
            if (column !== undefined) column[count] = row[at] ?? 0;
        }
        if (++count === BATCH) flush();
    };
    return { row, add, flush };
}

/** The columns of what a bind reads. RT064 where it is not there, with the name that was probably meant. */
export async function fieldsOf(
    session: Session,
    target: DatabaseBind,
    dialect: Dialect,
    watch: Watch,
    asked?: Question,
): Promise<readonly Field[]> {
    const { relation, shown, report } = target;
    const within = { patience: PATIENCE, ...watch };
    if (relation.kind === 'query') {
        requireQuery(relation.text, target);
        const { text, first } = asked ?? { text: relation.text, first: [] };
        return await watched(session, session.fields(text, first), within, target);
    }
    const question = dialect.exists(relation);
    const found = await watched(session, session.run(question.text, question.parameters), within, target);
    if (found.length === 0) {
        const names = await watched(session, tableNames(session, relation, dialect), within, target);
        const nearest = nearestName(relation.table, names);
        stop(
            'RT064',
            { ...report, source: { file: shown }, isAbsent: true },
            shown,
            nearest === undefined ? say`does not exist` : say`does not exist; did you mean '${nearest}'?`,
        );
    }
    return await watched(session, session.fields(`SELECT * FROM ${quotedTable(relation, dialect)}`, []), within, target);
}

export async function tableNames(session: Session, { schema }: TableName, dialect: Dialect): Promise<string[]> {
    const { text, parameters } = dialect.tables(schema);
    return (await session.run(text, parameters)).flatMap(([name]) => name ?? []);
}

/** Words with which a query begins, behind comments and brackets. */
const READING = /^(?:select|with|values|table)$/iu;

/** A query reads. Whatever else its text does is refused by the transaction, too. */
function requireQuery(text: string, { shown, report }: DatabaseBind): void {
    const begin = sqlPieces(text).find(piece => piece.kind !== 'comment' && piece.text !== '(');
    if (!READING.test(begin?.text ?? ''))
        stop('RT064', report, shown, say`is asked for rows with a query, which begins with SELECT, WITH or VALUES`);
}

function refuseWithoutValues({ name, sqlType, form }: Field, { shown, report }: DatabaseBind): void {
    if (form.kind !== 'none') return;
    stop(
        'RT064',
        report,
        shown,
        say`has a column '${name}' of type ${sqlType}, whose values are no values here; name the other columns in a @qbind, or convert this one there`,
    );
}
