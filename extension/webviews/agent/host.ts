import { commands, type ExtensionContext, env, type LogOutputChannel, l10n, Uri, ViewColumn, type WebviewView, window } from 'vscode';
import { type AgentSurroundings, keyOfPlace, readSurroundings } from '#extension/agent/agent-project.ts';
import { configureModel } from '#extension/agent/configure-model.ts';
import { ProposalFiles, proposalOf } from '#extension/agent/proposal-files.ts';
import { sessionFiles } from '#extension/agent/session-files.ts';
import { testModel } from '#extension/agent/test-model.ts';
import type { CommandOutcome } from '#extension/host/outcome.ts';
import type { Connection } from '#extension/platform/connection.ts';
import { failureText } from '#extension/platform/failure-text.ts';
import { uriOfConcept } from '#extension/projects/concept-files.ts';
import type { ProjectPlace, Projects } from '#extension/projects/projects.ts';
import { type AgentChat, createAgentChat, type Decision } from '#extension/surfaces/agent/agent-chat.ts';
import { type Attachment, type Turn, waitingProposal } from '#extension/surfaces/agent/transcript.ts';
import { agentServices } from '#extension/surfaces/platform/agent-services.ts';
import { PlatformError } from '#server/client/platform-error.ts';
import { jsonOf } from '#server/protocol/json-text.ts';
import { isWebAddress } from '#server/protocol/markdown.ts';
import { isText, listOf } from '#server/protocol/shape.ts';
import { loadView } from '../page.ts';
import { AGENT, type HostMessage, type ViewMessage } from './messages.ts';

const VIEW = 'rulelang.agent';
const PROJECT = 'agent.project';
const MODELS = 'agent.models';
const FOLDER = 'agent';
/** Milliseconds between two looks of the view at an answer that comes. */
const PACE = 40;
/** Milliseconds until services that did not answer are looked at again. */
const AGAIN = 3_000;
const MOST_MODELS = 8;
const isModels = listOf(isText, 100);

/** The agent in the side bar. */
export interface AgentPanel {
    /** Shows it, with something that the user gives to it, and words for an empty field. */
    ask(words: string, attachment?: Attachment, place?: ProjectPlace): Promise<CommandOutcome>;
    configure(): Promise<CommandOutcome>;
    test(): Promise<CommandOutcome>;
    /** Decides about the proposal that is compared in the editor which is looked at. */
    decide(kind: 'accept' | 'reject'): Promise<CommandOutcome>;
    begin(): Promise<CommandOutcome>;
}

export function createAgentPanel(context: ExtensionContext, projects: Projects, log: LogOutputChannel): AgentPanel {
    return new SideBarAgent(context, projects, log);
}

class SideBarAgent implements AgentPanel {
    readonly #context: ExtensionContext;
    readonly #projects: Projects;
    readonly #log: LogOutputChannel;
    readonly #files: ProposalFiles;
    /** Conversations by connection and project: what is asked in one goes on while another is shown. */
    readonly #chats = new Map<string, { readonly connection: Connection; readonly chat: Promise<AgentChat> }>();
    #surroundings: AgentSurroundings = { access: 'none', projects: [], concepts: [] };
    #chat: AgentChat | undefined;
    #post: ((message: HostMessage) => boolean) | undefined;
    #posted: readonly Turn[] | undefined;
    #suggested: string | undefined;
    #turn = 0;
    #grown: Turn | undefined;
    #timer: ReturnType<typeof setTimeout> | undefined;

