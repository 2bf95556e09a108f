import { commands, type ExtensionContext, env, type LogOutputChannel, l10n, Uri, ViewColumn, type WebviewView, window } from 'vscode';
import { type AgentSurroundings, keyOfPlace, readSurroundings } from '#extension/agent/agent-project.ts';
import { configureModel } from '#extension/agent/configure-model.ts';
import { ProposalFiles, proposalOf } from '#extension/agent/proposal-files.ts';
import { sessionFiles } from '#extension/agent/session-files.ts';
import type { CommandOutcome } from '#extension/host/outcome.ts';
import { agentServices } from '#extension/page/agent-services.ts';
import type { Connection } from '#extension/platform/connection.ts';
import { failureText } from '#extension/platform/failure-text.ts';
import { uriOfConcept } from '#extension/projects/concept-files.ts';
import type { ProjectPlace, Projects } from '#extension/projects/projects.ts';
import { type AgentChat, createAgentChat, type Decision } from '#extension/surfaces/agent/agent-chat.ts';
import { type Attachment, type Turn, waitingProposal } from '#extension/surfaces/agent/transcript.ts';
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
    /** Decides about the proposal that is compared in the editor which is looked at. */
    decide(kind: 'accept' | 'reject'): Promise<CommandOutcome>;
    begin(): Promise<CommandOutcome>;
}

