import type { RowView } from '#server/protocol/runs.ts';
import { type Asked, createExplanationPane, type ExplanationPane } from '../explanation/explanation-pane.ts';
import type { Given } from '../given.ts';
import { l10n } from '../l10n.ts';
import type { Picture } from '../pictures/picture.ts';
import { explainedPlaces } from './explained-places.ts';
import type { StoredRows } from './stored-rows.ts';

/** What a place in an explanation opens. */
export interface PlaceEvents {
    /** A line of a concept, one-based, or the concept as a whole. */
    reveal(concept: string, line: number | undefined): void;
    announce(text: string): void;
    /** Another missing row is to be asked about. */
    again(): void;
    /** Hands the explanation to the agent. */
    ask?: (given: Given) => void;
    savePicture(picture: Picture): void;
    closed(): void;
}

/** Explanations of stored rows, and of rows that are missing among them, in the pane of the extension. */
export interface StoredExplanations {
    readonly pane: ExplanationPane;
    show(view: RowView, row: number): void;
    showMissing(question: string): void;
}

export function storedExplanations(rows: StoredRows, events: PlaceEvents): StoredExplanations {
    const pane = createExplanationPane();
    let explanation = '';
    let places = explainedPlaces();

    const open = (asked: Asked): void => {
        places = explainedPlaces();
        pane.show(asked, {
            expand: async (node, all, signal) => {
                const derivations = await rows.expand(explanation, node, all, signal);
                places.derivations(node, derivations);
                return derivations;
            },
            absence: async (node, signal) => {
                const absence = await rows.absence(explanation, node, signal);
                places.absence(absence);
                return absence;
            },
            reveal: (node, derivation) => {
                const place = places.of(node, derivation);
                if (place === undefined) return;
                if (place.kind === 'source') events.announce(l10n.t('{0} is a file on the machine of the services', place.label));
                else if (place.kind === 'concept') events.reveal(place.label, undefined);
                else openLine(place.label);
            },
            ...(events.ask && { ask: events.ask }),
            savePicture: events.savePicture,
            closed: events.closed,
        });
    };
    const openLine = (place: string): void => {
        const [, concept = place, line] = /^(.*):(\d+)$/su.exec(place) ?? [];
        events.reveal(concept, line === undefined ? undefined : Number(line));
    };
    return {
        pane,
        show(view, row) {
            const explain = async (all: boolean, signal: AbortSignal) => {
                const explained = await rows.explain(view, row, all, signal);
                explanation = explained.id;
                places.fact(explained.fact);
                places.derivations(explained.fact.node, explained.derivations);
                return explained;
            };
            open({ kind: 'row', explain, tell: signal => rows.tell(view, row, signal) });
        },
        showMissing(question) {
            const answer = async (signal: AbortSignal) => {
                const { id, ...told } = await rows.whyMissing(question, signal);
                explanation = id;
                if (told.kind === 'present') told.facts.forEach(places.fact);
                else {
                    places.absence(told.absence);
                    told.first?.places.forEach(places.place);
                }
                return told;
            };
            open({ kind: 'missing', answer, again: events.again });
        },
    };
}
