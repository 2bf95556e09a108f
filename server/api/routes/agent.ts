import { languagePage } from '#language/editing/language-page.ts';
import { say } from '#language/program/say.ts';
import type { AgentWork } from '#server/agent/agent-work.ts';
import { decisions } from '#server/agent/decisions.ts';
import { undo } from '#server/agent/proposals.ts';
import { type Session, sessions } from '#server/agent/sessions.ts';
import { systemPrompt } from '#server/agent/system-prompt.ts';
import { type AgentLine, ToolLimit, turnLines } from '#server/agent/turn.ts';
import { MOST_SECTIONS } from '#server/assistant/answer.ts';
import { PlatformError } from '#server/client/platform-error.ts';
import type { ModelMessage } from '#server/model/model.ts';
import { type Project, projectAnywhere } from '#server/projects/project.ts';
import { jsonOf } from '#server/protocol/json-text.ts';
import { ApiError, apiError, invalidFields } from '#server/protocol/platform/api-error.ts';
import type { AGENT_ROUTES } from '#server/protocol/platform/routes/agent.ts';
import { type ConceptRecord, conceptsOf, projectOf } from '#server/tools/project.ts';
import { stackOf } from '../app.ts';
import { callerClient } from '../caller-client.ts';
import { dryRunner } from '../dry-run.ts';
import type { Exchange, PlatformContext, RouteHandlers } from '../platform-context.ts';
import { proposalCheck } from '../proposal-check.ts';
import { shown } from '../validate.ts';

const LINES = { 'Content-Type': 'application/x-ndjson; charset=utf-8', 'X-Accel-Buffering': 'no' };

