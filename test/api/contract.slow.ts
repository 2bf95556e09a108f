import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callsTo, V1 } from './calls.ts';
import { type Services, startServices } from './services.ts';

/** The statements of the contract that one call can show, in the words of its tables; later ones build on what earlier ones saved. */

let services: Services;
const { call } = callsTo(() => services);
const NO_KEY = expect.stringMatching(/^No LLM is configured: LLM_API_KEY has no value; /u);

beforeAll(async () => {
    services = await startServices({ 'people.csv': 'name,age\nAnn,30\nBob,41\n' });
});

afterAll(async () => {
    await services.stop();
});

interface Expected {
    readonly status: number;
    readonly body: object;
    /** Paths and issues, all of them. */
    readonly faults?: readonly (readonly [path: string, issue: string])[];
}

/** What a call says, the call, its body, and what has to come back. */
type Statement = readonly [says: string, call: string, body: unknown, expected: Expected];

const given = (data: unknown, message?: string): Expected => ({
    status: 200,
    body: { data, status: 'success', ...(message !== undefined && { message }) },
});
const refused = (status: number, code: string, message: unknown = expect.any(String), details?: object): Expected => ({
    status,
    body: { status: status === 409 ? 'conflict' : 'error', code, message, data: null, ...(details !== undefined && { details }) },
});
const faulty = (...faults: (readonly [string, string])[]): Expected => ({ ...refused(400, 'validation_error'), faults });
const missing = (...paths: string[]): Expected => faulty(...paths.map(path => [path, 'missing'] as const));

const UUID = expect.stringMatching(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u);
const MOMENT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u);
const NOWHERE = "Project 'nope' does not exist in scope 'user'";
const TEAM = refused(400, 'invalid_scope', "Unknown scope 'team'; use 'user' or 'organization'");
const CITIES = `city("Rome", 2800000). city("Milan", 1300000). city("Orvieto", 20000).
big_city(C) :- city(C, P), P > 1000000.
@output("big_city").`;
const NUMBERS = `@output("f"). ${Array.from({ length: 45 }, (_, i) => `f(${(i * 7) % 45}, "n${(i * 7) % 3}").`).join(' ')}`;
const VALUES = 'v(1, 9007199254740993, 1.5, "s", #T, 2024-05-01, 2024-05-01 10:00:00, [3, 1, 2], {3, 1, 2}). @output("v").';
const CELLS = [1, '9007199254740993', 1.5, 's', true, '2024-05-01', '2024-05-01T10:00:00', [3, 1, 2], [1, 2, 3]];
const TYPES = ['INT', 'INT', 'DOUBLE', 'STRING', 'BOOLEAN', 'DATE', 'DATETIME', 'LIST', 'SET'];

// biome-ignore format: one statement in a line.
const PROJECTS: readonly Statement[] = [
    ['a project with an id of its own', 'POST /projects/save', { project: { id: 'p', name: 'P' }, extra: 1 }, given({ project_id: 'p', id: 'p', name: 'P', scope: 'user', description: '', metadata: {}, author: expect.any(String), created_at: MOMENT, updated_at: MOMENT, concept_count: 0, created: true }, 'Project saved')],
    ['null keeps what is there', 'POST /projects/save', { project: { id: 'p', name: null, scope: null } }, given({ name: 'P', created: false })],
    ['the server makes ids', 'POST /projects/save', { project: { name: 'other' } }, given({ id: UUID, created: true })],
    ['a project in the other scope', 'POST /projects/save', { project: { id: 'o', name: 'O', scope: 'organization' } }, given({ scope: 'organization' })],
    ['one id in two scopes', 'POST /projects/save', { project: { id: 'o', name: 'O' } }, refused(409, 'id_conflict', "Project id 'o' is taken in scope 'organization'")],
    ['words of routes are no ids', 'POST /projects/save', { project: { id: 'run', name: 'x' } }, faulty(['project.id', 'bad_format'])],
    ['a name is needed', 'POST /projects/save', { project: { id: 'new' } }, missing('project.name')],
    ['an empty body is an object', 'POST /projects/save', undefined, missing('project')],
    ['a body is an object', 'POST /projects/save', [], refused(400, 'validation_error')],
    ['a long name', 'POST /projects/save', { project: { name: 'x'.repeat(201) } }, faulty(['project.name', 'too_long'])],
    ['projects of both scopes', 'GET /projects/list?scopes=user,organization', undefined, given([{ id: 'p' }, { name: 'other' }, { id: 'o' }])],
    ['one of the scopes is none', 'GET /projects/list?scopes=user,team', undefined, TEAM],
    ['no such project', 'GET /projects/load?project_id=nope', undefined, refused(404, 'project_not_found', NOWHERE)],
    ['no such path', 'GET /nothing?x=1', undefined, refused(404, 'route_not_found', 'No route GET /api/v1/nothing')],
    ['a slash at the end', 'GET /projects/list/', undefined, refused(404, 'route_not_found', 'No route GET /api/v1/projects/list/')],
    ['no such method', 'GET /projects/save', undefined, refused(405, 'method_not_allowed', 'GET is not allowed on /api/v1/projects/save')],
    ['a path that cannot be decoded', 'GET /concepts/%zz/list', undefined, refused(400, 'invalid_path', "Malformed path segment '%zz'")],
];

