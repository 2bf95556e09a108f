import type { Absence, AbsenceReason, HoldingPremise, Lack, NodePlace } from '#server/protocol/why-not.ts';
import { element } from '../dom.ts';
import { icon } from '../icons.ts';
import { l10n } from '../l10n.ts';
import { visible } from '../visible-text.ts';
import { type FactSource, factItem, numberMark, ruleParts } from './fact-items.ts';
import { placeLink } from './place-link.ts';
import type { Tree, TreeItem } from './tree.ts';

/** The source of missing facts for their lines. */
export interface AbsenceSource extends FactSource {
    absence(node: number): Promise<Absence>;
    /** Every reason instead of the nearest ones. */
    readonly all: boolean;
}

/** Reasons shown of those that are ranked. */
export const NEAREST = 3;
/** Steps that are opened below the first reason. */
const OPENED = 7;

/** A missing fact; below it what came nearest to deriving it: the premises that hold, and what is lacking. */
export function absenceItem(tree: Tree, absence: Absence, from: AbsenceSource): TreeItem {
    const second = element('div', { class: 'rule-line' });
    const fact = element('span', { class: 'fact' }, visible(absence.fact));
    const verdict = element('span', { class: 'muted small verdict' }, verdictOf(absence));
    const line = element(
        'div',
        { class: 'fact-line' },
        element('span', { class: 'marked' }, failMark(), element('span', {}, fact, ' ', verdict)),
    );
    return tree.item(undefined, {
        expandable: absence.reasons.length > 0,
        look: 'absent',
        lines: [line, second],
        act: () => undefined,
        load: item => reasonItems(tree, item, absence, second, from),
    });
}

/** Changes of rules that would give the fact, apart from what is true of the data; undefined where none is known. */
export function editsItem(tree: Tree, { edits = [] }: Absence, from: AbsenceSource): TreeItem | undefined {
    if (edits.length === 0) return undefined;
    const line = element('div', { class: 'fact-line' }, element('span', { class: 'muted' }, l10n.t('If a rule is wrong')));
    return tree.item(undefined, {
        expandable: true,
        look: 'absent',
        lines: [line],
        act: () => undefined,
        load: item => edits.slice(0, from.all ? edits.length : NEAREST).flatMap((edit, index) => editItem(tree, item, edit, index, from)),
    });
}

/** A change of a rule, with links to the rule and to the place in it, and what else it would do. */
function editItem(tree: Tree, parent: TreeItem, edit: AbsenceReason, index: number, from: AbsenceSource): TreeItem | TreeItem[] {
    const { rule, lacks, changes } = edit;
    if (rule === undefined) return premiseItems(tree, parent, edit, from);
    const open = (): void => from.reveal((lacks[0]?.places[0] ?? rule.place).node);
    const summaries = lacks.map(({ words, places }) =>
        element('div', { class: 'lack-line' }, element('span', {}, visible(words)), placeLinks(places, from)),
    );
    return tree.item(parent, {
        expandable: false,
        look: 'reason',
        lines: [
            element(
                'div',
                { class: 'rule-line numbered' },
                numberMark(index),
                ...ruleParts(wording(rule), () => from.reveal(rule.place.node)),
            ),
            ...summaries,
            ...(changes === undefined ? [] : [element('div', { class: 'muted small' }, visible(changes))]),
        ],
        act: open,
        load: () => [],
    });
}

/** Opens what lies between a missing fact and what to look at first. */
export async function openNearest(tree: Tree, item: TreeItem): Promise<void> {
    let next: TreeItem | undefined = item;
    for (let step = 0; next !== undefined && step < 2 * OPENED; step++) {
        await tree.expand(next);
        const children: readonly TreeItem[] = next.children ?? [];
        next = children.find(({ root, expandable }) => expandable && root.matches('.reason, .lack'));
    }
}

function verdictOf({ kind }: Absence): string {
    switch (kind) {
        case 'missing':
            return l10n.t('is not derived');
        case 'further':
            return l10n.t('no other one exists');
        case 'present':
            return l10n.t('is there');
        case 'empty':
            return l10n.t('no rule derives one');
    }
}

