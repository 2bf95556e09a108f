import { neededBy, predicatesAt, usersOf } from '#language/editing/predicate-uses.ts';
import { aboutPlace } from '../answer.ts';
import type { Feature } from '../language-server.ts';
import { askedOf, itemOf, rangesIn } from './predicate-items.ts';

/** Hierarchies of derivation: incoming predicates use one, outgoing ones are those that it needs. */
export const callHierarchy: Feature = {
    capabilities: () => ({ callHierarchyProvider: true }),
    register: server => {
        const { documents, guard } = server;
        const { callHierarchy: hierarchy } = server.connection.languages;
        hierarchy.onPrepare(
            aboutPlace(server, 'textDocument/prepareCallHierarchy', (document, offset) =>
                predicatesAt(document.program, offset).flatMap(found => itemOf(server, document, found)),
            ),
        );
        hierarchy.onIncomingCalls(
            guard.request('callHierarchy/incomingCalls', async ({ item }) => {
                await server.reading.named();
                const asked = askedOf(server, item);
                if (asked === undefined) return null;
                return usersOf(documents, asked.document.program, asked.key).flatMap(({ predicate, places }) =>
                    itemOf(server, asked.document, { ...predicate, file: places.file, range: places.ranges[0] ?? predicate.range }).map(
                        from => ({
                            from,
                            fromRanges: rangesIn(server, places),
                        }),
                    ),
                );
            }),
        );
        hierarchy.onOutgoingCalls(
            guard.request('callHierarchy/outgoingCalls', ({ item }) => {
                const asked = askedOf(server, item);
                if (asked === undefined) return null;
                return neededBy(documents, asked.document.program, asked.key).flatMap(({ predicate, places }) =>
                    itemOf(server, asked.document, predicate).map(to => ({ to, fromRanges: rangesIn(server, places) })),
                );
            }),
        );
    },
};
