/** A strongly connected component of a graph. */
export interface Component<K> {
    /** In the order in which the keys were given. */
    readonly members: readonly K[];
    /** The members can be reached from themselves. */
    readonly recursive: boolean;
}

interface Frame {
    readonly node: number;
    next: number;
}

/**
 * The strongly connected components, what others need first (Tarjan 1972, without recursion so that long chains of
 * rules do not exhaust the stack).
 */
export function components<K>(keys: readonly K[], targetsOf: (key: K) => Iterable<K>): Component<K>[] {
    const numberOf = new Map(keys.map((key, i) => [key, i]));
    const targets = keys.map(key => numbersOf(targetsOf(key), numberOf));
    const index = new Int32Array(keys.length).fill(-1);
    const low = new Int32Array(keys.length);
    const onStack = new Uint8Array(keys.length);
    const stack: number[] = [];
    const found: Component<K>[] = [];
    let counter = 0;

    const open = (node: number): Frame => {
        index[node] = counter;
        low[node] = counter++;
        stack.push(node);
        onStack[node] = 1;
        return { node, next: 0 };
    };
    const lower = (node: number, value: number): void => {
        if (value < (low[node] ?? 0)) low[node] = value;
    };
    const close = (node: number): void => {
        if (low[node] !== index[node]) return;
        const numbers: number[] = [];
        for (let member = stack.pop(); member !== undefined; member = stack.pop()) {
            onStack[member] = 0;
            numbers.push(member);
            if (member === node) break;
        }
        numbers.sort((a, b) => a - b);
        found.push({
            members: numbers.flatMap(number => keys[number] ?? []),
            recursive: numbers.length > 1 || (targets[node]?.includes(node) ?? false),
        });
    };

    for (let root = 0; root < keys.length; root++) {
        if (index[root] !== -1) continue;
        const frames = [open(root)];
        for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
            const target = targets[frame.node]?.[frame.next++];
            if (target === undefined) {
                close(frame.node);
                frames.pop();
                const parent = frames.at(-1);
                if (parent !== undefined) lower(parent.node, low[frame.node] ?? 0);
            } else if (index[target] === -1) frames.push(open(target));
            else if (onStack[target] === 1) lower(frame.node, index[target] ?? 0);
        }
    }
    return found;
}

function numbersOf<K>(keys: Iterable<K>, numberOf: ReadonlyMap<K, number>): number[] {
    const found = new Set<number>();
    for (const key of keys) {
        const number = numberOf.get(key);
        if (number !== undefined) found.add(number);
    }
    return [...found];
}
