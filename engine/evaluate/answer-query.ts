import type { PredicateKey } from '#language/program/analysed-program.ts';
import { spanInSql } from '#language/program/embedded-sql.ts';
import { say } from '#language/program/say.ts';
import type { PlanStratum, QueryCall } from '../plan/plan.ts';
import { QueryFailed } from '../queries.ts';
import { stop } from '../reports.ts';
import { planOf, type RunContext, relationOf } from './run-context.ts';

/** Fills the relations of a stratum that hold the results of SQL queries (10.3). All that they read is complete. */
export async function answerQueries(stratum: Pick<PlanStratum, 'relations'>, context: RunContext): Promise<void> {
    for (const key of stratum.relations) {
        const { call } = planOf(context, key);
        if (call?.function === 'SQL') await answerQuery(key, call, context);
    }
}

async function answerQuery(key: PredicateKey, call: QueryCall, context: RunContext): Promise<void> {
    const { checkpoint, dictionary, options, parameter } = context;
    const relation = relationOf(context, key);
    const { sql, place } = call;
    const engine = options.queries ?? stop('RT062', { location: { place, span: sql.span } }, say`A SQL query`);
    const tables = call.tables.map(({ name, predicate, columns }) => {
        const { count, columns: ids } = relationOf(context, predicate);
        const types = planOf(context, predicate).columns;
        return { name, relation: predicate, columns: columns.map((column, i) => ({ name: column, type: types[i]!.type })), count, ids };
    });
    try {
        await engine.answer(
            { text: sql.text, tables, parameter, dictionary },
            {
                arity: relation.arity,
                addRows: (columns, count) => {
                    relation.offer(columns, count, 0, 0);
                    checkpoint.left -= count;
                    if (checkpoint.left < 0) checkpoint.check();
                },
                freshNull: () => dictionary.freshNull('query'),
                checkpoint: () => checkpoint.check(),
            },
        );
    } catch (error) {
        if (!(error instanceof QueryFailed)) throw error;
        const span = error.place === undefined ? sql.span : spanInSql(sql, error.place);
        stop('RT091', { location: { place, span } }, error.message);
    }
    relation.settle();
}
