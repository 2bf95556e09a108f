import { NO_PROVIDERS } from '#engine/contracts/providers.ts';
import { say } from '#language/program/say.ts';
import { isPredicateName } from '#language/tools/build-bind.ts';
import { type ApiError, invalidFields, invalidText } from '#server/protocol/platform/api-error.ts';
import type { RULELANG_ROUTES } from '#server/protocol/platform/routes/rulelang.ts';
import type { GivenParameters } from '#server/protocol/runs.ts';
import type { LaneProgress, LaneSubject } from '#server/runs/lanes.ts';
import { chosenCompute } from '../compute.ts';
import { engineError, engineFailure, refuseLarge } from '../engine-error.ts';
import { type EvaluationRequest, evaluated, resultPieces, whatIfPieces } from '../evaluate.ts';
import { evaluationError } from '../evaluation-error.ts';
import { mutable } from '../mutable.ts';
import type { Exchange, PlatformContext, RouteHandlers } from '../platform-context.ts';
import { formUnreadable } from '../read-body.ts';
import { runParameters } from '../run-parameters.ts';
import type { ToolAnswer, ToolQuestion } from '../tool-worker.ts';
import type { Asker } from '../workers.ts';

/** Evaluations that belong to no project wait for each other. */
const LANE = 'user';
/** Milliseconds. */
const TIME_LIMIT = 600_000;
const SECOND = 1000;

type Kind = 'program_invalid' | 'sql_invalid' | 'bind_invalid';

