import { element } from '#extension/surfaces/dom.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { visible } from '#extension/surfaces/visible-text.ts';
import type { ConceptParameter } from './messages.ts';

export interface ParameterEvents {
    run(values: readonly { readonly name: string; readonly written: string }[]): void;
    stop(): void;
}

/** What a concept is run with, and the button that runs it. */
export interface ParameterForm {
    readonly root: HTMLElement;
    show(parameters: readonly ConceptParameter[], mayRun: boolean): void;
    running(isRunning: boolean): void;
}

export function createParameterForm({ run, stop }: ParameterEvents): ParameterForm {
    const fields = element('div', { class: 'parameter-fields' });
    const button = element('button', { type: 'submit', class: 'button' }, l10n.t('Run'));
    const root = element('form', { class: 'parameter-form', 'aria-label': l10n.t('Run') }, fields, button);
    let isRunning = false;
    root.addEventListener('submit', event => {
        event.preventDefault();
        if (isRunning) {
            stop();
            return;
        }
        const inputs = [...fields.querySelectorAll('input')];
        run(inputs.map(({ name, value }) => ({ name, written: value })));
    });
    return {
        root,
        show(parameters, mayRun) {
            root.hidden = !mayRun;
            fields.replaceChildren(
                ...parameters.map(({ name, usual, written }) =>
                    element(
                        'label',
                        {},
                        element('span', { class: 'value' }, visible(name)),
                        element('input', {
                            type: 'text',
                            name,
                            value: written ?? '',
                            placeholder: usual === undefined ? l10n.t('needed') : visible(usual),
                        }),
                    ),
                ),
            );
        },
        running(now) {
            isRunning = now;
            button.textContent = now ? l10n.t('Stop') : l10n.t('Run');
        },
    };
}
