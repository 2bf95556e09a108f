import type { ConceptRecord } from '#server/tools/project.ts';

/** A message of a conversation. */
export interface SessionMessage {
    readonly role: 'user' | 'assistant';
    readonly content: string;
}

/** Changes of the last message that made any, so that they can be undone. */
export interface SessionChanges {
    readonly project: string;
    readonly concepts: ReadonlyMap<string, ConceptRecord | undefined>;
}

/** A conversation with the agent that is being answered. */
export interface Session {
    readonly id: string;
    /** Earlier messages, the oldest first. */
    readonly messages: readonly SessionMessage[];
    /** The version of the model that was asked for last; undefined for the configured one. */
    model: string | undefined;
    changes: SessionChanges | undefined;
    /** Remembers a message; of many, the last ones. */
    add(message: SessionMessage): void;
    /** Lets the next message in. */
    end(): void;
}

/** Conversations in memory, by whom they are with and how they are called. */
export interface Sessions {
    /** Begins to answer in a session, new where there is none; undefined while it is being answered, or all others are. */
    begin(user: string, id: string): Session | undefined;
    /** How many messages of a session are remembered, which is no use of it. */
    look(user: string, id: string): { readonly messages: number; readonly isBusy: boolean };
    /** Forgets a session that is not being answered; gives how many messages it had, undefined where there is none. */
    reset(user: string, id: string): number | 'busy' | undefined;
}

interface Kept {
    messages: SessionMessage[];
    model: string | undefined;
    changes: SessionChanges | undefined;
    isBusy: boolean;
}

/** Messages of a session that are remembered. */
const MOST_MESSAGES = 50;

/** At most so many sessions; of those that wait for a message, the one that waits longest makes place for another. */
export function sessions(capacity: number): Sessions {
    // The order is that of their last use.
    const all = new Map<string, Kept>();
    const keyOf = (user: string, id: string): string => JSON.stringify([user, id]);

    const makePlace = (): boolean => {
        if (all.size < capacity) return true;
        const oldest = [...all].find(([, { isBusy }]) => !isBusy);
        return oldest !== undefined && all.delete(oldest[0]);
    };

    return {
        begin: (user, id) => {
            const key = keyOf(user, id);
            const before = all.get(key);
            if (before?.isBusy || (before === undefined && !makePlace())) return undefined;
            const kept = before ?? { messages: [], model: undefined, changes: undefined, isBusy: true };
            kept.isBusy = true;
            all.delete(key);
            all.set(key, kept);
            return {
                id,
                get messages() {
                    return kept.messages;
                },
                get model() {
                    return kept.model;
                },
                set model(version) {
                    kept.model = version;
                },
                get changes() {
                    return kept.changes;
                },
                set changes(changed) {
                    kept.changes = changed;
                },
                add: message => {
                    kept.messages = [...kept.messages, message].slice(-MOST_MESSAGES);
                },
                end: () => {
                    kept.isBusy = false;
                },
            };
        },
        look: (user, id) => {
            const { messages = [], isBusy = false } = all.get(keyOf(user, id)) ?? {};
            return { messages: messages.length, isBusy };
        },
        reset: (user, id) => {
            const kept = all.get(keyOf(user, id));
            if (kept === undefined) return undefined;
            if (kept.isBusy) return 'busy';
            all.delete(keyOf(user, id));
            return kept.messages.length;
        },
    };
}
