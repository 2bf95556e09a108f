/** One code of the error table: its HTTP status and its words. */
interface ApiErrorEntry {
    readonly http: number;
    readonly message: (...words: never[]) => string;
}

/** Every error that the platform API answers with, by its stable code. Messages are one sentence without a final dot. */
export const API_ERRORS = {
    bad_request: { http: 400, message: (reason: string) => `Malformed HTTP request: ${reason}` },
    request_timeout: { http: 408, message: () => 'The request did not arrive in time' },
    headers_too_large: { http: 431, message: () => 'The request headers are too large' },
    invalid_json: { http: 400, message: (reason: string) => `Request body is not valid JSON: ${reason}` },
    validation_error: {
        http: 400,
        message: (path: string, issue: string, more: number) =>
            `Invalid request: ${path === '' ? 'body' : path} ${issue}${more > 0 ? ` (and ${more} more)` : ''}`,
    },
    invalid_path: { http: 400, message: (segment: string) => `Malformed path segment '${segment}'` },
    invalid_scope: { http: 400, message: (value: string) => `Unknown scope '${value}'; use 'user' or 'organization'` },
    invalid_concept_type: { http: 400, message: (value: string) => `Unknown concept type '${value}'; use 'logic' or 'sql'` },
    invalid_compute: { http: 400, message: (reason: string) => `Invalid compute configuration: ${reason}` },
    invalid_param_value: { http: 400, message: (name: string) => `Parameter '${name}' has an unsupported value` },
    invalid_order_by: { http: 400, message: (value: string, reason: string) => `Invalid order_by '${value}': ${reason}` },
    unsupported_database_type: { http: 400, message: (type: string) => `Unsupported databaseType '${type}'` },
    invalid_document_type: { http: 400, message: (type: string) => `Unsupported documentType '${type}'` },
    token_missing: { http: 401, message: () => 'Missing bearer token' },
    token_invalid: { http: 401, message: () => 'Invalid token' },
    token_expired: { http: 401, message: () => 'Token expired' },
    forbidden: { http: 403, message: (role: string) => `Role '${role}' may not call this route` },
    workspace_mismatch: { http: 403, message: (workspace: string) => `Token does not belong to ${workspace}` },
    host_not_allowed: { http: 403, message: (host: string) => `Host '${host}' is not allowed` },
    route_not_found: { http: 404, message: (method: string, path: string) => `No route ${method} ${path}` },
    method_not_allowed: { http: 405, message: (method: string, path: string) => `${method} is not allowed on ${path}` },
    project_not_found: { http: 404, message: (id: string, scope: string) => `Project '${id}' does not exist in scope '${scope}'` },
    concept_not_found: {
        http: 404,
        message: (name: string, project: string) => `Concept '${name}' does not exist in project '${project}'`,
    },
    dashboard_not_found: {
        http: 404,
        message: (id: string, project: string) => `Dashboard '${id}' does not exist in project '${project}'`,
    },
    results_not_found: { http: 404, message: (name: string) => `Concept '${name}' has no stored results; run it with persist_outputs` },
    proposal_not_found: { http: 404, message: (id: string) => `No proposal '${id}' waits in this session` },
    explanation_not_found: { http: 404, message: () => 'This explanation is no longer kept; ask for it again' },
    name_conflict: { http: 409, message: (name: string) => `A concept named '${name}' already exists` },
    id_conflict: { http: 409, message: (id: string, scope: string) => `Project id '${id}' is taken in scope '${scope}'` },
    results_replaced: { http: 409, message: (name: string) => `The rows of '${name}' were replaced by a later run; read them again` },
    session_busy: { http: 409, message: (id: string) => `Session '${id}' is busy` },
    evaluation_stopped: { http: 409, message: () => 'Evaluation was stopped' },
    payload_too_large: { http: 413, message: (what: string, limit: number, unit = 'bytes') => `${what} exceeds ${limit} ${unit}` },
    unsupported_media_type: { http: 415, message: (type: string) => `Content-Type must be ${type}` },
    program_invalid: { http: 422, message: (place: string, reason: string) => `Program is not valid: ${place}${reason}` },
    sql_invalid: { http: 422, message: (place: string, reason: string) => `SQL is not valid: ${place}${reason}` },
    bind_invalid: { http: 422, message: (place: string, reason: string) => `Bind is not valid: ${place}${reason}` },
    analysis_timeout: { http: 422, message: (kind: string, limit: string) => `Reading the ${kind} took ${limit}` },
    export_invalid: { http: 422, message: () => 'Not a rulelang export of version 1' },
    no_output_predicate: { http: 422, message: (reason: string) => `No output predicate: ${reason}` },
    ambiguous_output_predicate: {
        http: 422,
        message: (names: readonly string[]) => `Several outputs (${names.join(', ')}); name one with output_predicate`,
    },
    python_not_standalone: { http: 422, message: () => 'python:run must be the whole body of the only rule' },
    script_not_found: { http: 422, message: (name: string) => `Script '${name}' is not in python_scripts` },
    script_no_main: { http: 422, message: (name: string) => `Script '${name}' must define main() or main(params)` },
    script_bad_result: { http: 422, message: () => 'main must return a list of dictionaries' },
    script_columns_mismatch: {
        http: 422,
        message: (row: number, expected: readonly string[], actual: readonly string[]) =>
            `Row ${row} has columns ${actual.join(', ')}, expected ${expected.join(', ')}`,
    },
    script_failed: { http: 422, message: (reason: string) => reason },
    rdf_invalid: { http: 422, message: (place: string, reason: string) => `RDF is not valid: ${place}${reason}` },
    owl_invalid: { http: 422, message: (place: string, reason: string) => `OWL is not valid: ${place}${reason}` },
    missing_parameter: { http: 422, message: (name: string) => `No value for parameter '${name}'` },
    dependency_cycle: { http: 422, message: (cycle: readonly string[]) => `Concepts depend on each other: ${cycle.join(' -> ')}` },
    evaluation_failed: { http: 422, message: (what: string, reason: string) => `Evaluation failed in '${what}': ${reason}` },
    result_too_large: { http: 422, message: (rows: number, predicate: string) => `More than ${rows} rows in '${predicate}'` },
    source_unavailable: { http: 422, message: (reason: string, source = 'a source') => `Cannot read ${source}: ${reason}` },
    not_explainable: { http: 422, message: (name: string, reason: string) => `A row of '${name}' cannot be explained: ${reason}` },
    usage_limit_reached: { http: 429, message: (limit: number) => `LLM usage limit of ${limit} reached` },
    internal_error: { http: 500, message: () => 'Internal error' },
    llm_failed: { http: 502, message: (reason: string) => `LLM provider failed: ${reason}` },
    llm_bad_response: { http: 502, message: () => 'LLM answer contains no valid program' },
    llm_not_configured: { http: 503, message: (reason: string) => `No LLM is configured: ${reason}` },
    compute_unavailable: { http: 503, message: (backend: string) => `Compute back end '${backend}' is not available` },
    python_unavailable: { http: 503, message: (reason: string) => `Python is not available: ${reason}` },
    engine_busy: { http: 503, message: () => 'Too many evaluations are waiting' },
    server_busy: { http: 503, message: () => 'Too many requests are being answered' },
    store_unavailable: { http: 503, message: (reason: string) => `The store is not available: ${reason}` },
    shutting_down: { http: 503, message: () => 'Service is shutting down' },
    evaluation_timeout: { http: 504, message: (seconds: number) => `Evaluation exceeded ${seconds} s` },
} as const satisfies Record<string, ApiErrorEntry>;

/** Errors of every route that reads a text in a thread. */
export const READING_ERRORS = ['analysis_timeout', 'engine_busy'] as const satisfies readonly ApiErrorCode[];

export type ApiErrorCode = keyof typeof API_ERRORS;

/** A mistake in one field of a request. */
export interface FieldFault {
    readonly path: string;
    readonly issue: 'missing' | 'wrong_type' | 'out_of_range' | 'bad_format' | 'too_long' | 'not_allowed';
    readonly expected: string;
    readonly actual: string;
}

/** A problem of a text. Positions are one-based, in UTF-16 units; the end is exclusive. */
export interface Diagnostic {
    readonly message: string;
    readonly severity: 'error' | 'warning' | 'information' | 'hint';
    readonly line: number;
    readonly column: number;
    readonly end_line: number;
    readonly end_column: number;
    readonly code: string;
}
