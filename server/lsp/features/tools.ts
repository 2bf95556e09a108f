import { buildBind, isPredicateName } from '#language/tools/build-bind.ts';
import { parseBinds } from '#language/tools/parse-binds.ts';
import type { Tool } from '#language/tools/program-interface.ts';
import { TOOL_METHODS } from '#server/protocol/tools.ts';
import { answerMethods } from '../answer-methods.ts';
import type { Feature } from '../language-server.ts';

/** The interface of an open program, its binds, and binds for other predicates. */
export const tools: Feature = {
    capabilities: () => ({}),
    register: server => {
        const read = <T>(uri: string, tool: (text: string) => Tool<T>): T | null => {
            const text = server.documents.get(uri)?.program.text;
            const answer = text === undefined ? undefined : tool(text);
            return answer?.ok ? answer.value : null;
        };
        answerMethods(server, TOOL_METHODS, {
            // Only this needs the SQL parser, so that no other request waits for it.
            'rulelang/analyze': async ({ uri }) => read(uri, (await import('#language/tools/program-interface.ts')).programInterface),
            'rulelang/parseBinds': ({ uri, outputPredicate }) => read(uri, text => parseBinds(text, outputPredicate)),
            'rulelang/buildBind': ({ annotation, predicateName, isOutput }) => {
                const built = isPredicateName(predicateName) ? buildBind(annotation, predicateName, isOutput) : undefined;
                return built?.ok ? { annotation: built.annotation } : null;
            },
        });
    },
};
