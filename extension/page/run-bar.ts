import { element } from '#extension/surfaces/dom.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { countText, durationText } from '#extension/surfaces/number-text.ts';
import { createParameterForm } from '#extension/surfaces/parameter-form.ts';
import { briefly } from '#extension/surfaces/platform/failure.ts';
import { followRun } from '#extension/surfaces/platform/follow-run.ts';
import type { Concept } from '#extension/surfaces/platform/saved-body.ts';
import type { ConceptPlace } from '#extension/surfaces/platform/stored-rows.ts';
import { visibleLines } from '#extension/surfaces/visible-text.ts';
import { paramsOf, typeOfDefault, type WrittenParameter, writtenAs } from '#extension/surfaces/written-parameters.ts';
import type { PlatformClient } from '#server/client/platform-client.ts';
import { PlatformError } from '#server/client/platform-error.ts';

/** Runs a concept with all that it reads, and says how that goes; its fields keep what is written while other things are shown. */
export interface RunBar {
    readonly root: HTMLElement;
    show(concept: Concept, events: RunEvents): void;
}

export interface RunEvents {
    readonly client: Pick<PlatformClient, 'runConcept' | 'listRunning'>;
    announce(text: string): void;
    /** Saves what is written and not saved; nothing runs where that fails. */
    save?(): Promise<boolean>;
    /** Rows may be others now, and there is one more run. */
    ended(): void;
}

const bars = new Map<string, RunBar>();

/** The bar of a concept; a run that was begun in it goes on while other things are shown. */
export function runBarOf(place: ConceptPlace): RunBar {
    const key = JSON.stringify(place);
    const bar = bars.get(key) ?? createRunBar(place);
    bars.set(key, bar);
    return bar;
}

function createRunBar(place: ConceptPlace): RunBar {
    const { scope, project, concept: name } = place;
    let events: RunEvents | undefined;
    let running: AbortController | undefined;
    let declared = '';
    const anew = element('input', { type: 'checkbox' });
    const told = element('div', { class: 'run-notice' });
    const say = (text: string, kind: 'run-error' | 'run-told', ...more: readonly string[]): void => {
        const first = element('p', { class: kind, role: kind === 'run-error' ? 'alert' : undefined }, visibleLines(text));
        told.replaceChildren(first, ...more.map(one => element('p', { class: 'muted' }, visibleLines(one))));
    };
    const run = async (written: readonly WrittenParameter[]): Promise<void> => {
        if (events === undefined) return;
        const { client, announce } = events;
        if ((await events.save?.()) === false) return;
        const abort = new AbortController();
        running = abort;
        form.running(true);
        const since = new Date().toISOString();
        const progress = element('span', { class: 'run-progress' });
        told.replaceChildren(
            element(
                'p',
                { class: 'run-told' },
                l10n.t('Runs since'),
                ' ',
                element('span', { class: 'so-far', 'data-since': since }, durationText(0)),
                progress,
            ),
        );
        announce(l10n.t('Running'));
        const unfollow = followRun(client, place, text => {
            progress.textContent = ` · ${text}`;
        });
        try {
            const body = { scope, params: paramsOf(written), force_rerun: anew.checked };
            const done = await client.runConcept({ path: { project_id: project, concept_name: name }, body }, abort.signal);
            const text = done.cached
                ? l10n.t('Nothing has changed: its rows are those of the last run.')
                : endedText(done.concepts_executed);
            say(text, 'run-told', ...done.warnings);
            announce(text);
        } catch (error) {
            if (abort.signal.aborted) say(l10n.t('The run was stopped.'), 'run-told');
            else say(error instanceof PlatformError && error.status !== 401 ? error.message : briefly(error), 'run-error');
        }
        unfollow();
        running = undefined;
        form.running(false);
        events.ended();
    };
    const form = createParameterForm({ run: written => void run(written), stop: () => running?.abort() });
    form.root.append(element('label', { class: 'run-anew' }, anew, l10n.t('Even if nothing has changed')));
    return {
        root: element('div', { class: 'run-bar' }, form.root, told),
        show({ params }, now) {
            events = now;
            const key = JSON.stringify(params.map(({ name: param, default: usual }) => [param, writtenAs(usual ?? null)]));
            if (key === declared) return;
            declared = key;
            form.show(
                params.map(({ name: param, default: usual }) => ({
                    name: param,
                    type: typeOfDefault(usual),
                    usual: usual == null ? undefined : writtenAs(usual),
                })),
                true,
            );
        },
    };
}

function endedText(executed: readonly string[]): string {
    const others = executed.length - 1;
    if (others <= 0) return l10n.t('It has run.');
    return others === 1
        ? l10n.t('It has run, after 1 concept that it reads.')
        : l10n.t('It has run, after {0} concepts that it reads.', countText(others));
}
