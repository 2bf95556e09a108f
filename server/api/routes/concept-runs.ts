import { projectIn } from '#server/projects/project.ts';
import { type ConceptRows, runConcept, SHOWN_ROWS } from '#server/projects/run-concept.ts';
import { conceptIn } from '#server/projects/saved-concept.ts';
import type { Diagnostic } from '#server/protocol/platform/errors.ts';
import type { RouteInput } from '#server/protocol/platform/route.ts';
import type { CONCEPT_RUNS_ROUTES } from '#server/protocol/platform/routes/concept-runs.ts';
import type { PlatformRoutes } from '#server/protocol/platform/routes.ts';
import type { Scope } from '#server/store/configuration.ts';
import { nullNames, orderedValueJson } from '#server/store/ordered-value.ts';
import { storedRows } from '#server/store/results.ts';
import { type RunOfConcept, runsOf } from '#server/store/runs.ts';
import { orderOf } from '../asked-view.ts';
import { type Compute, chosenCompute } from '../compute.ts';
import { conceptDiagnosticsBy } from '../concept-diagnostics.ts';
import { conceptRunner } from '../concept-runner.ts';
import { currentRows } from '../current-rows.ts';
import type { Exchange, PlatformContext, RouteHandlers } from '../platform-context.ts';
import { remembered } from '../remembered-run.ts';
import { runParameters } from '../run-parameters.ts';
import { checkWorkspace } from './concepts.ts';

type RunBody = Omit<RouteInput<PlatformRoutes['runConcept']>['body'], 'scope' | 'diagnose'>;
type PageQuery = RouteInput<PlatformRoutes['fetchResults']>['query'];

/** The fields of a request to run, beside those that both forms have. */
interface RunWish {
    readonly scope: Scope;
    readonly projectId: string;
    readonly concept: string;
    readonly stepByStep: boolean;
    readonly persistDependencies: boolean;
    /** The answer has the problems of the concept. */
    readonly diagnoses: boolean;
}

const TIME_LIMIT = 600;
const SECOND = 1000;

/** Runs of concepts, and their stored rows; the older paths, with the name of a workspace in front, do the same. */
export function conceptRunsRoutes(
    context: PlatformContext,
): RouteHandlers<Exclude<keyof typeof CONCEPT_RUNS_ROUTES, 'viewRows' | 'validateRows'>> {
    const { store, configuration } = context;
    const diagnose = conceptDiagnosticsBy(context);

    async function run(wish: RunWish, body: RunBody, exchange: Exchange): Promise<undefined> {
        const { scope, projectId, concept } = wish;
        const parameters = runParameters(body.params);
        await projectIn(store, scope, projectId);
        const saved = await conceptIn(store, scope, projectId, concept);
        const { id: conceptId, compute } = saved;
        const diagnostics = wish.diagnoses ? diagnose(saved, exchange) : undefined;
        // A run that fails does not ask for them.
        diagnostics?.catch(() => undefined);
        const {
            backend,
            compute: engine,
            timeout_seconds: seconds = TIME_LIMIT,
        } = chosenCompute([body.compute, compute === null ? undefined : (compute as unknown as Compute)], configuration);
        const request = {
            scope,
            projectId,
            concept,
            parameters,
            rerun: body.force_rerun,
            persist: body.persist_outputs,
            persistDependencies: wish.persistDependencies,
            backend,
            ...(engine && { compute: engine }),
            timeout: seconds * SECOND,
            caller: exchange.departure,
        };
        await remembered({ scope, projectId, conceptId, parameters: [...parameters.keys()] }, context, (began, answer) =>
            runConcept({ ...request, began }, conceptRunner(context, exchange), rows =>
                answer(rows, () => exchange.sendData(runPieces(rows, wish, backend, diagnostics))),
            ),
        );
        return undefined;
    }

    async function fetch(projectId: string, query: PageQuery, exchange: Exchange): Promise<undefined> {
        const { output_predicate: name, page, page_size: size, order_by: orderBy = '' } = query;
        const scope = scopeOf(query);
        await projectIn(store, scope, projectId);
        const concept = await conceptIn(store, scope, projectId, name);
        const [{ columns, rowCount }, rows] = await currentRows(store, concept, stored => {
            const order = orderBy === '' ? [] : orderOf(orderBy, stored.columns);
            return storedRows(store, stored, { offset: Math.min((page - 1) * size, stored.rowCount), count: size, order });
        });
        const head = { output_predicate: name, columns: columns.map(column => column.name), types: columns.map(({ type }) => type) };
        const facts = { count: rowCount, page, page_size: size, total_pages: Math.ceil(rowCount / size) };
        await exchange.sendData(pagePieces(head, rows, facts));
        return undefined;
    }

    return {
        runConcept: ({ path: { project_id: projectId, concept_name: concept }, body }, exchange) =>
            run(
                { scope: body.scope, projectId, concept, stepByStep: false, persistDependencies: false, diagnoses: body.diagnose },
                body,
                exchange,
            ),
        runConceptInWorkspace: ({ path: { workspace_id: workspace, project_id: projectId }, body }, exchange) => {
            checkWorkspace(workspace);
            const { concept_name: concept, step_by_step: stepByStep, materialize_intermediate_concepts: persistDependencies } = body;
            return run({ scope: scopeOf(body), projectId, concept, stepByStep, persistDependencies, diagnoses: false }, body, exchange);
        },
        listRuns: async ({ path: { project_id: projectId }, query: { scope, limit } }) => {
            await projectIn(store, scope, projectId);
            return { data: (await runsOf(store, scope, projectId, limit)).map(runRecord) };
        },
        fetchResults: ({ path, query }, exchange) => fetch(path.project_id, query, exchange),
        fetchResultsInWorkspace: ({ path, query }, exchange) => {
            checkWorkspace(path.workspace_id);
            return fetch(path.project_id, query, exchange);
        },
    };
}

