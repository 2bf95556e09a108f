import type { ToldProof } from '#server/protocol/proof-sentences.ts';
import { element } from '../dom.ts';
import { l10n } from '../l10n.ts';
import { visible } from '../visible-text.ts';

/** A button that has a language model tell a proof; its words take the place of the button, with the facts that they cite. */
export function toldPart(tell: () => Promise<ToldProof>): HTMLElement {
    const button = element('button', { type: 'button', class: 'button secondary' }, l10n.t('Tell it in words'));
    const state = element('p', { class: 'muted small', role: 'status' });
    const part = element('div', { class: 'told' }, button, state);
    button.title = l10n.t('A language model is sent the facts and rules of this explanation');
    button.addEventListener('click', async () => {
        button.disabled = true;
        state.textContent = l10n.t('The model is asked');
        try {
            part.replaceChildren(...toldLines(await tell()));
        } catch (reason) {
            state.textContent = reason instanceof Error ? reason.message : String(reason);
            button.disabled = false;
        }
    });
    return part;
}

function toldLines({ model, sentences, removed, steps }: ToldProof): HTMLElement[] {
    const cited = [...new Set(sentences.flatMap(sentence => sentence.steps))].sort((a, b) => a - b);
    const remark =
        removed === 0
            ? []
            : [
                  element(
                      'p',
                      { class: 'muted small' },
                      removed === 1
                          ? l10n.t('1 sentence was removed that cites no step or names what is not in it.')
                          : l10n.t('{0} sentences were removed that cite no step or name what is not in it.', removed),
                  ),
              ];
    if (sentences.length === 0) return [element('p', {}, l10n.t('{0} said nothing that stands in the proof.', visible(model))), ...remark];
    return [
        element('h3', {}, l10n.t('In the words of {0}', visible(model))),
        ...sentences.map(({ text, steps: own }) => element('p', {}, `${visible(text)} [${own.join(', ')}]`)),
        ...cited.map(number => element('p', { class: 'muted small' }, `[${number}] ${visible(steps[number - 1]?.fact ?? '')}`)),
        ...remark,
    ];
}