// biome-ignore format: one statement in a line.
const SAVES: readonly Statement[] = [
    ['a concept', 'POST /concepts/p/save', { definition: CITIES }, given({ id: UUID, predicate_name: 'big_city', concept_name: 'big_city', output_predicate: 'big_city', concept_type: 'logic', row_count: 0, definition: CITIES, description: '', python_scripts: {}, binds: {}, position: null, group: 'group_id', compute: null, params: [], columns: [{ name: 'C', type: 'STRING' }], dependencies: [], is_populated: false, is_stale: false, scope: 'user', project_id: 'p', created_at: MOMENT, updated_at: MOMENT, created: true }, 'Concept saved')],
    ['nulls are absent', 'POST /concepts/p/save', { definition: CITIES, scope: null, python_scripts: null, description: null, concept_type: null, concept_name: null, binds: null, output_predicate: null, existing_name: null, position: null, group: null, compute: null }, given({ created: false })],
    ['a definition is needed', 'POST /concepts/p/save', { definition: null }, missing('definition')],
    ['all faults at once, before the project is looked for', 'POST /concepts/nope/save', { definition: 1, description: 2, binds: [] }, faulty(['definition', 'wrong_type'], ['description', 'wrong_type'], ['binds', 'wrong_type'])],
    ['no such project', 'POST /concepts/nope/save', { definition: 'a(1).' }, refused(404, 'project_not_found', NOWHERE)],
    ['no such scope', 'POST /concepts/p/save', { definition: 'a(1).', scope: 'team' }, TEAM],
    ['no such type', 'POST /concepts/p/save', { definition: 'a(1).', concept_type: 'python' }, refused(400, 'invalid_concept_type', "Unknown concept type 'python'; use 'logic' or 'sql'")],
    ['no program', 'POST /concepts/p/save', { definition: 'a(X) :- b(' }, refused(422, 'program_invalid', expect.stringMatching(/^Program is not valid: line 1, column \d+: ./u), { diagnostics: expect.arrayContaining([expect.objectContaining({ line: 1, severity: 'error' })]) })],
    ['no SQL', 'POST /concepts/p/save', { definition: 'SELEC', concept_type: 'sql', concept_name: 'q' }, refused(422, 'sql_invalid', expect.stringMatching(/^SQL is not valid: line 1, column \d+: ./u))],
    ['SQL needs a name', 'POST /concepts/p/save', { definition: 'SELECT 1', concept_type: 'sql' }, missing('concept_name')],
    ['two outputs', 'POST /concepts/p/save', { definition: 'x(1). y(2). @output("x"). @output("y").' }, refused(422, 'ambiguous_output_predicate', 'Several outputs (x, y); name one with output_predicate')],
    ['no output', 'POST /concepts/p/save', { definition: 'x(1). y(2).' }, refused(422, 'no_output_predicate', expect.stringMatching(/^No output predicate: ./u))],
    ['another name may be meant', 'POST /concepts/p/save', { definition: 'x(Y) :- y(Y).', existing_name: 'big_citi' }, refused(404, 'concept_not_found', "Concept 'big_citi' does not exist in project 'p'", { concept_name: 'big_citi', did_you_mean: ['big_city'] })],
    ['scripts stand alone', 'POST /concepts/p/save', { definition: 'w(A) :- python:run("s"), a(A).', python_scripts: { s: 'x' } }, refused(422, 'python_not_standalone', 'python:run must be the whole body of the only rule')],
    ['scripts are there', 'POST /concepts/p/save', { definition: 'w(A) :- python:run("t").', python_scripts: { s: 'x' } }, refused(422, 'script_not_found', "Script 't' is not in python_scripts")],
    ['a large definition', 'POST /concepts/p/save', { definition: `a(1).${' '.repeat(1024 * 1024)}` }, refused(413, 'payload_too_large', 'definition exceeds 1048576 bytes')],
    ['no such back end', 'POST /concepts/p/save', { definition: 'a(1).', compute: { backend: 'abc' } }, refused(400, 'invalid_compute', expect.stringMatching(/^Invalid compute configuration: ./u))],
    ['the older form', 'POST /concepts/w/p/save', { concept_logic: 'old(1). old(2). @output("old").' }, given({ predicate_name: 'old' }, 'Concept saved')],
    ['the older form has a name of its own', 'POST /concepts/w/p/save', { definition: 'old(1).' }, missing('concept_logic')],
];

