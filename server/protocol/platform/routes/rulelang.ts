import { Type } from 'typebox';
import { READING_ERRORS } from '../errors.ts';
import { type RouteDescription, route } from '../route.ts';
import { COMPUTE, defaulted, KIBIBYTE, NAME_OR_NOTHING, oneOf, optional, PARAMETERS, PROGRAM_TEXT, text } from '../schema.ts';

/** Errors with which an evaluation may end instead of rows. */
const EVALUATION_ERRORS = [
    'invalid_compute',
    'invalid_param_value',
    'evaluation_stopped',
    'program_invalid',
    'missing_parameter',
    'evaluation_failed',
    'result_too_large',
    'source_unavailable',
    'compute_unavailable',
    'engine_busy',
    'evaluation_timeout',
] as const;

const names = Type.Array(Type.String());
const bindEntry = Type.Object({
    predicate: Type.String(),
    annotation: Type.String(),
    kind: optional(oneOf(['bind', 'qbind'])),
    source_type: optional(Type.String()),
    options: optional(Type.Record(Type.String(), Type.String())),
    container: optional(Type.String()),
    target: optional(Type.String()),
    query: optional(Type.String()),
});

/** The result of an evaluation. Keys are the names of output predicates. */
const evaluation = Type.Object({
    id: Type.Integer(),
    resultSet: Type.Record(Type.String(), Type.Array(Type.Array(Type.Unknown()))),
    types: Type.Record(Type.String(), names),
    columnNames: Type.Record(Type.String(), names),
});

/** Facts and rules, as a program has them; in a fact that is taken away, `_` stands for any value. */
const clauses = Type.Array(text(64 * KIBIBYTE), { maxItems: 1000 });
const rowsByName = Type.Record(Type.String(), Type.Array(Type.Array(Type.Unknown())));

const SHORT_TEXT = 64 * 1024;

