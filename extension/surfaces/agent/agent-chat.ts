import { messageText } from '#server/protocol/agent-message.ts';
import { isCount, isNumber, isText, listOf, type Of, object, optional } from '#server/protocol/shape.ts';
import {
    type Attachment,
    isTurn,
    type Line,
    type Turn,
    waitingProposal,
    withDecision,
    withEnd,
    withError,
    withLine,
} from './transcript.ts';

/** The services for the agent of one project. Their refusals are thrown. */
export interface AgentServices {
    /** Answers a message; ends when the answer does, or with the signal. */
    chat(
        asked: { readonly message: string; readonly session: string; readonly model?: string },
        heard: (line: Line) => void,
        signal: AbortSignal,
    ): Promise<void>;
    decide(session: string, proposal: string, decision: Decision): Promise<void>;
    /** Puts back what the last message of a session changed. */
    undo(session: string): Promise<readonly string[]>;
    /** Forgets what was said. */
    reset(session: string): Promise<void>;
    /** The number of remembered messages in a session. */
    remembered(session: string): Promise<number>;
    /** The text of a concept; undefined where there is none. */
    definition(concept: string): Promise<string | undefined>;
    /** Calls that the user makes himself, in the words of the agent's tools. */
    call(call: OwnCall, signal: AbortSignal): Promise<object>;
}

export type Decision = { readonly kind: 'accept' | 'reject' } | { readonly kind: 'edit'; readonly code: string };
export type OwnCall =
    | { readonly tool: 'search_docs'; readonly question: string }
    | { readonly tool: 'run_concept' | 'fetch_results'; readonly concept: string }
    | { readonly tool: 'explain'; readonly concept: string; readonly row: number };

export const isSession = object({
    id: isText,
    /** The first words; empty where nothing was said. */
    title: isText,
    /** Milliseconds since 1970. */
    used: isNumber,
    /** The model that was chosen for it. */
    model: optional(isText),
    turns: listOf(isTurn),
});
/** A conversation as it is kept. */
export type Session = Of<typeof isSession>;

/** Storage for conversations. */
export interface SessionStore {
    load(): Promise<readonly Session[]>;
    save(session: Session): void;
    remove(id: string): void;
}

export const isSessionEntry = object({ id: isText, title: isText, used: isNumber, running: isCount });
/** A conversation in a list; `running` is 1 while it is answered. */
export type SessionEntry = Of<typeof isSessionEntry>;

export interface ChatEvents {
    /** Another session is shown, or the list of them is another one. */
    changed(): void;
    /** The last turn of the session that is shown has changed. */
    grew(turn: Turn): void;
    /** Concepts have changed. */
    saved(): void;
}

/** Conversations about one project, of which one is shown. */
export interface AgentChat {
    readonly session: Session;
    readonly running: boolean;
    readonly attachments: readonly Attachment[];
    sessions(): readonly SessionEntry[];
    send(words: string): Promise<void>;
    call(call: OwnCall, words: string): Promise<void>;
    /** Ends the answer; it is seen at once, whatever the services do. */
    stop(): void;
    decide(proposal: string, decision: Decision): Promise<void>;
    /** Puts back what was changed last; false where the services know of nothing. */
    undo(): Promise<boolean>;
    /** Forgets what was said in the session that is shown. */
    clear(): Promise<void>;
    begin(): void;
    open(id: string): void;
    remove(id: string): void;
    choose(model: string | undefined): void;
    attach(attachment: Attachment): void;
    detach(index: number): void;
}

export interface ChatContext {
    readonly services: AgentServices;
    readonly store: SessionStore;
    readonly events: ChatEvents;
    /** Describes an error. */
    tell(reason: unknown): { readonly code: string; readonly message: string };
    /** Said where the services have forgotten what was said before. */
    readonly forgotten: string;
    newId(): string;
    now(): number;
}

const MOST_SESSIONS = 50;
const MOST_TURNS = 100;
const TITLE = 60;

