import { isName } from '#server/protocol/runs.ts';
import { countUpTo, either, isCount, isFlag, isText, listOf, type Of, object, oneOf, optional, textUpTo } from '#server/protocol/shape.ts';
import type { Conversation } from '../conversation.ts';

/** What the view may ask of the services; it looks and changes nothing. The host asks in its place, for its project alone. */
export const RELAYED = [
    'listConcepts',
    'listRuns',
    'listRunning',
    'viewRows',
    'explainRow',
    'tellRow',
    'expandExplanation',
    'explainMissing',
    'explainAbsence',
] as const;
export type RelayedRoute = (typeof RELAYED)[number];

const MOST = 0x7fffffff;
const isParameter = object({
    name: isName,
    /** JSON; none where the program declares no default. */
    usual: optional(isText),
    /** What was written for it last. */
    written: optional(isText),
});
export type ConceptParameter = Of<typeof isParameter>;

const fromHost = either(
    object({
        kind: oneOf('show'),
        scope: oneOf('user', 'organization'),
        project: isText,
        concept: isName,
        /** Whether it may be run. */
        mayRun: isFlag,
        parameters: listOf(isParameter),
    }),
    /** Its rows or its definition are others now. */
    object({ kind: oneOf('refresh') }),
    object({ kind: oneOf('running') }),
    object({ kind: oneOf('ended'), error: optional(isText), warnings: listOf(isText) }),
    /** `answer` is JSON. */
    object({ kind: oneOf('answer'), id: isCount, answer: isText }),
    object({ kind: oneOf('refused'), id: isCount, status: isCount, code: isText, message: isText }),
);
export type HostMessage = Of<typeof fromHost>;

const fromView = either(
    /** `call` is JSON: the path, the query and the body of the call. */
    object({ kind: oneOf('ask'), id: countUpTo(MOST), route: oneOf(...RELAYED), call: textUpTo(1 << 20) }),
    object({ kind: oneOf('leave'), id: countUpTo(MOST) }),
    object({ kind: oneOf('run'), values: listOf(object({ name: isName, written: textUpTo(1 << 16) })) }),
    object({ kind: oneOf('stop') }),
    /** Opens the definition of a concept, at a line, one-based. */
    object({ kind: oneOf('reveal'), concept: isName, line: optional(countUpTo(MOST)) }),
    object({ kind: oneOf('open'), concept: isName }),
);
export type ViewMessage = Of<typeof fromView>;

export const CONCEPT: Conversation<HostMessage, ViewMessage> = { name: 'concept', fromHost, fromView };