// biome-ignore format: one statement in a line.
const RUNS: readonly Statement[] = [
    ['a run', 'POST /concepts/p/run/big_city', { params: null, concept_name: 5 }, given({ execution_id: UUID, results: [['Milan'], ['Rome']], execution_time: expect.any(Number), rows_processed: 2, output_predicate: 'big_city', columns: ['C'], types: ['STRING'], truncated: false, cached: false, persisted: true, concepts_executed: ['big_city'], warnings: [], backend: 'local' }, 'Concept executed')],
    ['rows that are there', 'POST /concepts/p/run/big_city', { force_rerun: false }, given({ cached: true, concepts_executed: [], rows_processed: 2 })],
    ['no booleans', 'POST /concepts/p/run/big_city', { force_rerun: 1, persist_outputs: 'true' }, faulty(['force_rerun', 'wrong_type'], ['persist_outputs', 'wrong_type'])],
    ['no such concept', 'POST /concepts/p/run/big', {}, refused(404, 'concept_not_found', "Concept 'big' does not exist in project 'p'")],
    ['no such project', 'POST /concepts/nope/run/x', {}, refused(404, 'project_not_found', NOWHERE)],
    ['objects are no parameters', 'POST /concepts/p/run/big_city', { params: { a: {} } }, refused(400, 'invalid_param_value', "Parameter 'a' has an unsupported value")],
    ['a back end that is not there', 'POST /concepts/p/run/big_city', { compute: { backend: 'spark' } }, refused(503, 'compute_unavailable', "Compute back end 'spark' is not available", { backend: 'spark' })],
    ['a leaf with a default', 'POST /concepts/p/save', { definition: '@param("k", 1). leaf(X) :- X = ?k. @output("leaf").' }, given({ params: [{ name: 'k', default: 1 }] })],
    ['a leaf without', 'POST /concepts/p/save', { definition: 'leaf2(X) :- X = ?k. @output("leaf2").' }, given({ params: [] })],
    ['what reads both', 'POST /concepts/p/save', { definition: '@param("k", 2). top(X, Y) :- leaf(X), leaf2(Y). @output("top").' }, given({ dependencies: ['leaf', 'leaf2'] })],
    ['the nearest default counts', 'POST /concepts/p/run/top', {}, given({ results: [[2, 2]], concepts_executed: ['leaf', 'leaf2', 'top'] })],
    ['a repeated default is no change', 'POST /concepts/p/run/top', { force_rerun: false, params: { k: 2, zz: 1 } }, given({ cached: true })],
    ['values of the run count more', 'POST /concepts/p/run/top', { force_rerun: false, params: { k: 9 }, persist_outputs: false }, given({ results: [[9, 9]], cached: false, persisted: false })],
    ['no value', 'POST /concepts/p/run/leaf2', { params: { k: null } }, refused(422, 'missing_parameter', "No value for parameter 'k'", { parameters: ['k'], concept_name: 'leaf2' })],
    ['values are no text of programs', 'POST /concepts/p/run/leaf2', { params: { k: 'a"). evil("' } }, given({ results: [['a"). evil("']], types: ['STRING'] })],
    ['half of a cycle', 'POST /concepts/p/save', { definition: 'ca(X) :- cb(X).' }, given({ dependencies: [] })],
    ['the other half', 'POST /concepts/p/save', { definition: 'cb(X) :- ca(X).' }, given({ dependencies: ['ca'] })],
    ['a cycle', 'POST /concepts/p/run/ca', {}, refused(422, 'dependency_cycle', 'Concepts depend on each other: ca -> cb -> ca', { cycle: ['ca', 'cb', 'ca'] })],
    ['what is not defined', 'POST /concepts/p/save', { definition: 'u(X) :- foo(X).' }, given({ created: true })],
    ['is empty', 'POST /concepts/p/run/u', {}, given({ results: [], warnings: ["Predicate 'foo' is not defined; treated as empty"] })],
    ['all kinds of values', 'POST /concepts/p/save', { definition: VALUES }, given({ created: true })],
    ['values', 'POST /concepts/p/run/v', {}, given({ results: [CELLS], types: TYPES })],
    ['the older form persists nothing', 'POST /concepts/w/p/run', { concept_name: 'old', project_scope: 'user', scope: 'organization' }, given({ persisted: false, results: [[1], [2]] }, 'Concept executed')],
    ['the older form needs a name', 'POST /concepts/w/p/run', {}, missing('concept_name')],
    ['step by step', 'POST /concepts/w/p/run', { concept_name: 'top', step_by_step: true }, given({ steps: [{ concept_name: 'leaf', row_count: 1 }, { concept_name: 'leaf2' }, { concept_name: 'top' }] })],
];

