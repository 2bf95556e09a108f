import type { DependencyGraph } from '#server/protocol/graphs.ts';
import { either, isCount, isFlag, isText, listOf, type Of, object, oneOf, type Shape } from '#server/protocol/shape.ts';

const graph: Shape<DependencyGraph> = object({
    nodes: listOf(
        object({
            name: isText,
            arity: isCount,
            stratum: isCount,
            recursive: isFlag,
            input: isFlag,
            output: isFlag,
            facts: isCount,
            rules: isCount,
        }),
    ),
    edges: listOf(
        object({
            from: isCount,
            to: isCount,
            kind: oneOf('positive', 'negated', 'aggregated'),
            recursive: isFlag,
            forbidden: isFlag,
        }),
    ),
    total: isCount,
});

/** `version` numbers the graphs that a view is shown, so that nobody takes a node of one for that of another. */
const fromHost = either(
    object({ kind: oneOf('show'), version: isCount, program: isText, graph }),
    object({ kind: oneOf('fail'), message: isText }),
);

const fromView = either(object({ kind: oneOf('ready') }), object({ kind: oneOf('reveal'), version: isCount, node: isCount }));

export type HostMessage = Of<typeof fromHost>;
export type ViewMessage = Of<typeof fromView>;
export const isHostMessage: Shape<HostMessage> = fromHost;
export const isViewMessage: Shape<ViewMessage> = fromView;
