import type { DependencyGraph } from '#server/protocol/graphs.ts';
import { type Check, type Checked, either, isCount, isFlag, isText, listOf, oneOf, shape } from '../schema.ts';

const graph: Check<DependencyGraph> = shape({
    nodes: listOf(
        shape({
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
        shape({
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
    shape({ kind: oneOf('show'), version: isCount, program: isText, graph }),
    shape({ kind: oneOf('fail'), message: isText }),
);

const fromView = either(shape({ kind: oneOf('ready') }), shape({ kind: oneOf('reveal'), version: isCount, node: isCount }));

export type HostMessage = Checked<typeof fromHost>;
export type ViewMessage = Checked<typeof fromView>;
export const isHostMessage: Check<HostMessage> = fromHost;
export const isViewMessage: Check<ViewMessage> = fromView;
