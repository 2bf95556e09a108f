import { dependencyView } from '#language/editing/dependency-view.ts';
import { programOutline } from '#language/editing/program-outline.ts';
import type { AnalysedProgram } from '#language/program/analysed-program.ts';
import { GRAPH_METHODS, type NamedPredicate, type ProgramOutline } from '#server/protocol/graphs.ts';
import type { RevealedPlace } from '#server/protocol/runs.ts';
import { dependencyGraphOf } from '#server/workspace/dependency-graph-of.ts';
import type { EditorDocument } from '#server/workspace/documents.ts';
import { answerMethods } from '../answer-methods.ts';
import type { Feature, LanguageServer } from '../language-server.ts';
import type { LastRun } from '../run-sizes.ts';

/** More than a list is for. */
const MOST_LISTED = 20_000;

/** The predicates of an open program and what they need, for an editor that draws or lists them. */
export const dependencyGraph: Feature = {
    capabilities: () => ({}),
    register: server => {
        const { documents } = server;
        const stamps = outlineStamps();
        documents.onClosed(stamps.forget);
        answerMethods(server, GRAPH_METHODS, {
            'rulelang/dependencyGraph': ({ uri, ...part }) => {
                const document = documents.get(uri);
                return document === undefined ? null : dependencyGraphOf(document.program.analysed, part);
            },
            'rulelang/programOutline': ({ uri, known }) => {
                const document = documents.get(uri);
                if (document === undefined) return null;
                const { analysed } = document.program;
                const run = server.sizes.of(uri);
                const stamp = stamps.of(uri, analysed, run);
                return stamp === known ? 'same' : { stamp, ...wireOutline(analysed, run) };
            },
            'rulelang/predicatePlace': ({ uri, predicate }) => {
                const document = documents.get(uri);
                return document === undefined ? null : placeOf(document, predicate, server);
            },
        });
    },
};

/** Names the outlines of programs: another one where an edit or a run may have made it another, or another server tells it. */
function outlineStamps() {
    const last = new Map<string, { readonly analysed: AnalysedProgram; readonly run: LastRun | undefined; readonly stamp: string }>();
    let count = 0;
    return {
        of(uri: string, analysed: AnalysedProgram, run: LastRun | undefined): string {
            const before = last.get(uri);
            const isSame = before?.analysed === analysed && before.run?.rows === run?.rows && before.run?.stale === run?.stale;
            if (isSame) return before.stamp;
            const stamp = `${performance.timeOrigin} ${++count}`;
            last.set(uri, { analysed, run, stamp });
            return stamp;
        },
        forget: (uri: string): void => void last.delete(uri),
    };
}

function wireOutline(analysed: AnalysedProgram, run: LastRun | undefined): Omit<ProgramOutline, 'stamp'> {
    const { predicates, total } = programOutline(analysed, MOST_LISTED);
    const indexes = new Map(predicates.map(({ key }, i) => [key, i]));
    return {
        predicates: predicates.map(
            ({ key, name, arity, stratum, recursive, input, output, facts, rules, negation, aggregation, needs }) => {
                const told = { name, arity, stratum, recursive, input, output, facts, rules, negation, aggregation };
                const needed = needs.map(need => ({ predicate: indexes.get(need.key) ?? 0, kind: need.kind, recursive: need.recursive }));
                const rows = run?.rows.get(key);
                return rows === undefined ? { ...told, needs: needed } : { ...told, rows, needs: needed };
            },
        ),
        total,
        stale: run?.stale === true,
    };
}

function placeOf({ program }: EditorDocument, { name, arity }: NamedPredicate, { documents }: LanguageServer): RevealedPlace | null {
    const { predicates } = dependencyView(program.analysed);
    const place = predicates.find(node => node.name === name && (arity === undefined || node.arity === arity))?.place;
    const range = place && documents.positionsOf(place.file)?.rangeOf(place);
    return place === undefined || range === undefined ? null : { uri: place.file, range };
}
