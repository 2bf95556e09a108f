import { element } from '#extension/surfaces/dom.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { visible } from '#extension/surfaces/visible-text.ts';
import type { RunParameter } from '#server/protocol/runs.ts';

/** The line above the rows that says with which values of parameters they were made. */
export interface ParametersLine {
    readonly root: HTMLElement;
    show(parameters: readonly RunParameter[]): void;
}

export function createParametersLine(change: () => void): ParametersLine {
    const list = element('dl', { class: 'parameter-list', 'aria-label': l10n.t('Parameters of the run') });
    const button = element(
        'button',
        { type: 'button', class: 'link', title: l10n.t('Open the setting that gives parameters') },
        l10n.t('Change'),
    );
    button.addEventListener('click', change);
    const root = element('div', { class: 'parameters small', hidden: true }, list, button);
    return {
        root,
        show(parameters) {
            root.hidden = parameters.length === 0;
            list.replaceChildren(...parameters.map(parameterItem));
        },
    };
}

function parameterItem({ name, text, given }: RunParameter): HTMLElement {
    const value = visible(text);
    const origin = given
        ? l10n.t('{0} = {1}, given by the setting', name, value)
        : l10n.t('{0} = {1}, the default of the program', name, value);
    return element(
        'div',
        { class: `parameter ${given ? 'given' : ''}`, title: origin },
        element('dt', {}, visible(name)),
        element('dd', {}, text === '' ? element('span', { class: 'empty' }, l10n.t('empty')) : value),
        given ? element('span', { class: 'muted' }, l10n.t('given')) : undefined,
    );
}
