import type { Decision } from './agent-chat.ts';
import type { MarkdownEvents } from './markdown-view.ts';
import type { ResultGridEvents } from './result-grid.ts';
import type { Attachment } from './transcript.ts';

/** Actions from within a conversation. */
export interface TurnEvents extends MarkdownEvents, ResultGridEvents {
    /** Gives something to the agent with the next message. */
    attach(attachment: Attachment): void;
    decide(proposal: string, decision: Decision): void;
    /** Shows a proposal where it can be changed; absent where it is changed in its place. */
    compare?: (turn: number, part: number) => void;
    undo(): void;
    /** Asks for the request that was sent last. */
    sent(): Promise<{ readonly url: string; readonly body: string } | undefined>;
    /** Absent where the host has no way to configure a model. */
    configure?: () => void;
}
