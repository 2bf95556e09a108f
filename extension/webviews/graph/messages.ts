import { isDependencyGraph } from '#server/protocol/graphs.ts';
import { either, isCount, isText, type Of, object, oneOf } from '#server/protocol/shape.ts';
import type { Conversation } from '../conversation.ts';

/** `version` numbers the graphs that a view is shown, so that nobody takes a node of one for that of another. */
const fromHost = either(
    object({ kind: oneOf('show'), version: isCount, program: isText, graph: isDependencyGraph }),
    object({ kind: oneOf('fail'), message: isText }),
);
export type HostMessage = Of<typeof fromHost>;

const fromView = object({ kind: oneOf('reveal'), version: isCount, node: isCount });

export const GRAPH: Conversation<HostMessage, Of<typeof fromView>> = { name: 'graph', fromHost, fromView };