// biome-ignore format: one statement in a line.
const PAGES: readonly Statement[] = [
    ['forty-five rows', 'POST /concepts/p/save', { definition: NUMBERS }, given({ created: true })],
    ['nothing is stored yet', 'GET /concepts/p/fetch?output_predicate=f', undefined, refused(404, 'results_not_found', "Concept 'f' has no stored results; run it with persist_outputs")],
    ['now it is', 'POST /concepts/p/run/f', {}, given({ rows_processed: 45 })],
    ['thirty at a time', 'GET /concepts/p/fetch?output_predicate=f', undefined, given({ output_predicate: 'f', columns: ['f_0', 'f_1'], types: ['INT', 'STRING'], rows: expect.toSatisfy((rows: unknown[]) => rows.length === 30), count: 45, page: 1, page_size: 30, total_pages: 2 }, 'Results fetched')],
    ['behind the last', 'GET /concepts/p/fetch?output_predicate=f&page=99999999999999999999', undefined, given({ rows: [], count: 45 })],
    ['the last of a repeated key', 'GET /concepts/p/fetch?output_predicate=f&page_size=5&page_size=2&page=2', undefined, given({ rows: [[2, 'n2'], [3, 'n0']], page_size: 2, total_pages: 23 })],
    ['ordered', 'GET /concepts/p/fetch?output_predicate=f&order_by=F_1:desc,0&page_size=2', undefined, given({ rows: [[2, 'n2'], [5, 'n2']] })],
    ['ties keep their order', 'GET /concepts/w/p/fetch?output_predicate=f&order_by=1&page_size=2', undefined, given({ rows: [[0, 'n0'], [3, 'n0']] })],
    ['an empty order is none', 'GET /concepts/p/fetch?output_predicate=f&order_by=&page_size=1', undefined, given({ rows: [[0, 'n0']] })],
    ['no order', 'GET /concepts/p/fetch?output_predicate=f&order_by=9', undefined, refused(400, 'invalid_order_by', expect.stringMatching(/^Invalid order_by '9': ./u))],
    ['no numbers', 'GET /concepts/p/fetch?page=0&page_size=1001', undefined, faulty(['output_predicate', 'missing'], ['page', 'out_of_range'], ['page_size', 'out_of_range'])],
    ['no integer', 'GET /concepts/p/fetch?output_predicate=f&page=1.0', undefined, faulty(['page', 'bad_format'])],
    ['stored values', 'GET /concepts/p/fetch?output_predicate=v', undefined, given({ rows: [CELLS], types: TYPES })],
    ['no rows', 'GET /concepts/p/fetch?output_predicate=u', undefined, given({ rows: [], count: 0, total_pages: 0 })],
    ['the scope of the project wins', 'GET /concepts/p/fetch?output_predicate=f&scope=organization&project_scope=user', undefined, given({ count: 45 })],
    ['a scope under its other name', 'GET /concepts/p/fetch?output_predicate=f&scope=organization', undefined, refused(404, 'project_not_found', "Project 'p' does not exist in scope 'organization'")],
    ['another name', 'POST /concepts/p/rename', { name: 'leaf2', new_name: 'leaf3' }, given({ name: 'leaf3', previous_name: 'leaf2', updated_concepts: ['top'] }, 'Concept renamed')],
    ['a name that is taken', 'POST /concepts/w/p/rename', { name: 'leaf3', new_name: 'leaf' }, refused(409, 'name_conflict', "A concept named 'leaf' already exists")],
    ['no names', 'POST /concepts/p/rename', {}, missing('name', 'new_name')],
    ['some concepts', 'POST /concepts/p/cleanup', { concept_names: ['u', 'zzz', 'ca', 'cb'] }, given({ deleted: ['ca', 'cb', 'u'], not_found: ['zzz'] }, 'Concepts deleted')],
    ['no concepts', 'POST /concepts/w/p/cleanup', { concept_names: [] }, given({ deleted: [], not_found: [] })],
    ['those that are left', 'GET /concepts/w/p/list', undefined, given(['big_city', 'old', 'leaf', 'leaf3', 'top', 'v', 'f'].map(name => expect.objectContaining({ concept_name: name })), 'Concepts listed')],
];

