import { element } from '#extension/surfaces/dom.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { createParameterForm } from '#extension/surfaces/parameter-form.ts';
import { visible } from '#extension/surfaces/visible-text.ts';
import type { RunParameter } from '#server/protocol/runs.ts';
import type { ParameterSet, ProgramParameter, WrittenValues } from './messages.ts';

/** The line above the rows that says with which values of parameters they were made, and the form in which they are changed. */
export interface ParametersLine {
    readonly root: HTMLElement;
    show(parameters: readonly RunParameter[]): void;
    /** `kept` is the set that has just been kept. */
    open(parameters: readonly ProgramParameter[], sets: readonly ParameterSet[] | undefined, kept: string | undefined): void;
    running(isRunning: boolean): void;
}

export interface ParametersEvents {
    /** The form is wanted. */
    change(): void;
    run(values: WrittenValues): void;
    stop(): void;
    keepSet(values: WrittenValues, name: string): void;
    forgetSet(name: string): void;
    closed(): void;
}

export function createParametersLine(events: ParametersEvents): ParametersLine {
    const list = element('dl', { class: 'parameter-list', 'aria-label': l10n.t('Parameters of the run') });
    const change = button('link', l10n.t('Change'), events.change);
    change.title = l10n.t('Change the values, and run again');
    const line = element('div', { class: 'parameters small', hidden: true }, list, change);
    const form = createParameterForm(events);
    const none = element(
        'p',
        { class: 'muted parameter-none', hidden: true },
        l10n.t('The program has no parameters: @param("name", value) declares one.'),
    );
    let known: readonly ParameterSet[] = [];
    let isFilled = false;
    const sets = element('select', { class: 'parameter-sets', 'aria-label': l10n.t('Set of values'), hidden: true });
    const chosen = (): ParameterSet | undefined => known.find(({ name }) => name === sets.value);
    const keep = button('link', l10n.t('Save as Set…'), () => events.keepSet(form.values(), sets.value));
    const forget = button('link', l10n.t('Delete Set'), () => events.forgetSet(sets.value));
    const close = button('link', l10n.t('Close'), () => {
        opened(false);
        events.closed();
    });
    sets.addEventListener('change', () => {
        forget.hidden = chosen() === undefined;
        form.fill(chosen()?.values ?? []);
    });
    form.root.append(sets, keep, forget, close);
    form.root.hidden = true;
    form.root.addEventListener('keydown', event => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        close.click();
    });
    const opened = (isOpen: boolean): void => {
        form.root.hidden = !isOpen;
        line.hidden = isOpen || !isFilled;
        none.hidden = true;
    };
    return {
        root: element('div', { class: 'parameters-bar' }, line, form.root, none),
        show(parameters) {
            isFilled = parameters.length > 0;
            line.hidden = !isFilled || !form.root.hidden;
            list.replaceChildren(...parameters.map(parameterItem));
        },
        open(parameters, given, kept) {
            const before = kept ?? sets.value;
            const wasOpen = !form.root.hidden;
            known = given ?? [];
            keep.hidden = given === undefined;
            sets.replaceChildren(
                ...[l10n.t('No set'), ...known.map(({ name }) => name)].map((text, i) =>
                    element('option', { value: i === 0 ? '' : text }, visible(text)),
                ),
            );
            sets.value = known.some(({ name }) => name === before) ? before : '';
            sets.hidden = known.length === 0;
            forget.hidden = chosen() === undefined;
            opened(parameters.length > 0);
            none.hidden = parameters.length > 0;
            // What is being written stays.
            if (!wasOpen) {
                form.show(parameters, parameters.length > 0);
                form.root.querySelector<HTMLElement>('.parameter-fields input, .parameter-fields select')?.focus();
            }
        },
        running: form.running,
    };
}

function button(kind: string, text: string, act: () => void): HTMLButtonElement {
    const made = element('button', { type: 'button', class: kind }, text);
    made.addEventListener('click', act);
    return made;
}

function parameterItem({ name, text, given }: RunParameter): HTMLElement {
    const value = visible(text);
    const origin = given
        ? l10n.t('{0} = {1}, given to the run', name, value)
        : l10n.t('{0} = {1}, the default of the program', name, value);
    return element(
        'div',
        { class: `parameter ${given ? 'given' : ''}`, title: origin },
        element('dt', {}, visible(name)),
        element('dd', {}, text === '' ? element('span', { class: 'empty' }, l10n.t('empty')) : value),
        given ? element('span', { class: 'muted' }, l10n.t('given')) : undefined,
    );
}
