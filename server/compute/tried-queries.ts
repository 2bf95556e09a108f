import { readParameters } from '#engine/evaluate/parameters.ts';
import { QueryFailed, type RelationalQuery } from '#engine/queries.ts';
import { RunStopped } from '#engine/reports.ts';
import { Dictionary } from '#engine/values/dictionary.ts';
import type { UnansweredQuery } from '#language/analysis/program-facts.ts';
import type { AnalysedProgram, AnalysedRule } from '#language/program/analysed-program.ts';
import { sqlOf } from '#language/program/embedded-sql.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Type } from '#language/program/types.ts';
import { sqlEngine } from './sql-engine.ts';

/** What a query that is only tried may use. */
const LIMITS = { memory: 2 ** 28, threads: 1 };

/**
 * The texts of queries that a run cannot answer whatever the rows are: the database is asked for them over empty tables. Left out are those
 * in which something is wrong already, and those over columns whose types only rows tell.
 */
export async function triedQueries(
    program: AnalysedProgram,
    given: ReadonlyMap<string, unknown> = new Map(),
): Promise<ReadonlyMap<string, UnansweredQuery>> {
    const isWrong = ({ code, severity }: Problem): boolean => severity === 'error' || code === 'RL7015';
    const wrong = new Set(program.problems.filter(isWrong).map(({ place }) => place));
    const found = new Map<string, UnansweredQuery>();
    const rules = program.rules.filter(({ rule }) => sqlOf(rule) !== undefined && !wrong.has(rule.place));
    if (rules.length === 0) return found;
    const dictionary = new Dictionary();
    const parameters = parametersOf(program, given, dictionary);
    const engine = sqlEngine(LIMITS);
    try {
        for (const rule of rules) {
            const query = parameters && queryOf(rule, program, parameters, dictionary);
            const failed = query && (await failureOf(() => engine.verify(query)));
            if (query && failed) found.set(query.text, { reason: failed.message, ...(failed.place && { place: failed.place }) });
        }
        return found;
    } finally {
        engine.close();
    }
}

type Parameters = ReturnType<typeof readParameters>;

/** The values of the parameters; undefined where one of them does not fit, which stops a run before its queries. */
function parametersOf(program: AnalysedProgram, given: ReadonlyMap<string, unknown>, dictionary: Dictionary): Parameters | undefined {
    try {
        return readParameters(program.parameters, given, dictionary, () => undefined);
    } catch (error) {
        if (error instanceof RunStopped) return undefined;
        throw error;
    }
}

/** The query over tables without rows; undefined where their types, or a parameter, are not known. */
function queryOf(
    { rule, tables }: AnalysedRule,
    { predicates }: AnalysedProgram,
    parameters: Parameters,
    dictionary: Dictionary,
): RelationalQuery | undefined {
    const inputs = (tables ?? []).map(({ name, predicate, columns }) => {
        const types = predicates.get(predicate)?.columns.map(({ type }) => type) ?? [];
        const named = columns.map((column, i) => ({ name: column, type: types[i] }));
        return { name, relation: predicate, columns: named, count: 0, ids: columns.map(() => new Int32Array(0)) };
    });
    if (tables === undefined || !inputs.every(({ columns }) => columns.every(hasType))) return undefined;
    const known = inputs.map(input => ({ ...input, columns: input.columns.filter(hasType) }));
    const text = sqlOf(rule)?.text ?? '';
    const isMissing = [...text.matchAll(/\?([A-Za-z_]\w*)/gu)].some(([, name = '']) => !parameters.has(name));
    if (isMissing) return undefined;
    return {
        text,
        tables: known,
        dictionary,
        parameter: name => parameters.get(name) ?? { value: dictionary.freshNull(name), type: { kind: 'unknown' } },
    };
}

function hasType<C extends { readonly type: Type | undefined }>(column: C): column is C & { readonly type: Type } {
    return column.type !== undefined && column.type.kind !== 'mixed' && column.type.kind !== 'unknown';
}

async function failureOf(work: () => Promise<void>): Promise<QueryFailed | undefined> {
    try {
        await work();
        return undefined;
    } catch (error) {
        if (error instanceof QueryFailed) return error;
        throw error;
    }
}