// biome-ignore format: one statement in a line.
const TOOLS: readonly Statement[] = [
    ['heads and inputs', 'POST /rulelang/analyze', { program: 'z(X) :- y(X), x(X). a(X) :- z(X), b(X).', conceptType: null }, given({ headPredicates: ['z', 'a'], inputPredicates: ['y', 'x', 'b'] }, 'Program analyzed')],
    ['tables', 'POST /rulelang/analyze', { program: 'WITH t AS (SELECT * FROM a) SELECT * FROM t', conceptType: 'sql', conceptName: 'r' }, given({ headPredicates: ['r'], inputPredicates: ['a'] })],
    ['binds', 'POST /rulelang/parse-binds', { program: '@bind("p","csv useHeaders=true","/d","p.csv").\ne(P) :- p(P).' }, given({ code: 'e(P) :- p(P).', binds: { input: [{ predicate: 'p', annotation: '@bind("p","csv useHeaders=true","/d","p.csv").', kind: 'bind', source_type: 'csv', options: { useHeaders: 'true' }, container: '/d', target: 'p.csv' }], output: [] } }, 'Binds parsed')],
    ['a bind for output', 'POST /rulelang/build-bind', { bindAnnotation: '@bind("a", "csv",  "/d","data.csv").', predicateName: 'np', isOutput: true }, given({ annotation: '@bind("np", "csv",  "/d","np.csv").' }, 'Bind annotation built')],
    ['no bind', 'POST /rulelang/build-bind', { bindAnnotation: '@output("a").', predicateName: 'b' }, refused(422, 'bind_invalid')],
    ['an evaluation', 'POST /rulelang/evaluate', { program: 'a(X) :- X = ?k. @output("a").', params: { k: 3 } }, given({ id: expect.any(Number), resultSet: { a: [[3]] }, types: { a: ['INT'] }, columnNames: { a: ['X'] } }, 'Program evaluated')],
    ['forms are not JSON', 'POST /rulelang/evaluateWithParams', { program: 'a(1).' }, refused(415, 'unsupported_media_type')],
    ['nothing to stop', 'GET /rulelang/stop', undefined, given({ stopped: 0 }, 'No evaluation in progress')],
    ['stop is no POST', 'POST /rulelang/stop', {}, refused(405, 'method_not_allowed', 'POST is not allowed on /api/v1/rulelang/stop')],
    ['ready', 'GET /rulelang/status', undefined, given({ status: 'ready', timestamp: MOMENT, running: 0, waiting: 0 }, 'Evaluation service status retrieved')],
];

