import { exactJson } from '#server/client/exact-json.ts';
import { jsonOf } from '#server/protocol/json-text.ts';
import { isText, object, recordOf } from '#server/protocol/shape.ts';
import { l10n } from '../l10n.ts';
import type { Concept } from './saved-body.ts';
import type { ConceptPlace } from './stored-rows.ts';

/** What is edited of a concept. */
export interface ConceptTexts {
    readonly definition: string;
    readonly python_scripts: Readonly<Record<string, string>>;
}

/** Changes of a concept that are not saved. */
export interface ConceptDraft {
    /** What was saved when they were begun: who saves something else meanwhile is in conflict with them. */
    readonly base: ConceptTexts;
    readonly texts: ConceptTexts;
}

const MOST_SCRIPTS = 64;
const isTexts = object({ definition: isText, python_scripts: recordOf(isText, MOST_SCRIPTS) });
const isDraft = object({ base: isTexts, texts: isTexts });

function keyOf({ scope, project, concept }: ConceptPlace): string {
    return `concept ${scope}/${project}/${concept}`;
}

export function textsOf({ definition, python_scripts }: Concept): ConceptTexts {
    return { definition, python_scripts };
}

export function sameTexts(one: ConceptTexts, other: ConceptTexts): boolean {
    const [scripts, others] = [Object.entries(one.python_scripts), other.python_scripts];
    return (
        one.definition === other.definition &&
        scripts.length === Object.keys(others).length &&
        scripts.every(([name, text]) => others[name] === text)
    );
}

/** Why what is saved of a concept is left alone: changes of it wait in this tab. */
export function draftComplaint(place: ConceptPlace): string | undefined {
    if (keptDraft(place) === undefined) return undefined;
    return l10n.t("'{0}' has unsaved changes: save or discard them first.", place.concept);
}

/** The changes that this tab keeps of a concept: they survive a reload, and go with the tab. */
export function keptDraft(place: ConceptPlace): ConceptDraft | undefined {
    try {
        const kept = exactJson(sessionStorage.getItem(keyOf(place)) ?? 'null');
        return isDraft(kept) ? kept : undefined;
    } catch {
        return undefined;
    }
}

/** Keeps changes, or forgets them; false where the tab has no room for them. */
export function keepDraft(place: ConceptPlace, draft: ConceptDraft | undefined): boolean {
    try {
        if (draft === undefined) sessionStorage.removeItem(keyOf(place));
        else sessionStorage.setItem(keyOf(place), jsonOf(draft));
        return true;
    } catch {
        sessionStorage.removeItem(keyOf(place));
        return false;
    }
}
