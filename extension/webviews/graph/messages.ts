import { DEEPEST, isDependencyGraph } from '#server/protocol/graphs.ts';
import { countUpTo, either, isCount, isFlag, isText, type Of, object, oneOf, optional } from '#server/protocol/shape.ts';
import type { Conversation } from '../conversation.ts';
import { isGivenPicture } from '../given-picture.ts';

const isShown = object({
    kind: oneOf('show'),
    /** Numbers the graphs of a view, so that a node of one is not taken for that of another. */
    version: isCount,
    /** The name of the program, and its address, which menus hand on. */
    program: isText,
    uri: isText,
    graph: isDependencyGraph,
    /** How many dependencies the graph goes away from its focus, where it has one. */
    depth: isCount,
    columns: isFlag,
    /** There is something to go back to. */
    back: isFlag,
    /** The predicate that was asked for is not in the program. */
    missing: optional(isText),
});
export type ShownGraph = Of<typeof isShown>;

const fromHost = either(
    isShown,
    object({ kind: oneOf('fail'), message: isText }),
    /** The drawing is wanted as a file. */
    object({ kind: oneOf('save') }),
);
export type HostMessage = Of<typeof fromHost>;

const fromView = either(
    /** About a node of the graph of this version: leads to its definition, shows what it is joined with, or makes it the focus. */
    object({ kind: oneOf('reveal', 'expand', 'focus'), version: isCount, node: isCount }),
    object({ kind: oneOf('depth'), depth: countUpTo(DEEPEST) }),
    object({ kind: oneOf('columns'), shown: isFlag }),
    /** All of the program. */
    object({ kind: oneOf('whole') }),
    /** Back to the graph before. */
    object({ kind: oneOf('back') }),
    isGivenPicture,
);
export type ViewMessage = Of<typeof fromView>;

export const GRAPH: Conversation<HostMessage, ViewMessage> = { name: 'graph', fromHost, fromView };
