import type { PredicateKey } from '#language/program/analysed-program.ts';
import { spanInSql } from '#language/program/embedded-sql.ts';
import { say } from '#language/program/say.ts';
import type { AnswerTarget } from '../answer-target.ts';
import type { PlanStratum, QueryCall, ScriptCall } from '../plan/plan.ts';
import { QueryFailed } from '../queries.ts';
import type { Relation } from '../relations/relation.ts';
import { stop } from '../reports.ts';
import { ScriptFailed } from '../scripts.ts';
import { planOf, type RunContext, relationOf } from './run-context.ts';

/** Fills the relations of a stratum that hold what the host answers: results of SQL queries (10.3), rows of scripts (12.2). All that they read is complete. */
export async function answerBodies(stratum: Pick<PlanStratum, 'relations'>, context: RunContext): Promise<void> {
    for (const key of stratum.relations) {
        const { call } = planOf(context, key);
        if (call?.function === 'SQL') await answerQuery(key, call, context);
        else if (call?.function === 'python:run') await runScript(key, call, context);
    }
}

async function answerQuery(key: PredicateKey, call: QueryCall, context: RunContext): Promise<void> {
    const { dictionary, options, parameter } = context;
    const relation = relationOf(context, key);
    const { sql, place } = call;
    const engine = options.queries ?? stop('RT062', { location: { place, span: sql.span } }, say`A SQL query`);
    const tables = call.tables.map(({ name, predicate, columns }) => {
        const { count, columns: ids } = relationOf(context, predicate);
        const types = planOf(context, predicate).columns;
        return { name, relation: predicate, columns: columns.map((column, i) => ({ name: column, type: types[i]!.type })), count, ids };
    });
    try {
        await engine.answer({ text: sql.text, tables, parameter, dictionary }, targetOf(relation, 'query', context));
    } catch (error) {
        if (!(error instanceof QueryFailed)) throw error;
        const span = error.place === undefined ? sql.span : spanInSql(sql, error.place);
        stop('RT091', { location: { place, span } }, error.message);
    }
    relation.settle();
}

async function runScript(key: PredicateKey, call: ScriptCall, context: RunContext): Promise<void> {
    const { dictionary, options, parameters } = context;
    const relation = relationOf(context, key);
    const { script, columns, location } = call;
    const engine = options.scripts ?? stop('RT060', { location }, 'python:run');
    try {
        const run = { script, file: location.place.file, columns, parameters: parameters(), dictionary };
        await engine.run(run, targetOf(relation, 'script', context));
    } catch (error) {
        if (!(error instanceof ScriptFailed)) throw error;
        const { at, ...shown } = error.shown;
        const told = { location, ...shown, script: { ...error.fault, script, ...(at && { at }) } };
        stop('RT090', told, script, error.message);
    }
    relation.settle();
}

function targetOf(relation: Relation, missing: string, { checkpoint, dictionary }: RunContext): AnswerTarget {
    return {
        arity: relation.arity,
        addRows: (columns, count) => {
            relation.offer(columns, count, 0, 0);
            checkpoint.left -= count;
            if (checkpoint.left < 0) checkpoint.check();
        },
        freshNull: () => dictionary.freshNull(missing),
        checkpoint: () => checkpoint.check(),
    };
}
