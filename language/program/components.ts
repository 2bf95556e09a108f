/** A strongly connected component of a graph. */
export interface Component<K> {
    /** In the order in which the keys were given. */
    readonly members: readonly K[];
    /** The members can be reached from themselves. */
    readonly recursive: boolean;
}

/** A graph over the numbers from zero: the targets of node `n` stand from `starts[n]` to before `starts[n + 1]`. */
export interface NumberedGraph {
    readonly starts: Int32Array;
    readonly targets: Int32Array;
}

/** The strongly connected components of a graph, what others need first. */
export function components<K>(keys: readonly K[], targetsOf: (key: K) => Iterable<K>): Component<K>[] {
    const numberOf = new Map(keys.map((key, i) => [key, i]));
    const starts = new Int32Array(keys.length + 1);
    const targets: number[] = [];
    for (const [i, key] of keys.entries()) {
        for (const target of targetsOf(key)) {
            const number = numberOf.get(target);
            if (number !== undefined) targets.push(number);
        }
        starts[i + 1] = targets.length;
    }
    const graph = { starts, targets: Int32Array.from(targets) };
    const members: K[][] = [];
    const component = componentNumbers(graph);
    for (const [i, key] of keys.entries()) {
        const number = component[i] ?? 0;
        const found = members[number];
        if (found === undefined) members[number] = [key];
        else found.push(key);
    }
    const circles = selfTargets(graph);
    return members.map(found => ({ members: found, recursive: found.length > 1 || circles.has(numberOf.get(found[0] as K) ?? -1) }));
}

/** The nodes that are among their own targets. */
export function selfTargets({ starts, targets }: NumberedGraph): Set<number> {
    const found = new Set<number>();
    for (let node = 0; node + 1 < starts.length; node++) {
        for (let i = starts[node] ?? 0; i < (starts[node + 1] ?? 0); i++) if (targets[i] === node) found.add(node);
    }
    return found;
}

/**
 * The number of the component of each node, what others need first (Tarjan 1972, without recursion so that long chains
 * of rules do not exhaust the stack).
 */
export function componentNumbers({ starts, targets }: NumberedGraph): Int32Array {
    const count = starts.length - 1;
    const index = new Int32Array(count).fill(-1);
    const low = new Int32Array(count);
    const component = new Int32Array(count).fill(-1);
    const next = starts.slice(0, count);
    const path = new Int32Array(count);
    const stack = new Int32Array(count);
    let [counter, depth, height, found] = [0, 0, 0, 0];
    for (let root = 0; root < count; root++) {
        if (index[root] !== -1) continue;
        path[depth++] = root;
        while (depth > 0) {
            const node = path[depth - 1] ?? 0;
            if (index[node] === -1) {
                index[node] = counter;
                low[node] = counter++;
                stack[height++] = node;
            }
            const at = next[node] ?? 0;
            if (at < (starts[node + 1] ?? 0)) {
                next[node] = at + 1;
                const target = targets[at] ?? 0;
                if (index[target] === -1) path[depth++] = target;
                else if (component[target] === -1) low[node] = Math.min(low[node] ?? 0, index[target] ?? 0);
                continue;
            }
            depth--;
            const parent = depth > 0 ? path[depth - 1] : undefined;
            if (parent !== undefined) low[parent] = Math.min(low[parent] ?? 0, low[node] ?? 0);
            if (low[node] !== index[node]) continue;
            for (let member = -1; member !== node; ) {
                member = stack[--height] ?? node;
                component[member] = found;
            }
            found++;
        }
    }
    return component;
}
