import type { OpenDocument } from '#language/document/open-document.ts';
import { say } from '#language/program/say.ts';
import { printType } from '#language/program/types.ts';
import { QUERY_FUNCTIONS } from '#language/sql/query-functions.ts';
import { isReservedInSql, SQL_WORDS } from '#language/sql/sql-keywords.ts';
import { type SqlSource, sourceNamed, sourcesOf, sqlOutline } from '#language/sql/sql-outline.ts';
import { type Candidate, type Completion, callInsertion, type Insertion, plain } from '../completion.ts';
import type { CompletionContext, CompletionPlace } from '../completion-context.ts';
import { columnsOf, predicateColumns, type TableColumns } from '../sql-columns.ts';
import { nameCompletion, suppliedNames } from './predicates.ts';
import { keyword } from './words.ts';

/** Candidates for the tables of a query, and for their columns. */
export interface QueryTables {
    readonly names: (rank: number) => Iterable<Candidate>;
    /** Tables of a schema; absent if tables have no schemas. */
    readonly inSchema?: (schema: string) => Iterable<Candidate>;
    readonly columnsOf: TableColumns;
}

/** The predicates of the program, which its own queries read. */
export function predicateTables({ analysed }: OpenDocument): QueryTables {
    return {
        names: function* (rank) {
            for (const { name } of analysed.predicateNames()) yield nameCompletion(analysed, name, rank);
            yield* suppliedNames(analysed, rank);
        },
        columnsOf: predicateColumns(analysed),
    };
}

/** Tables, columns, functions and words of SQL. */
export function* queryCompletions(
    { text }: OpenDocument,
    { prefix, range }: Pick<CompletionContext, 'prefix' | 'range'>,
    { sql, at }: Pick<Extract<CompletionPlace, { kind: 'query' }>, 'sql' | 'at'>,
    tables: QueryTables,
): Iterable<Completion | Candidate> {
    const isQuoted = /[`"]/u.test(text.charAt(range.start - 1));
    const written = (name: string): Insertion => plain(isQuoted ? name : inQuotes(name));
    const outline = sqlOutline(sql);
    const { scope, wantsTable, defined } = outline.at(at);
    const writtenName = (candidate: Candidate): Candidate => ({
        ...candidate,
        build: () => {
            const { continues: _, ...completion } = candidate.build();
            return { ...completion, insert: written(candidate.label) };
        },
    });
    const behind = QUALIFIER.exec(sql.slice(0, at));
    if (behind !== null) {
        const qualifier = (behind[1] ?? '').replace(/^[`"]|[`"]$/gu, '');
        const source = sourceNamed(scope, qualifier);
        // A table is being named there.
        const isSchema = sourcesOf(scope).some(({ start }) => start === behind.index);
        if (isSchema) for (const candidate of tables.inSchema?.(qualifier) ?? []) yield writtenName(candidate);
        else if (source !== undefined) yield* columns([source]);
        return;
    }
    if (wantsTable || sourcesOf(scope).length === 0) {
        for (const candidate of tables.names(wantsTable ? 1 : 2)) yield writtenName(candidate);
        for (const name of defined) yield { label: name, kind: 'predicate', insert: written(name), rank: 0, detail: say`defined by WITH` };
    }
    if (wantsTable) return;
    yield* columns(sourcesOf(scope));
    for (const { exposed, table } of sourcesOf(scope)) {
        if (exposed === '' || exposed === prefix) continue;
        const detail = table === undefined || table === exposed ? {} : { detail: say`stands for ${table}` };
        yield { label: exposed, kind: 'predicate', insert: written(exposed), rank: 2, ...detail };
    }
    if (prefix !== '')
        for (const name of QUERY_FUNCTIONS) yield { label: name, kind: 'function', insert: callInsertion(name, ['']), rank: 4 };
    for (const word of SQL_WORDS) yield keyword(word, 5);

    function* columns(sources: readonly SqlSource[]): Iterable<Completion> {
        const seen = new Set<string>();
        for (const source of sources) {
            for (const { name, type, of } of columnsOf(tables.columnsOf, source)) {
                if (seen.has(name)) continue;
                seen.add(name);
                yield { label: name, kind: 'column', insert: written(name), rank: 1, detail: say`${printType(type)}, column of ${of}` };
            }
        }
    }
}

/** A name and the dot behind it. */
const QUALIFIER = /([A-Za-z_]\w*|`[^`]+`|"[^"]+")\s*\.\s*[`"]?$/u;

/** A name that is a word of SQL, or has other signs, needs quotes. */
function inQuotes(name: string): string {
    return /^[A-Za-z_]\w*$/u.test(name) && !isReservedInSql(name) ? name : `\`${name}\``;
}
