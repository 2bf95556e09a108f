import { API_ERRORS, type ApiErrorCode } from './errors.ts';
import type { RouteDescription } from './route.ts';
import { PLATFORM_ROUTES } from './routes.ts';

/** Errors of every route, and further ones of those with a body. */
const ALWAYS: readonly ApiErrorCode[] = [
    'invalid_path',
    'token_missing',
    'token_invalid',
    'token_expired',
    'forbidden',
    'workspace_mismatch',
    'host_not_allowed',
    'internal_error',
    'store_unavailable',
    'shutting_down',
];
const WITH_BODY: readonly ApiErrorCode[] = ['invalid_json', 'validation_error', 'payload_too_large', 'unsupported_media_type'];

const ERROR = {
    type: 'object',
    required: ['status', 'message', 'data', 'code', 'details'],
    properties: {
        status: { enum: ['error', 'conflict'] },
        message: { type: 'string' },
        data: { type: 'null' },
        code: { enum: Object.keys(API_ERRORS) },
        details: { type: ['object', 'null'] },
    },
};

/** The platform API as an OpenAPI 3.1 document. */
function openApiDocument(): object {
    const paths = new Map<string, Record<string, object>>();
    for (const [name, route] of Object.entries<RouteDescription>(PLATFORM_ROUTES)) {
        const path = `/api/v1${route.path.replaceAll(/:([a-z_]+)/gu, '{$1}')}`;
        const methods = paths.get(path) ?? {};
        methods[route.method.toLowerCase()] = operation(name, route);
        paths.set(path, methods);
    }
    return {
        openapi: '3.1.0',
        info: { title: 'rulelang platform API', version: '1', license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
        servers: [{ url: 'http://127.0.0.1:8000' }],
        security: [{ token: [] }],
        paths: Object.fromEntries(paths),
        components: { schemas: { Error: ERROR }, securitySchemes: { token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
    };
}

function operation(name: string, route: RouteDescription): object {
    const { summary, path, query, body, method, reads, errors } = route;
    const inPath = [...path.matchAll(/:([a-z_]+)/gu)].map(([, parameter = '']) => {
        return { name: parameter, in: 'path', required: true, schema: { type: 'string' } };
    });
    const inQuery = Object.entries(query.properties).map(([parameter, schema]) => {
        return { name: parameter, in: 'query', required: required(query).includes(parameter), schema };
    });
    const mayFail = [...ALWAYS, ...(method === 'POST' ? WITH_BODY : []), ...errors];
    return {
        operationId: name,
        summary,
        'x-roles': route.viewer ? ['user', 'viewer'] : ['user'],
        parameters: [...inPath, ...inQuery],
        ...(method === 'POST' && {
            requestBody: {
                required: required(body).length > 0,
                content: Object.fromEntries(mediaTypes(reads).map(type => [type, { schema: body }])),
            },
        }),
        responses: { 200: success(route), ...failures(mayFail) },
    };
}

function mediaTypes(reads: RouteDescription['reads']): string[] {
    return reads === 'json' ? ['application/json'] : ['application/x-www-form-urlencoded', 'multipart/form-data'];
}

function required({ required: names }: { readonly required?: readonly string[] | undefined }): readonly string[] {
    return names ?? [];
}

function success({ answers, data, message }: RouteDescription): object {
    const envelope = {
        type: 'object',
        required: ['data', 'message', 'status'],
        properties: { data, message: { type: 'string' }, status: { const: 'success' } },
    };
    return {
        description: message === '' ? 'The answer' : message,
        content:
            answers === 'lines'
                ? { 'application/x-ndjson': { schema: data } }
                : { 'application/json': { schema: answers === 'raw' ? data : envelope } },
    };
}

/** Errors by their statuses; the description of each lists its codes. */
function failures(codes: readonly ApiErrorCode[]): Record<string, object> {
    const byStatus = new Map<number, ApiErrorCode[]>();
    for (const code of new Set(codes)) byStatus.set(API_ERRORS[code].http, [...(byStatus.get(API_ERRORS[code].http) ?? []), code]);
    return Object.fromEntries(
        [...byStatus].map(([status, of]) => [
            status,
            { description: of.join(', '), content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
        ]),
    );
}

/** The document as it is kept in docs/openapi.json. */
export function openApiText(): string {
    return `${JSON.stringify(openApiDocument(), undefined, 4)}\n`;
}
