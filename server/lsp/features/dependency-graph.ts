import { type DependencyView, dependencyView } from '#language/editing/dependency-view.ts';
import { predicateKey } from '#language/program/analysed-program.ts';
import { type DependencyGraph, GRAPH_METHODS } from '#server/protocol/graphs.ts';
import type { RevealedPlace } from '#server/protocol/runs.ts';
import type { EditorDocument } from '#server/workspace/documents.ts';
import { answerMethods } from '../answer-methods.ts';
import type { Feature, LanguageServer } from '../language-server.ts';

/** More predicates than anyone can look at. */
const MOST = 400;

/** The dependency graph of an open program, for an editor that draws it. */
export const dependencyGraph: Feature = {
    capabilities: () => ({}),
    register: server => {
        const { documents } = server;
        answerMethods(server, GRAPH_METHODS, {
            'rulelang/dependencyGraph': ({ uri }) => {
                const document = documents.get(uri);
                return document === undefined ? null : wireGraph(dependencyView(document.program.analysed, MOST));
            },
            'rulelang/predicatePlace': ({ uri, name, arity }) => {
                const document = documents.get(uri);
                return document === undefined ? null : placeOf(document, name, arity, server);
            },
        });
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
