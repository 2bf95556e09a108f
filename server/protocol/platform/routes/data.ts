import { Type } from 'typebox';
import { DATABASE } from '../database.ts';
import { type RouteDescription, route } from '../route.ts';
import { defaulted, optional, SCOPE } from '../schema.ts';

const source = Type.Object({
    id: Type.String(),
    name: Type.String(),
    type: Type.String(),
    row_count: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
    database_type: Type.String(),
    host: Type.String(),
    port: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
    database_name: Type.String(),
    schema: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
    scope: Type.String(),
    columns: Type.Array(Type.Object({ name: Type.String(), type: Type.String() })),
    bind_annotation: Type.String(),
    created_at: Type.String(),
    updated_at: Type.String(),
});

export const DATA_ROUTES = {
    connectSource: route({
        method: 'POST',
        path: '/data/connect',
        summary: 'Looks at a source and keeps what it holds; a source that cannot be reached is no error',
        viewer: false,
        body: Type.Object({ scope: SCOPE, database: DATABASE, computeRowCount: defaulted(Type.Boolean(), false) }),
        data: Type.Object({
            connectionStatus: Type.Boolean(),
            sources: Type.Array(source),
            errorMessage: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
        }),
        message: 'Connection successful',
        errors: ['invalid_scope', 'unsupported_database_type', 'invalid_document_type'],
    }),
    listSources: route({
        method: 'GET',
        path: '/data/list',
        summary: 'The sources that were connected, without what opens them',
        viewer: true,
        query: Type.Object({ scope: SCOPE }),
        data: Type.Array(source),
        message: 'Sources listed',
        errors: ['invalid_scope'],
    }),
    cleanupSources: route({
        method: 'POST',
        path: '/data/cleanup',
        summary: 'Forgets sources, or all of a scope',
        viewer: false,
        body: Type.Object({ scope: SCOPE, source_ids: optional(Type.Array(Type.String({ 'x-may-be-empty': true }))) }),
        data: Type.Object({ deleted: Type.Array(Type.String()), not_found: Type.Array(Type.String()) }),
        message: 'Sources deleted',
        errors: ['invalid_scope'],
    }),
    inferSchema: route({
        method: 'POST',
        path: '/data/infer-schema',
        summary: 'A program that reads a source; nothing is kept',
        viewer: false,
        body: Type.Object({ database: DATABASE, addBind: defaulted(Type.Boolean(), true), addModel: defaulted(Type.Boolean(), false) }),
        data: Type.String(),
        message: 'Schema inferred',
        errors: ['unsupported_database_type', 'invalid_document_type', 'source_unavailable', 'llm_not_configured', 'llm_failed'],
    }),
} as const satisfies Record<string, RouteDescription>;
