import { type TSchema, Type } from 'typebox';
import { FILTER_OPERATORS } from '../../runs.ts';
import { DIAGNOSTIC } from '../diagnostic.ts';
import { type RouteDescription, route } from '../route.ts';
import { COMPUTE, defaulted, KIBIBYTE, oneOf, optional, PARAMETERS, SCOPE, text } from '../schema.ts';

const names = Type.Array(Type.String());
/** `project_scope` and its other name `scope`; the first one counts, and `user` where there is none. */
const scope = oneOf(['user', 'organization'], 'invalid_scope');
const rows = Type.Array(Type.Array(Type.Unknown()));
const executed = Type.Object({
    execution_id: Type.String(),
    /** At most the first 10,000. */
    results: rows,
    /** Seconds. */
    execution_time: Type.Number(),
    rows_processed: Type.Integer(),
    output_predicate: Type.String(),
    columns: names,
    types: names,
    truncated: Type.Boolean(),
    cached: Type.Boolean(),
    persisted: Type.Boolean(),
    concepts_executed: names,
    warnings: names,
    backend: Type.String(),
    /** Warnings about values, sources, queries and scripts, if they were asked for. */
    diagnostics: optional(Type.Array(DIAGNOSTIC)),
    steps: optional(Type.Array(Type.Object({ concept_name: Type.String(), row_count: Type.Integer(), execution_time: Type.Number() }))),
});
const fetched = Type.Object({
    output_predicate: Type.String(),
    columns: names,
    types: names,
    rows,
    count: Type.Integer(),
    page: Type.Integer(),
    page_size: Type.Integer(),
    total_pages: Type.Integer(),
});
const page = Type.Object({
    output_predicate: Type.String(),
    page: defaulted(Type.Integer({ minimum: 1 }), 1),
    page_size: defaulted(Type.Integer({ minimum: 1, maximum: 1000 }), 30),
    project_scope: optional(scope),
    scope: optional(scope),
    order_by: optional(Type.String({ 'x-may-be-empty': true, description: '`column[:asc|desc]`, by index or name, several with commas.' })),
});

const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);
const run = Type.Object({
    concept_name: Type.String(),
    concept_type: Type.String(),
    /** Of the run that made the rows. */
    execution_id: nullable(Type.String()),
    state: oneOf(['succeeded', 'failed', 'stopped', 'timed_out']),
    started_at: Type.String(),
    /** Seconds. */
    execution_time: Type.Number(),
    row_count: nullable(Type.Integer()),
    cached: Type.Boolean(),
    persisted: Type.Boolean(),
    /** Names only. */
    params: names,
    error: nullable(Type.Object({ code: Type.String(), message: Type.String() })),
});

const view = Type.Object({
    concept_name: Type.String(),
    scope: SCOPE,
    offset: defaulted(Type.Integer({ minimum: 0 }), 0),
    limit: defaulted(Type.Integer({ minimum: 1, maximum: 1000 }), 200),
    order_by: page.properties.order_by,
    filters: optional(
        text(8 * KIBIBYTE, {
            mayBeEmpty: true,
            description: `JSON: a list of {"column", "operator", "value"}; operators are ${FILTER_OPERATORS.join(', ')}.`,
        }),
    ),
    search: optional(text(KIBIBYTE, { mayBeEmpty: true, description: 'Keeps rows with a value whose text contains this.' })),
});
const viewed = Type.Object({
    execution_id: Type.String(),
    columns: names,
    types: names,
    /** Of all rows, and of those that pass. */
    count: Type.Integer(),
    matching: Type.Integer(),
    /** Of each row, in the stored order. */
    numbers: Type.Array(Type.Integer()),
    rows,
});

const RUN_ERRORS = [
    'invalid_scope',
    'invalid_compute',
    'invalid_param_value',
    'project_not_found',
    'concept_not_found',
    'evaluation_stopped',
    'program_invalid',
    'analysis_timeout',
    'missing_parameter',
    'dependency_cycle',
    'evaluation_failed',
    'result_too_large',
    'source_unavailable',
    'compute_unavailable',
    'python_unavailable',
    'script_not_found',
    'script_no_main',
    'script_bad_result',
    'script_columns_mismatch',
    'script_failed',
    'engine_busy',
    'evaluation_timeout',
] as const;
const FETCH_ERRORS = ['invalid_scope', 'invalid_order_by', 'project_not_found', 'concept_not_found', 'results_not_found'] as const;

