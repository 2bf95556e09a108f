import type { ExplainedDerivation, ExplainedFact, WireOrigin } from '#server/protocol/runs.ts';
import { element } from '../dom.ts';
import { l10n } from '../l10n.ts';
import { visible } from '../visible-text.ts';
import { placeLink } from './place-link.ts';
import type { Tree, TreeItem } from './tree.ts';

/** The source of facts for their lines. */
export interface FactSource {
    expand(node: number): Promise<readonly ExplainedDerivation[]>;
    reveal(node: number, derivation?: number): void;
}

export interface FactOptions {
    /** Stands before the fact. */
    readonly mark?: HTMLElement;
    /** Stands after it. */
    readonly note?: string;
    readonly look?: string;
    /** It goes on with the chain that its parent is a step of. */
    readonly isNext?: boolean;
    /** The derivations, where they are there already. */
    readonly known?: readonly ExplainedDerivation[];
}

/** A fact; below it the rule that derives it and its premises, or several derivations. */
export function factItem(
    tree: Tree,
    parent: TreeItem | undefined,
    fact: ExplainedFact,
    from: FactSource,
    options: FactOptions = {},
): TreeItem {
    const second = element('div', { class: 'rule-line' });
    const { origin } = fact;
    const isGroup = fact.kind === 'group';
    const text = isGroup
        ? element('span', { class: 'group' }, visible(fact.verbalization))
        : element('span', { class: 'fact', title: visible(fact.verbalization) }, visible(fact.text));
    const marked = options.mark === undefined ? text : element('span', { class: 'marked' }, options.mark, text);
    const line = element('div', { class: 'fact-line' }, marked);
    if (options.note !== undefined) line.append(element('span', { class: 'muted small note' }, visible(options.note)));
    if (fact.deferred) line.append(element('span', { class: 'muted small later' }, l10n.t('came later')));
    if (origin !== undefined) {
        // What menus of an editor are about.
        if (origin.kind !== 'concept') line.dataset.vscodeContext = JSON.stringify({ webviewSection: 'givenFact', clause: fact.text });
        line.append(placeLink(visible(origin.label), titleOf(origin), () => from.reveal(fact.node)));
    }
    return tree.item(parent, {
        expandable: fact.expandable,
        lines: [line, second],
        about: String(fact.node),
        ...(options.look === undefined ? {} : { look: options.look }),
        ...(options.isNext === undefined ? {} : { isNext: options.isNext }),
        act: () => (origin === undefined ? undefined : from.reveal(fact.node)),
        async load(item) {
            const derivations = options.known ?? (await from.expand(fact.node));
            if (isGroup) {
                const several = new Set(derivations.map(({ place }) => place)).size > 1;
                return derivations.map((derivation, index) => contributionItem(tree, item, derivation, index, fact, several, from));
            }
            const [only, ...others] = derivations;
            if (only !== undefined && others.length === 0) {
                second.replaceChildren(...ruleParts(only, () => from.reveal(fact.node, 0)));
                return premiseItems(tree, item, only, from);
            }
            return derivations.map((derivation, index) => derivationItem(tree, item, derivation, index, fact, from));
        },
    });
}

/** The tooltip of a fact's place: the target of a click. */
function titleOf({ kind }: WireOrigin): string {
    switch (kind) {
        case 'clause':
            return l10n.t('Open the fact');
        case 'source':
            return l10n.t('Open the line of the file');
        case 'concept':
            return l10n.t('Open the concept that gave it');
    }
}

function derivationItem(
    tree: Tree,
    parent: TreeItem,
    derivation: ExplainedDerivation,
    index: number,
    fact: ExplainedFact,
    from: FactSource,
): TreeItem {
    const open = (): void => from.reveal(fact.node, index);
    return tree.item(parent, {
        expandable: premises(derivation) > 0,
        lines: [element('div', { class: 'rule-line numbered' }, numberMark(index), ...ruleParts(derivation, open))],
        act: open,
        load: item => premiseItems(tree, item, derivation, from),
    });
}

/** One contribution to an aggregate: the facts instead of the rule, which is that of the group unless several rules share it. */
function contributionItem(
    tree: Tree,
    parent: TreeItem,
    derivation: ExplainedDerivation,
    index: number,
    group: ExplainedFact,
    several: boolean,
    from: FactSource,
): TreeItem {
    const [only] = derivation.premises;
    const gives = derivation.gives ?? [];
    const note =
        gives.length === 0
            ? undefined
            : l10n.t(
                  'gives {0}',
                  gives.reduce((before, next) => l10n.t('{0} and {1}', before, next)),
              );
    if (only !== undefined && premises(derivation) === 1 && (!several || only.origin !== undefined)) {
        const isEvident = gives.every(value => only.text.includes(value));
        return factItem(tree, parent, only, from, isEvident || note === undefined ? {} : { note });
    }
    const facts = visible(derivation.premises.map(premise => premise.text).join(', '));
    const open = (): void => from.reveal(group.node, index);
    const line = element(
        'div',
        { class: 'rule-line numbered' },
        numberMark(index),
        element('span', { class: 'rule', title: facts }, facts),
        note === undefined ? undefined : element('span', { class: 'muted small note' }, visible(note)),
        several ? placeLink(visible(derivation.place), l10n.t('Open the rule'), open) : undefined,
    );
    return tree.item(parent, {
        expandable: premises(derivation) > 0,
        lines: [line],
        act: open,
        load: item => premiseItems(tree, item, derivation, from),
    });
}

/** Items for the premises of a derivation: facts, and absent facts. The fact with which a chain goes on stands last. */
function premiseItems(tree: Tree, parent: TreeItem, { premises, absent = [], next }: ExplainedDerivation, from: FactSource): TreeItem[] {
    return [
        ...premises.filter(({ node }) => node !== next).map(premise => factItem(tree, parent, premise, from)),
        ...absent.map(text => {
            const words = element('span', { class: 'fact' }, element('span', { class: 'muted' }, l10n.t('no')), ' ', visible(text));
            return tree.item(parent, {
                expandable: false,
                lines: [element('div', { class: 'fact-line' }, words)],
                act: () => undefined,
                load: () => [],
            });
        }),
        ...premises.filter(({ node }) => node === next).map(premise => factItem(tree, parent, premise, from, { isNext: true })),
    ];
}

function premises({ premises, absent = [] }: ExplainedDerivation): number {
    return premises.length + absent.length;
}

/** The number of one among several. */
export function numberMark(index: number): HTMLElement {
    return element('span', { class: 'derivation-number' }, String(index + 1));
}

/** A rule on one line, with its place. */
export function ruleParts({ rule, place }: { readonly rule: string; readonly place: string }, open: () => void): HTMLElement[] {
    const text = visible(rule.replace(/\s+/gu, ' '));
    return [element('span', { class: 'rule', title: text }, text), placeLink(visible(place), l10n.t('Open the rule'), open)];
}
