import { element, iconButton } from '#extension/surfaces/dom.ts';
import { createExplanationPane } from '#extension/surfaces/explanation/explanation-pane.ts';
import { icon } from '#extension/surfaces/icons.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { countText, durationText } from '#extension/surfaces/number-text.ts';
import { createSplit } from '#extension/surfaces/split.ts';
import { stateSurface } from '#extension/surfaces/state-surface.ts';
import { visible } from '#extension/surfaces/visible-text.ts';
import type { WhatIf, WhatIfOutput } from '#server/protocol/what-if.ts';
import { askingLink } from '../asking-link.ts';
import { changeList } from './change-list.ts';
import { changedRows, type RowActions } from './changed-rows.ts';
import { type HostMessage, type ViewMessage, WHAT_IF, WHAT_IF_METHODS, type WhatIfMethods } from './messages.ts';

type Shown = Extract<HostMessage, { readonly kind: 'show' }>;

/** Nothing is said about a wait that is shorter. */
const PATIENCE = 150;

const link = askingLink<WhatIfMethods, HostMessage, ViewMessage>(WHAT_IF, WHAT_IF_METHODS);
const bar = element('div', {
    class: 'loading-bar',
    role: 'progressbar',
    'aria-label': l10n.t('Looking for what would change'),
    hidden: true,
});
const changes = element('ul', { class: 'changes', 'aria-label': l10n.t('What would be otherwise') });
const add = iconButton(icon('add'), l10n.t('Something else would be otherwise…'), () => link.send({ kind: 'add' }));
const again = iconButton(icon('again'), l10n.t('Look again'), () => link.send({ kind: 'again' }));
const head = element('header', { class: 'what-if-head' }, element('h1', {}, l10n.t('What if')), changes, add, again);
const outputs = element('div', { class: 'outputs' });
const status = element('div', { class: 'what-if-status', role: 'status' });
const pane = createExplanationPane();
const split = createSplit(outputs, pane.root, undefined, () => undefined);
document.body.append(element('main', { class: 'main' }, head, bar, split.root, status));

let waiting: ReturnType<typeof setTimeout> | undefined;

link.listen(show);

function show(shown: Shown): void {
    document.title = l10n.t('What if: {0}', shown.program);
    link.follow(shown.run);
    pane.close();
    changes.replaceChildren(...changeList(shown.changes, (of, text) => link.send({ kind: 'drop', of, text })));
    const { whatIf, why } = shown;
    const isNothing = changes.childElementCount === 0;
    wait(whatIf === undefined && why === undefined && !isNothing);
    if (whatIf !== undefined) drawOutputs(whatIf);
    else if (why !== undefined) drawWhy(why);
    else if (isNothing) drawNothing();
    else status.textContent = '';
}

/** Marks the results as outdated during a new question. */
function wait(isWaiting: boolean): void {
    clearTimeout(waiting);
    bar.hidden = true;
    outputs.classList.toggle('outdated', isWaiting);
    outputs.setAttribute('aria-busy', String(isWaiting));
    if (isWaiting)
        waiting = setTimeout(() => {
            bar.hidden = false;
        }, PATIENCE);
}

function drawOutputs({ number, outputs: all, anew, milliseconds }: WhatIf): void {
    const changed = all.filter(({ comes, goes }) => comes + goes > 0);
    const same = all.filter(({ comes, goes }) => comes + goes === 0);
    outputs.replaceChildren(
        ...changed.map(output => changedRows(output, actionsOf(number, output))),
        ...(changed.length === 0
            ? [
                  stateSurface({
                      picture: 'empty',
                      title: l10n.t('Nothing would change'),
                      text: l10n.t('All outputs would have the same rows.'),
                  }),
              ]
            : same.map(({ name, rows }) =>
                  element(
                      'p',
                      { class: 'same muted' },
                      rows === 1
                          ? l10n.t('{0}: the same row', visible(name))
                          : l10n.t('{0}: the same {1} rows', visible(name), countText(rows)),
                  ),
              )),
    );
    const [comes, goes] = [sum(all.map(output => output.comes)), sum(all.map(output => output.goes))];
    const told = l10n.t('{0} would come, {1} would go · {2}', countText(comes), countText(goes), durationText(milliseconds));
    status.textContent = anew === undefined ? told : `${told} · ${l10n.t('evaluated anew: {0}', visible(anew))}`;
}

function drawWhy(why: string): void {
    const action = { label: l10n.t('Look again'), act: () => link.send({ kind: 'again' }) };
    outputs.replaceChildren(
        stateSurface({ picture: 'error', tone: 'error', title: l10n.t('It cannot be told what would change'), text: visible(why), action }),
    );
    status.textContent = '';
}

function drawNothing(): void {
    const action = { label: l10n.t('Something else…'), act: () => link.send({ kind: 'add' }) };
    const text = l10n.t('Say what would be otherwise: a fact or a rule that is not there, another one, or another value of a parameter.');
    outputs.replaceChildren(stateSurface({ picture: 'ask', title: l10n.t('Nothing is otherwise'), text, action }));
    status.textContent = '';
}

function actionsOf(number: number, { key }: WhatIfOutput): RowActions {
    return {
        more: offset => link.ask('rulelang/whatIfRows', { number, output: key, offset }),
        explain(row, changed, title, back) {
            const { run } = link;
            pane.show(
                {
                    kind: 'missing',
                    title,
                    answer: signal => link.ask('rulelang/whatIfExplain', { number, output: key, row, changed }, signal),
                },
                {
                    expand: (node, all, signal) => link.ask('rulelang/expand', { node, all }, signal),
                    absence: (node, signal) => link.ask('rulelang/absence', { node }, signal),
                    reveal: (node, derivation) =>
                        link.send({ kind: 'reveal', run: link.run, node, ...(derivation !== undefined && { derivation }) }),
                    savePicture: picture => link.send({ kind: 'picture', ...picture }),
                    closed: () => {
                        split.update();
                        // Where rows follow what is typed, the focus is in the editor.
                        if (run === link.run) back.focus();
                    },
                },
            );
            split.update();
        },
    };
}

function sum(numbers: readonly number[]): number {
    return numbers.reduce((before, next) => before + next, 0);
}
