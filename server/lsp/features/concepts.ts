import { CONCEPT_METHODS } from '#server/protocol/concepts.ts';
import { answerMethods } from '../answer-methods.ts';
import type { Feature } from '../language-server.ts';

/** Documents that are concepts of a project, which knows the other concepts. */
export const concepts: Feature = {
    capabilities: () => ({}),
    register: server => {
        const { documents, diagnostics } = server;
        answerMethods(server, CONCEPT_METHODS, {
            'rulelang/supplyConcept': ({ uri, relations }) => {
                documents.supply(
                    uri,
                    new Map(relations.map(({ name, columns }) => [name, { columns: columns.map(column => ({ name: column })) }])),
                );
                diagnostics.schedule(uri);
                return {};
            },
            'rulelang/renamedConcept': async ({ type, definition, from, to }) => {
                // It brings the parser of SQL, which little else needs.
                const { renamedText } = await import('#server/projects/renamed-text.ts');
                const renamed = renamedText({ type, definition, binds: [] }, from, to);
                return renamed.kind === 'renamed' ? { definition: renamed.text.definition } : {};
            },
        });
    },
};
