import { isName } from '#server/protocol/runs.ts';
import { either, isFlag, isText, type Of, object, oneOf, optional, textUpTo } from '#server/protocol/shape.ts';
import type { Conversation } from '../conversation.ts';
import { isRelayAnswer, ROW_ROUTES, relayQuestion } from '../relay.ts';

/** Routes that the view may call. The host calls them for its project and its dashboard alone. */
export const RELAYED = [...ROW_ROUTES, 'runConcept', 'getDashboard', 'saveDashboard'] as const;
export type DashboardRoute = (typeof RELAYED)[number];

const fromHost = either(
    object({
        kind: oneOf('show'),
        scope: oneOf('user', 'organization'),
        project: isText,
        dashboard: isText,
        /** Concepts may be run, and the dashboard may be saved. */
        mayChange: isFlag,
        /** JSON: what was changed and not saved before. */
        draft: optional(isText),
    }),
    isRelayAnswer,
);
export type HostMessage = Of<typeof fromHost>;

const fromView = either(
    relayQuestion(RELAYED),
    /** JSON: what is changed and not saved; nothing where all of it is. */
    object({ kind: oneOf('draft'), definition: optional(textUpTo(1 << 20)) }),
    object({ kind: oneOf('open'), concept: isName }),
    object({ kind: oneOf('copy'), text: textUpTo(1 << 24) }),
    /** An address at which others see the dashboard is to be copied. */
    object({ kind: oneOf('link') }),
);
export type ViewMessage = Of<typeof fromView>;

export const DASHBOARD: Conversation<HostMessage, ViewMessage> = { name: 'dashboard', fromHost, fromView };