export function rulelangRoutes(context: PlatformContext): RouteHandlers<keyof typeof RULELANG_ROUTES> {
    const { lanes, explanationLanes, evaluator, folders, reach, tools, configuration, models, log } = context;

    async function ask<K extends ToolAnswer['kind']>(
        question: ToolQuestion,
        kind: K,
        code: Kind,
        asker: Asker,
    ): Promise<Extract<ToolAnswer, { kind: K }>> {
        const answer = await tools.ask(question, asker);
        if (answer.kind === 'refused') throw invalidText(code, answer.diagnostics);
        if (answer.kind !== kind) throw new TypeError(`${question.kind} was answered with ${answer.kind}`);
        return answer as Extract<ToolAnswer, { kind: K }>;
    }

    const evaluate = async (
        request: Pick<EvaluationRequest, 'program' | 'parameters' | 'timeout' | 'compute'>,
        { departure, caller }: Exchange,
        use: Use,
    ): Promise<void> => {
        const reached = await reach(folders, [request.program]);
        const providers = () => models.programs(caller.username);
        const evaluation = { ...request, otherPrograms: [], folders: reached, providers };
        await evaluated(evaluation, evaluator, { lanes, lane: LANE, caller: departure }, use);
    };

    return {
        analyze: async ({ body }, exchange) => {
            if (body.conceptType === 'logic')
                return {
                    data: mutable((await ask({ kind: 'analyze', program: body.program }, 'interface', 'program_invalid', exchange)).value),
                };
            if (body.conceptName === undefined || body.conceptName === '') throw missing('conceptName');
            const question = { kind: 'analyze-sql', query: body.program, name: body.conceptName } as const;
            return { data: mutable((await ask(question, 'interface', 'sql_invalid', exchange)).value) };
        },
        parseBinds: async ({ body }, exchange) => {
            const output = body.outputPredicate === undefined || body.outputPredicate === '' ? {} : { output: body.outputPredicate };
            return {
                data: mutable(
                    (await ask({ kind: 'parse-binds', program: body.program, ...output }, 'binds', 'program_invalid', exchange)).value,
                ),
            };
        },
        buildBind: async ({ body }, exchange) => {
            const { bindAnnotation: annotation, predicateName: predicate, isOutput } = body;
            if (!isPredicateName(predicate)) throw badFormat('predicateName', 'name of a predicate');
            return {
                data: (await ask({ kind: 'build-bind', annotation, predicate, isOutput }, 'annotation', 'bind_invalid', exchange)).value,
            };
        },
        evaluate: async ({ body }, exchange) => {
            const parameters = runParameters(body.params);
            const { timeout_seconds: seconds, compute } = chosenCompute([body.compute], configuration);
            const timeout = seconds === undefined ? TIME_LIMIT : seconds * SECOND;
            try {
                await evaluate({ program: body.program, parameters, timeout, ...(compute && { compute }) }, exchange, (evaluation, id) =>
                    exchange.sendData(resultPieces(evaluation, id)),
                );
            } catch (error) {
                throw evaluationError(error);
            }
            return undefined;
        },
        whatIf: async ({ body }, { departure, sendData }) => {
            const { timeout_seconds: seconds } = chosenCompute([body.compute], configuration);
            const request = {
                program: body.program,
                parameters: runParameters(body.params),
                otherPrograms: [],
                folders: await reach(folders, [body.program]),
                providers: () => NO_PROVIDERS,
                timeout: seconds === undefined ? TIME_LIMIT : seconds * SECOND,
                whatIf: { without: body.without, with: body.with, set: Object.fromEntries(runParameters(body.set)) as GivenParameters },
            };
            try {
                await evaluated(request, evaluator, { lanes, lane: LANE, caller: departure }, (evaluation, id, whatIf) =>
                    whatIf === undefined ? Promise.resolve() : sendData(whatIfPieces(evaluation, id, whatIf)),
                );
            } catch (error) {
                throw evaluationError(error);
            }
            return undefined;
        },
        evaluateWithParams: async ({ query, body, form }, exchange) => {
            const began = performance.now();
            try {
                if (form === undefined) throw engineError('INVALID_PARAMETER', formUnreadable());
                if (body.program.trim() === '') throw engineError('MISSING_PARAMETER', say`Parameter 'program' is missing`);
                refuseLarge(body.program);
                await evaluate({ program: body.program, parameters: new Map(), timeout: TIME_LIMIT }, exchange, (evaluation, id) => {
                    const elapsed = query.measureElapsedTime ? [Math.round(performance.now() - began)] : [];
                    return exchange.sendRaw(200, resultPieces(evaluation, id, ...elapsed));
                });
            } catch (error) {
                const { status, headers, text, isDefect } = engineFailure(error);
                if (isDefect) {
                    const told = error instanceof Error ? (error.stack ?? '') : String(error);
                    log({ time: new Date().toISOString(), id: exchange.reply.request.id, error: told });
                }
                exchange.reply.headers(headers);
                await exchange.sendRaw(status, one(text));
            }
            return undefined;
        },
        stop: () => {
            const stopped = lanes.cancelAll('stopped') + explanationLanes.cancelAll('stopped');
            return { data: { stopped }, ...(stopped === 0 && { message: 'No evaluation in progress' }) };
        },
        listRunning: () => ({
            data: [...lanes.entries, ...explanationLanes.entries].map(({ state, since, subject, progress }) => ({
                state,
                since: new Date(since).toISOString(),
                concept: subject === undefined ? null : conceptOf(subject),
                progress: progress === undefined ? null : progressOf(progress),
            })),
        }),
        status: () => ({
            data: {
                status: lanes.isFree(LANE) ? 'ready' : 'busy',
                timestamp: new Date().toISOString(),
                running: lanes.running,
                waiting: lanes.waiting,
            },
        }),
    };
}

function conceptOf({ scope, projectId, concept, purpose }: LaneSubject) {
    return { scope, project_id: projectId, concept_name: concept, purpose };
}

function progressOf({ concept, step, steps, phase, stratum, strata, facts, filling }: LaneProgress) {
    const predicate = filling === undefined ? null : { name: filling.name, row_count: filling.rows };
    return { concept_name: concept, step, steps, phase, stratum, strata, row_count: facts, predicate };
}

type Use = Parameters<typeof evaluated>[3];

async function* one(text: string): AsyncIterable<string> {
    yield text;
}

function missing(path: string): ApiError {
    return invalidFields([{ path, issue: 'missing', expected: 'string', actual: 'absent' }]);
}

function badFormat(path: string, expected: string): ApiError {
    return invalidFields([{ path, issue: 'bad_format', expected, actual: 'string' }]);
}