export function createAgentPanel(context: ExtensionContext, projects: Projects, log: LogOutputChannel): AgentPanel {
    const { subscriptions, workspaceState, globalState, globalStorageUri } = context;
    const files = new ProposalFiles(subscriptions);
    /** Conversations by connection and project: what is asked in one goes on while another is shown. */
    const chats = new Map<string, { readonly connection: Connection; readonly chat: Promise<AgentChat> }>();
    let surroundings: AgentSurroundings = { access: 'none', projects: [], concepts: [] };
    let chat: AgentChat | undefined;
    let post: ((message: HostMessage) => boolean) | undefined;
    let posted: readonly Turn[] | undefined;
    let suggested: string | undefined;
    let turn = 0;

    const chatOf = (place: ProjectPlace): Promise<AgentChat> | undefined => {
        const connection = projects.connection();
        if (connection === undefined) return undefined;
        const key = JSON.stringify([connection.id, keyOfPlace(place)]);
        const known = chats.get(key);
        // Services that were started anew have another address.
        if (known?.connection === connection) return known.chat;
        const made: Promise<AgentChat> = createAgentChat({
            services: agentServices(connection.client, { scope: place.scope, project: place.id }),
            store: sessionFiles(Uri.joinPath(globalStorageUri, FOLDER).fsPath, key),
            events: {
                changed: () => void made.then(own => own === chat && draw()),
                grew: grown => void made.then(own => own === chat && grow(grown)),
                saved: () => projects.refresh(),
            },
            tell: reason => ({ code: reason instanceof PlatformError ? reason.code : '', message: failureText(reason) }),
            forgotten: l10n.t('The services no longer know what was said before: they were started anew meanwhile.'),
            newId: () => crypto.randomUUID(),
            now: Date.now,
        });
        chats.set(key, { connection, chat: made });
        return made;
    };
    /** Looks at the services anew; if another look begins meanwhile, that one counts. */
    const look = async (): Promise<void> => {
        const mine = ++turn;
        let next: AgentSurroundings;
        try {
            next = await readSurroundings(projects, workspaceState.get<string>(PROJECT));
        } catch (reason) {
            log.error(l10n.t('The agent cannot see the services: {0}', failureText(reason)));
            // Nothing else may change that would have it look again.
            setTimeout(() => mine === turn && void look(), AGAIN);
            next = { access: 'none', projects: [], concepts: [] };
        }
        const found = next.place === undefined ? undefined : await chatOf(next.place);
        if (mine !== turn) return;
        surroundings = next;
        chat = found;
        draw();
    };
    const models = (): readonly string[] => {
        const known = globalState.get<unknown>(MODELS);
        return isModels(known) ? known : [];
    };
    const draw = (): void => {
        flush();
        const { place: _, ...known } = surroundings;
        const chosen = chat?.session.model;
        const sessions = chat === undefined ? [] : chat.sessions();
        const view = {
            ...known,
            ...(chosen !== undefined && { chosen }),
            models: models(),
            sessions,
            session: chat?.session.id ?? '',
            running: chat?.running ?? false,
            attachments: chat?.attachments ?? [],
        };
        if (post?.({ kind: 'view', view }) !== true) return;
        const turns = chat?.session.turns ?? [];
        if (turns !== posted) post({ kind: 'turns', turns: jsonOf(turns) });
        posted = turns;
        if (suggested !== undefined) post({ kind: 'suggest', words: suggested });
        suggested = undefined;
    };
    let grown: Turn | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const flush = (): void => {
        clearTimeout(timer);
        timer = undefined;
        const turns = chat?.session.turns;
        // Another session may be shown by now.
        if (grown !== undefined && turns?.includes(grown)) {
            post?.({ kind: 'turn', turn: jsonOf(grown) });
            posted = turns;
        }
        grown = undefined;
    };
    const grow = (next: Turn): void => {
        grown = next;
        if (next.state !== 'running') flush();
        else timer ??= setTimeout(flush, PACE);
    };

    /** Does something, and tells what the services refuse. */
    const attempt = async (act: () => Promise<unknown>): Promise<CommandOutcome> => {
        try {
            await act();
            return 'done';
        } catch (reason) {
            void window.showErrorMessage(failureText(reason));
            return 'failed';
        }
    };
    const decide = async (proposal: string, decision: Decision): Promise<void> => {
        const edited = decision.kind === 'accept' ? files.edited(proposal) : undefined;
        const made: Decision = edited === undefined ? decision : { kind: 'edit', code: edited };
        await Promise.all([chat?.decide(proposal, made), files.close(proposal)]);
    };
    const open = async (name: string, as: 'open' | 'rows'): Promise<void> => {
        const connection = projects.connection();
        const { place } = surroundings;
        const concept = place && (await projects.concept(place, name));
        if (connection === undefined || concept === undefined) {
            void window.showInformationMessage(l10n.t('There is no concept {0} any more.', name));
        } else if (as === 'rows') await commands.executeCommand('rulelang.showConcept', { kind: 'concept', concept });
        else await window.showTextDocument(uriOfConcept(connection, concept), { viewColumn: ViewColumn.One });
    };
    const sent = async (): Promise<void> => {
        const request = await projects
            .connection()
            ?.client.lastModelRequest({})
            .catch(() => null);
        post?.({ kind: 'sent', ...(request && { sent: request }) });
    };
    const configure = async (): Promise<CommandOutcome> => {
        const connection = projects.connection();
        if (connection === undefined) return 'nothing to do';
        const outcome = await configureModel(connection);
        if (outcome === 'done') await look();
        return outcome;
    };
    const chooseModel = async (name: string | undefined): Promise<void> => {
        if (name !== undefined) await globalState.update(MODELS, [name, ...models().filter(one => one !== name)].slice(0, MOST_MODELS));
        chat?.choose(name);
    };
    const receive = async (message: ViewMessage): Promise<void> => {
        switch (message.kind) {
            case 'send':
                return chat?.send(message.words);
            case 'call':
                return chat?.call(message.call, message.words);
            case 'decide':
                return decide(message.proposal, message.decision);
            case 'compare': {
                const part = chat?.session.turns.find(({ id }) => id === message.turn)?.parts[message.part];
                if (part?.kind === 'call' && part.proposal !== undefined) await files.compare(part.proposal);
                return;
            }
            case 'stop':
                return chat?.stop();
            case 'undo':
                if ((await chat?.undo()) === false)
                    void window.showInformationMessage(l10n.t('The services no longer know what the agent changed.'));
                return;
            case 'clear':
                return chat?.clear();
            case 'begin':
                return chat?.begin();
            case 'openSession':
                return chat?.open(message.session);
            case 'removeSession':
                return chat?.remove(message.session);
            case 'project':
                await workspaceState.update(PROJECT, message.key);
                return look();
            case 'model':
                return chooseModel(message.name);
            case 'attach':
                return chat?.attach(message.attachment);
            case 'detach':
                return chat?.detach(message.index);
            case 'open':
            case 'rows':
                return open(message.concept, message.kind);
            case 'link':
                if (isWebAddress(message.target)) await env.openExternal(Uri.parse(message.target, true));
                return;
            case 'copy':
                return env.clipboard.writeText(message.text);
            case 'configure':
                await configure();
                return;
            case 'connect':
                await commands.executeCommand('rulelang.choosePlatform');
                return;
            case 'sent':
                return sent();
        }
    };

    subscriptions.push(
        projects.changed(() => void look()),
        window.registerWebviewViewProvider(VIEW, {
            resolveWebviewView(view: WebviewView) {
                posted = undefined;
                post = loadView(view, AGENT, context, log, {
                    title: l10n.t('Agent'),
                    ready() {
                        posted = undefined;
                        void look();
                    },
                    receive: message => void attempt(async () => receive(message)),
                });
                // Others may have changed the project meanwhile.
                view.onDidChangeVisibility(() => view.visible && projects.refresh());
            },
        }),
    );
    return {
        async ask(words, attachment, place) {
            if (place !== undefined) await workspaceState.update(PROJECT, keyOfPlace(place));
            await commands.executeCommand(`${VIEW}.focus`);
            await look();
            if (chat === undefined) return 'nothing to do';
            suggested = words;
            if (attachment === undefined) draw();
            else chat.attach(attachment);
            return 'done';
        },
        configure,
        async decide(kind) {
            const uri = window.activeTextEditor?.document.uri;
            const id = uri && proposalOf(uri);
            if (id === undefined || waitingProposal(chat?.session.turns.at(-1), id) === undefined) return 'nothing to do';
            return attempt(() => decide(id, { kind }));
        },
        async begin() {
            chat?.begin();
            await commands.executeCommand(`${VIEW}.focus`);
            return 'done';
        },
    };
}
