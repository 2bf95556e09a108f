import type { Dictionary } from '../values/dictionary.ts';
import type { ValueId } from '../values/value-id.ts';
import { type Graph, graphOf } from './graph.ts';
import { Nodes } from './nodes.ts';
import type { Work } from './work.ts';

/** The rows of an input: two endpoints and, in weighted graphs, a weight; further columns are not read. */
export interface EdgeRows {
    readonly count: number;
    readonly columns: readonly Int32Array[];
}

/** A graph, or the value that no graph can have. */
export type ReadGraph =
    | {
          readonly kind: 'graph';
          readonly graph: Graph;
          readonly nodes: Nodes;
          /** Rows with a null endpoint, which are left out. */
          readonly ignored: number;
      }
    | { readonly kind: 'negative weight' | 'no number' | 'mixed nodes'; readonly value: ValueId };

/** Weights are kept as doubles, so that sums of integers are exact up to 2^53. */
export function readGraph({ count, columns }: EdgeRows, weighted: boolean, dictionary: Dictionary, work: Work): ReadGraph {
    const [sources, targets, costs] = columns as readonly [Int32Array, Int32Array, Int32Array?];
    const from = work.ints(count);
    const to = work.ints(count);
    const weights = weighted ? work.doubles(count) : undefined;
    const shown = new Map<ValueId, ValueId>();
    let structs: boolean | undefined;
    let edges = 0;
    for (let row = 0; row < count; row++) {
        const source = identityOf(dictionary, sources[row]!);
        const target = identityOf(dictionary, targets[row]!);
        work.step();
        if (dictionary.isNull(source) || dictionary.isNull(target)) continue;
        for (const value of [sources[row]!, targets[row]!]) {
            structs ??= isStruct(dictionary, value);
            if (structs !== isStruct(dictionary, value)) return { kind: 'mixed nodes', value };
        }
        if (weights !== undefined) {
            const weight = costs![row]!;
            if (!dictionary.isNumber(weight)) return { kind: 'no number', value: weight };
            weights[edges] = dictionary.numberOf(weight);
            if (weights[edges]! < 0) return { kind: 'negative weight', value: weight };
        }
        if (!shown.has(source)) shown.set(source, sources[row]!);
        if (!shown.has(target)) shown.set(target, targets[row]!);
        from[edges] = source;
        to[edges++] = target;
    }
    const nodes = new Nodes(shown, dictionary, work);
    for (let edge = 0; edge < edges; edge++) {
        from[edge] = nodes.numberOf(from[edge]!);
        to[edge] = nodes.numberOf(to[edge]!);
    }
    const list = weights === undefined ? { count: edges, from, to } : { count: edges, from, to, weights };
    return { kind: 'graph', graph: graphOf(nodes.size, list, work), nodes, ignored: count - edges };
}

/** Returns the identity of a node: the value itself, or the first field of a struct (7.4). */
export function identityOf(dictionary: Dictionary, value: ValueId): ValueId {
    return isStruct(dictionary, value) ? (dictionary.membersOf(value)[1] ?? value) : value;
}

function isStruct(dictionary: Dictionary, value: ValueId): boolean {
    return value >= 0 && dictionary.kind(value) === 'struct';
}
