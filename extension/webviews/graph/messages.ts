import { isDependencyGraph } from '#server/protocol/graphs.ts';
import { either, isCount, isText, type Of, object, oneOf, type Shape } from '#server/protocol/shape.ts';

/** `version` numbers the graphs that a view is shown, so that nobody takes a node of one for that of another. */
const fromHost = either(
    object({ kind: oneOf('show'), version: isCount, program: isText, graph: isDependencyGraph }),
    object({ kind: oneOf('fail'), message: isText }),
);

const fromView = either(object({ kind: oneOf('ready') }), object({ kind: oneOf('reveal'), version: isCount, node: isCount }));

export type HostMessage = Of<typeof fromHost>;
export type ViewMessage = Of<typeof fromView>;
export const isHostMessage: Shape<HostMessage> = fromHost;
export const isViewMessage: Shape<ViewMessage> = fromView;