/** The agent: a model that works with the tools of the platform, on behalf of the caller. */
export function agentRoutes(context: PlatformContext): RouteHandlers<keyof typeof AGENT_ROUTES> {
    const { store, models, agentSessions, mcp, log } = context;
    const all = sessions(agentSessions);
    const waiting = decisions();
    const check = proposalCheck(context);
    const dryRun = dryRunner(context);

    /** Builds the surroundings of tools in a project, with the token of the caller. */
    const workOf = (project: Project, { caller, departure, reply }: Exchange): AgentWork => ({
        platform: () => callerClient(mcp.address(), reply.request),
        project: {
            id: project.id,
            scope: project.scope,
            check: (code, name = '') => check({ name, code, project, isWhole: true }, { caller, departure }),
        },
        documentation: mcp.documentation,
        signal: departure,
        effects: async (code, output) => {
            const question = { kind: 'find-effects', program: code, ...(output !== undefined && { output }) } as const;
            const answer = await context.tools.ask(question, { caller, departure });
            return answer.kind === 'effects' ? answer.value : undefined;
        },
        tryOut: (code, effects) => dryRun(code, effects, project, { caller, departure }),
        changed: new Map<string, ConceptRecord | undefined>(),
    });

    async function* chat(project: Project, message: string, session: Session, ask: boolean, exchange: Exchange): AsyncGenerator<AgentLine> {
        const work = workOf(project, exchange);
        const { username } = exchange.caller;
        let said = '';
        let isTold = false;
        try {
            const model = models.model(username, session.model);
            const concepts = await conceptsOf(projectOf({}, work));
            yield metadata(project, model.name, concepts.length > 0);
            isTold = true;
            const key = sessionKey(username, session.id);
            const turn = {
                model,
                system: systemPrompt(languagePage(), concepts),
                messages: [...conversation(session), { role: 'user', text: message } as const],
                work,
                ...(ask && { ask: () => waiting.ask(key, work.signal) }),
            };
            said = yield* turnLines(turn);
            yield { type: 'done', data: { project_id: project.id, changed_concepts: [...work.changed.keys()] } };
        } catch (error) {
            if (!isTold) yield metadata(project, null, false);
            yield { type: 'error', data: failure(error, exchange) };
        } finally {
            session.add({ role: 'user', content: message });
            if (said !== '') session.add({ role: 'assistant', content: said });
            if (work.changed.size > 0) session.changes = { project: project.id, concepts: work.changed };
            session.end();
        }
    }

    const failure = (error: unknown, { reply }: Exchange): { readonly code: string; readonly message: string } => {
        if (error instanceof ApiError || error instanceof PlatformError || error instanceof ToolLimit)
            return { code: error.code, message: error.message };
        log({ time: new Date().toISOString(), id: reply.request.id, error: stackOf(error) });
        return { code: 'internal_error', message: say`Internal error` };
    };

    return {
        chat: async ({ path, body: { message, session_id: id, model, apply } }, exchange) => {
            const project = await projectAnywhere(store, path.project_id);
            const session = all.begin(exchange.caller.username, id);
            if (session === undefined) throw busy(id);
            if (model !== undefined && model !== '') session.model = model;
            exchange.reply.headers(LINES);
            await exchange.sendRaw(200, texts(chat(project, message, session, apply === 'ask', exchange)));
            return undefined;
        },
        decideProposal: async ({ path, body }, { caller }) => {
            await projectAnywhere(store, path.project_id);
            const { session_id: session, proposal_id: id, decision, rulelang_code: code } = body;
            if (decision === 'edit' && code === undefined)
                throw invalidFields([{ path: 'rulelang_code', issue: 'missing', expected: 'string', actual: 'absent' }]);
            const made =
                decision === 'reject' ? ({ kind: 'reject' } as const) : { kind: 'accept' as const, ...(decision === 'edit' && { code }) };
            if (!waiting.decide(sessionKey(caller.username, session), id, made)) throw apiError('proposal_not_found', [shown(id)]);
            return { data: { decided: true } };
        },
        undoTurn: async ({ path, body: { session_id: id } }, exchange) => {
            const project = await projectAnywhere(store, path.project_id);
            const session = all.begin(exchange.caller.username, id);
            if (session === undefined) throw busy(id);
            try {
                const { changes } = session;
                if (changes === undefined || changes.project !== project.id) return { data: { session_id: id, restored_concepts: [] } };
                const restored = await undo(changes.concepts, projectOf({}, workOf(project, exchange)));
                session.changes = undefined;
                return { data: { session_id: id, restored_concepts: restored } };
            } finally {
                session.end();
            }
        },
        agentStatus: async ({ path, query: { session_id: id } }, { caller }) => {
            await projectAnywhere(store, path.project_id);
            const { messages, isBusy } = all.look(caller.username, id);
            const reason = models.missing() ?? null;
            const model = reason === null ? models.model(caller.username).name : null;
            return { data: { model, reason, messages, answering: isBusy } };
        },
        searchDocumentation: ({ query: { question } }) => {
            const sections = mcp.documentation?.search([question], MOST_SECTIONS) ?? [];
            return { data: { sections: sections.map(({ title, url, text }) => ({ title, url, text })) } };
        },
        resetSession: async ({ path, body: { session_id: id } }, { caller }) => {
            await projectAnywhere(store, path.project_id);
            const removed = all.reset(caller.username, id);
            if (removed === 'busy') throw busy(id);
            return { data: { session_id: id, cleared: removed !== undefined, messages_removed: removed ?? 0 } };
        },
    };
}

function metadata(project: Project, model: string | null, isLoaded: boolean): AgentLine {
    return { type: 'metadata', data: { project_id: project.id, model, context_loaded: isLoaded } };
}

function sessionKey(username: string, id: string): string {
    return JSON.stringify([username, id]);
}

function conversation({ messages }: Session): ModelMessage[] {
    return messages.map(({ role, content }) => ({ role, text: content }));
}

function busy(id: string): ApiError {
    return apiError('session_busy', [shown(id)], { details: { session_id: id } });
}

async function* texts(lines: AsyncIterable<AgentLine>): AsyncIterable<string> {
    for await (const line of lines) yield `${jsonOf(line)}\n`;
}
