import { TRANSLATION_METHODS } from '#server/protocol/translations.ts';
import { answerMethods } from '../answer-methods.ts';
import type { Feature } from '../language-server.ts';

/** Texts of other kinds, which become rules. */
export const translations: Feature = {
    capabilities: () => ({}),
    register: server => {
        const { documents } = server;
        answerMethods(server, TRANSLATION_METHODS, {
            'rulelang/translate': async ({ kind, text, uri, tables, name }) => {
                // It brings the parsers of SQL and RDF, which little else needs.
                const { editorTranslation } = await import('#server/translate/editor-translation.ts');
                const predicates = [...((uri === undefined ? undefined : documents.get(uri))?.program.analysed.predicates.values() ?? [])];
                const own = predicates.map(predicate => ({ name: predicate.name, columns: predicate.columns.map(column => column.name) }));
                const known = [...own, ...tables].filter(
                    ({ name: table, columns }, i, all) => columns.length > 0 && all.findIndex(one => one.name === table) === i,
                );
                return editorTranslation({ kind, text, name }, known, new Set(own.map(predicate => predicate.name)));
            },
        });
    },
};
