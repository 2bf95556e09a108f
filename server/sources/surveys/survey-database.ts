import { stop } from '#engine/reports/reports.ts';
import { say } from '#language/program/say.ts';
import { hostText } from '#server/protocol/host-grant.ts';
import { type DatabaseBind, databaseBind, modeOf, type TableName } from '../databases/database-bind.ts';
import { type Dialect, quotedTable, type Statement } from '../databases/dialect.ts';
import { begin, withDatabase } from '../databases/open-database.ts';
import { fieldsOf } from '../databases/read-database.ts';
import { type Cells, type Field, type Session, typeOfForm } from '../databases/session.ts';
import { type Watch, watched } from '../databases/watched.ts';
import { grouped } from '../grouped.ts';
import { bindOptions, type SourceBind, sourceText } from '../source-bind.ts';
import { type KeyColumn, keysOf } from './foreign-keys.ts';
import { type FoundTable, foundColumn } from './found-table.ts';
import { queryName } from './query-name.ts';
import { given, literal, questioned, type Survey, type SurveyQuestion } from './source-description.ts';
import { type SeenColumn, wantedColumns, wantedTables } from './wanted-tables.ts';

/** Milliseconds that a survey may take, connecting included. */
const PATIENCE = 13_000;

/** Looks into the catalogue of a database; with `query`, at what that gives. Bytes and other columns without values are left out. */
export async function surveyDatabase(question: SurveyQuestion, dialect: Dialect): Promise<Survey> {
    const { source, counts } = question;
    const target = describedDatabase(question, dialect);
    const end = performance.now() + PATIENCE;
    const checkpoint = (): void => {
        if (performance.now() > end) stop('RT064', {}, target.shown, say`has not answered for ${Math.round(PATIENCE / 1000)} seconds`);
    };
    const watch: Watch = { checkpoint };
    const tables = await withDatabase(
        target,
        dialect,
        async session => {
            await begin(session, dialect.beginReading, target, watch);
            const seen: Seen = { session, target, dialect, watch, question };
            return given(source.query) === undefined ? await tablesOf(seen, counts) : await queryOf(seen, counts);
        },
        PATIENCE,
    );
    const { host, port, database, username, password } = target;
    return { tables, place: { host, port, databaseName: database }, username, password: password?.open() ?? '' };
}

/** Where the description leads. Its catalogue is the database, where it names one; what MySQL calls a schema is a database, too. */
function describedDatabase(question: SurveyQuestion, dialect: Dialect): DatabaseBind {
    const { type, source } = question;
    const { host, port = 0, databaseName, username, password, schema, catalog, url, options = {} } = source;
    const written: [string, string | undefined][] = [
        ...bindOptions(type, Object.entries(options)),
        ['host', given(host)],
        ['port', port === 0 ? undefined : String(port)],
        ['database', given(catalog) ?? given(databaseName)],
        ['username', username],
        ['password', password === '' ? undefined : password],
        ['url', given(url)],
    ];
    const filled = written.flatMap(([key, value]): [string, string][] => (value === undefined ? [] : [[key, literal(value)]]));
    const { bind, access } = questioned(question, {
        options: new Map(filled),
        outer: literal(given(schema) ?? ''),
        inner: '',
    });
    const target = databaseBind(bind, dialect, access);
    return { ...target, shown: `${type}://${hostText(target)}/${target.database}` };
}

interface Seen {
    readonly session: Session;
    readonly target: DatabaseBind;
    readonly dialect: Dialect;
    readonly watch: Watch;
    readonly question: SurveyQuestion;
}

