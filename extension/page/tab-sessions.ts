import { isSession, type Session, type SessionStore } from '#extension/surfaces/agent/agent-chat.ts';
import { exactJson } from '#server/client/exact-json.ts';
import { jsonOf } from '#server/protocol/json-text.ts';
import { listOf } from '#server/protocol/shape.ts';

const isSessions = listOf(isSession, 1000);

/** Keeps conversations in the storage of a tab: they survive its reload and are gone with it, as its token is. */
export function tabSessions(storage: Pick<Storage, 'getItem' | 'setItem'>, key: string): SessionStore {
    const read = (): readonly Session[] => {
        try {
            const kept = exactJson(storage.getItem(key) ?? '[]');
            return isSessions(kept) ? kept : [];
        } catch {
            return [];
        }
    };
    /** The oldest are given up where the tab has no room for all. */
    const write = (sessions: readonly Session[]): void => {
        try {
            storage.setItem(key, jsonOf(sessions));
        } catch {
            if (sessions.length > 0) write(sessions.toSorted((a, b) => b.used - a.used).slice(0, -1));
        }
    };
    return {
        load: async () => read(),
        save(session) {
            const others = read().filter(({ id }) => id !== session.id);
            write(session.turns.length === 0 ? others : [...others, session]);
        },
        remove: id => write(read().filter(one => one.id !== id)),
    };
}
