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

export async function createAgentChat(context: ChatContext): Promise<AgentChat> {
    return new StoredChat(context, await context.store.load());
}

class StoredChat implements AgentChat {
    readonly #around: ChatContext;
    readonly #all: Map<string, Session>;
    readonly #answering = new Map<string, AbortController>();
    /** Sessions that have been asked in since this was made: they are known to be remembered. */
    readonly #known = new Set<string>();
    #attachments: readonly Attachment[] = [];
    #shown: string;

    constructor(around: ChatContext, stored: readonly Session[]) {
        this.#around = around;
        this.#all = new Map(stored.map(session => [session.id, settled(session)]));
        this.#shown = latest(this.#all.values())?.id ?? '';
    }

    get session(): Session {
        return this.#current();
    }

    get running(): boolean {
        return this.#answering.has(this.#current().id);
    }

    get attachments(): readonly Attachment[] {
        return this.#attachments;
    }

    sessions(): readonly SessionEntry[] {
        return [...this.#all.values()]
            .filter(({ id, turns }) => turns.length > 0 || id === this.#shown)
            .toSorted((a, b) => b.used - a.used)
            .map(({ id, title, used }) => ({ id, title, used, running: this.#answering.has(id) ? 1 : 0 }));
    }

    async send(words: string): Promise<void> {
        const attached = this.#attachments;
        const { id, turns, model } = this.#current();
        if (this.#answering.has(id)) return;
        this.#attachments = [];
        await this.#answer({ asked: 'agent', message: words, attachments: attached }, async ({ session, update, signal }) => {
            const before = turns.some(({ asked }) => asked === 'agent') && !this.#known.has(session);
            if (before && (await this.#around.services.remembered(session)) === 0) update(turn => withNote(turn, this.#around.forgotten));
            this.#known.add(session);
            const asked = { message: messageText(words, attached), session, ...(model !== undefined && { model }) };
            // A line is drawn with what the concept says now, for which it waits; those that follow wait with it.
            let last = Promise.resolve();
            await this.#around.services.chat(
                asked,
                line => {
                    last = last.then(async () => {
                        const whole = await withDefinition(line, this.#around.services);
                        update(turn => withLine(turn, whole));
                    });
                },
                signal,
            );
            await last;
        });
    }

    call(call: OwnCall, words: string): Promise<void> {
        return this.#answer({ asked: 'services', message: words, attachments: [] }, async ({ update, signal }) => {
            const { tool, ...input } = call;
            const named = 'concept' in input ? { ...input, name: input.concept, concept: undefined } : input;
            update(turn => withLine(turn, { type: 'tool_start', data: { tool, input: JSON.parse(JSON.stringify(named)) } }));
            let result: object;
            try {
                result = await this.#around.services.call(call, signal);
            } catch (reason) {
                signal.throwIfAborted();
                result = { error: this.#around.tell(reason) };
            }
            update(turn => withLine(turn, { type: 'tool_result', data: { tool, result } }));
            update(turn => ({ ...turn, state: 'done' }));
        });
    }

    stop(): void {
        const { id, turns } = this.#current();
        const abort = this.#answering.get(id);
        const turn = turns.at(-1);
        if (abort === undefined || turn === undefined) return;
        this.#change(id, withEnd(turn, 'stopped'));
        this.#answering.delete(id);
        abort.abort();
        this.#around.events.changed();
    }

    async decide(proposal: string, decision: Decision): Promise<void> {
        const { id, turns } = this.#current();
        const turn = turns.at(-1);
        const found = waitingProposal(turn, proposal);
        if (turn === undefined || found === undefined) return;
        const code = decision.kind === 'edit' && decision.code !== found.proposal.code ? decision.code : undefined;
        const sent: Decision = decision.kind === 'reject' ? decision : code === undefined ? { kind: 'accept' } : { kind: 'edit', code };
        this.#change(id, withDecision(turn, proposal, decision.kind === 'reject' ? 'rejected' : 'accepted', code));
        try {
            await this.#around.services.decide(id, proposal, sent);
        } catch (reason) {
            const now = this.#turnOf(id, turn.id);
            if (now?.state === 'running') this.#change(id, withDecision(now, proposal, 'rejected'));
            throw reason;
        }
    }

    async undo(): Promise<boolean> {
        const { id, turns } = this.#current();
        const turn = turns.findLast(({ changed }) => changed.length > 0);
        if (turn === undefined || turn.undone || this.#answering.has(id) || (await this.#around.services.undo(id)).length === 0)
            return false;
        this.#change(id, { ...turn, undone: true });
        this.#keep(this.#current());
        this.#around.events.saved();
        this.#around.events.changed();
        return true;
    }

    async clear(): Promise<void> {
        const { id, model } = this.#current();
        if (this.#answering.has(id)) return;
        await this.#around.services.reset(id);
        this.#keep({ id, title: '', used: this.#around.now(), ...(model !== undefined && { model }), turns: [] });
        this.#around.events.changed();
    }

    begin(): void {
        if (this.#current().turns.length > 0) {
            const made = this.#fresh();
            this.#all.set(made.id, made);
            this.#shown = made.id;
        }
        this.#around.events.changed();
    }

    open(id: string): void {
        if (!this.#all.has(id)) return;
        this.#shown = id;
        this.#around.events.changed();
    }

    remove(id: string): void {
        this.#answering.get(id)?.abort();
        this.#answering.delete(id);
        this.#all.delete(id);
        this.#around.store.remove(id);
        // What the services remember of it is of no use to anybody.
        this.#around.services.reset(id).catch(() => undefined);
        if (id === this.#shown) this.#shown = latest(this.#all.values())?.id ?? '';
        this.#around.events.changed();
    }

    choose(model: string | undefined): void {
        const { model: _, ...session } = this.#current();
        this.#keep({ ...session, ...(model !== undefined && { model }) });
        this.#around.events.changed();
    }

    attach(attachment: Attachment): void {
        this.#attachments = [...this.#attachments, attachment];
        this.#around.events.changed();
    }

    detach(index: number): void {
        this.#attachments = this.#attachments.filter((_, i) => i !== index);
        this.#around.events.changed();
    }

    #fresh(): Session {
        return { id: this.#around.newId(), title: '', used: this.#around.now(), turns: [] };
    }

    #current(): Session {
        const found = this.#all.get(this.#shown);
        if (found !== undefined) return found;
        const made = this.#fresh();
        this.#all.set(made.id, made);
        this.#shown = made.id;
        return made;
    }

    #keep(session: Session): void {
        this.#all.set(session.id, session);
        this.#around.store.save(session);
        const oldest =
            this.#all.size > MOST_SESSIONS
                ? [...this.#all.values()].toSorted((a, b) => a.used - b.used).find(({ id }) => !this.#answering.has(id))
                : undefined;
        if (oldest === undefined || oldest.id === this.#shown) return;
        this.#all.delete(oldest.id);
        this.#around.store.remove(oldest.id);
    }

    /** Changes a turn of a session; the one that is shown is drawn. */
    #change(id: string, turn: Turn): void {
        const session = this.#all.get(id);
        if (session === undefined) return;
        this.#all.set(id, { ...session, turns: session.turns.map(one => (one.id === turn.id ? turn : one)) });
        if (id === this.#shown) this.#around.events.grew(turn);
    }

    #turnOf(id: string, number: number): Turn | undefined {
        return this.#all.get(id)?.turns.find(turn => turn.id === number);
    }

    /** Adds a turn and lets the services or the agent answer it. If the answer stops, the turn says why. */
    async #answer(first: Omit<Turn, 'id' | 'began' | 'parts' | 'state' | 'changed'>, work: (step: Step) => Promise<void>): Promise<void> {
        const { id, title, turns, model } = this.#current();
        if (this.#answering.has(id)) return;
        const turn: Turn = {
            ...first,
            id: (turns.at(-1)?.id ?? 0) + 1,
            began: this.#around.now(),
            parts: [],
            state: 'running',
            changed: [],
        };
        const named = title === '' ? titleOf(first.message) : title;
        this.#all.set(id, {
            id,
            title: named,
            used: this.#around.now(),
            ...(model !== undefined && { model }),
            turns: [...turns, turn].slice(-MOST_TURNS),
        });
        const abort = new AbortController();
        this.#answering.set(id, abort);
        this.#around.events.changed();
        const update = (make: (turn: Turn) => Turn): void => {
            const before = this.#turnOf(id, turn.id);
            if (before?.state === 'running') this.#change(id, make(before));
        };
        try {
            await work({ session: id, update, signal: abort.signal });
            // An answer without a last line was cut off.
            update(now => (now.asked === 'services' ? { ...now, state: 'done' } : withEnd(now, 'failed')));
        } catch (reason) {
            const { code, message } = this.#around.tell(reason);
            if (!abort.signal.aborted) update(turn => withError(turn, code, message));
        } finally {
            if (this.#answering.get(id) === abort) this.#answering.delete(id);
            const ended = this.#all.get(id);
            if (ended !== undefined) this.#keep(ended);
            if ((this.#turnOf(id, turn.id)?.changed.length ?? 0) > 0) this.#around.events.saved();
            this.#around.events.changed();
        }
    }
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