async function tablesOf(seen: Seen, counts: boolean): Promise<FoundTable[]> {
    const { target, dialect, question } = seen;
    const { catalogue } = dialect;
    const schema = dialect.hasSchemas ? given(question.source.schema) : undefined;
    if (schema !== undefined && catalogue.schema !== undefined) {
        const there = await run(seen, { ...catalogue.schema, parameters: [schema] });
        if (there.length === 0) stop('RT064', {}, target.shown, say`has no schema '${schema}'`);
    }
    const names = await run(seen, catalogue.relations(schema));
    const all = names.map(([name, kind, own]) => ({
        name: name ?? '',
        kind: kind === 'view' ? ('view' as const) : ('table' as const),
        // Without the schema, a name with a dot in it would be taken for both.
        schema: schema ?? (dialect.hasSchemas && name?.includes('.') === true ? (own ?? undefined) : undefined),
    }));
    const chosen = wantedTables(all, question.source, target.shown);
    const columns = grouped(await run(seen, catalogue.columns(schema)), ([table]) => table ?? '');
    const keys = grouped(await run(seen, catalogue.foreignKeys(schema)), ([table]) => table ?? '');
    const fields = chosen.map(table => ({
        ...table,
        columns: (columns.get(table.name) ?? []).map(([, name, ...type]) => seenColumn(catalogue.field(name ?? '', type))),
    }));
    const wanted = wantedColumns(fields, question.source, target.shown);
    const found = chosen.flatMap((table, i) => {
        const own = wanted[i];
        return own === undefined || own.columns.length === 0 ? [] : [{ ...table, ...own }];
    });
    const tables: FoundTable[] = [];
    for (const { name, kind, schema: own, columns, selectedColumns } of found) {
        const table = { kind: 'table' as const, schema: own, table: name };
        const rows = counts ? await countOf(seen, quotedTable(table, dialect)) : null;
        const foreignKeys = keysOf((keys.get(name) ?? []).map(keyColumn), columns, found);
        tables.push({ name, kind, columns, rows, foreignKeys, bind: tableBind(seen, table, selectedColumns) });
    }
    return tables;
}

function keyColumn([, key, column, table, reference]: Cells): KeyColumn {
    return { key: key ?? '', column: column ?? '', table: table ?? '', reference: reference ?? '' };
}

/** What a query gives is one table, which `tables` may name. */
async function queryOf(seen: Seen, counts: boolean): Promise<FoundTable[]> {
    const { session, target, dialect, watch, question } = seen;
    const { query = '', tables = [] } = question.source;
    const text = query.replace(/[\s;]+$/u, '');
    const name = tables.length === 1 && tables[0] !== undefined ? tables[0] : queryName(text);
    const asked = { ...target, relation: { kind: 'query' as const, text } };
    const fields = await fieldsOf(session, asked, dialect, watch);
    const [wanted] = wantedColumns([{ name, columns: fields.map(seenColumn) }], question.source, target.shown);
    if (wanted === undefined) return [];
    const rows = counts ? await countOf(seen, `(${text}\n) AS ${dialect.quoted('rulelang_query')}`) : null;
    const bind: SourceBind = {
        kind: 'qbind',
        type: question.type,
        source: sourceText(question.type, connection(seen, wanted.selectedColumns)),
        outer: target.database,
        inner: text,
    };
    return [{ name, kind: 'view', columns: wanted.columns, rows, foreignKeys: [], bind }];
}

function seenColumn(field: Field): SeenColumn {
    const { name, form } = field;
    const found = foundColumn(name, typeOfForm(field));
    return { ...found, ...(form.kind === 'json' && { type: 'STRUCT' }), ...(form.kind === 'none' && { isUnreadable: true }) };
}

async function run({ session, target, watch }: Seen, { text, parameters }: Statement): Promise<readonly Cells[]> {
    return await watched(session, session.run(text, parameters), watch, target);
}

async function countOf(seen: Seen, from: string): Promise<number> {
    const [row] = await run(seen, { text: `SELECT count(*) FROM ${from}`, parameters: [] });
    return Number(row?.[0] ?? 0);
}

/** The third argument names the schema where there is one, and an option the database. */
function tableBind(seen: Seen, { schema, table }: TableName, selected: string | undefined): SourceBind {
    const { database } = seen.target;
    const { type } = seen.question;
    const options = connection(seen, selected);
    if (schema !== undefined) options.splice(2, 0, ['database', database]);
    return { kind: 'bind', type, source: sourceText(type, options), outer: schema ?? database, inner: table };
}

/** The options of a bind that lead to the database, without what opens it. */
function connection({ target, question }: Seen, selectedColumns?: string): [string, string][] {
    const { host, port, username } = target;
    const mode = modeOf(target);
    const { type, source } = question;
    return [
        ['host', host],
        ['port', String(port)],
        ['username', username],
        ...(mode === undefined ? [] : [['sslmode', mode] as [string, string]]),
        ...bindOptions(type, Object.entries(source.options ?? {})).filter(([key]) => key !== 'sslmode'),
        ...(selectedColumns === undefined ? [] : [['selectedColumns', selectedColumns] as [string, string]]),
    ];
}
