import { rowsText } from '../count-words.ts';
import { element } from '../dom.ts';
import { l10n } from '../l10n.ts';
import { countText } from '../number-text.ts';
import { visible, visibleLines } from '../visible-text.ts';
import { diffPieces, lineDiff } from './line-diff.ts';
import type { Proposal } from './transcript.ts';
import type { TurnEvents } from './turn-events.ts';

/** Lines of what stays that are shown around a change. */
const AROUND = 2;

/** The place of a proposal. */
interface Place {
    readonly tool: string;
    readonly turn: number;
    readonly part: number;
}

/** Draws a proposal of the agent as a change of a text, with the user's decision. */
export function proposalView(proposal: Proposal, { tool, turn, part }: Place, events: TurnEvents): HTMLElement {
    const { concept, code, before, description, reason, state, id } = proposal;
    const isRun = tool === 'run_concept';
    const root = element('section', { class: `proposal ${state}`, 'aria-label': titleOf(proposal, isRun) });
    const name = element('button', { type: 'button', class: 'link value' }, visible(concept));
    name.addEventListener('click', () => events.open(concept));
    const title = element('span', { class: 'proposal-title' }, titleOf(proposal, isRun));
    const isThere = before !== undefined || state === 'accepted';
    const badge = element('span', { class: `proposal-state ${state} small` }, stateText(proposal, isRun));
    const text = isRun ? undefined : diffNode(before ?? '', code);
    root.append(
        element('header', {}, title, isThere ? name : undefined, badge),
        ...(description === '' || isRun ? [] : [element('p', {}, visibleLines(description))]),
        ...(reason === undefined ? [] : [element('p', { class: 'proposal-reason' }, visibleLines(sentence(reason)))]),
        ...(text === undefined ? [] : [text]),
        ...trialNodes(proposal),
    );
    if (state !== 'waiting' || id === undefined) return root;
    const button = (label: string, kind: string, act: () => void): HTMLElement => {
        const made = element('button', { type: 'button', class: `button ${kind}` }, label);
        made.addEventListener('click', act);
        return made;
    };
    const accept = button(isRun ? l10n.t('Run') : l10n.t('Accept'), '', () => events.decide(id, { kind: 'accept' }));
    const reject = button(l10n.t('Reject'), 'secondary', () => events.decide(id, { kind: 'reject' }));
    const buttons = element('div', { class: 'proposal-actions' }, accept, reject);
    const { compare } = events;
    if (!isRun && text !== undefined) {
        const edit = compare === undefined ? () => editHere() : () => compare(turn, part);
        buttons.append(button(compare === undefined ? l10n.t('Edit') : l10n.t('Compare'), 'secondary', edit));
    }
    /** The text becomes a field, and what is accepted is what stands in it. */
    const editHere = (): void => {
        const field = element('textarea', { class: 'proposal-field', 'aria-label': l10n.t('Program'), spellcheck: 'false' });
        field.value = code;
        field.rows = Math.min(20, code.split('\n').length + 1);
        text?.replaceWith(field);
        const acceptEdited = button(l10n.t('Accept'), '', () => events.decide(id, { kind: 'edit', code: field.value }));
        buttons.replaceChildren(acceptEdited, reject);
        field.focus();
    };
    root.append(buttons);
    return root;
}

function titleOf({ concept, before }: Proposal, isRun: boolean): string {
    if (isRun) return l10n.t('Wants to run {0}', visible(concept));
    return before === undefined ? l10n.t('New concept {0}', visible(concept)) : l10n.t('Change of {0}', visible(concept));
}

function stateText({ state }: Proposal, isRun: boolean): string {
    switch (state) {
        case 'waiting':
            return l10n.t('waits for you');
        case 'accepted':
            return isRun ? l10n.t('allowed') : l10n.t('accepted');
        case 'rejected':
            return l10n.t('rejected');
        case 'lapsed':
            return l10n.t('not decided');
    }
}

function sentence(reason: string): string {
    return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}`;
}

function diffNode(before: string, after: string): HTMLElement {
    const lines = lineDiff(before, after);
    const rows = diffPieces(lines, AROUND).flatMap(piece =>
        'hidden' in piece
            ? [element('div', { class: 'diff-hidden muted small' }, l10n.t('{0} lines stay', countText(piece.hidden)))]
            : piece.lines.map(({ kind, text }) => {
                  const sign = { same: ' ', removed: '−', added: '+' }[kind];
                  return element('div', { class: `diff-line ${kind}` }, element('span', { class: 'diff-sign' }, sign), visible(text));
              }),
    );
    if (before === after) rows.unshift(element('div', { class: 'diff-hidden muted small' }, l10n.t('Nothing changes')));
    return element('div', { class: 'diff', role: 'group', tabindex: 0, 'aria-label': l10n.t('Changes') }, ...rows);
}

/** The outcome of the program's trial. */
function trialNodes({ trial }: Proposal): Node[] {
    if (trial === undefined) return [];
    const lines = trial.outputs.map(({ predicate, row_count, why_empty = [] }) =>
        element(
            'li',
            {},
            element('span', { class: 'value' }, visible(predicate)),
            `: ${rowsText(row_count)}`,
            ...why_empty.map(why => element('div', { class: 'muted' }, visibleLines(why))),
        ),
    );
    const notRun = trial.not_run.map(what => element('li', { class: 'muted' }, l10n.t('Not tried: {0}', visibleLines(what))));
    if (lines.length + notRun.length === 0) return [];
    return [
        element(
            'div',
            { class: 'trial small' },
            element('span', { class: 'muted' }, l10n.t('Tried on the data at hand')),
            element('ul', {}, ...lines, ...notRun),
        ),
    ];
}