export const RULELANG_ROUTES = {
    analyze: route({
        method: 'POST',
        path: '/rulelang/analyze',
        summary: 'Predicates that a program or a query defines, and those it needs',
        viewer: true,
        body: Type.Object({
            program: PROGRAM_TEXT,
            conceptType: defaulted(oneOf(['logic', 'sql'], 'invalid_concept_type'), 'logic'),
            conceptName: optional(Type.String({ ...NAME_OR_NOTHING, description: 'Required for SQL.' })),
        }),
        data: Type.Object({ headPredicates: names, inputPredicates: names }),
        message: 'Program analyzed',
        errors: ['invalid_concept_type', 'program_invalid', 'sql_invalid', ...READING_ERRORS],
    }),
    parseBinds: route({
        method: 'POST',
        path: '/rulelang/parse-binds',
        summary: 'The binds of a program, and the program without annotations',
        viewer: true,
        body: Type.Object({ program: PROGRAM_TEXT, outputPredicate: optional(text(SHORT_TEXT, { mayBeEmpty: true })) }),
        data: Type.Object({
            code: Type.String(),
            binds: Type.Object({ input: Type.Array(bindEntry), output: Type.Array(bindEntry) }),
        }),
        message: 'Binds parsed',
        errors: ['program_invalid', ...READING_ERRORS],
    }),
    buildBind: route({
        method: 'POST',
        path: '/rulelang/build-bind',
        summary: 'A bind annotation for another predicate',
        viewer: true,
        body: Type.Object({
            bindAnnotation: PROGRAM_TEXT,
            predicateName: Type.String({ pattern: '^[a-z][A-Za-z0-9_]{0,127}$' }),
            isOutput: defaulted(Type.Boolean(), false),
        }),
        data: Type.Object({ annotation: Type.String() }),
        message: 'Bind annotation built',
        errors: ['bind_invalid', ...READING_ERRORS],
    }),
    evaluate: route({
        method: 'POST',
        path: '/rulelang/evaluate',
        summary: 'Evaluates a program',
        viewer: false,
        body: Type.Object({ program: PROGRAM_TEXT, params: optional(PARAMETERS), compute: optional(COMPUTE) }),
        data: evaluation,
        message: 'Program evaluated',
        errors: EVALUATION_ERRORS,
    }),
    whatIf: route({
        method: 'POST',
        path: '/rulelang/whatIf',
        summary: 'Evaluates a program and tells which rows would come and go if something were otherwise; an addition of this server',
        viewer: false,
        body: Type.Object({
            program: PROGRAM_TEXT,
            params: optional(PARAMETERS),
            without: defaulted(clauses, []),
            with: defaulted(clauses, []),
            set: optional(PARAMETERS),
            compute: optional(COMPUTE),
        }),
        data: Type.Object({
            id: Type.Integer(),
            added: rowsByName,
            removed: rowsByName,
            rows: Type.Record(Type.String(), Type.Integer()),
            types: Type.Record(Type.String(), names),
            columnNames: Type.Record(Type.String(), names),
            /** Why the changed program was evaluated anew; absent if held results followed the changes. */
            evaluatedAnew: Type.Optional(Type.String()),
        }),
        message: 'Differences found',
        errors: EVALUATION_ERRORS,
    }),
    evaluateWithParams: route({
        method: 'POST',
        path: '/rulelang/evaluateWithParams',
        summary: 'Evaluates the field program of a form; answers what the engine answers',
        viewer: false,
        query: Type.Object({ measureElapsedTime: defaulted(Type.Boolean(), false) }),
        body: Type.Object({ program: PROGRAM_TEXT }),
        reads: 'form',
        answers: 'raw',
        data: Type.Object({ ...evaluation.properties, elapsedTime: optional(Type.Integer()) }),
        message: '',
    }),
    stop: route({
        method: 'GET',
        path: '/rulelang/stop',
        summary: 'Cancels every evaluation that runs or waits',
        viewer: false,
        data: Type.Object({ stopped: Type.Integer() }),
        message: 'Evaluation stopped',
    }),
    status: route({
        method: 'GET',
        path: '/rulelang/status',
        summary: 'Whether a new evaluation would start at once',
        viewer: true,
        data: Type.Object({
            status: oneOf(['ready', 'busy', 'unavailable']),
            timestamp: Type.String(),
            running: Type.Integer(),
            waiting: Type.Integer(),
        }),
        message: 'Evaluation service status retrieved',
    }),
    listRunning: route({
        method: 'GET',
        path: '/rulelang/running',
        summary: 'The evaluations that run, and those that wait in the order of their turns; an addition of this server',
        viewer: true,
        data: Type.Array(
            Type.Object({
                state: oneOf(['running', 'waiting']),
                /** When it came into this state. */
                since: Type.String(),
                /** Of what it is, and what for, where it is one of a concept. */
                concept: Type.Union([
                    Type.Object({
                        scope: oneOf(['user', 'organization']),
                        project_id: Type.String(),
                        concept_name: Type.String(),
                        purpose: oneOf(['run', 'explanation']),
                    }),
                    Type.Null(),
                ]),
                /** How far that concept is, with those that it depends on; null before anything of that is known. */
                progress: Type.Union([
                    Type.Object({
                        concept_name: Type.String(),
                        /** From 1. */
                        step: Type.Integer(),
                        steps: Type.Integer(),
                        phase: oneOf(['loading', 'evaluating', 'writing']),
                        /** From 1; 0 while data are read or written. */
                        stratum: Type.Integer(),
                        strata: Type.Integer(),
                        /** Of all predicates of the concept so far. */
                        row_count: Type.Integer(),
                        /** Whose rows are being found, and how many it has so far. */
                        predicate: Type.Union([Type.Object({ name: Type.String(), row_count: Type.Integer() }), Type.Null()]),
                    }),
                    Type.Null(),
                ]),
            }),
        ),
        message: 'Evaluations listed',
    }),
} as const satisfies Record<string, RouteDescription>;
