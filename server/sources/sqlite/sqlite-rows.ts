import { columnPlan, readColumns } from '#engine/sources/column-plan.ts';
import { PlannedRows } from '#engine/sources/planned-rows.ts';
import { nullMaker, RowFaults } from '#engine/sources/row-faults.ts';
import type { AskedValues, RowTarget } from '#engine/sources/source.ts';
import { type SourceOptions, sourceOptions } from '#engine/sources/source-options.ts';
import type { Dictionary } from '#engine/values/dictionary.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import { nearestName } from '#language/library/nearest-name.ts';
import type { Bind } from '#language/program/analysed-program.ts';
import { queryParameters } from '#language/program/query-parameters.ts';
import { say } from '#language/program/say.ts';
import { askedPlan, type BindingForm, boundQuery, boundValue, hasValues, readAskedQuery } from '../asked-query.ts';
import type { BoundFile } from '../bound-file.ts';
import { refuseOptions } from '../refuse-options.ts';
import type { Database, SqlValue } from './load-sqlite.ts';
import { quotedName, refuse, type SqliteColumn, tableColumns, tableNames } from './sqlite-file.ts';

const ROWS_PER_CHECKPOINT = 1024;

/** What a bind reads of a database: a table, or what a query gives. */
export interface SqliteTable {
    readonly columns: readonly SqliteColumn[];
    /** The query of its rows, in which columns that are not read may be NULL. */
    readonly sql: (isRead: (column: number) => boolean) => string;
    /** Which values of a tuple the query takes. */
    readonly order?: readonly number[];
}

export function tableOf(database: Database, { bind, ...file }: BoundFile): SqliteTable {
    const query = queryIn(bind);
    if (query !== undefined) return queryOf(database, query, { bind, ...file });
    const columns = tableColumns(database, bind.inner);
    if (columns.length === 0) {
        const nearest = nearestName(
            bind.inner,
            tableNames(database).map(({ name }) => name),
        );
        const meant = nearest === undefined ? '' : say`; did you mean '${nearest}'?`;
        refuse({ bind, ...file }, say`has no table '${bind.inner}'${meant}`, true);
    }
    const sql: SqliteTable['sql'] = isRead => {
        const cells = columns.map(({ name }, column) => (isRead(column) ? quotedName(name) : 'NULL'));
        return `SELECT ${cells.join(', ')} FROM ${quotedName(bind.inner)}`;
    };
    return { columns, sql };
}

/** A query only changes what is in memory, whatever it says. */
export function queryOf(database: Database, text: string, file: BoundFile): SqliteTable {
    const { text: sql, order } = questionOf(text, file);
    const statement = database.prepare(sql);
    try {
        const columns = statement.getColumnNames().map(name => ({ name, type: undefined }));
        return columns.length === 0 ? refuseRowless(file) : { columns, sql: () => sql, order };
    } finally {
        statement.free();
    }
}

const BINDING: BindingForm = { marks: '?1', backslashes: 'kept' };

/** Reads all rows of a table into the target, one at a time; those of a query that takes values for each tuple of them. */
export function readSqlite(database: Database, file: BoundFile, target: RowTarget, asked?: AskedValues): void {
    const { bind, shown, access } = file;
    const { dictionary, columns } = target;
    const options = optionsOf(file);
    const { columns: found, sql, order = [] } = tableOf(database, file);
    const selectedColumns = options.selectedColumns();
    const request = { file: shown, options: selectedColumns === undefined ? {} : { selectedColumns }, context: access.report };
    const header = found.map(({ name }) => name);
    const plan = asked ? askedPlan(columns, header, request, asked, bind) : columnPlan(columns, header, request);
    const origin = { file: shown, predicate: bind.predicate };
    const nullFor = nullMaker(origin, options.sameNull(), dictionary);
    const faults = new RowFaults(origin, columns);
    const rows = new PlannedRows(target, { plan, types: found.map(({ type }) => type), faults, nullFor });
    let line = 0;
    const idOf = (value: SqlValue, source: number): ValueId | string | undefined => {
        switch (typeof value) {
            case 'bigint':
                return dictionary.bigint(value);
            case 'number':
                return Number.isFinite(value) ? dictionary.number(value) : String(value);
            case 'string':
                return dictionary.string(value);
            default:
                return value === null
                    ? undefined
                    : refuse(file, say`has bytes in column '${found[source]?.name}' of row ${line}, and the language has no such values`);
        }
    };
    const isRead = readColumns(plan, target.needs);
    const statement = database.prepare(sql(source => isRead(plan.targets[source] ?? -1)));
    const addRows = (tuple?: readonly ValueId[]): void => {
        while (statement.step()) {
            if (++line % ROWS_PER_CHECKPOINT === 1) target.checkpoint();
            const values = statement.get(null, { useBigInt: true });
            for (const [i, at] of (tuple && asked?.columns)?.entries() ?? []) rows.row[at] = tuple?.[i] ?? 0;
            rows.fill(source => idOf(values[source] ?? null, source), line);
            if (asked && tuple && !hasValues(rows.row, asked, tuple)) continue;
            if (found.length < plan.expected) faults.padded(line);
            if (found.length > plan.expected && plan.cutsMore) faults.cut(line);
            rows.add(0);
        }
    };
    try {
        if (asked === undefined) addRows();
        for (const tuple of asked?.tuples ?? []) {
            statement.bind(order.map(at => boundCell(dictionary, tuple[at] ?? 0)));
            addRows(tuple);
            target.checkpoint();
        }
    } finally {
        statement.free();
    }
    for (const fault of faults.reports(plan.expected)) target.report(fault);
    target.checkpoint();
}

export function queryIn(bind: Bind): string | undefined {
    return bind.kind === 'qbind' ? bind.inner : bind.options.get('query');
}

/** Ends the run where the bind asks for what is not carried out. */
export function verifyReading(file: BoundFile): void {
    optionsOf(file).selectedColumns();
    const query = queryIn(file.bind);
    if (query === undefined) return;
    if (ROWLESS.test(query)) refuseRowless(file);
    questionOf(query, file);
}

/** Statements that never give rows. */
const ROWLESS = /^\s*(?:create|drop|alter|attach|detach|begin|commit|rollback|vacuum|reindex|analyze)\b/iu;

function refuseRowless(file: BoundFile): never {
    return refuse(file, say`is asked for what gives no rows: write a SELECT`);
}

export function optionsOf({ bind, shown, access }: BoundFile): SourceOptions {
    refuseOptions(bind, ['compression'], access.report);
    return sourceOptions(bind.options, shown, access.report);
}

function questionOf(text: string, { bind, shown, access }: BoundFile): { readonly text: string; readonly order: readonly number[] } {
    const columns = queryParameters(bind).map(column => column - 1);
    if (columns.length === 0) return { text, order: [] };
    return boundQuery(readAskedQuery(text, BINDING, { shown, report: access.report }), BINDING, columns);
}

/** SQLite compares numbers with numbers and texts with texts. */
function boundCell(dictionary: Dictionary, id: ValueId): SqlValue {
    const isDouble = dictionary.isNumber(id) && !dictionary.isInteger(id);
    return isDouble
        ? dictionary.numberOf(id)
        : dictionary.kind(id) === 'boolean'
          ? BigInt(boundValue(dictionary, id))
          : boundValue(dictionary, id);
}