// biome-ignore format: one statement in a line.
const OTHERS: readonly Statement[] = [
    ['a dashboard', 'POST /dashboards/p/save', { dashboard: { id: null, name: 'Sales', definition: { z: 1, a: [null] } } }, given({ id: UUID }, 'Dashboard saved')],
    ['no name', 'POST /dashboards/p/save', { dashboard: {} }, missing('dashboard.name')],
    ['no such dashboard', 'GET /dashboards/p/abc', undefined, refused(404, 'dashboard_not_found', "Dashboard 'abc' does not exist in project 'p'")],
    ['dashboards of a project', 'GET /dashboards/p/list', undefined, given([{ id: UUID, project_id: 'p', name: 'Sales', created_at: MOMENT, updated_at: MOMENT }], 'Dashboards listed')],
    ['all dashboards', 'GET /dashboards/list?scope=organization', undefined, given([], 'All dashboards listed')],
    ['no such database', 'POST /data/connect', { database: { databaseType: 'CSV', host: 'x', databaseName: 'y', username: null, password: null } }, refused(400, 'unsupported_database_type', "Unsupported databaseType 'CSV'")],
    ['keys of a database', 'POST /data/connect', { database: { databaseType: 'csv' } }, missing('database.host', 'database.databaseName', 'database.username', 'database.password')],
    ['a connection', 'POST /data/connect', { database: { databaseType: 'csv', host: '.', port: null, databaseName: 'people.csv', username: null, password: null, options: null }, computeRowCount: true }, given({ connectionStatus: true, errorMessage: null, sources: [{ id: UUID, name: 'people', type: 'file', row_count: 2, columns: [{ name: 'name', type: 'STRING' }, { name: 'age', type: 'INT' }] }] }, 'Connection successful')],
    ['no connection', 'POST /data/connect', { database: { databaseType: 'csv', host: '.', databaseName: 'nope.csv', username: '', password: '' } }, given({ connectionStatus: false, sources: [], errorMessage: expect.any(String) }, 'Connection failed')],
    ['an inferred program', 'POST /data/infer-schema', { database: { databaseType: 'csv', host: '.', databaseName: 'people.csv', username: '', password: '' }, addBind: false, addModel: true }, given('@model("people", "[\'name:string\', \'age:int\']").\npeople(Name, Age) <- people_source(Name, Age).\n', 'Schema inferred')],
    ['all sources go', 'POST /data/cleanup', { source_ids: null }, given({ deleted: [UUID], not_found: [] }, 'Sources deleted')],
    ['facts of triples', 'POST /rulelingo/p/translate/rdf-to-rulelang', { rdf_data: '<http://e/a> <http://e/knows> _:b .' }, given({ project_id: 'p', rulelang_program: expect.stringMatching(/knows\("http:\/\/e\/a", ?"_:b1"\)\./u) }, 'Translation completed')],
    ['data of an ontology stay inside', 'POST /rulelingo/p/translate/owl-to-rulelang', { owl_content: '<http://e/a> a <http://e/B> .', base_namespace: 'http://e/', data_base_path: '../x' }, faulty(['data_base_path', 'bad_format'])],
    ['an ontology', 'POST /rulelingo/p/translate/owl-to-rulelang', { owl_content: '@prefix r: <http://www.w3.org/2000/01/rdf-schema#> . <http://e/Dog> r:subClassOf <http://e/Animal> .', base_namespace: 'http://e/', data_base_path: null, options: null }, given({ rules: ['animal(X) :- dog(X).'], data_bindings: [], saved_data_files: [], concept_id: null }, 'Translation completed')],
    ['a queried database without connector', 'POST /rulelang/evaluate', { program: '@bind("o", "postgresql host=\'localhost\'", "shop", "orders"). a(X) :- o(X). @output("a").' }, refused(422, 'source_unavailable', expect.stringMatching(/^Cannot read postgresql source 'orders': /u))],
    ['no such translation', 'POST /rulelingo/p/translate/x', {}, refused(404, 'route_not_found', 'No route POST /api/v1/rulelingo/p/translate/x')],
    ['a language needs a model', 'POST /rulelingo/p/translate/nl-to-rulelang', { domain_knowledge: 'x' }, refused(503, 'llm_not_configured', NO_KEY)],
    ['settings', 'POST /users/save-config', { config_data: { theme: { a: 1 }, LLM_TEMPERATURE: 1 } }, given({ scope: 'user' }, 'Configuration saved')],
    ['one null', 'POST /users/save-config', { config_data: { LLM_TEMPERATURE: null } }, given({ saved_keys: ['LLM_TEMPERATURE'] })],
    ['settings and usual values', 'GET /users/load-config', undefined, given({ theme: { a: 1 }, LLM_TEMPERATURE: 0.5, LLM_MAX_TOKENS: 2000, EMBEDDING_DIMENSIONS: 2048, LLM_API_KEY: null }, 'Configuration loaded')],
    ['the role', 'GET /users/get-role', undefined, given({ role: 'user' }, 'Role retrieved')],
    ['the usage', 'GET /users/usage-status', undefined, given({ llm_usage: { current: 0, limit: 1000, remaining: 1000 }, embedding_usage: { limit: 500 } }, 'Usage status retrieved')],
    ['a session that never was', 'POST /agent/p/reset', { session_id: null }, given({ session_id: 'default', cleared: false, messages_removed: 0 }, 'Session reset')],
    ['nobody to talk to', 'POST /agent/nope/chat', { message: 'x' }, refused(404, 'project_not_found', NOWHERE)],
];

