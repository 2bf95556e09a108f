import { isCount, isFlag, isText, listOf, type Of, object, oneOf, optional } from '#server/protocol/shape.ts';
import { type Decision, isSessionEntry, type OwnCall } from './agent-chat.ts';
import { isAttachment } from './transcript.ts';

/** All that is shown of the agent but what was said. */
export const isAgentView = object({
    /** Whether services are connected, and what their user may do. */
    access: oneOf('none', 'viewer', 'user'),
    projects: listOf(object({ key: isText, name: isText })),
    /** The key of the project that is worked in. */
    project: optional(isText),
    concepts: listOf(object({ name: isText, description: isText, rows: optional(isCount) })),
    /** The model that is configured; none with why, and how to get one. */
    model: optional(isText),
    noModel: optional(isText),
    /** The model that was chosen for this session instead. */
    chosen: optional(isText),
    /** Models that were chosen before. */
    models: listOf(isText),
    sessions: listOf(isSessionEntry),
    session: isText,
    running: isFlag,
    attachments: listOf(isAttachment),
});
export type AgentView = Of<typeof isAgentView>;

/** A request of the agent's surface to its host. */
export type AgentAction =
    | { readonly kind: 'send'; readonly words: string }
    | { readonly kind: 'call'; readonly call: OwnCall; readonly words: string }
    | { readonly kind: 'decide'; readonly proposal: string; readonly decision: Decision }
    /** Shows a proposal beside what is there, where it can be changed. */
    | { readonly kind: 'compare'; readonly turn: number; readonly part: number }
    | { readonly kind: 'stop' | 'undo' | 'clear' | 'begin' | 'configure' | 'connect' | 'sent' }
    | { readonly kind: 'openSession' | 'removeSession'; readonly session: string }
    | { readonly kind: 'project'; readonly key: string }
    /** Without a name the configured one is asked. */
    | { readonly kind: 'model'; readonly name?: string }
    | { readonly kind: 'attach'; readonly attachment: Of<typeof isAttachment> }
    | { readonly kind: 'detach'; readonly index: number }
    /** Opens the text of a concept, or its rows. */
    | { readonly kind: 'open' | 'rows'; readonly concept: string }
    | { readonly kind: 'link'; readonly target: string }
    | { readonly kind: 'copy'; readonly text: string };

/** The request that a model was sent last. */
export const isSent = object({ url: isText, body: isText });
export type Sent = Of<typeof isSent>;