export const CONCEPT_RUNS_ROUTES = {
    runConcept: route({
        method: 'POST',
        path: '/concepts/:project_id/run/:concept_name',
        summary: 'Evaluates a concept with all that it depends on',
        viewer: false,
        body: Type.Object({
            params: optional(PARAMETERS),
            force_rerun: defaulted(Type.Boolean(), true),
            persist_outputs: defaulted(Type.Boolean(), true),
            scope: SCOPE,
            compute: optional(COMPUTE),
            /** The answer has `diagnostics`. */
            diagnose: defaulted(Type.Boolean(), false),
        }),
        data: executed,
        message: 'Concept executed',
        errors: RUN_ERRORS,
    }),
    runConceptInWorkspace: route({
        method: 'POST',
        path: '/concepts/:workspace_id/:project_id/run',
        summary: 'The older form of running a concept',
        viewer: false,
        body: Type.Object({
            concept_name: Type.String(),
            params: optional(PARAMETERS),
            force_rerun: defaulted(Type.Boolean(), true),
            persist_outputs: defaulted(Type.Boolean(), false),
            project_scope: optional(scope),
            scope: optional(scope),
            step_by_step: defaulted(Type.Boolean(), false),
            materialize_intermediate_concepts: defaulted(Type.Boolean(), false),
            compute: optional(COMPUTE),
        }),
        data: executed,
        message: 'Concept executed',
        errors: RUN_ERRORS,
    }),
    listRuns: route({
        method: 'GET',
        path: '/concepts/:project_id/runs',
        summary: 'The last runs of the concepts of a project, the latest first; an addition of this server',
        viewer: true,
        query: Type.Object({ scope: SCOPE, limit: defaulted(Type.Integer({ minimum: 1, maximum: 200 }), 30) }),
        data: Type.Array(run),
        message: 'Runs listed',
        errors: ['invalid_scope', 'project_not_found'],
    }),
    fetchResults: route({
        method: 'GET',
        path: '/concepts/:project_id/fetch',
        summary: 'Stored rows of a concept, page by page',
        viewer: true,
        query: page,
        data: fetched,
        message: 'Results fetched',
        errors: FETCH_ERRORS,
    }),
    viewRows: route({
        method: 'GET',
        path: '/concepts/:project_id/rows',
        summary: 'Stored rows of a concept, sorted, filtered and searched, with their numbers; an addition of this server',
        viewer: true,
        query: view,
        data: viewed,
        message: 'Rows read',
        errors: [...FETCH_ERRORS, 'evaluation_stopped'],
    }),
    validateRows: route({
        method: 'POST',
        path: '/concepts/:project_id/validate',
        summary: 'What the language model has against stored rows of a concept by a rule in words; an addition of this server',
        viewer: false,
        body: Type.Object({
            concept_name: text(4 * KIBIBYTE),
            rule: text(4 * KIBIBYTE),
            limit: defaulted(Type.Integer({ minimum: 1, maximum: 1000, description: 'Rows that are checked, from the first.' }), 200),
            scope: SCOPE,
        }),
        data: Type.Object({
            execution_id: Type.String(),
            model: Type.String(),
            columns: names,
            /** Stored rows, and those that the model was shown. */
            count: Type.Integer(),
            checked: Type.Integer(),
            /** `row` is its number in the stored order, from 0. */
            objections: Type.Array(Type.Object({ row: Type.Integer(), values: Type.Array(Type.Unknown()), reason: Type.String() })),
            /** Objections that named no row, or gave no reason. */
            dropped: Type.Integer(),
        }),
        message: 'Rows validated',
        errors: [...FETCH_ERRORS, 'evaluation_stopped', 'usage_limit_reached', 'llm_not_configured', 'llm_failed'],
    }),
    fetchResultsInWorkspace: route({
        method: 'GET',
        path: '/concepts/:workspace_id/:project_id/fetch',
        summary: 'The older form of fetching stored rows',
        viewer: true,
        query: page,
        data: fetched,
        message: 'Results fetched',
        errors: FETCH_ERRORS,
    }),
} as const satisfies Record<string, RouteDescription>;