/** Everything that a client may name and that has no connector, provider or back end here. */
const NOT_THERE: readonly Statement[] = [
    ...['postgresql', 'mysql', 'neo4j', 'excel', 'snowflake', 'databricks', 'bigquery', 'dynamodb', 'text', 'binaryfile'].flatMap(
        (databaseType): Statement[] => {
            const database = { databaseType, host: 'h.example', databaseName: 'd', username: 'u', password: 'canary', port: null };
            const asksModel = databaseType === 'text' || databaseType === 'binaryfile';
            const isFile = ['excel', 'text', 'binaryfile'].includes(databaseType);
            const errorMessage = expect.stringContaining(isFile ? 'does not exist' : databaseType);
            const failed = { connectionStatus: false, sources: [], errorMessage };
            return [
                [`${databaseType} connects not`, 'POST /data/connect', { database }, given(failed, 'Connection failed')],
                [
                    `${databaseType} has no schema`,
                    'POST /data/infer-schema',
                    { database },
                    asksModel
                        ? refused(503, 'llm_not_configured', NO_KEY)
                        : refused(
                              422,
                              'source_unavailable',
                              expect.stringMatching(new RegExp(`^Cannot read ${databaseType} source 'd': `, 'u')),
                          ),
                ],
            ];
        },
    ),
    ...['postgresql', 'spark', 'trino', 'databricks', 'snowflake', 'bigquery'].map(
        (backend): Statement => [
            `${backend} computes not`,
            'POST /rulelang/evaluate',
            { program: 'a(1).', compute: { backend } },
            refused(503, 'compute_unavailable', `Compute back end '${backend}' is not available`, { backend }),
        ],
    ),
];

describe.each([
    ['projects and paths', PROJECTS],
    ['saved concepts', SAVES],
    ['runs', RUNS],
    ['pages, names and ends', PAGES],
    ['tools', TOOLS],
    ['dashboards, sources, translations, users', OTHERS],
    ['what is not there', NOT_THERE],
])('%s', (_, statements) => {
    test.each(statements)('%s: %s', async (_says, line, body, { status, body: expected, faults }) => {
        const [method = '', path = ''] = line.split(' ');
        const answer = await call(method, `${V1}${path}`, { body });
        expect(answer.body).toMatchObject(expected);
        expect(answer.status).toBe(status);
        expect(Object.keys(answer.body).sort()).toEqual([
            ...(status === 200 ? [] : ['code']),
            'data',
            ...(status === 200 ? [] : ['details']),
            'message',
            'status',
        ]);
        expect(['content-type', 'cache-control', 'access-control-allow-origin'].map(name => answer.headers.get(name))).toEqual([
            'application/json; charset=utf-8',
            'no-store',
            '*',
        ]);
        if (faults !== undefined) expect(answer.body.details?.fields?.map(({ path, issue }) => [path, issue])).toEqual(faults);
    });
});
