import { ErrorCodes, ResponseError } from 'vscode-languageserver/node';
import { type DependencyView, dependencyView } from '#language/editing/dependency-view.ts';
import { predicateKey } from '#language/program/analysed-program.ts';
import { type DependencyGraph, GRAPH_SHAPES, type GraphRequests } from '#server/protocol/graphs.ts';
import type { RevealedPlace } from '#server/protocol/runs.ts';
import type { EditorDocument } from '#server/workspace/documents.ts';
import type { Feature, LanguageServer } from '../language-server.ts';

/** More predicates than anyone can look at. */
const MOST = 400;

type Handlers = { [M in keyof GraphRequests]: (params: GraphRequests[M]['params']) => GraphRequests[M]['result'] };

/** The dependency graph of an open program, for an editor that draws it. */
export const dependencyGraph: Feature = {
    capabilities: () => ({}),
    register: server => {
        const { connection, documents, guard } = server;
        const handlers: Handlers = {
            'rulelang/dependencyGraph': ({ uri }) => {
                const document = documents.get(uri);
                return document === undefined ? null : wireGraph(dependencyView(document.program.analysed, MOST));
            },
            'rulelang/predicatePlace': ({ uri, name, arity }) => {
                const document = documents.get(uri);
                return document === undefined ? null : placeOf(document, name, arity, server);
            },
        };
        for (const method of Object.keys(handlers) as (keyof GraphRequests)[]) {
            connection.onRequest(
                method,
                guard.request(method, (params: unknown): unknown => {
                    if (GRAPH_SHAPES[method](params)) return handlers[method](params as never);
                    throw new ResponseError(ErrorCodes.InvalidParams, `${method} was asked with parameters that it does not have`);
                }),
            );
        }
    },
};

function wireGraph({ predicates, edges, total }: DependencyView): DependencyGraph {
    const indexes = new Map(predicates.map(({ key }, i) => [key, i]));
    return {
        nodes: predicates.map(({ name, arity, stratum, recursive, input, output, facts, rules }) => {
            return { name, arity, stratum, recursive, input, output, facts, rules };
        }),
        edges: edges.flatMap(({ predicate, needs, ...edge }) => {
            const [from, to] = [indexes.get(needs), indexes.get(predicate)];
            return from === undefined || to === undefined ? [] : [{ from, to, ...edge }];
        }),
        total,
    };
}

function placeOf({ program }: EditorDocument, name: string, arity: number, { documents }: LanguageServer): RevealedPlace | null {
    const key = predicateKey(name, arity);
    const place = dependencyView(program.analysed).predicates.find(node => node.key === key)?.place;
    const range = place && documents.positionsOf(place.file)?.rangeOf(place);
    return place === undefined || range === undefined ? null : { uri: place.file, range };
}
