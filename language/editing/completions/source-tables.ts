import { readSourceText } from '#language/analysis/source-text.ts';
import { type OpenDocument, rangeOf } from '#language/document/open-document.ts';
import { dataSourceNamed } from '#language/library/data-sources.ts';
import type { AnalysedProgram, Bind, SourceTable } from '#language/program/analysed-program.ts';
import { say } from '#language/program/say.ts';
import { printType, UNKNOWN } from '#language/program/types.ts';
import { afterWord } from '#language/syntax/characters.ts';
import { type Candidate, type Completion, plain } from '../completion.ts';
import type { CompletionContext, CompletionPlace } from '../completion-context.ts';
import type { TablesOf } from '../completion-options.ts';
import { codeBlock } from '../markdown.ts';
import { quoted } from './files.ts';
import type { FoundTexts } from './found-texts.ts';
import { queryCompletions } from './queries.ts';

/** Builds the bind that the arguments written so far describe; `inner` takes the place of the table's name. */
function describedBind({ file }: OpenDocument, given: readonly (string | undefined)[], inner: string): Bind {
    const { type, options } = readSourceText(given[1] ?? '');
    const span = { start: 0, end: 0 };
    return {
        annotation: { name: 'bind', arguments: [], nameSpan: span, span },
        place: { file, offset: 0, line: 0, column: 0 },
        kind: 'bind',
        predicate: given[0] ?? '',
        direction: 'input',
        type: dataSourceNamed(type.text)?.type ?? type.text.toLowerCase(),
        options: new Map(options.map(({ key, value }) => [key.text, value.text])),
        outer: given[2] ?? '',
        inner,
    };
}

/** Tables and views of a database, for the fourth argument of a bind; `before` stands before the offset, perhaps with a schema. */
export function tableCompletions(
    document: OpenDocument,
    offset: number,
    before: string,
    given: readonly (string | undefined)[],
    tablesOf: TablesOf,
): FoundTexts {
    const schema = before.slice(0, before.lastIndexOf('.') + 1);
    const prefix = before.slice(schema.length);
    const tables = tablesOf(describedBind(document, given, schema));
    const end = prefix === '' ? offset : afterWord(document.text, offset);
    return {
        items: (tables ?? []).map(tableCompletion),
        range: { start: offset - prefix.length, end },
        prefix,
        isPending: tables === undefined,
    };
}

function tableCompletion(table: SourceTable): Completion {
    const { name, kind, columns } = table;
    if (kind === 'schema')
        return { label: name, kind: 'module', insert: plain(`${quoted(name)}.`), rank: 2, detail: kindText(kind), continues: true };
    const insert = plain(quoted(name));
    return {
        label: name,
        kind: 'table',
        insert,
        rank: 1,
        detail: kindText(kind),
        ...(columns.length > 0 && { documentation: tableText(table) }),
    };
}

export function kindText(kind: SourceTable['kind']): string {
    switch (kind) {
        case 'table':
            return say`table`;
        case 'view':
            return say`view`;
        case 'sheet':
            return say`sheet`;
        case 'schema':
            return say`schema`;
    }
}

/** The columns of a table as people read them, in Markdown. */
export function tableText({ name, columns }: SourceTable): string {
    return codeBlock([name, ...columns.map(column => `  ${column.name}: ${typeText(column)}`)].join('\n'));
}

/** A column that has no values here, such as bytes, has no type either. */
export function typeText({ type = UNKNOWN }: SourceTable['columns'][number]): string {
    return printType(type);
}

/** Sheets of the workbook that the bind at the offset names, for its option `dataAddress`. */
export function* sheetCompletions(document: OpenDocument, offset: number, tablesOf: TablesOf): Iterable<Completion> {
    const bind = bindAt(document, offset);
    // Its options are being written.
    for (const { name, kind } of (bind && tablesOf({ ...bind, options: new Map() })) ?? []) {
        const address = `'${name.replaceAll("'", "''")}'!A1`;
        yield { label: name, kind: 'value', insert: plain(quoted(address)), rank: 1, detail: kindText(kind) };
    }
}

/** Tables, columns and words of SQL, for a query that a database answers. */
export function sourceQueryCompletions(
    document: OpenDocument,
    { prefix, range }: CompletionContext,
    { sql, at, given }: Extract<CompletionPlace, { kind: 'source-query' }>,
    tablesOf: TablesOf,
): FoundTexts {
    let isPending = false;
    /** The tables of a schema, or those that need none. */
    const tablesIn = (schema: string): readonly SourceTable[] => {
        const tables = tablesOf(describedBind(document, given, schema === '' ? '' : `${schema}.`));
        isPending ||= tables === undefined;
        return tables ?? [];
    };
    const named = (name: string): SourceTable | undefined => {
        const dot = name.lastIndexOf('.');
        const tables = tablesIn(name.slice(0, Math.max(0, dot))).filter(({ kind }) => kind !== 'schema');
        const table = name.slice(dot + 1);
        return tables.find(one => one.name === table) ?? tables.find(one => one.name.toLowerCase() === table.toLowerCase());
    };
    const candidates = (tables: readonly SourceTable[], rank: number): readonly Candidate[] =>
        tables.map(table => {
            const own = table.kind === 'schema' ? rank + 1 : rank;
            return { label: table.name, rank: own, build: () => ({ ...tableCompletion(table), rank: own }) };
        });
    const items = [
        ...queryCompletions(
            document,
            { prefix, range },
            { sql, at },
            {
                names: rank => candidates(tablesIn(''), rank),
                inSchema: schema => candidates(tablesIn(schema), 1),
                columnsOf: table => (named(table)?.columns ?? []).map(({ name, type = UNKNOWN }) => ({ name, type, of: table })),
            },
        ),
    ];
    return { items, range, prefix, isPending };
}

/** The bind whose annotation holds the offset. */
export function bindAt({ file, analysed }: OpenDocument, offset: number): Bind | undefined {
    return analysed.binds.find(({ place, annotation: { span } }) => {
        const { start, end } = rangeOf({ place, span });
        return place.file === file && start <= offset && offset <= end;
    });
}

/** The tables that a predicate reads a table by, as far as it is known what that has. */
export function boundTables({ binds }: AnalysedProgram, predicate: string, tablesOf: TablesOf): readonly SourceTable[] {
    return binds
        .filter(bind => bind.predicate === predicate && bind.direction === 'input')
        .flatMap(bind => boundTable(bind, tablesOf) ?? []);
}

/** The table that a bind names. */
export function boundTable(bind: Bind, tablesOf: TablesOf): SourceTable | undefined {
    if (bind.kind === 'qbind' || dataSourceNamed(bind.type)?.isFile !== false) return undefined;
    const schema = bind.inner.slice(0, bind.inner.lastIndexOf('.') + 1);
    const named = (inner: string, table: string): SourceTable | undefined =>
        tablesOf({ ...bind, inner })?.find(({ name, kind }) => name === table && kind !== 'schema');
    return named('', bind.inner) ?? (schema === '' ? undefined : named(schema, bind.inner.slice(schema.length)));
}