function runRecord(run: RunOfConcept) {
    return {
        concept_name: run.conceptName,
        concept_type: run.conceptType,
        execution_id: run.executionId,
        state: run.state,
        started_at: run.startedAt,
        execution_time: run.seconds,
        row_count: run.rowCount,
        cached: run.isCached,
        persisted: run.isPersisted,
        params: [...run.parameters],
        error: run.error,
    };
}

function scopeOf({ project_scope: projectScope, scope }: { readonly project_scope?: Scope; readonly scope?: Scope }): Scope {
    return projectScope ?? scope ?? 'user';
}

/** The data of an answer to a run, piece by piece. */
async function* runPieces(
    rows: ConceptRows,
    { concept, stepByStep }: RunWish,
    backend: string,
    diagnostics: Promise<readonly Diagnostic[]> | undefined,
): AsyncIterable<string> {
    yield `{"execution_id":${JSON.stringify(rows.executionId)},"results":[`;
    yield* joined(rows.rows);
    const facts = {
        execution_time: rows.took / SECOND,
        rows_processed: rows.rowCount,
        output_predicate: concept,
        columns: rows.columns.map(({ name }) => name),
        types: rows.columns.map(({ type }) => type),
        truncated: rows.rowCount > SHOWN_ROWS,
        cached: rows.isCached,
        persisted: rows.isPersisted,
        concepts_executed: rows.steps.map(step => step.concept),
        warnings: rows.warnings,
        backend,
        ...(diagnostics && { diagnostics: await diagnostics }),
        ...(stepByStep && {
            steps: rows.steps.map(step => ({
                concept_name: step.concept,
                row_count: step.rows,
                execution_time: step.milliseconds / SECOND,
            })),
        }),
    };
    yield `],${JSON.stringify(facts).slice(1)}`;
}

/** The data of a page, piece by piece. */
async function* pagePieces(head: object, rows: readonly Uint8Array[][], facts: object): AsyncIterable<string> {
    const name = nullNames();
    yield `${JSON.stringify(head).slice(0, -1)},"rows":[`;
    for (const [i, row] of rows.entries()) yield `${i === 0 ? '' : ','}[${row.map(value => orderedValueJson(value, name))}]`;
    yield `],${JSON.stringify(facts).slice(1)}`;
}

/** Characters that make a good piece. */
const ENOUGH = 64 * 1024;

async function* joined(rows: AsyncIterable<string>): AsyncIterable<string> {
    let piece = '';
    let isFirst = true;
    for await (const row of rows) {
        piece += isFirst ? row : `,${row}`;
        isFirst = false;
        if (piece.length < ENOUGH) continue;
        yield piece;
        piece = '';
        // A client that takes everything at once would keep others from their turn.
        await new Promise(setImmediate);
    }
    yield piece;
}
