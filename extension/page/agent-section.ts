import { type AgentChat, createAgentChat } from '#extension/surfaces/agent/agent-chat.ts';
import { type AgentSurface, createAgentSurface } from '#extension/surfaces/agent/agent-surface.ts';
import type { AgentAction } from '#extension/surfaces/agent/agent-view.ts';
import type { Attachment } from '#extension/surfaces/agent/transcript.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { agentServices } from '#extension/surfaces/platform/agent-services.ts';
import type { PlatformClient } from '#server/client/platform-client.ts';
import { PlatformError } from '#server/client/platform-error.ts';
import { isWebAddress } from '#server/protocol/markdown.ts';
import type { MountedSurface, PageHost } from './section.ts';
import { tabSessions } from './tab-sessions.ts';

interface Opened {
    readonly client: PlatformClient;
    readonly key: string;
    readonly mounted: MountedSurface;
    readonly chat: AgentChat;
    /** Reads anew what is known of the project. */
    look(host: PageHost): Promise<void>;
}

const WORDS = 'agent.words';
/** The conversation that is shown, which goes on while other sections are. */
let opened: Opened | undefined;

/** The agent of a project; another look at the section finds it as it was left. */
export async function openAgent(host: PageHost): Promise<MountedSurface> {
    const key = `${host.scope}/${host.project.id}`;
    if (opened?.client !== host.client || opened.key !== key) opened = await openFor(host, key);
    await opened.look(host);
    return opened.mounted;
}

/** Gives something to the agent, and shows it. */
export async function askAgent(host: PageHost, attachment: Attachment): Promise<void> {
    await openAgent(host);
    opened?.chat.attach(attachment);
    host.goTo('agent');
}

/** Concepts and model of a project. */
type Known = Pick<Parameters<AgentSurface['show']>[0], 'concepts' | 'model' | 'noModel'>;

async function openFor(first: PageHost, key: string): Promise<Opened> {
    const { client, scope, project } = first;
    let host = first;
    let known: Known = { concepts: [] };
    const path = { project_id: project.id };
    const chat = await createAgentChat({
        services: agentServices(client, { scope, project: project.id }),
        store: tabSessions(sessionStorage, `agent ${key}`),
        events: {
            changed: () => draw(),
            grew: turn => surface.grew(turn),
            saved: () => void look(host),
        },
        tell: reason => ({
            code: reason instanceof PlatformError ? reason.code : '',
            message: reason instanceof PlatformError ? reason.message : l10n.t('The services do not answer'),
        }),
        forgotten: l10n.t('The services no longer know what was said before: they were started anew meanwhile.'),
        newId: () => crypto.randomUUID(),
        now: Date.now,
    });
    const draw = (): void => {
        const { model: chosen } = chat.session;
        surface.show({
            access: host.mayChange ? 'user' : 'viewer',
            projects: [{ key, name: project.name }],
            project: key,
            ...known,
            ...(chosen !== undefined && { chosen }),
            models: [],
            sessions: chat.sessions(),
            session: chat.session.id,
            running: chat.running,
            attachments: chat.attachments,
        });
        surface.showTurns(chat.session.turns);
    };
    const look = async (now: PageHost): Promise<void> => {
        host = now;
        const [concepts, status] = await Promise.all([
            client.listConcepts({ path, query: { scope } }),
            client.agentStatus({ path }).catch(() => undefined),
        ]);
        known = knownOf(concepts, status);
        draw();
    };
    const surface: AgentSurface = createAgentSurface(
        {
            act: action => void act(action, chat, host).catch(host.failed),
            sent: async () => (await client.lastModelRequest({})) ?? undefined,
            keep: words => sessionStorage.setItem(WORDS, words),
            comparesOutside: false,
            configures: false,
        },
        sessionStorage.getItem(WORDS) ?? '',
    );
    return { client, key, chat, look, mounted: { root: surface.root, followsRuns: true } };
}

async function act(action: AgentAction, chat: AgentChat, host: PageHost): Promise<void> {
    switch (action.kind) {
        case 'send':
            return chat.send(action.words);
        case 'call':
            return chat.call(action.call, action.words);
        case 'decide':
            return chat.decide(action.proposal, action.decision);
        case 'stop':
            return chat.stop();
        case 'undo':
            if (!(await chat.undo())) host.announce(l10n.t('The services no longer know what the agent changed.'));
            return;
        case 'clear':
            return chat.clear();
        case 'begin':
            return chat.begin();
        case 'openSession':
            return chat.open(action.session);
        case 'removeSession':
            return chat.remove(action.session);
        case 'model':
            return chat.choose(action.name);
        case 'attach':
            return chat.attach(action.attachment);
        case 'detach':
            return chat.detach(action.index);
        case 'open':
        case 'rows':
            return host.goTo('concepts', action.concept);
        case 'link':
            if (isWebAddress(action.target)) window.open(action.target, '_blank', 'noopener,noreferrer');
            return;
        case 'copy':
            return navigator.clipboard.writeText(action.text);
        case 'compare':
        case 'configure':
        case 'connect':
        case 'sent':
        case 'project':
            // The page has other places for these.
            return;
    }
}

type Services = PageHost['client'];

function knownOf(
    concepts: Awaited<ReturnType<Services['listConcepts']>>,
    status: Awaited<ReturnType<Services['agentStatus']>> | undefined,
): Known {
    return {
        concepts: concepts.map(({ concept_name: name, description, is_populated, row_count }) => ({
            name,
            description,
            ...(is_populated && { rows: row_count ?? 0 }),
        })),
        ...(status?.model && { model: status.model }),
        ...(status?.model === null && { noModel: status.reason ?? '' }),
    };
}
