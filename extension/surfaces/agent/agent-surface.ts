import { element, iconButton } from '../dom.ts';
import { icon } from '../icons.ts';
import { l10n } from '../l10n.ts';
import { openMenu } from '../menu.ts';
import { momentText } from '../number-text.ts';
import { stateSurface } from '../state-surface.ts';
import { visible } from '../visible-text.ts';
import type { AgentAction, AgentView, Sent } from './agent-view.ts';
import { callTitle } from './call-words.ts';
import { createComposer } from './composer.ts';
import { currentCall } from './current-call.ts';
import { noModelActions } from './no-model.ts';
import { type Turn, wordsOf } from './transcript.ts';
import type { TurnEvents } from './turn-events.ts';
import { createTurnView, type TurnView } from './turn-view.ts';

export interface AgentHost {
    act(action: AgentAction): void;
    /** The request that a model was sent last. */
    sent(): Promise<Sent | undefined>;
    /** Keeps a message that the user has written and not sent. */
    keep(words: string): void;
    /** Proposals are changed in an editor of the host, not in their place. */
    readonly comparesOutside: boolean;
    /** The host has a way to configure a model. */
    readonly configures: boolean;
}

/** A conversation with the agent of a project. */
export interface AgentSurface {
    readonly root: HTMLElement;
    show(view: AgentView): void;
    /** All that was said in the session that is shown. */
    showTurns(turns: readonly Turn[]): void;
    /** The last turn is another one now. */
    grew(turn: Turn): void;
    suggest(words: string): void;
    focus(): void;
}

/** Pixels from the end of what was said within which it is followed. */
const NEAR = 40;
/** Characters of an answer that are read out. */
const READ_OUT = 600;