function reasonItems(tree: Tree, parent: TreeItem, absence: Absence, second: HTMLElement, from: AbsenceSource): TreeItem[] {
    const reasons = absence.kind === 'empty' || from.all ? absence.reasons : absence.reasons.slice(0, NEAREST);
    const [only] = reasons;
    if (only !== undefined && reasons.length === 1) {
        const { rule } = only;
        if (rule !== undefined) second.replaceChildren(...ruleParts(wording(rule), () => from.reveal(rule.place.node)));
        return premiseItems(tree, parent, only, from);
    }
    return reasons.flatMap((reason, index) => reasonItem(tree, parent, reason, index, from));
}

function reasonItem(tree: Tree, parent: TreeItem, reason: AbsenceReason, index: number, from: AbsenceSource): TreeItem | TreeItem[] {
    const { rule, lacks } = reason;
    if (rule === undefined) return premiseItems(tree, parent, reason, from);
    const open = (): void => from.reveal(rule.place.node);
    const summary = element(
        'div',
        { class: 'marked summary' },
        failMark(),
        element('span', {}, visible(lacks.map(({ words }) => words).reduce((before, next) => l10n.t('{0}, and {1}', before, next)))),
    );
    return tree.item(parent, {
        expandable: true,
        look: 'reason',
        lines: [element('div', { class: 'rule-line numbered' }, numberMark(index), ...ruleParts(wording(rule), open)), summary],
        act: open,
        load: item => premiseItems(tree, item, reason, from),
    });
}

function premiseItems(tree: Tree, parent: TreeItem, { holds, lacks }: AbsenceReason, from: AbsenceSource): TreeItem[] {
    return [...holds.map(premise => holdingItem(tree, parent, premise, from)), ...lacks.map(lack => lackItem(tree, parent, lack, from))];
}

function holdingItem(tree: Tree, parent: TreeItem, { text, note, fact }: HoldingPremise, from: AbsenceSource): TreeItem {
    const mark = element('span', { class: 'mark', role: 'img', 'aria-label': l10n.t('holds') }, icon('check'));
    const noted = note === undefined ? {} : { note };
    if (fact !== undefined) return factItem(tree, parent, fact, from, { mark, look: 'holding', ...noted });
    const line = element(
        'div',
        { class: 'fact-line' },
        element('span', { class: 'marked' }, mark, element('span', { class: 'fact' }, visible(text))),
    );
    if (note !== undefined) line.append(element('span', { class: 'muted small note' }, visible(note)));
    return tree.item(parent, { expandable: false, look: 'holding', lines: [line], act: () => undefined, load: () => [] });
}

function lackItem(tree: Tree, parent: TreeItem, { words, places, near, node, fact }: Lack, from: AbsenceSource): TreeItem {
    const second = element('div', { class: 'rule-line' });
    const links = (all: readonly NodePlace[]): HTMLElement => placeLinks(all, from);
    const line = element(
        'div',
        { class: 'lack-line' },
        element('span', { class: 'marked' }, failMark(), element('span', {}, visible(words))),
        links(places),
    );
    const nearLines = near.map(one =>
        element(
            'div',
            { class: 'near-line' },
            element('span', { class: 'muted small' }, l10n.t('near')),
            element('span', { class: 'fact' }, visible(one.words)),
            links(one.place === undefined ? [] : [one.place]),
        ),
    );
    return tree.item(parent, {
        expandable: node !== undefined || fact !== undefined,
        look: 'lack',
        lines: [line, ...nearLines, second],
        act: () => (places[0] === undefined ? undefined : from.reveal(places[0].node)),
        load: async item => {
            if (node !== undefined) return reasonItems(tree, item, await from.absence(node), second, from);
            return fact === undefined ? [] : [factItem(tree, item, fact, from)];
        },
    });
}

function placeLinks(places: readonly NodePlace[], from: AbsenceSource): HTMLElement {
    return element(
        'span',
        { class: 'places' },
        ...places.map(place => placeLink(visible(place.label), placeTitle(place), () => from.reveal(place.node))),
    );
}

function wording({ text, place }: NonNullable<AbsenceReason['rule']>): { readonly rule: string; readonly place: string } {
    return { rule: text, place: place.label };
}

/** The tooltip of a place: the target of a click. */
export function placeTitle({ kind }: NodePlace): string {
    return kind === 'clause' ? l10n.t('Open it in the program') : l10n.t('Open the line of the file');
}

function failMark(): HTMLElement {
    return element('span', { class: 'mark fails', role: 'img', 'aria-label': l10n.t('fails') }, icon('close'));
}
