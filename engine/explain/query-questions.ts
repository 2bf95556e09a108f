import type { AnalysedRule } from '#language/program/analysed-program.ts';
import { sqlOf } from '#language/program/embedded-sql.ts';
import { MIXED } from '#language/program/types.ts';
import type { Database } from '../contracts/database.ts';
import { type QueryEngine, QueryFailed, type QueryInput, type QueryLack } from '../contracts/queries.ts';
import { missingParameter } from '../evaluate/parameters.ts';
import type { HeadPattern } from './match-rule.ts';

/** What searches have asked about queries, which are answered between searches: a search asks at once for all that it can, and is begun again. */
class QueryQuestions {
    readonly answers = new Map<string, readonly QueryLack[]>();
    readonly open = new Map<string, { readonly rule: AnalysedRule; readonly asked: HeadPattern }>();
}

const questions = new WeakMap<Database, QueryQuestions>();

/** Questions about queries that one question may lead to. */
const MOST_QUESTIONS = 24;

function questionsOf(database: Database): QueryQuestions {
    const known = questions.get(database) ?? new QueryQuestions();
    questions.set(database, known);
    return known;
}

/** Why the query of a rule gives no such row, as far as that is known; the question is noted where it has not been asked before. */
export function queryLacks(database: Database, rule: AnalysedRule, asked: HeadPattern): readonly QueryLack[] {
    const { answers, open } = questionsOf(database);
    const key = `${rule.index} ${asked.join()}`;
    const known = answers.get(key);
    if (known === undefined) open.set(key, { rule, asked });
    return known ?? [];
}

/** Gives an answer once all that it asked about the queries of these databases is known. */
export async function withQueryLacks<T>(
    databases: readonly Database[],
    engine: QueryEngine,
    checkpoint: () => void,
    answer: () => T,
): Promise<T> {
    const all = databases.map(database => ({ database, ...questionsOf(database) }));
    for (const { open } of all) open.clear();
    let given = answer();
    for (let left = MOST_QUESTIONS; left > 0 && all.some(({ open }) => open.size > 0); ) {
        for (const { database, answers, open } of all) {
            for (const [key, { rule, asked }] of open)
                answers.set(key, left-- > 0 ? await lacksOf(database, engine, rule, asked, checkpoint) : []);
            open.clear();
        }
        given = answer();
    }
    return given;
}

async function lacksOf(
    database: Database,
    engine: QueryEngine,
    rule: AnalysedRule,
    asked: HeadPattern,
    checkpoint: () => void,
): Promise<readonly QueryLack[]> {
    const sql = sqlOf(rule.rule);
    const tables = tablesOf(database, rule);
    if (sql === undefined || tables === undefined || engine.lacks === undefined) return [];
    const parameter = (name: string) => {
        const value = database.parameters.get(name);
        return value === undefined ? missingParameter(name) : { value, type: MIXED };
    };
    try {
        return await engine.lacks({ text: sql.text, tables, parameter, dictionary: database.dictionary }, asked, checkpoint);
    } catch (error) {
        if (error instanceof QueryFailed) return [];
        throw error;
    }
}

/** Undefined where the run did not need all rows of a table. */
function tablesOf({ program, relation }: Database, { tables = [] }: AnalysedRule): QueryInput[] | undefined {
    const inputs = tables.flatMap(({ name, predicate, columns }): QueryInput[] => {
        const rows = relation(predicate);
        const types = program.predicates.get(predicate)?.columns;
        if (rows === undefined || types === undefined) return [];
        const typed = columns.map((column, i) => ({ name: column, type: types[i]?.type ?? MIXED }));
        return [{ name, relation: predicate, columns: typed, count: rows.count, ids: rows.columns }];
    });
    return inputs.length === tables.length ? inputs : undefined;
}
