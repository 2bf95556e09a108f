import { element } from '#extension/surfaces/dom.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { countText } from '#extension/surfaces/number-text.ts';
import { briefly } from '#extension/surfaces/platform/failure.ts';
import { trialText } from '#extension/surfaces/platform/model-trial.ts';
import { visible } from '#extension/surfaces/visible-text.ts';
import type { PlatformClient } from '#server/client/platform-client.ts';
import { PlatformError } from '#server/client/platform-error.ts';
import { modelSettings, openModelSheet } from './model-settings.ts';
import type { MountedSurface, ServicesHost } from './section.ts';

/** The version of the services that have this page. */
declare const RULELANG_VERSION: string;

type Usage = Awaited<ReturnType<PlatformClient['usageStatus']>>['llm_usage'];
type Entry = readonly [term: string, value: string | HTMLElement];

/** The services, the model that they ask, and what of it was used. */
export async function openSettings(host: ServicesHost): Promise<MountedSurface> {
    const { client, mayChange, project, scope } = host;
    const [state, usage, saved, agent] = await Promise.all([
        client.status({}),
        client.usageStatus({}),
        client.loadConfig({ query: { scope: 'user' } }),
        project && scope === 'user' ? client.agentStatus({ path: { project_id: project.id } }) : undefined,
    ]);
    const configure = element('button', { type: 'button', class: 'button' }, l10n.t('Configure a model'));
    configure.addEventListener('click', () => openModelSheet(client, saved, host.refresh));
    const trial = modelTrial(host);
    const root = element(
        'div',
        { class: 'sheet-of-project settings' },
        element('h1', {}, l10n.t('Settings')),
        element('h2', {}, l10n.t('Services')),
        entries([
            [l10n.t('Version'), RULELANG_VERSION],
            [l10n.t('Address'), `${location.origin}${location.pathname}`],
            [l10n.t('State'), stateText(state)],
            [l10n.t('This page'), mayChange ? l10n.t('may change and run things') : l10n.t('reads, and changes nothing')],
        ]),
        element(
            'div',
            { class: 'project-head' },
            element('h2', {}, l10n.t('Language model')),
            ...(mayChange ? [trial.button, configure] : []),
        ),
        trial.told,
        agent && agent.reason !== null ? element('p', { class: 'muted prose' }, visible(agent.reason)) : undefined,
        entries(modelSettings(saved, agent?.model ?? undefined)),
        element('h2', {}, l10n.t('Usage in this month')),
        usageTable([
            [l10n.t('Language models'), usage.llm_usage],
            [l10n.t('Embeddings'), usage.embedding_usage],
        ]),
    );
    return { root };
}

function entries(all: readonly Entry[]): HTMLElement {
    return element(
        'dl',
        { class: 'settings-list' },
        ...all.flatMap(([term, value]) => [element('dt', {}, term), element('dd', {}, typeof value === 'string' ? visible(value) : value)]),
    );
}

/** A button that asks the model for one word, and where it says what came back and what that cost. */
function modelTrial({ client, busy }: ServicesHost): Readonly<Record<'button' | 'told', HTMLElement>> {
    const button = element('button', { type: 'button', class: 'button secondary' }, l10n.t('Test'));
    const told = element('p', { class: 'muted prose model-trial', role: 'status' });
    button.addEventListener('click', async () => {
        busy(true);
        button.toggleAttribute('disabled', true);
        told.textContent = l10n.t('Asking the language model for one word');
        told.textContent = await client.testModel({}).then(
            trial => trialText(trial, l10n),
            error => l10n.t('No answer from the language model: {0}', error instanceof PlatformError ? error.message : briefly(error)),
        );
        button.toggleAttribute('disabled', false);
        busy(false);
    });
    return { button, told };
}

function stateText({ status, running, waiting }: Awaited<ReturnType<PlatformClient['status']>>): string {
    switch (status) {
        case 'ready':
            return l10n.t('Ready');
        case 'busy':
            return l10n.t('Busy: {0} evaluations run, {1} wait', countText(running), countText(waiting));
        case 'unavailable':
            return l10n.t('No evaluations are taken');
    }
}

/** Requests to providers, what is left of them, and the tokens that they took. */
function usageTable(kinds: readonly (readonly [name: string, usage: Usage])[]): HTMLElement {
    const titles = [l10n.t('Requests'), l10n.t('Limit'), l10n.t('Left'), l10n.t('Tokens sent'), l10n.t('Tokens answered')];
    const head = (title: string, kind?: string): HTMLElement => element('th', { scope: 'col', class: kind }, title);
    return element(
        'div',
        { class: 'wide-table', role: 'group', tabindex: 0, 'aria-label': l10n.t('Usage in this month') },
        element(
            'table',
            { class: 'list' },
            element('thead', {}, element('tr', {}, head(l10n.t('Asked')), ...titles.map(title => head(title, 'number')))),
            element(
                'tbody',
                {},
                ...kinds.map(([name, { current, limit, remaining, input_tokens: input, output_tokens: output }]) =>
                    element(
                        'tr',
                        {},
                        element('th', { scope: 'row' }, name),
                        ...[current, limit, remaining, input, output].map(count => element('td', { class: 'number' }, countText(count))),
                    ),
                ),
            ),
        ),
    );
}
