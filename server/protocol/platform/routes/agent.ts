import { Type } from 'typebox';
import { type RouteDescription, route } from '../route.ts';
import { defaulted, KIBIBYTE, optional, text } from '../schema.ts';

const SESSION = defaulted(Type.String({ maxLength: 128 }), 'default');

/** Lines of a stream; `data` depends on `type`. */
const line = Type.Object({ type: Type.String(), data: Type.Record(Type.String(), Type.Unknown()) });

export const AGENT_ROUTES = {
    chat: route({
        method: 'POST',
        path: '/agent/:project_id/chat',
        summary: 'Answers a message, line by line as it works',
        viewer: false,
        body: Type.Object({ message: text(32 * KIBIBYTE), session_id: SESSION, model: optional(Type.String({ 'x-may-be-empty': true })) }),
        answers: 'lines',
        data: Type.Array(line),
        message: '',
        errors: ['project_not_found', 'session_busy'],
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
