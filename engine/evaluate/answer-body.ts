import type { PredicateKey } from '#language/program/analysed-program.ts';
import { spanInSql } from '#language/program/embedded-sql.ts';
import { say } from '#language/program/say.ts';
import type { AnswerTarget } from '../contracts/answer-target.ts';
import { QueryFailed } from '../contracts/queries.ts';
import { ScriptFailed } from '../contracts/scripts.ts';
import type { PlanStratum, QueryCall, ScriptCall } from '../plan/plan.ts';
import type { Relation } from '../relations/relation.ts';
import { stop } from '../reports/reports.ts';
import { askModel, askProvided } from './ask-provided.ts';
import { askQueries } from './ask-queries.ts';
import { sortByHeight } from './groups.ts';
import { LineageRecorder } from './lineage-recorder.ts';
import type { Position } from './rounds.ts';
import { planOf, type RunContext, relationOf } from './run-context.ts';
import { evaluateShared, resumeStratum } from './semi-naive.ts';

/** Fills the relations of a stratum that hold what the host answers: results of SQL queries (10.3), rows of scripts (12.2), answers to what queries are asked for (8.6), to models and other functions of the host (7.6). All that they read is complete. */
async function answerBodies(stratum: Pick<PlanStratum, 'relations'>, context: RunContext): Promise<void> {
    for (const key of stratum.relations) {
        const { call } = planOf(context, key);
        if (call?.function === 'SQL') await answerQuery(key, call, context);
        else if (call?.function === 'python:run') await runScript(key, call, context);
        else if (call?.function === 'qbind') await askQueries(key, call, context);
        else if (call?.function === 'LLM') await askModel(key, call, context);
        else if (call?.function === 'provided') await askProvided(key, call, context);
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
    const target = targetOf(relation, 'query', context);
    const told = tellsLineage(context) ? new LineageRecorder(MOST_TOLD) : undefined;
    try {
        await engine.answer(
            { text: sql.text, tables, parameter, dictionary },
            told === undefined ? target : recording(target, told, call, context),
        );
    } catch (error) {
        if (!(error instanceof QueryFailed)) throw error;
        const span = error.place === undefined ? sql.span : spanInSql(sql, error.place);
        stop('RT091', { location: { place, span } }, error.message);
    }
    relation.settle();
    const lineage = told?.of(relation);
    if (lineage !== undefined) context.lineages.set(key, lineage);
}

/** Numbers of rows that are kept for the result of one query, besides one match for each of its rows. */
const MOST_TOLD = 1 << 24;

/** Rows keep their numbers only where no equality head replaces values. */
function tellsLineage({ options, plan }: RunContext): boolean {
    return options.heights === true && plan.strata.every(({ equalities }) => equalities === undefined);
}

function recording(target: AnswerTarget, told: LineageRecorder, { tables }: QueryCall, { memory }: RunContext): AnswerTarget {
    const predicates = new Map(tables.map(({ name, predicate }) => [name.toLowerCase(), predicate]));
    return {
        ...target,
        tellsLineage: (kind, names) =>
            told.begin(
                kind,
                names.flatMap(name => predicates.get(name.toLowerCase()) ?? []),
            ),
        addRows: (columns, count, lineageOf) => {
            target.addRows(columns, count);
            if (lineageOf !== undefined) memory.reserve(told.add(columns, count, lineageOf));
        },
    };
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

/** Evaluates a stratum whose lower strata are complete, with what the host answers, and returns the number of its rounds. */
export async function evaluateAnswered(stratum: PlanStratum, position: Position, context: RunContext): Promise<number> {
    await answerBodies(stratum, context);
    let rounds = await evaluateShared(stratum, position, context);
    const isAsking = (key: PredicateKey): boolean => ['qbind', 'provided'].includes(planOf(context, key).call?.function ?? '');
    const asking = stratum.recursive ? stratum.relations.filter(isAsking) : [];
    if (asking.length === 0) return rounds;
    const read = new Set([...stratum.relations, ...stratum.rules.flatMap(({ literals }) => literals.map(({ relation }) => relation))]);
    for (;;) {
        const seen = new Map([...read].map(key => [key, relationOf(context, key).count]));
        await answerBodies({ relations: asking }, context);
        if (asking.every(key => relationOf(context, key).count === seen.get(key))) return rounds;
        // Where isomorphic facts are dropped, all matches count again.
        rounds += resumeStratum(stratum, context.trees === undefined ? seen : new Map(), position, context);
        if (context.options.heights) for (const key of stratum.relations) sortByHeight(relationOf(context, key));
    }
}
