import { EXPORT_FORMAT_NAMES } from '#server/protocol/result-formats.ts';
import { isName, isRowView } from '#server/protocol/runs.ts';
import { countUpTo, either, isCount, isFlag, isText, listOf, type Of, object, oneOf, optional, textUpTo } from '#server/protocol/shape.ts';
import type { Conversation } from '../conversation.ts';
import { isGivenPicture } from '../given-picture.ts';
import { isGivenRows } from '../given-rows.ts';
import { isRelayAnswer, ROW_ROUTES, relayQuestion } from '../relay.ts';

/** Routes that the view may call; they read and change nothing. The host calls them for its project alone. */
export const RELAYED = [...ROW_ROUTES, 'listRuns', 'listRunning'] as const;

const MOST = 0x7fffffff;
const isParameter = object({
    name: isName,
    /** Of its default. */
    type: optional(isText),
    /** JSON; none where the program declares no default. */
    usual: optional(isText),
    /** Its last value as the user wrote it. */
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
    object({ kind: oneOf('exported'), rows: isCount }),
    isRelayAnswer,
);
export type HostMessage = Of<typeof fromHost>;

const fromView = either(
    relayQuestion(RELAYED),
    object({ kind: oneOf('run'), values: listOf(object({ name: isName, written: textUpTo(1 << 16) })) }),
    object({ kind: oneOf('stop') }),
    /** Opens the definition of a concept, at a line, one-based. */
    object({ kind: oneOf('reveal'), concept: isName, line: optional(countUpTo(MOST)) }),
    object({ kind: oneOf('open'), concept: isName }),
    /** Has rows written to a file that the user chooses. */
    object({ kind: oneOf('export'), view: isRowView, format: oneOf(...EXPORT_FORMAT_NAMES) }),
    isGivenRows,
    isGivenPicture,
);
export type ViewMessage = Of<typeof fromView>;

export const CONCEPT: Conversation<HostMessage, ViewMessage> = { name: 'concept', fromHost, fromView };
