import { say } from '#language/program/say.ts';
import { sessions } from '#server/assistant/sessions.ts';
import { projectAnywhere } from '#server/projects/project.ts';
import { type ApiError, apiError } from '#server/protocol/platform/api-error.ts';
import type { AGENT_ROUTES } from '#server/protocol/platform/routes/agent.ts';
import type { PlatformContext, RouteHandlers } from '../platform-context.ts';
import { shown } from '../validate.ts';

const LINES = { 'Content-Type': 'application/x-ndjson; charset=utf-8', 'X-Accel-Buffering': 'no' };

/** The agent. No version asks a model yet, so that every answer says why there is none. */
export function agentRoutes({ store, models, agentSessions }: PlatformContext): RouteHandlers<keyof typeof AGENT_ROUTES> {
    const all = sessions(agentSessions);
    return {
        chat: async ({ path, body: { message, session_id: id } }, { caller, reply, sendRaw }) => {
            const { id: project } = await projectAnywhere(store, path.project_id);
            const session = all.begin(caller.username, id);
            if (session === undefined) throw busy(id);
            try {
                session.add({ role: 'user', content: message });
                reply.headers(LINES);
                const { code, message: reason } = modelRefusal(models.missing());
                const metadata = { project_id: project, model: null, context_loaded: false };
                await sendRaw(200, lines({ type: 'metadata', data: metadata }, { type: 'error', data: { code, message: reason } }));
            } finally {
                session.end();
            }
            return undefined;
        },
        resetSession: async ({ path, body: { session_id: id } }, { caller }) => {
            await projectAnywhere(store, path.project_id);
            const removed = all.reset(caller.username, id);
            if (removed === 'busy') throw busy(id);
            return { data: { session_id: id, cleared: removed !== undefined, messages_removed: removed ?? 0 } };
        },
    };
}

/** Why no model answers; `missing` is what the configuration lacks. */
export function modelRefusal(missing: string | undefined): ApiError {
    return missing === undefined ? apiError('llm_failed', [say`this version asks no model`]) : apiError('llm_not_configured', [missing]);
}

function busy(id: string): ApiError {
    return apiError('session_busy', [shown(id)], { details: { session_id: id } });
}

async function* lines(...all: readonly object[]): AsyncIterable<string> {
    for (const line of all) yield `${JSON.stringify(line)}\n`;
}
