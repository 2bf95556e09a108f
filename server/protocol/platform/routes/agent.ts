import { Type } from 'typebox';
import { type RouteDescription, route } from '../route.ts';
import { defaulted, KIBIBYTE, oneOf, optional, PROGRAM_TEXT, text } from '../schema.ts';

const SESSION = defaulted(Type.String({ maxLength: 128 }), 'default');

/** Whether the agent makes its changes at once, or waits for a decision about each. */
const APPLY = defaulted(oneOf(['auto', 'ask']), 'auto');

/** Lines of a stream; `data` depends on `type`. */
const line = Type.Object({ type: Type.String(), data: Type.Record(Type.String(), Type.Unknown()) });

export const AGENT_ROUTES = {
    chat: route({
        method: 'POST',
        path: '/agent/:project_id/chat',
        summary: 'Answers a message, line by line as it works',
        viewer: false,
        body: Type.Object({
            message: text(32 * KIBIBYTE),
            session_id: SESSION,
            model: optional(Type.String({ 'x-may-be-empty': true })),
            apply: APPLY,
        }),
        answers: 'lines',
        data: Type.Array(line),
        message: '',
        errors: ['project_not_found', 'session_busy'],
    }),
    decideProposal: route({
        method: 'POST',
        path: '/agent/:project_id/decide',
        summary: 'Decides about a proposal that a chat waits for',
        viewer: false,
        body: Type.Object({
            session_id: SESSION,
            proposal_id: Type.String({ maxLength: 128 }),
            decision: oneOf(['accept', 'reject', 'edit']),
            rulelang_code: optional(PROGRAM_TEXT),
        }),
        data: Type.Object({ decided: Type.Boolean() }),
        message: 'Proposal decided',
        errors: ['project_not_found', 'proposal_not_found'],
    }),
    undoTurn: route({
        method: 'POST',
        path: '/agent/:project_id/undo',
        summary: 'Puts concepts back as they were before the last message of a session that changed some; an addition of this server',
        viewer: false,
        body: Type.Object({ session_id: SESSION }),
        data: Type.Object({ session_id: Type.String(), restored_concepts: Type.Array(Type.String()) }),
        message: 'Changes undone',
        errors: ['project_not_found', 'session_busy'],
    }),
    agentStatus: route({
        method: 'GET',
        path: '/agent/:project_id/status',
        summary: 'Whether a model is configured, and what is remembered of a session; an addition of this server',
        viewer: true,
        query: Type.Object({ session_id: SESSION }),
        data: Type.Object({
            /** The version of the model that answers; null where none is configured. */
            model: Type.Union([Type.String(), Type.Null()]),
            /** The reason why the agent cannot ask a model, with the remedy. */
            reason: Type.Union([Type.String(), Type.Null()]),
            /** Messages of the session. */
            messages: Type.Integer(),
            answering: Type.Boolean(),
        }),
        message: 'Status retrieved',
        errors: ['project_not_found'],
    }),
    searchDocumentation: route({
        method: 'GET',
        path: '/agent/documentation',
        summary: 'Sections of the documentation that answer a question, the best first; an addition of this server',
        viewer: true,
        query: Type.Object({ question: Type.String({ minLength: 1, maxLength: 8000 }) }),
        data: Type.Object({ sections: Type.Array(Type.Object({ title: Type.String(), url: Type.String(), text: Type.String() })) }),
        message: 'Documentation searched',
    }),
    resetSession: route({
        method: 'POST',
        path: '/agent/:project_id/reset',
        summary: 'Forgets what was said in a session',
        viewer: false,
        body: Type.Object({ session_id: SESSION }),
        data: Type.Object({ session_id: Type.String(), cleared: Type.Boolean(), messages_removed: Type.Integer() }),
        message: 'Session reset',
        errors: ['project_not_found', 'session_busy'],
    }),
} as const satisfies Record<string, RouteDescription>;
