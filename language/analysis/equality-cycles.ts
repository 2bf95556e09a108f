import type { PredicateKey } from '#language/program/analysed-program.ts';
import { append } from '#language/program/append.ts';
import { components } from '#language/program/components.ts';
import { printExpression } from '#language/program/print.ts';
import type { EqualityGroup } from './equality-groups.ts';
import { MOST_CYCLES } from './forbidden-cycles.ts';
import { needsWholeInput } from './levels.ts';
import type { PredicateNode } from './predicate-graph.ts';
import type { RuleFacts } from './program-facts.ts';

/** An equality head that needs what it can take back (4.8). */
export interface EqualityCycle {
    readonly equality: RuleFacts;
    /** The rules on such cycles that derive what it can take back. */
    readonly rules: readonly RuleFacts[];
    /** One of the cycles: `h → N = M → o → h`. */
    readonly printed: string;
}

/** A predicate, a rule with an equality head, or a group of these. */
type Node = PredicateNode | RuleFacts | EqualityGroup<RuleFacts>;

/** The cycles of equality heads and of rules that have to wait for them, which are evaluated together. */
export function equalityCycles(groups: readonly EqualityGroup<RuleFacts>[], nodeOf: (key: PredicateKey) => PredicateNode): EqualityCycle[] {
    const waits = new Map<RuleFacts, EqualityGroup<RuleFacts>[]>();
    const sensitive = new Map<RuleFacts, EqualityGroup<RuleFacts>[]>();
    for (const group of groups) {
        for (const rule of [...group.sensitive, ...group.woken]) append(waits, rule, group);
        for (const rule of group.sensitive) append(sensitive, rule, group);
    }
    const needsOf = (node: Node): readonly Node[] => {
        if ('equalities' in node) return node.equalities;
        if ('key' in node) return node.rules.flatMap(({ facts, needs }): Node[] => [...needs, ...(waits.get(facts) ?? [])]);
        return [...node.resolved.literals.map(({ predicate }) => nodeOf(predicate)), ...(waits.get(node) ?? [])];
    };
    const nodes = new Set<Node>(groups);
    for (const node of nodes) for (const need of needsOf(node)) nodes.add(need);
    const found = new Map<RuleFacts, { readonly rules: Set<RuleFacts>; readonly printed: string }>();
    for (const { members, recursive } of components([...nodes], needsOf)) {
        if (!recursive) continue;
        const knot = new Set(members);
        for (const head of members) {
            if (!('key' in head)) continue;
            for (const { facts } of head.rules) {
                const { literals, reads } = facts.resolved;
                const whole = needsWholeInput(facts.resolved);
                const finished = literals.flatMap(({ predicate, negated }) => (negated || whole ? [nodeOf(predicate)] : []));
                for (const target of [...(sensitive.get(facts) ?? []), ...finished, ...reads.map(nodeOf)]) {
                    if (!knot.has(target) || found.size === MOST_CYCLES) continue;
                    const way = shortestWay(target, head, knot, needsOf);
                    const equality = way.find(node => 'resolved' in node);
                    if (equality === undefined) continue;
                    const known = found.get(equality);
                    if (known !== undefined) known.rules.add(facts);
                    else found.set(equality, { rules: new Set([facts]), printed: [head, ...way].flatMap(printed).join(' → ') });
                }
            }
        }
    }
    return [...found].map(([equality, { rules, printed }]) => ({ equality, rules: [...rules], printed }));
}

/** The nodes from one to another of the same knot, both included. */
function shortestWay(start: Node, goal: Node, knot: ReadonlySet<Node>, needsOf: (node: Node) => readonly Node[]): Node[] {
    const reachedBy = new Map<Node, Node | undefined>([[start, undefined]]);
    for (const node of reachedBy.keys()) {
        if (node === goal) break;
        for (const need of needsOf(node)) if (knot.has(need) && !reachedBy.has(need)) reachedBy.set(need, node);
    }
    const way: Node[] = [];
    for (let at: Node | undefined = goal; at !== undefined; at = reachedBy.get(at)) way.unshift(at);
    return way;
}

function printed(node: Node): string[] {
    if ('equalities' in node) return [];
    if ('key' in node) return [node.name];
    const { head } = node.rule;
    return head.kind === 'equality' ? [`${head.left.name} = ${printExpression(head.right)}`] : [];
}
