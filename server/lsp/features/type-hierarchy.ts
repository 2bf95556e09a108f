import { narrowerThan, widerThan } from '#language/editing/predicate-inclusions.ts';
import { predicatesAt } from '#language/editing/predicate-uses.ts';
import { aboutPlace } from '../answer.ts';
import type { Feature } from '../language-server.ts';
import { askedOf, itemOf } from './predicate-items.ts';

/** Hierarchies of predicates whose rules say that one has all rows of another: every employee is a person. */
export const typeHierarchy: Feature = {
    capabilities: () => ({ typeHierarchyProvider: true }),
    register: server => {
        const { guard } = server;
        const { typeHierarchy: hierarchy } = server.connection.languages;
        const answer =
            (among: typeof widerThan) =>
            ({ item }: { readonly item: { readonly data?: unknown } }) => {
                const asked = askedOf(server, item);
                if (asked === undefined) return null;
                return among(asked.document.program, asked.key).flatMap(found => itemOf(server, asked.document, found));
            };
        hierarchy.onPrepare(
            aboutPlace(server, 'textDocument/prepareTypeHierarchy', (document, offset) =>
                predicatesAt(document.program, offset).flatMap(found => itemOf(server, document, found)),
            ),
        );
        hierarchy.onSupertypes(guard.request('typeHierarchy/supertypes', answer(widerThan)));
        hierarchy.onSubtypes(guard.request('typeHierarchy/subtypes', answer(narrowerThan)));
    },
};
