import { element, iconButton } from '../dom.ts';
import { icon } from '../icons.ts';
import { l10n } from '../l10n.ts';
import { openMenu } from '../menu.ts';
import { momentText } from '../number-text.ts';
import { stateSurface } from '../state-surface.ts';
import { visible } from '../visible-text.ts';
import type { AgentAction, AgentView, Sent } from './agent-view.ts';
import { callTitle } from './call-words.ts';
import { type Composer, createComposer } from './composer.ts';
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
    return new ShownAgent(host, words);
}

class ShownAgent implements AgentSurface {
    readonly #host: AgentHost;
    #view: AgentView | undefined;
    #turns: readonly Turn[] = [];
    #drawn: { readonly id: number; readonly view: TurnView }[] = [];
    #session = '';
    readonly #live = element('div', { class: 'visually-hidden', 'aria-live': 'polite' });
    readonly #log = element('div', {
        class: 'agent-log',
        role: 'log',
        'aria-live': 'off',
        'aria-label': l10n.t('Conversation'),
        tabindex: 0,
    });
    readonly #title: HTMLButtonElement = element('button', { type: 'button', class: 'agent-title', 'aria-haspopup': 'menu' });
    readonly #begin: HTMLButtonElement;
    readonly #more: HTMLButtonElement;
    readonly #bar: HTMLElement;
    readonly #events: TurnEvents;
    readonly #composer: Composer;
    readonly #notice = element('div', { class: 'agent-notice' });
    readonly root: HTMLElement;

    constructor(host: AgentHost, words: string) {
        this.#host = host;
        this.#title.addEventListener('click', () => this.#openSessions());
        this.#begin = iconButton(icon('add'), l10n.t('New conversation'), () => this.#host.act({ kind: 'begin' }));
        this.#more = iconButton(icon('more'), l10n.t('More'), () => this.#openMore(), { 'aria-haspopup': 'menu' });
        this.#bar = element('div', { class: 'agent-bar' }, this.#title, this.#begin, this.#more);
        this.#events = {
            announce: text => this.#announce(text),
            link: target => this.#host.act({ kind: 'link', target }),
            copy: text => {
                this.#host.act({ kind: 'copy', text });
                this.#announce(l10n.t('Text copied'));
            },
            open: concept => this.#host.act({ kind: 'open', concept }),
            rows: concept => this.#host.act({ kind: 'rows', concept }),
            isConcept: name => this.#view?.concepts.some(concept => concept.name === name) ?? false,
            explain: (concept, row) =>
                this.#host.act({
                    kind: 'call',
                    call: { tool: 'explain', concept, row },
                    words: l10n.t('Explain row {0} of @{1}', row + 1, concept),
                }),
            ask: (about, text) => {
                this.#host.act({ kind: 'attach', attachment: { kind: 'rows', title: about, text } });
                this.#composer.focus();
            },
            attach: attachment => {
                this.#host.act({ kind: 'attach', attachment });
                this.#composer.focus();
            },
            decide: (proposal, decision) => this.#host.act({ kind: 'decide', proposal, decision }),
            ...(this.#host.comparesOutside && { compare: (turn: number, part: number) => this.#host.act({ kind: 'compare', turn, part }) }),
            undo: () => this.#host.act({ kind: 'undo' }),
            sent: () => this.#host.sent(),
            ...(this.#host.configures && { configure: () => this.#host.act({ kind: 'configure' }) }),
        };
        this.#composer = createComposer(words, {
            send: text => {
                // Without a model the documentation answers.
                if (this.#view?.noModel === undefined && this.#view?.access === 'user') this.#host.act({ kind: 'send', words: text });
                else this.#host.act({ kind: 'call', call: { tool: 'search_docs', question: text }, words: text });
            },
            stop: () => this.#stop(),
            detach: index => this.#host.act({ kind: 'detach', index }),
            written: text => this.#host.keep(text),
            modelAsked: button => this.#openModels(button),
            announce: words => this.#announce(words),
        });
        this.root = element('div', { class: 'agent' }, this.#bar, this.#log, this.#notice, this.#composer.root, this.#live);
        this.root.addEventListener('keydown', event => {
            if (event.key !== 'Escape' || this.#view?.running !== true) return;
            event.preventDefault();
            this.#stop();
        });
    }

    show(next: AgentView): void {
        const before = this.#view;
        this.#view = next;
        const shown = next.sessions.find(({ id }) => id === next.session);
        this.#title.replaceChildren(element('span', {}, titleOf(shown?.title ?? '')), icon('chevron'));
        this.#title.title = l10n.t('Conversations');
        this.#title.hidden = next.access === 'none' || next.project === undefined;
        this.#begin.hidden = this.#title.hidden;
        this.#more.hidden = this.#title.hidden;
        const isMute = next.access === 'none' || next.project === undefined;
        this.#composer.root.hidden = isMute;
        const isSearch = next.noModel !== undefined || next.access === 'viewer';
        this.#composer.show({
            concepts: next.concepts,
            attachments: next.attachments,
            running: next.running,
            model: isSearch ? undefined : (next.chosen ?? next.model),
            placeholder: isSearch ? l10n.t('Search the documentation') : l10n.t('Ask the agent; @ names a concept'),
            disabled: isMute,
        });
        this.#drawNotice(next);
        this.#drawEmpty();
        if (before !== undefined && !before.running && next.running) this.#announce(l10n.t('The agent answers'));
    }

    showTurns(next: readonly Turn[]): void {
        const last = next.at(-1);
        const isOther = this.#view?.session !== this.#session;
        if (isOther) {
            this.#session = this.#view?.session ?? '';
            for (const one of this.#drawn) one.view.root.remove();
            this.#drawn = [];
        }
        this.#turns = next;
        this.#drawTurns();
        if (isOther || last === undefined) this.#toEnd();
    }

    grew(turn: Turn): void {
        const before = this.#turns.find(({ id }) => id === turn.id);
        this.#turns = before === undefined ? [...this.#turns, turn] : this.#turns.map(one => (one.id === turn.id ? turn : one));
        this.#drawTurns();
        this.#tell(before, turn);
    }

    suggest(text: string): void {
        this.#composer.suggest(text);
    }

    focus(): void {
        this.#composer.focus();
    }

    #announce(text: string): void {
        this.#live.textContent = text;
    }

    #stop(): void {
        this.#host.act({ kind: 'stop' });
        this.#announce(l10n.t('Stopped.'));
        this.#composer.focus();
    }

    #openSessions(): void {
        const all = this.#view?.sessions ?? [];
        openMenu(this.#title, l10n.t('Conversations'), [
            { label: l10n.t('New conversation'), choose: () => this.#host.act({ kind: 'begin' }) },
            ...all.map(one => ({
                label: titleOf(one.title),
                detail: one.running === 1 ? l10n.t('runs') : momentText(one.used, document.documentElement.lang || 'en'),
                chosen: one.id === this.#view?.session,
                choose: () => this.#host.act({ kind: 'openSession', session: one.id }),
            })),
        ]);
    }

    #openMore(): void {
        const { projects = [], project, running = false } = this.#view ?? {};
        const hasTurns = this.#turns.length > 0;
        openMenu(this.#more, l10n.t('More'), [
            ...(hasTurns && !running ? [{ label: l10n.t('Clear the conversation'), choose: () => this.#host.act({ kind: 'clear' }) }] : []),
            ...(hasTurns
                ? [
                      {
                          label: l10n.t('Delete the conversation'),
                          choose: () => this.#host.act({ kind: 'removeSession', session: this.#view?.session ?? '' }),
                      },
                  ]
                : []),
            ...(this.#host.configures ? [{ label: l10n.t('Configure a model'), choose: () => this.#host.act({ kind: 'configure' }) }] : []),
            ...(projects.length > 1
                ? projects.map(({ key, name }) => ({
                      label: l10n.t('Project {0}', visible(name)),
                      chosen: key === project,
                      choose: () => this.#host.act({ kind: 'project', key }),
                  }))
                : []),
        ]);
    }

    #openModels(button: HTMLElement): void {
        const { model = '', models = [], chosen } = this.#view ?? {};
        openMenu(button, l10n.t('Model'), [
            { label: model, detail: l10n.t('configured'), chosen: chosen === undefined, choose: () => this.#host.act({ kind: 'model' }) },
            ...models
                .filter(name => name !== model)
                .map(name => ({ label: name, chosen: name === chosen, choose: () => this.#host.act({ kind: 'model', name }) })),
            { label: l10n.t('Another model'), detail: '…', choose: () => this.#askModel(button) },
        ]);
    }

    /** A field in the place of the button, for the name of a model. */
    #askModel(button: HTMLElement): void {
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
            if (event.key === 'Enter' && name !== '') this.#host.act({ kind: 'model', name });
        });
        field.addEventListener('blur', close);
        button.replaceWith(field);
        field.focus();
    }

    #isAtEnd(): boolean {
        return this.#log.scrollHeight - this.#log.scrollTop - this.#log.clientHeight < NEAR;
    }

    #toEnd(): void {
        this.#log.scrollTop = this.#log.scrollHeight;
    }

    #drawTurns(): void {
        const follows = this.#isAtEnd() || this.#drawn.at(-1)?.id !== this.#turns.at(-1)?.id;
        const ids = new Set(this.#turns.map(({ id }) => id));
        for (const one of this.#drawn) if (!ids.has(one.id)) one.view.root.remove();
        this.#drawn = this.#turns.map(turn => {
            const known = this.#drawn.find(({ id }) => id === turn.id);
            if (known !== undefined) return known;
            const made = { id: turn.id, view: createTurnView(turn, this.#events) };
            this.#log.append(made.view.root);
            return made;
        });
        this.#drawn.forEach((one, index) => {
            const turn = this.#turns[index];
            if (turn !== undefined) one.view.show(turn, index === this.#turns.length - 1);
        });
        this.#drawEmpty();
        if (follows) this.#toEnd();
    }

    #drawEmpty(): void {
        this.#log.querySelector('.agent-empty')?.remove();
        if (this.#turns.length > 0 || this.#view === undefined) return;
        this.#log.append(element('div', { class: 'agent-empty' }, this.#emptySurface(this.#view)));
    }

    #emptySurface({ access, project, projects, noModel }: AgentView): HTMLElement {
        if (access === 'none') {
            const action = { label: l10n.t('Connect'), act: () => this.#host.act({ kind: 'connect' }) };
            const text = l10n.t('The agent works with the concepts of a project of the services.');
            return stateSurface({ picture: 'broken', title: l10n.t('No services are connected'), text, action });
        }
        if (project === undefined) {
            const text = l10n.t('Make a project in the view of concepts; the agent then writes, runs and explains its concepts.');
            return stateSurface({ picture: 'empty', title: l10n.t('There is no project yet'), text });
        }
        const name = projects.find(({ key }) => key === project)?.name ?? '';
        if (noModel !== undefined || access === 'viewer') return noModelActions(this.#view, this.#host, this.#composer);
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
                    this.#composer.suggest(words.replace(/…$/u, ''));
                });
                return made;
            }),
        );
        return stateSurface({ picture: 'ask', title: l10n.t('Ask about {0}', visible(name)), text }, list);
    }

    /** In a conversation that goes on without a model the reason stays in sight. */
    #drawNotice({ noModel, access }: AgentView): void {
        this.#notice.replaceChildren();
        if (this.#turns.length === 0 || access === 'none') return;
        if (access === 'viewer')
            this.#notice.append(element('p', { class: 'muted small' }, l10n.t('Your token reads only: the agent answers users alone.')));
        else if (noModel !== undefined) {
            const configure = element('button', { type: 'button', class: 'link small' }, l10n.t('Configure a model'));
            configure.addEventListener('click', () => this.#host.act({ kind: 'configure' }));
            this.#notice.append(
                element(
                    'p',
                    { class: 'muted small' },
                    l10n.t('No model is configured.'),
                    ' ',
                    this.#host.configures ? configure : undefined,
                ),
            );
        }
    }

    /** Announces events to a reader who does not see them. */
    #tell(before: Turn | undefined, turn: Turn): void {
        const part = turn.parts.at(-1);
        const old = before?.parts[turn.parts.length - 1];
        if (turn.state === 'done' && before?.state === 'running')
            this.#announce(wordsOf(turn).slice(0, READ_OUT) || l10n.t('The agent has answered'));
        else if (part?.kind === 'call' && part.proposal?.state === 'waiting' && (old?.kind !== 'call' || old.proposal === undefined))
            this.#announce(l10n.t('A proposal for {0} waits for your decision', part.proposal.concept));
        else if (part?.kind === 'call' && old === undefined) this.#announce(callTitle(currentCall(part.tool, part.input)));
    }
}

function titleOf(title: string): string {
    return title === '' ? l10n.t('New conversation') : visible(title);
}