    constructor(context: ExtensionContext, projects: Projects, log: LogOutputChannel) {
        this.#context = context;
        this.#projects = projects;
        this.#log = log;
        this.#files = new ProposalFiles(this.#context.subscriptions);
        this.#context.subscriptions.push(
            this.#projects.changed(() => void this.#look()),
            window.registerWebviewViewProvider(VIEW, {
                resolveWebviewView: (view: WebviewView) => {
                    this.#posted = undefined;
                    this.#post = loadView(view, AGENT, this.#context, this.#log, {
                        title: l10n.t('Agent'),
                        ready: () => {
                            this.#posted = undefined;
                            void this.#look();
                        },
                        receive: message => void this.#attempt(async () => this.#receive(message)),
                    });
                    // Others may have changed the project meanwhile.
                    view.onDidChangeVisibility(() => view.visible && this.#projects.refresh());
                },
            }),
        );
    }

    async ask(words: string, attachment?: Attachment, place?: ProjectPlace): Promise<CommandOutcome> {
        if (place !== undefined) await this.#context.workspaceState.update(PROJECT, keyOfPlace(place));
        await commands.executeCommand(`${VIEW}.focus`);
        await this.#look();
        if (this.#chat === undefined) return 'nothing to do';
        this.#suggested = words;
        if (attachment === undefined) this.#draw();
        else this.#chat.attach(attachment);
        return 'done';
    }

    async decide(kind: 'accept' | 'reject'): Promise<CommandOutcome> {
        const uri = window.activeTextEditor?.document.uri;
        const id = uri && proposalOf(uri);
        if (id === undefined || waitingProposal(this.#chat?.session.turns.at(-1), id) === undefined) return 'nothing to do';
        return this.#attempt(() => this.#decide(id, { kind }));
    }

    async begin(): Promise<CommandOutcome> {
        this.#chat?.begin();
        await commands.executeCommand(`${VIEW}.focus`);
        return 'done';
    }

    #chatOf(place: ProjectPlace): Promise<AgentChat> | undefined {
        const connection = this.#projects.connection();
        if (connection === undefined) return undefined;
        const key = JSON.stringify([connection.id, keyOfPlace(place)]);
        const known = this.#chats.get(key);
        // Services that were started anew have another address.
        if (known?.connection === connection) return known.chat;
        const made: Promise<AgentChat> = createAgentChat({
            services: agentServices(connection.client, { scope: place.scope, project: place.id }),
            store: sessionFiles(Uri.joinPath(this.#context.globalStorageUri, FOLDER).fsPath, key),
            events: {
                changed: () => void made.then(own => own === this.#chat && this.#draw()),
                grew: grown => void made.then(own => own === this.#chat && this.#grow(grown)),
                saved: () => this.#projects.refresh(),
            },
            tell: reason => ({ code: reason instanceof PlatformError ? reason.code : '', message: failureText(reason) }),
            forgotten: l10n.t('The services no longer know what was said before: they were started anew meanwhile.'),
            newId: () => crypto.randomUUID(),
            now: Date.now,
        });
        this.#chats.set(key, { connection, chat: made });
        return made;
    }

    /** Looks at the services anew; if another look begins meanwhile, that one counts. */
    async #look(): Promise<void> {
        const mine = ++this.#turn;
        let next: AgentSurroundings;
        try {
            next = await readSurroundings(this.#projects, this.#context.workspaceState.get<string>(PROJECT));
        } catch (reason) {
            this.#log.error(l10n.t('The agent cannot see the services: {0}', failureText(reason)));
            // Nothing else may change that would have it look again.
            setTimeout(() => mine === this.#turn && void this.#look(), AGAIN);
            next = { access: 'none', projects: [], concepts: [] };
        }
        const found = next.place === undefined ? undefined : await this.#chatOf(next.place);
        if (mine !== this.#turn) return;
        this.#surroundings = next;
        this.#chat = found;
        this.#draw();
    }

    #models(): readonly string[] {
        const known = this.#context.globalState.get<unknown>(MODELS);
        return isModels(known) ? known : [];
    }

    #draw(): void {
        this.#flush();
        const { place: _, ...known } = this.#surroundings;
        const chosen = this.#chat?.session.model;
        const sessions = this.#chat === undefined ? [] : this.#chat.sessions();
        const view = {
            ...known,
            ...(chosen !== undefined && { chosen }),
            models: this.#models(),
            sessions,
            session: this.#chat?.session.id ?? '',
            running: this.#chat?.running ?? false,
            attachments: this.#chat?.attachments ?? [],
        };
        if (this.#post?.({ kind: 'view', view }) !== true) return;
        const turns = this.#chat?.session.turns ?? [];
        if (turns !== this.#posted) this.#post({ kind: 'turns', turns: jsonOf(turns) });
        this.#posted = turns;
        if (this.#suggested !== undefined) this.#post({ kind: 'suggest', words: this.#suggested });
        this.#suggested = undefined;
    }

    #flush(): void {
        clearTimeout(this.#timer);
        this.#timer = undefined;
        const turns = this.#chat?.session.turns;
        // Another session may be shown by now.
        if (this.#grown !== undefined && turns?.includes(this.#grown)) {
            this.#post?.({ kind: 'turn', turn: jsonOf(this.#grown) });
            this.#posted = turns;
        }
        this.#grown = undefined;
    }

    #grow(next: Turn): void {
        this.#grown = next;
        if (next.state !== 'running') this.#flush();
        else this.#timer ??= setTimeout(() => this.#flush(), PACE);
    }

    /** Does something, and tells what the services refuse. */
    async #attempt(act: () => Promise<unknown>): Promise<CommandOutcome> {
        try {
            await act();
            return 'done';
        } catch (reason) {
            void window.showErrorMessage(failureText(reason));
            return 'failed';
        }
    }

    async #decide(proposal: string, decision: Decision): Promise<void> {
        const edited = decision.kind === 'accept' ? this.#files.edited(proposal) : undefined;
        const made: Decision = edited === undefined ? decision : { kind: 'edit', code: edited };
        await Promise.all([this.#chat?.decide(proposal, made), this.#files.close(proposal)]);
    }

    async #open(name: string, as: 'open' | 'rows'): Promise<void> {
        const connection = this.#projects.connection();
        const { place } = this.#surroundings;
        const concept = place && (await this.#projects.concept(place, name));
        if (connection === undefined || concept === undefined) {
            void window.showInformationMessage(l10n.t('There is no concept {0} any more.', name));
        } else if (as === 'rows') await commands.executeCommand('rulelang.showConcept', { kind: 'concept', concept });
        else await window.showTextDocument(uriOfConcept(connection, concept), { viewColumn: ViewColumn.One });
    }

    async #sent(): Promise<void> {
        const request = await this.#projects
            .connection()
            ?.client.lastModelRequest({})
            .catch(() => null);
        this.#post?.({ kind: 'sent', ...(request && { sent: request }) });
    }

    async configure(): Promise<CommandOutcome> {
        const connection = this.#projects.connection();
        if (connection === undefined) return 'nothing to do';
        const outcome = await configureModel(connection);
        if (outcome === 'done') await this.#look();
        return outcome;
    }

    async test(): Promise<CommandOutcome> {
        const connection = this.#projects.connection();
        return connection === undefined ? 'nothing to do' : testModel(connection);
    }

    async #chooseModel(name: string | undefined): Promise<void> {
        if (name !== undefined)
            await this.#context.globalState.update(MODELS, [name, ...this.#models().filter(one => one !== name)].slice(0, MOST_MODELS));
        this.#chat?.choose(name);
    }

    async #receive(message: ViewMessage): Promise<void> {
        switch (message.kind) {
            case 'send':
                return this.#chat?.send(message.words);
            case 'call':
                return this.#chat?.call(message.call, message.words);
            case 'decide':
                return this.#decide(message.proposal, message.decision);
            case 'compare': {
                const part = this.#chat?.session.turns.find(({ id }) => id === message.turn)?.parts[message.part];
                if (part?.kind === 'call' && part.proposal !== undefined) await this.#files.compare(part.proposal);
                return;
            }
            case 'stop':
                return this.#chat?.stop();
            case 'undo':
                if ((await this.#chat?.undo()) === false)
                    void window.showInformationMessage(l10n.t('The services no longer know what the agent changed.'));
                return;
            case 'clear':
                return this.#chat?.clear();
            case 'begin':
                return this.#chat?.begin();
            case 'openSession':
                return this.#chat?.open(message.session);
            case 'removeSession':
                return this.#chat?.remove(message.session);
            case 'project':
                await this.#context.workspaceState.update(PROJECT, message.key);
                return this.#look();
            case 'model':
                return this.#chooseModel(message.name);
            case 'attach':
                return this.#chat?.attach(message.attachment);
            case 'detach':
                return this.#chat?.detach(message.index);
            case 'open':
            case 'rows':
                return this.#open(message.concept, message.kind);
            case 'link':
                if (isWebAddress(message.target)) await env.openExternal(Uri.parse(message.target, true));
                return;
            case 'copy':
                return env.clipboard.writeText(message.text);
            case 'configure':
                await this.configure();
                return;
            case 'connect':
                await commands.executeCommand('rulelang.choosePlatform');
                return;
            case 'sent':
                return this.#sent();
        }
    }
}
