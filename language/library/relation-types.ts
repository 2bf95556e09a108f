import { isNumeric, join, MIXED, sameType, type Type, UNKNOWN } from '#language/program/types.ts';
import type { RelationQuestion } from './relation-question.ts';
import { DOUBLE, INT } from './result-types.ts';

/** The types of the columns of an answer (7.2) over an input with columns of these types. */
export function relationTypes(question: RelationQuestion, input: readonly Type[]): readonly Type[] {
    const [source = UNKNOWN, target = UNKNOWN, weight = UNKNOWN] = input;
    const node = sameType(source, target) ? source : join(source, target);
    // A struct that mentions a node first is shown wherever the node is (7.4).
    const [from, to] = node.kind === 'struct' ? [node, node] : [source, target];
    const nodes: Type = { kind: 'list', element: node };
    switch (question.function) {
        case 'TC':
            return [from, to];
        case 'PATHS':
            return question.visited ? [from, to, nodes] : [from, to];
        case 'ASP':
        case 'SSSP': {
            const cost = isNumeric(weight) || weight.kind === 'unknown' ? weight : MIXED;
            return question.visited ? [from, to, cost, nodes] : [from, to, cost];
        }
        case 'BFS':
            return question.visited ? [from, to, INT, nodes] : [from, to, INT];
        case 'CC':
            return question.componentId ? [node, node, nodes] : [node, nodes];
        case 'WCC':
            return [node, nodes];
        case 'TRI':
            return [node, node, node];
        case 'DC':
        case 'BC':
        case 'PR':
            return [node, DOUBLE];
    }
}
