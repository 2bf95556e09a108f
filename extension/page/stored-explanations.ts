import { createExplanationPane, type ExplanationPane } from '#extension/webviews/explanation/explanation-pane.ts';
import type { ExplainedDerivation, RowView, WireOrigin } from '#server/protocol/runs.ts';
import type { StoredRows } from './stored-rows.ts';

/** What a place in an explanation opens. */
export interface PlaceEvents {
    /** A line of a concept, one-based, or the concept as a whole. */
    reveal(concept: string, line: number | undefined): void;
    announce(text: string): void;
    closed(): void;
}

/** Explanations of stored rows in the pane of the extension. */
export interface StoredExplanations {
    readonly pane: ExplanationPane;
    show(view: RowView, row: number): void;
}

export function storedExplanations(rows: StoredRows, { reveal, announce, closed }: PlaceEvents): StoredExplanations {
    const pane = createExplanationPane();
    return {
        pane,
        show(view, row) {
            let explanation = '';
            /** Where facts were given, and where the rules of their derivations stand. */
            const origins = new Map<number, WireOrigin>();
            const rules = new Map<number, readonly string[]>();
            const keep = (node: number, derivations: readonly ExplainedDerivation[]): void => {
                rules.set(
                    node,
                    derivations.map(({ place }) => place),
                );
                for (const { premises } of derivations)
                    for (const { node: premise, origin } of premises) if (origin) origins.set(premise, origin);
            };
            const asked = {
                kind: 'row',
                explain: async (all: boolean) => {
                    const explained = await rows.explain(view, row, all);
                    const { fact, derivations } = explained;
                    explanation = explained.id;
                    if (fact.origin !== undefined) origins.set(fact.node, fact.origin);
                    keep(fact.node, derivations);
                    return explained;
                },
            } as const;
            pane.show(asked, {
                expand: async (node, all) => {
                    const derivations = await rows.expand(explanation, node, all);
                    keep(node, derivations);
                    return derivations;
                },
                absence: () => Promise.reject(new TypeError('nothing is missing here')),
                reveal: (node, derivation) => {
                    const origin = derivation === undefined ? origins.get(node) : undefined;
                    const place = derivation === undefined ? origin?.label : rules.get(node)?.[derivation];
                    if (place === undefined) return;
                    if (origin?.kind === 'source') announce(`${place} is a file on the machine of the services`);
                    else if (origin?.kind === 'concept') reveal(place, undefined);
                    else openLine(place);
                },
                closed,
            });
        },
    };

    function openLine(place: string): void {
        const [, concept = place, line] = /^(.*):(\d+)$/su.exec(place) ?? [];
        reveal(concept, line === undefined ? undefined : Number(line));
    }
}