export function createAgentSurface(host: AgentHost, words: string): AgentSurface {
    let view: AgentView | undefined;
    let turns: readonly Turn[] = [];
    let drawn: { readonly id: number; readonly view: TurnView }[] = [];
    let session = '';
    const live = element('div', { class: 'visually-hidden', 'aria-live': 'polite' });
    const log = element('div', { class: 'agent-log', role: 'log', 'aria-live': 'off', 'aria-label': l10n.t('Conversation'), tabindex: 0 });
    const title: HTMLButtonElement = element('button', { type: 'button', class: 'agent-title', 'aria-haspopup': 'menu' });
    title.addEventListener('click', () => openSessions());
    const begin = iconButton(icon('add'), l10n.t('New conversation'), () => host.act({ kind: 'begin' }));
    const more: HTMLButtonElement = iconButton(icon('more'), l10n.t('More'), () => openMore(), { 'aria-haspopup': 'menu' });
    const bar = element('div', { class: 'agent-bar' }, title, begin, more);
    const announce = (text: string): void => {
        live.textContent = text;
    };
    const events: TurnEvents = {
        announce,
        link: target => host.act({ kind: 'link', target }),
        copy(text) {
            host.act({ kind: 'copy', text });
            announce(l10n.t('Text copied'));
        },
        open: concept => host.act({ kind: 'open', concept }),
        rows: concept => host.act({ kind: 'rows', concept }),
        isConcept: name => view?.concepts.some(concept => concept.name === name) ?? false,
        explain: (concept, row) =>
            host.act({
                kind: 'call',
                call: { tool: 'explain', concept, row },
                words: l10n.t('Explain row {0} of @{1}', row + 1, concept),
            }),
        ask(about, text) {
            host.act({ kind: 'attach', attachment: { kind: 'rows', title: about, text } });
            composer.focus();
        },
        attach(attachment) {
            host.act({ kind: 'attach', attachment });
            composer.focus();
        },
        decide: (proposal, decision) => host.act({ kind: 'decide', proposal, decision }),
        ...(host.comparesOutside && { compare: (turn: number, part: number) => host.act({ kind: 'compare', turn, part }) }),
        undo: () => host.act({ kind: 'undo' }),
        sent: () => host.sent(),
        ...(host.configures && { configure: () => host.act({ kind: 'configure' }) }),
    };
    const composer = createComposer(words, {
        send(text) {
            // Without a model the documentation answers.
            if (view?.noModel === undefined && view?.access === 'user') host.act({ kind: 'send', words: text });
            else host.act({ kind: 'call', call: { tool: 'search_docs', question: text }, words: text });
        },
        stop: () => stop(),
        detach: index => host.act({ kind: 'detach', index }),
        written: text => host.keep(text),
        modelAsked: button => openModels(button),
        announce,
    });
    const notice = element('div', { class: 'agent-notice' });
    const root = element('div', { class: 'agent' }, bar, log, notice, composer.root, live);
    root.addEventListener('keydown', event => {
        if (event.key !== 'Escape' || view?.running !== true) return;
        event.preventDefault();
        stop();
    });
    const stop = (): void => {
        host.act({ kind: 'stop' });
        announce(l10n.t('Stopped.'));
        composer.focus();
    };

    const openSessions = (): void => {
        const all = view?.sessions ?? [];
        openMenu(title, l10n.t('Conversations'), [
            { label: l10n.t('New conversation'), choose: () => host.act({ kind: 'begin' }) },
            ...all.map(one => ({
                label: titleOf(one.title),
                detail: one.running === 1 ? l10n.t('runs') : momentText(one.used, document.documentElement.lang || 'en'),
                chosen: one.id === view?.session,
                choose: () => host.act({ kind: 'openSession', session: one.id }),
            })),
        ]);
    };
    const openMore = (): void => {
        const { projects = [], project, running = false } = view ?? {};
        const hasTurns = turns.length > 0;
        openMenu(more, l10n.t('More'), [
            ...(hasTurns && !running ? [{ label: l10n.t('Clear the conversation'), choose: () => host.act({ kind: 'clear' }) }] : []),
            ...(hasTurns
                ? [
                      {
                          label: l10n.t('Delete the conversation'),
                          choose: () => host.act({ kind: 'removeSession', session: view?.session ?? '' }),
                      },
                  ]
                : []),
            ...(host.configures ? [{ label: l10n.t('Configure a model'), choose: () => host.act({ kind: 'configure' }) }] : []),
            ...(projects.length > 1
                ? projects.map(({ key, name }) => ({
                      label: l10n.t('Project {0}', visible(name)),
                      chosen: key === project,
                      choose: () => host.act({ kind: 'project', key }),
                  }))
                : []),
        ]);
    };
    const openModels = (button: HTMLElement): void => {
        const { model = '', models = [], chosen } = view ?? {};
        openMenu(button, l10n.t('Model'), [
            { label: model, detail: l10n.t('configured'), chosen: chosen === undefined, choose: () => host.act({ kind: 'model' }) },
            ...models
                .filter(name => name !== model)
                .map(name => ({ label: name, chosen: name === chosen, choose: () => host.act({ kind: 'model', name }) })),
            { label: l10n.t('Another model'), detail: '…', choose: () => askModel(button) },
        ]);
    };
    /** A field in the place of the button, for the name of a model. */
    const askModel = (button: HTMLElement): void => {
        const field = element('input', {
            type: 'text',
            class: 'composer-model-field',
            'aria-label': l10n.t('Name of the model'),
            spellcheck: 'false',
        });
        const close = (): void => {
            if (!field.isConnected) return;
            field.replaceWith(button);
            button.focus();
        };
        field.addEventListener('keydown', event => {
            if (event.key !== 'Enter' && event.key !== 'Escape') return;
            event.preventDefault();
            event.stopPropagation();
            const name = field.value.trim();
            close();
            if (event.key === 'Enter' && name !== '') host.act({ kind: 'model', name });
        });
        field.addEventListener('blur', close);
        button.replaceWith(field);
        field.focus();
    };

    const isAtEnd = (): boolean => log.scrollHeight - log.scrollTop - log.clientHeight < NEAR;
    const toEnd = (): void => {
        log.scrollTop = log.scrollHeight;
    };
    const drawTurns = (): void => {
        const follows = isAtEnd() || drawn.at(-1)?.id !== turns.at(-1)?.id;
        const ids = new Set(turns.map(({ id }) => id));
        for (const one of drawn) if (!ids.has(one.id)) one.view.root.remove();
        drawn = turns.map(turn => {
            const known = drawn.find(({ id }) => id === turn.id);
            if (known !== undefined) return known;
            const made = { id: turn.id, view: createTurnView(turn, events) };
            log.append(made.view.root);
            return made;
        });
        drawn.forEach((one, index) => {
            const turn = turns[index];
            if (turn !== undefined) one.view.show(turn, index === turns.length - 1);
        });
        drawEmpty();
        if (follows) toEnd();
    };
    const drawEmpty = (): void => {
        log.querySelector('.agent-empty')?.remove();
        if (turns.length > 0 || view === undefined) return;
        log.append(element('div', { class: 'agent-empty' }, emptySurface(view)));
    };
    const emptySurface = ({ access, project, projects, noModel }: AgentView): HTMLElement => {
        if (access === 'none') {
            const action = { label: l10n.t('Connect'), act: () => host.act({ kind: 'connect' }) };
            const text = l10n.t('The agent works with the concepts of a project of the services.');
            return stateSurface({ picture: 'broken', title: l10n.t('No services are connected'), text, action });
        }
        if (project === undefined) {
            const text = l10n.t('Make a project in the view of concepts; the agent then writes, runs and explains its concepts.');
            return stateSurface({ picture: 'empty', title: l10n.t('There is no project yet'), text });
        }
        const name = projects.find(({ key }) => key === project)?.name ?? '';
        if (noModel !== undefined || access === 'viewer') return noModelActions(view, host, composer);
        const text = l10n.t(
            'It reads, writes, runs and explains concepts with a language model. Nothing is changed before you accept it; write @ to name a concept.',
        );
        const suggestions = [
            l10n.t('What do the concepts of this project say?'),
            l10n.t('Write a rule that finds …'),
            l10n.t('Why is the first row of @ there?'),
        ];
        const list = element(
            'div',
            { class: 'suggestions' },
            ...suggestions.map(words => {
                const made = element('button', { type: 'button', class: 'suggestion' }, words);
                made.addEventListener('click', () => {
                    composer.suggest(words.replace(/…$/u, ''));
                });
                return made;
            }),
        );
        return stateSurface({ picture: 'ask', title: l10n.t('Ask about {0}', visible(name)), text }, list);
    };

    return {
        root,
        show(next) {
            const before = view;
            view = next;
            const shown = next.sessions.find(({ id }) => id === next.session);
            title.replaceChildren(element('span', {}, titleOf(shown?.title ?? '')), icon('chevron'));
            title.title = l10n.t('Conversations');
            title.hidden = next.access === 'none' || next.project === undefined;
            begin.hidden = title.hidden;
            more.hidden = title.hidden;
            const isMute = next.access === 'none' || next.project === undefined;
            composer.root.hidden = isMute;
            const isSearch = next.noModel !== undefined || next.access === 'viewer';
            composer.show({
                concepts: next.concepts,
                attachments: next.attachments,
                running: next.running,
                model: isSearch ? undefined : (next.chosen ?? next.model),
                placeholder: isSearch ? l10n.t('Search the documentation') : l10n.t('Ask the agent; @ names a concept'),
                disabled: isMute,
            });
            drawNotice(next);
            drawEmpty();
            if (before !== undefined && !before.running && next.running) announce(l10n.t('The agent answers'));
        },
        showTurns(next) {
            const last = next.at(-1);
            const isOther = view?.session !== session;
            if (isOther) {
                session = view?.session ?? '';
                for (const one of drawn) one.view.root.remove();
                drawn = [];
            }
            turns = next;
            drawTurns();
            if (isOther || last === undefined) toEnd();
        },
        grew(turn) {
            const before = turns.find(({ id }) => id === turn.id);
            turns = before === undefined ? [...turns, turn] : turns.map(one => (one.id === turn.id ? turn : one));
            drawTurns();
            tell(before, turn);
        },
        suggest: text => composer.suggest(text),
        focus: () => composer.focus(),
    };

    /** In a conversation that goes on without a model the reason stays in sight. */
    function drawNotice({ noModel, access }: AgentView): void {
        notice.replaceChildren();
        if (turns.length === 0 || access === 'none') return;
        if (access === 'viewer')
            notice.append(element('p', { class: 'muted small' }, l10n.t('Your token reads only: the agent answers users alone.')));
        else if (noModel !== undefined) {
            const configure = element('button', { type: 'button', class: 'link small' }, l10n.t('Configure a model'));
            configure.addEventListener('click', () => host.act({ kind: 'configure' }));
            notice.append(
                element('p', { class: 'muted small' }, l10n.t('No model is configured.'), ' ', host.configures ? configure : undefined),
            );
        }
    }

    /** Announces events to a reader who does not see them. */
    function tell(before: Turn | undefined, turn: Turn): void {
        const part = turn.parts.at(-1);
        const old = before?.parts[turn.parts.length - 1];
        if (turn.state === 'done' && before?.state === 'running')
            announce(wordsOf(turn).slice(0, READ_OUT) || l10n.t('The agent has answered'));
        else if (part?.kind === 'call' && part.proposal?.state === 'waiting' && (old?.kind !== 'call' || old.proposal === undefined))
            announce(l10n.t('A proposal for {0} waits for your decision', part.proposal.concept));
        else if (part?.kind === 'call' && old === undefined) announce(callTitle(currentCall(part.tool, part.input)));
    }
}

function titleOf(title: string): string {
    return title === '' ? l10n.t('New conversation') : visible(title);
}
