import { AGGREGATES } from '#language/program/aggregates.ts';
import type { AnalysedRule, Level, PredicateKey, Stratum } from '#language/program/analysed-program.ts';
import { append } from '#language/program/append.ts';
import { components } from '#language/program/components.ts';
import type { EqualityGroup } from './equality-groups.ts';

/** A component, an equality head or a group of equality heads. */
interface Node {
    readonly component?: Stratum;
    readonly equality?: number;
    readonly needs: Need[];
    level: number;
    /** Nodes that need each other have one number. */
    knot: number;
}

interface Need {
    readonly node: Node;
    /** How many levels there are at least between the two. */
    readonly above: 0 | 1;
    /** The need comes only from the nulls that `node` replaces. It orders the two unless `node` needs this one in turn. */
    readonly learned: boolean;
}

/**
 * The components by level. A component is above what it negates, aggregates with a function that needs its whole input, or
 * gives to a relation function, and above the equality heads that can make its literals false; beside those that can give it
 * more matches. An equality head belongs to the highest level of its body. Nodes that need each other only in that way
 * keep the order which they have without it, and take part in all levels of their knot: what they derived stays.
 */
export function levelsOf(
    strata: readonly Stratum[],
    rules: readonly AnalysedRule[],
    groups: readonly EqualityGroup<number>[],
): readonly Level[] {
    const nodes = nodesOf(strata, rules, groups);
    const knots = components(nodes, ({ needs }) => needs.map(({ node }) => node));
    for (const [knot, { members }] of knots.entries()) {
        for (const node of members) node.knot = knot;
        for (const node of members) node.level = levelOf(node);
    }
    const turns = turnsOf(nodes);
    const levels: { components: Stratum[]; equalities: number[][]; again: Stratum[] }[] = [];
    const at = (level: number): (typeof levels)[number] => {
        while (levels.length <= level) levels.push({ components: [], equalities: [], again: [] });
        return levels[level] ?? { components: [], equalities: [], again: [] };
    };
    for (const { component, level } of nodes) if (component !== undefined) at(level).components.push(component);
    const equalitiesAt = new Map<number, Node[]>();
    for (const node of nodes) {
        if (node.equality !== undefined) append(equalitiesAt, node.level, node);
    }
    for (const [number, equalities] of equalitiesAt) {
        const level = at(number);
        const concerned = new Set(equalities.map(({ knot }) => knot));
        const isConcerned = (node: Node): boolean => node.level === number || (node.level < number && concerned.has(node.knot));
        const inTurns = new Map<number, number[]>();
        for (const node of nodes) {
            if (node.equality !== undefined && isConcerned(node)) append(inTurns, turns.get(node) ?? 0, node.equality);
            if (node.component !== undefined && isConcerned(node)) level.again.push(node.component);
        }
        level.equalities.push(...[...inTurns].sort(([a], [b]) => a - b).map(([, heads]) => heads));
    }
    return levels;
}

/** The equality heads by the turn in which they are matched: one whose literals others can make false comes after these. */
function turnsOf(nodes: readonly Node[]): ReadonlyMap<Node, number> {
    const turns = new Map<Node, number>();
    const earlier = ({ needs }: Node): Node[] =>
        needs
            .filter(({ learned, above }) => learned && above === 1)
            .flatMap(({ node }) => (isGroup(node) ? node.needs.map(need => need.node) : node));
    const heads = nodes.filter(({ equality }) => equality !== undefined);
    for (const { members } of components(heads, earlier)) {
        const turn = Math.max(0, ...members.flatMap(earlier).map(head => (members.includes(head) ? 0 : (turns.get(head) ?? 0) + 1)));
        for (const head of members) turns.set(head, turn);
    }
    return turns;
}

function levelOf({ needs, knot }: Node): number {
    let level = 0;
    for (const { node, above, learned } of needs) {
        if (!learned || node.knot !== knot) level = Math.max(level, node.level + above);
        else if (isGroup(node))
            for (const { node: equality } of node.needs) if (equality.knot !== knot) level = Math.max(level, equality.level + above);
    }
    return level;
}

function isGroup({ component, equality }: Node): boolean {
    return component === undefined && equality === undefined;
}

/** The nodes of a program: components in their order, then equality heads, then groups. */
function nodesOf(strata: readonly Stratum[], rules: readonly AnalysedRule[], groups: readonly EqualityGroup<number>[]): Node[] {
    const makers = new Map<PredicateKey, Node>();
    const ofRule = new Map<number, Node[]>();
    const nodes: Node[] = [];
    const add = (node: Pick<Node, 'component' | 'equality'>): Node => {
        const added = { ...node, needs: [], level: 0, knot: -1 };
        nodes.push(added);
        return added;
    };
    for (const component of strata) {
        const node = add({ component });
        for (const key of component.predicates) makers.set(key, node);
        for (const index of component.rules) append(ofRule, index, node);
    }
    for (const { rule, index } of rules) if (rule.head.kind === 'equality') append(ofRule, index, add({ equality: index }));
    for (const rule of rules) {
        for (const node of ofRule.get(rule.index) ?? []) {
            const need = (key: PredicateKey, above: 0 | 1): void => {
                const maker = makers.get(key);
                if (maker !== undefined && maker !== node) node.needs.push({ node: maker, above, learned: false });
            };
            const isEquality = node.equality !== undefined;
            const whole = !isEquality && needsWholeInput(rule) ? 1 : 0;
            for (const { predicate, negated } of rule.literals) need(predicate, negated && !isEquality ? 1 : whole);
            for (const predicate of rule.reads) need(predicate, 1);
        }
    }
    for (const { equalities, sensitive, woken } of groups) {
        const heads = equalities.flatMap(index => ofRule.get(index) ?? []);
        const group = add({});
        for (const node of heads) group.needs.push({ node, above: 0, learned: false });
        for (const node of woken.flatMap(index => ofRule.get(index) ?? [])) node.needs.push({ node: group, above: 0, learned: true });
        for (const node of sensitive.flatMap(index => ofRule.get(index) ?? [])) {
            // An equality head is decided when it is matched, and what it makes equal itself does not come before that.
            if (!heads.includes(node)) node.needs.push({ node: group, above: 1, learned: true });
            else for (const other of heads) if (other !== node) node.needs.push({ node: other, above: 1, learned: true });
        }
    }
    return nodes;
}

/** An aggregate of the rule is computed when all that it aggregates is known. */
export function needsWholeInput({ assignments }: Pick<AnalysedRule, 'assignments'>): boolean {
    return assignments.some(({ aggregates }) => aggregates.some(({ name }) => AGGREGATES[name].direction === undefined));
}