export async function createAgentChat({ services, store, events, tell, forgotten, newId, now }: ChatContext): Promise<AgentChat> {
    const all = new Map((await store.load()).map(session => [session.id, settled(session)]));
    const answering = new Map<string, AbortController>();
    /** Sessions that have been asked in since this was made: they are known to be remembered. */
    const known = new Set<string>();
    let attachments: readonly Attachment[] = [];
    const fresh = (): Session => ({ id: newId(), title: '', used: now(), turns: [] });
    let shown = latest(all.values())?.id ?? '';
    const current = (): Session => {
        const found = all.get(shown);
        if (found !== undefined) return found;
        const made = fresh();
        all.set(made.id, made);
        shown = made.id;
        return made;
    };
    const keep = (session: Session): void => {
        all.set(session.id, session);
        store.save(session);
        const oldest =
            all.size > MOST_SESSIONS
                ? [...all.values()].toSorted((a, b) => a.used - b.used).find(({ id }) => !answering.has(id))
                : undefined;
        if (oldest === undefined || oldest.id === shown) return;
        all.delete(oldest.id);
        store.remove(oldest.id);
    };
    /** Changes a turn of a session; the one that is shown is drawn. */
    const change = (id: string, turn: Turn): void => {
        const session = all.get(id);
        if (session === undefined) return;
        all.set(id, { ...session, turns: session.turns.map(one => (one.id === turn.id ? turn : one)) });
        if (id === shown) events.grew(turn);
    };
    const turnOf = (id: string, number: number): Turn | undefined => all.get(id)?.turns.find(turn => turn.id === number);
    /** Adds a turn and lets the services or the agent answer it. If the answer stops, the turn says why. */
    const answer = async (
        first: Omit<Turn, 'id' | 'began' | 'parts' | 'state' | 'changed'>,
        work: (step: Step) => Promise<void>,
    ): Promise<void> => {
        const { id, title, turns, model } = current();
        if (answering.has(id)) return;
        const turn: Turn = { ...first, id: (turns.at(-1)?.id ?? 0) + 1, began: now(), parts: [], state: 'running', changed: [] };
        const named = title === '' ? titleOf(first.message) : title;
        all.set(id, { id, title: named, used: now(), ...(model !== undefined && { model }), turns: [...turns, turn].slice(-MOST_TURNS) });
        const abort = new AbortController();
        answering.set(id, abort);
        events.changed();
        const update = (make: (turn: Turn) => Turn): void => {
            const before = turnOf(id, turn.id);
            if (before?.state === 'running') change(id, make(before));
        };
        try {
            await work({ session: id, update, signal: abort.signal });
            // An answer without a last line was cut off.
            update(now => (now.asked === 'services' ? { ...now, state: 'done' } : withEnd(now, 'failed')));
        } catch (reason) {
            const { code, message } = tell(reason);
            if (!abort.signal.aborted) update(turn => withError(turn, code, message));
        } finally {
            if (answering.get(id) === abort) answering.delete(id);
            const ended = all.get(id);
            if (ended !== undefined) keep(ended);
            if ((turnOf(id, turn.id)?.changed.length ?? 0) > 0) events.saved();
            events.changed();
        }
    };

    return {
        get session() {
            return current();
        },
        get running() {
            return answering.has(current().id);
        },
        get attachments() {
            return attachments;
        },
        sessions: () =>
            [...all.values()]
                .filter(({ id, turns }) => turns.length > 0 || id === shown)
                .toSorted((a, b) => b.used - a.used)
                .map(({ id, title, used }) => ({ id, title, used, running: answering.has(id) ? 1 : 0 })),
        async send(words) {
            const attached = attachments;
            const { id, turns, model } = current();
            if (answering.has(id)) return;
            attachments = [];
            await answer({ asked: 'agent', message: words, attachments: attached }, async ({ session, update, signal }) => {
                const before = turns.some(({ asked }) => asked === 'agent') && !known.has(session);
                if (before && (await services.remembered(session)) === 0) update(turn => withNote(turn, forgotten));
                known.add(session);
                const asked = { message: messageText(words, attached), session, ...(model !== undefined && { model }) };
                // A line is drawn with what the concept says now, for which it waits; those that follow wait with it.
                let last = Promise.resolve();
                await services.chat(
                    asked,
                    line => {
                        last = last.then(async () => {
                            const whole = await withDefinition(line, services);
                            update(turn => withLine(turn, whole));
                        });
                    },
                    signal,
                );
                await last;
            });
        },
        call: (call, words) =>
            answer({ asked: 'services', message: words, attachments: [] }, async ({ update, signal }) => {
                const { tool, ...input } = call;
                const named = 'concept' in input ? { ...input, name: input.concept, concept: undefined } : input;
                update(turn => withLine(turn, { type: 'tool_start', data: { tool, input: JSON.parse(JSON.stringify(named)) } }));
                let result: object;
                try {
                    result = await services.call(call, signal);
                } catch (reason) {
                    signal.throwIfAborted();
                    result = { error: tell(reason) };
                }
                update(turn => withLine(turn, { type: 'tool_result', data: { tool, result } }));
                update(turn => ({ ...turn, state: 'done' }));
            }),
        stop() {
            const { id, turns } = current();
            const abort = answering.get(id);
            const turn = turns.at(-1);
            if (abort === undefined || turn === undefined) return;
            change(id, withEnd(turn, 'stopped'));
            answering.delete(id);
            abort.abort();
            events.changed();
        },
        async decide(proposal, decision) {
            const { id, turns } = current();
            const turn = turns.at(-1);
            const found = waitingProposal(turn, proposal);
            if (turn === undefined || found === undefined) return;
            const code = decision.kind === 'edit' && decision.code !== found.proposal.code ? decision.code : undefined;
            const sent: Decision = decision.kind === 'reject' ? decision : code === undefined ? { kind: 'accept' } : { kind: 'edit', code };
            change(id, withDecision(turn, proposal, decision.kind === 'reject' ? 'rejected' : 'accepted', code));
            try {
                await services.decide(id, proposal, sent);
            } catch (reason) {
                const now = turnOf(id, turn.id);
                if (now?.state === 'running') change(id, withDecision(now, proposal, 'rejected'));
                throw reason;
            }
        },
        async undo() {
            const { id, turns } = current();
            const turn = turns.findLast(({ changed }) => changed.length > 0);
            if (turn === undefined || turn.undone || answering.has(id) || (await services.undo(id)).length === 0) return false;
            change(id, { ...turn, undone: true });
            keep(current());
            events.saved();
            events.changed();
            return true;
        },
        async clear() {
            const { id, model } = current();
            if (answering.has(id)) return;
            await services.reset(id);
            keep({ id, title: '', used: now(), ...(model !== undefined && { model }), turns: [] });
            events.changed();
        },
        begin() {
            if (current().turns.length > 0) {
                const made = fresh();
                all.set(made.id, made);
                shown = made.id;
            }
            events.changed();
        },
        open(id) {
            if (!all.has(id)) return;
            shown = id;
            events.changed();
        },
        remove(id) {
            answering.get(id)?.abort();
            answering.delete(id);
            all.delete(id);
            store.remove(id);
            // What the services remember of it is of no use to anybody.
            services.reset(id).catch(() => undefined);
            if (id === shown) shown = latest(all.values())?.id ?? '';
            events.changed();
        },
        choose(model) {
            const { model: _, ...session } = current();
            keep({ ...session, ...(model !== undefined && { model }) });
            events.changed();
        },
        attach(attachment) {
            attachments = [...attachments, attachment];
            events.changed();
        },
        detach(index) {
            attachments = attachments.filter((_, i) => i !== index);
            events.changed();
        },
    };
}

interface Step {
    readonly session: string;
    /** Changes the turn as long as it goes on. */
    update(make: (turn: Turn) => Turn): void;
    readonly signal: AbortSignal;
}

/** A proposal is shown beside what its concept says now. */
async function withDefinition(line: Line, services: AgentServices): Promise<Line> {
    const name = line.data['concept_name'];
    if (line.type !== 'proposal' || typeof name !== 'string') return line;
    const before = await services.definition(name).catch(() => undefined);
    return before === undefined ? line : { ...line, data: { ...line.data, before } };
}

function withNote(turn: Turn, text: string): Turn {
    return { ...turn, parts: [...turn.parts, { kind: 'error', code: 'forgotten', message: text }] };
}

/** Stops the turns that were running when the window was closed. */
function settled(session: Session): Session {
    return { ...session, turns: session.turns.map(turn => (turn.state === 'running' ? withEnd(turn, 'stopped') : turn)) };
}

function latest(sessions: Iterable<Session>): Session | undefined {
    return [...sessions].toSorted((a, b) => b.used - a.used)[0];
}

function titleOf(said: string): string {
    const line = said.trim().split('\n')[0] ?? '';
    return line.length > TITLE ? `${line.slice(0, TITLE).trimEnd()}…` : line;
}
