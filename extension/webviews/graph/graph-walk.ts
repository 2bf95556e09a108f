import { type DependencyGraph, type GraphNode, MOST_DRAWN, type NamedPredicate } from '#server/protocol/graphs.ts';
import type { GivenPicture } from '../given-picture.ts';
import type { HostMessage, ViewMessage } from './messages.ts';
import { afterStep, type Part, WHOLE } from './part.ts';

/** A part of a graph as it is asked for. */
export interface AskedPart extends Part {
    readonly columns: boolean;
}

/** The program that a view shows, and what is done with it. */
export interface WalkedProgram {
    readonly name: string;
    readonly uri: string;
    /** The graph, or why there is none. */
    graph(part: AskedPart): Promise<DependencyGraph | Extract<HostMessage, { kind: 'fail' }>>;
    /** Goes to the definition of a predicate. */
    reveal(predicate: NamedPredicate): Promise<void>;
    save(picture: GivenPicture): Promise<void>;
}

/** The way of a view through the graph of a program, step by step and back. */
export interface GraphWalk {
    /** Draws the same part anew. */
    draw(): Promise<void>;
    show(part: Part): Promise<void>;
    receive(message: ViewMessage): Promise<void>;
    /** The graph on show. */
    readonly latest: HostMessage | undefined;
}

/** Steps that can be taken back. */
const MOST_STEPS = 200;

export function createGraphWalk(program: WalkedProgram, post: (message: HostMessage) => void): GraphWalk {
    let version = 0;
    let nodes: readonly GraphNode[] = [];
    let latest: HostMessage | undefined;
    let part: Part | undefined;
    let columns = false;
    const before: Part[] = [];

    const draw = async (): Promise<void> => {
        const asked = ++version;
        const wanted = part ?? WHOLE;
        const graph = await program.graph({ ...wanted, expanded: wanted.expanded.slice(-MOST_DRAWN), columns });
        if (asked !== version) return;
        latest = 'nodes' in graph ? shown(graph, wanted) : graph;
        post(latest);
    };
    const shown = (graph: DependencyGraph, wanted: Part): HostMessage => {
        nodes = graph.nodes;
        const focus = graph.focus === undefined ? undefined : nodes[graph.focus];
        // A large program begins somewhere: steps go on from there.
        if (focus !== undefined && wanted.focus === undefined) part = { ...wanted, focus: nameOf(focus) };
        const missing = wanted.focus !== undefined && focus === undefined ? wanted.focus.name : undefined;
        return {
            ...{ kind: 'show', version, program: program.name, uri: program.uri, graph },
            ...{ depth: wanted.depth, columns, back: before.length > 0, ...(missing !== undefined && { missing }) },
        };
    };
    const go = async (next: Part): Promise<void> => {
        if (part !== undefined && next !== part) before.push(part);
        if (before.length > MOST_STEPS) before.shift();
        part = next;
        await draw();
    };
    return {
        draw,
        show: next => (part === next ? draw() : go(next)),
        async receive(message) {
            switch (message.kind) {
                case 'columns':
                    columns = message.shown;
                    return draw();
                case 'back':
                    part = before.pop() ?? part;
                    return draw();
                case 'picture':
                    return program.save(message);
                case 'whole':
                case 'depth':
                    return go(afterStep(part ?? WHOLE, message));
            }
            // What is about a node of a graph that is not shown any more is about another predicate.
            const node = message.version === version ? nodes[message.node] : undefined;
            if (node === undefined) return;
            if (message.kind === 'reveal') await program.reveal(nameOf(node));
            else await go(afterStep(part ?? WHOLE, { kind: message.kind, predicate: nameOf(node) }));
        },
        get latest() {
            return latest;
        },
    };
}

function nameOf({ name, arity }: GraphNode): NamedPredicate {
    return { name, arity };
}
