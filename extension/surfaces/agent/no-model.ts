import { element } from '../dom.ts';
import { l10n } from '../l10n.ts';
import { openMenu } from '../menu.ts';
import { stateSurface } from '../state-surface.ts';
import { visible } from '../visible-text.ts';
import type { OwnCall } from './agent-chat.ts';
import type { AgentAction, AgentView } from './agent-view.ts';

/** Actions without a model: search the documentation, run concepts, explain rows. */
export function noModelActions(
    view: AgentView | undefined,
    host: { act(action: AgentAction): void; readonly configures: boolean },
    composer: { focus(): void },
): HTMLElement {
    const isViewer = view?.access === 'viewer';
    const call = (call: OwnCall, words: string): void => host.act({ kind: 'call', call, words });
    const chooseConcept = (button: HTMLElement, isFit: (rows: number | undefined) => boolean, choose: (name: string) => void): void => {
        const fitting = (view?.concepts ?? []).filter(({ rows }) => isFit(rows));
        openMenu(
            button,
            l10n.t('Concepts'),
            fitting.map(({ name }) => ({ label: visible(name), choose: () => choose(name) })),
        );
    };
    const action = (label: string, act: (button: HTMLElement) => void, isThere = true): HTMLElement => {
        const made = element('button', { type: 'button', class: 'suggestion', disabled: !isThere }, label);
        made.addEventListener('click', () => act(made));
        return made;
    };
    const concepts = view?.concepts ?? [];
    const list = element(
        'div',
        { class: 'suggestions' },
        action(l10n.t('Search the documentation'), () => composer.focus()),
        ...(isViewer
            ? []
            : [
                  action(
                      l10n.t('Run a concept'),
                      button =>
                          chooseConcept(
                              button,
                              () => true,
                              concept => call({ tool: 'run_concept', concept }, l10n.t('Run @{0}', concept)),
                          ),
                      concepts.length > 0,
                  ),
              ]),
        action(
            l10n.t('Show rows, and why they are there'),
            button =>
                chooseConcept(
                    button,
                    rows => rows !== undefined,
                    concept => call({ tool: 'fetch_results', concept }, l10n.t('Show the rows of @{0}', concept)),
                ),
            concepts.some(({ rows }) => rows !== undefined),
        ),
    );
    if (isViewer) {
        const text = l10n.t('Your token reads only: the agent answers users alone. What needs no model is here.');
        return stateSurface({ picture: 'lock', title: l10n.t('The agent is for users'), text }, list);
    }
    const configure = { label: l10n.t('Configure a model'), act: () => host.act({ kind: 'configure' }) };
    const text = `${sentence(view?.noModel ?? '')} ${l10n.t('The rest works without one.')}`;
    return stateSurface(
        { picture: 'ask', title: l10n.t('No model is configured'), text, ...(host.configures && { action: configure }) },
        list,
    );
}

function sentence(reason: string): string {
    const text = visible(reason.trim());
    if (text === '') return '';
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/u.test(text) ? '' : '.'}`;
}
