import { ErrorCodes, ResponseError } from 'vscode-languageserver/node';
import { buildBind, isPredicateName } from '#language/tools/build-bind.ts';
import { parseBinds } from '#language/tools/parse-binds.ts';
import type { Tool } from '#language/tools/program-interface.ts';
import { TOOL_SHAPES, type ToolRequests } from '#server/protocol/tools.ts';
import type { Feature } from '../language-server.ts';

type Handlers = {
    [M in keyof ToolRequests]: (params: ToolRequests[M]['params']) => ToolRequests[M]['result'] | Promise<ToolRequests[M]['result']>;
};

/** What an open program offers and needs, its binds, and binds for other predicates. */
export const tools: Feature = {
    capabilities: () => ({}),
    register: ({ connection, documents, guard }) => {
        const read = <T>(uri: string, tool: (text: string) => Tool<T>): T | null => {
            const text = documents.get(uri)?.program.text;
            const answer = text === undefined ? undefined : tool(text);
            return answer?.ok ? answer.value : null;
        };
        const handlers: Handlers = {
            // Only this needs the SQL parser, so that nobody else waits for it.
            'rulelang/analyze': async ({ uri }) => read(uri, (await import('#language/tools/program-interface.ts')).programInterface),
            'rulelang/parseBinds': ({ uri, outputPredicate }) => read(uri, text => parseBinds(text, outputPredicate)),
            'rulelang/buildBind': ({ annotation, predicateName, isOutput }) => {
                const built = isPredicateName(predicateName) ? buildBind(annotation, predicateName, isOutput) : undefined;
                return built?.ok ? { annotation: built.annotation } : null;
            },
        };
        for (const method of Object.keys(handlers) as (keyof ToolRequests)[]) {
            connection.onRequest(
                method,
                guard.request(method, (params: unknown): unknown => {
                    if (TOOL_SHAPES[method](params)) return handlers[method](params as never);
                    throw new ResponseError(ErrorCodes.InvalidParams, `${method} was asked with parameters that it does not have`);
                }),
            );
        }
    },
};
