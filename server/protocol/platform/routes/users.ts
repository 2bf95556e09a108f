import { Type } from 'typebox';
import { type RouteDescription, route } from '../route.ts';
import { asWritten, MEBIBYTE, oneOf, SCOPE } from '../schema.ts';

const usage = Type.Object({
    current: Type.Integer(),
    limit: Type.Integer(),
    remaining: Type.Integer(),
    input_tokens: Type.Integer(),
    output_tokens: Type.Integer(),
});

export const USERS_ROUTES = {
    getRole: route({
        method: 'GET',
        path: '/users/get-role',
        summary: 'The role of the token',
        viewer: true,
        data: Type.Object({ role: oneOf(['user', 'viewer']) }),
        message: 'Role retrieved',
    }),
    usageStatus: route({
        method: 'GET',
        path: '/users/usage-status',
        summary: 'Requests to providers of models in this month, and how many there may be',
        viewer: true,
        data: Type.Object({ llm_usage: usage, embedding_usage: usage }),
        message: 'Usage status retrieved',
    }),
    lastModelRequest: route({
        method: 'GET',
        path: '/users/model-request',
        summary: 'The request that a provider of models was sent last, without its key; an addition of this server',
        viewer: false,
        data: Type.Union([
            Type.Object({
                url: Type.String(),
                /** JSON, as it was sent. */
                body: Type.String(),
            }),
            Type.Null(),
        ]),
        message: 'Request retrieved',
    }),
    testModel: route({
        method: 'POST',
        path: '/users/test-model',
        summary: 'Asks the model that is configured for one word, which counts as a request; an addition of this server',
        viewer: false,
        data: Type.Object({
            provider: Type.String(),
            model: Type.String(),
            answer: Type.String(),
            milliseconds: Type.Integer(),
            /** As the provider counts them; 0 where it does not say. */
            input_tokens: Type.Integer(),
            output_tokens: Type.Integer(),
            usage,
        }),
        message: 'Model answered',
        errors: ['llm_not_configured', 'llm_failed', 'usage_limit_reached'],
    }),
    loadConfig: route({
        method: 'GET',
        path: '/users/load-config',
        summary: 'The configuration of the user; a viewer sees the values of a few keys and no secrets',
        viewer: true,
        query: Type.Object({ scope: SCOPE }),
        data: Type.Record(Type.String(), Type.Unknown()),
        message: 'Configuration loaded',
        errors: ['invalid_scope'],
    }),
    saveConfig: route({
        method: 'POST',
        path: '/users/save-config',
        summary: 'Sets values of the configuration, which has at most 1,000 keys and 1 MiB; others stay',
        viewer: false,
        largest: 2 * MEBIBYTE,
        body: Type.Object({ config_data: asWritten(), scope: SCOPE }),
        data: Type.Object({ saved_keys: Type.Array(Type.String()), scope: Type.String() }),
        message: 'Configuration saved',
        errors: ['invalid_scope'],
    }),
} as const satisfies Record<string, RouteDescription>;
