import { QueryFailed, type RelationalQuery } from '#engine/contracts/queries.ts';
import { readParameters } from '#engine/evaluate/parameters.ts';
import { RunStopped } from '#engine/reports/reports.ts';
import { Dictionary } from '#engine/values/dictionary.ts';
import type { UnansweredQuery } from '#language/analysis/program-facts.ts';
import type { AnalysedProgram, AnalysedRule } from '#language/program/analysed-program.ts';
import { sqlOf } from '#language/program/embedded-sql.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Type } from '#language/program/types.ts';
import { sqlEngine } from './sql-engine.ts';

/** Limits of a query that is only tried. */
const LIMITS = { memory: 2 ** 28, threads: 1 };

/** The queries of a program that can be tried without its rows, as plain data. */
export interface TriableQueries {
    readonly queries: readonly TriableQuery[];
    readonly parameters: AnalysedProgram['parameters'];
}

interface TriableQuery {
    readonly text: string;
    readonly tables: readonly Pick<RelationalQuery['tables'][number], 'name' | 'relation' | 'columns'>[];
}

/** Returns the queries without problems so far whose columns have types that are known before a run. */
export function triableQueries(program: AnalysedProgram): TriableQueries {
    const isWrong = ({ code, severity }: Problem): boolean => severity === 'error' || code === 'RL7015';
    const wrong = new Set(program.problems.filter(isWrong).map(({ place }) => place));
    const rules = program.rules.filter(({ rule }) => sqlOf(rule) !== undefined && !wrong.has(rule.place));
    return { queries: rules.flatMap(rule => triable(rule, program) ?? []), parameters: program.parameters };
}

function triable({ rule, tables }: AnalysedRule, { predicates }: AnalysedProgram): TriableQuery | undefined {
    const inputs = (tables ?? []).map(({ name, predicate, columns }) => {
        const types = predicates.get(predicate)?.columns.map(({ type }) => type) ?? [];
        return { name, relation: predicate, columns: columns.map((column, i) => ({ name: column, type: types[i] })) };
    });
    if (tables === undefined || !inputs.every(({ columns }) => columns.every(hasType))) return undefined;
    return { text: sqlOf(rule)?.text ?? '', tables: inputs.map(input => ({ ...input, columns: input.columns.filter(hasType) })) };
}

/** The texts of queries that a run cannot answer whatever the rows are: the database is asked for them over empty tables. */
export async function triedQueries(
    { queries, parameters }: TriableQueries,
    given: ReadonlyMap<string, unknown> = new Map(),
): Promise<ReadonlyMap<string, UnansweredQuery>> {
    const found = new Map<string, UnansweredQuery>();
    if (queries.length === 0) return found;
    const dictionary = new Dictionary();
    const values = valuesOf(parameters, given, dictionary);
    if (values === undefined) return found;
    const engine = sqlEngine(LIMITS);
    try {
        for (const query of queries) {
            const asked = queryOf(query, values, dictionary);
            const failed = asked && (await failureOf(() => engine.columns(asked)));
            if (failed) found.set(query.text, { reason: failed.message, ...(failed.place && { place: failed.place }) });
        }
        return found;
    } finally {
        engine.close();
    }
}

type Values = ReturnType<typeof readParameters>;

/** The values of the parameters; undefined where one of them does not fit, which stops a run before its queries. */
function valuesOf(
    parameters: AnalysedProgram['parameters'],
    given: ReadonlyMap<string, unknown>,
    dictionary: Dictionary,
): Values | undefined {
    try {
        return readParameters(parameters, given, dictionary, () => undefined);
    } catch (error) {
        if (error instanceof RunStopped) return undefined;
        throw error;
    }
}

/** The query over tables without rows; undefined where a parameter is not known. */
function queryOf({ text, tables }: TriableQuery, values: Values, dictionary: Dictionary): RelationalQuery | undefined {
    const isMissing = [...text.matchAll(/\?([A-Za-z_]\w*)/gu)].some(([, name = '']) => !values.has(name));
    if (isMissing) return undefined;
    return {
        text,
        tables: tables.map(table => ({ ...table, count: 0, ids: table.columns.map(() => new Int32Array(0)) })),
        dictionary,
        parameter: name => values.get(name) ?? { value: dictionary.freshNull(name), type: { kind: 'unknown' } },
    };
}

function hasType<C extends { readonly type: Type | undefined }>(column: C): column is C & { readonly type: Type } {
    return column.type !== undefined && column.type.kind !== 'mixed' && column.type.kind !== 'unknown';
}

async function failureOf(work: () => Promise<unknown>): Promise<QueryFailed | undefined> {
    try {
        await work();
        return undefined;
    } catch (error) {
        if (error instanceof QueryFailed) return error;
        throw error;
    }
}
