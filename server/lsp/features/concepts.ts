import type { QueryConcept } from '#language/tools/query-concept.ts';
import { type SuppliedRelation, suppliedSchemas } from '#language/tools/supplied-relations.ts';
import { CONCEPT_METHODS } from '#server/protocol/concepts.ts';
import { answerMethods } from '../answer-methods.ts';
import type { Feature } from '../language-server.ts';

/** The parser of SQL comes with it, which little else needs. */
async function read({
    text,
    relations,
}: {
    readonly text: string;
    readonly relations: readonly SuppliedRelation[];
}): Promise<QueryConcept> {
    const { queryConcept } = await import('#language/tools/query-concept.ts');
    return queryConcept(text, relations);
}

/** Documents that are concepts of a project, which knows the other concepts. */
export const concepts: Feature = {
    capabilities: () => ({}),
    register: server => {
        const { documents, diagnostics } = server;
        answerMethods(server, CONCEPT_METHODS, {
            'rulelang/supplyConcept': ({ uri, relations }) => {
                documents.supply(uri, suppliedSchemas(relations));
                diagnostics.schedule(uri);
                return {};
            },
            'rulelang/renamedConcept': async ({ type, definition, from, to }) => {
                // It brings the parser of SQL, which little else needs.
                const { renamedText } = await import('#server/projects/renamed-text.ts');
                const renamed = renamedText({ type, definition, binds: [] }, from, to);
                return renamed.kind === 'renamed' ? { definition: renamed.text.definition } : {};
            },
            'rulelang/queryProblems': async query => [...(await read(query)).problems()],
            'rulelang/queryCompletions': async query => {
                const found = (await read(query)).completions(query.offset);
                if (found === undefined) return {};
                const items = found.items.map(({ label, kind, insert, detail }) => ({
                    label,
                    kind,
                    insert: insert.text,
                    ...(detail !== undefined && { detail }),
                }));
                return { found: { start: found.start, end: found.end, items } };
            },
            'rulelang/queryHover': async query => {
                const known = await read(query);
                const card = known.hover(query.offset);
                const table = known.tableAt(query.offset);
                return { ...(card && { card }), ...(table !== undefined && { table }) };
            },
        });
    },
};
