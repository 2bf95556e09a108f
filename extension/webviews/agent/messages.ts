import { isAgentView, isSent } from '#extension/surfaces/agent/agent-view.ts';
import { isAttachment } from '#extension/surfaces/agent/transcript.ts';
import { isName } from '#server/protocol/runs.ts';
import { countUpTo, either, isText, type Of, object, oneOf, optional, textUpTo } from '#server/protocol/shape.ts';
import type { Conversation } from '../conversation.ts';

const MOST = 0x7fffffff;
const LONG = 1 << 20;
const isId = textUpTo(200);
/** Words for the services, which take 32 KiB. */
const isWords = textUpTo(1 << 16);
const isConcept = textUpTo(128);

const fromHost = either(
    object({ kind: oneOf('view'), view: isAgentView }),
    /** JSON: the turns of the session that is shown. */
    object({ kind: oneOf('turns'), turns: isText }),
    /** JSON: the turn that goes on. */
    object({ kind: oneOf('turn'), turn: isText }),
    object({ kind: oneOf('sent'), sent: optional(isSent) }),
    /** Puts words into a field that is empty, and the focus there. */
    object({ kind: oneOf('suggest'), words: isText }),
);
export type HostMessage = Of<typeof fromHost>;

const fromView = either(
    object({ kind: oneOf('send'), words: isWords }),
    object({
        kind: oneOf('call'),
        call: either(
            object({ tool: oneOf('search_docs'), question: isWords }),
            object({ tool: oneOf('run_concept', 'fetch_results'), concept: isConcept }),
            object({ tool: oneOf('explain'), concept: isConcept, row: countUpTo(MOST) }),
        ),
        words: isWords,
    }),
    object({
        kind: oneOf('decide'),
        proposal: isId,
        decision: either(object({ kind: oneOf('accept', 'reject') }), object({ kind: oneOf('edit'), code: textUpTo(LONG) })),
    }),
    object({ kind: oneOf('compare'), turn: countUpTo(MOST), part: countUpTo(MOST) }),
    object({ kind: oneOf('stop', 'undo', 'clear', 'begin', 'configure', 'connect', 'sent') }),
    object({ kind: oneOf('openSession', 'removeSession'), session: isId }),
    object({ kind: oneOf('project'), key: textUpTo(1000) }),
    object({ kind: oneOf('model'), name: optional(isName) }),
    object({ kind: oneOf('attach'), attachment: isAttachment }),
    object({ kind: oneOf('detach'), index: countUpTo(MOST) }),
    object({ kind: oneOf('open', 'rows'), concept: isConcept }),
    object({ kind: oneOf('link'), target: textUpTo(4096) }),
    object({ kind: oneOf('copy'), text: textUpTo(LONG) }),
);
export type ViewMessage = Of<typeof fromView>;

export const AGENT: Conversation<HostMessage, ViewMessage> = { name: 'agent', fromHost, fromView };
