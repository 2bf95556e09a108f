import type { PredicateKey } from '#language/program/analysed-program.ts';
import { sameType, type Type } from '#language/program/types.ts';
import type { RuleState } from './clause-state.ts';
import type { NameIndex } from './name-index.ts';
import type { PredicateNode, RecursiveComponent } from './predicate-graph.ts';
import type { ColumnTypes, TypeSources } from './rule-types.ts';
import { type Steps, withEach } from './steps.ts';
import { inferTypes, untypedPredicate } from './typing.ts';

/** The types of the columns of a program's predicates, kept up to date from change to change. */
export class PredicateTypes {
    readonly #names: NameIndex;
    readonly #columns = new Map<PredicateKey, readonly Type[]>();

    constructor(names: NameIndex) {
        this.#names = names;
    }

    get columns(): ColumnTypes {
        return this.#columns;
    }

    /** Gives up all that is known. */
    forget(): void {
        this.#columns.clear();
    }

    /** Infers the types of predicates, and of those that need one whose types are others now; gives the latter's sources. */
    *update(touched: ReadonlySet<PredicateNode>, sources: TypeSources): Steps<Set<PredicateNode>> {
        const changed = new Set<PredicateNode>();
        const waiting = new Agenda([...touched].filter(node => this.#isCurrent(node)));
        yield* withEach(waiting.nodes(), node => {
            const { component } = node;
            const members = component?.members ?? [node];
            const isMember = (head: PredicateNode): boolean => head === node || (component !== undefined && head.component === component);
            for (const member of members) waiting.remove(member);
            const readers = new Set<RuleState>();
            for (const member of this.#infer(members, component, sources)) {
                changed.add(member);
                for (const { rule } of this.#names.entry(member.name)?.askers ?? []) {
                    if (rule !== undefined && !readers.has(rule) && rule.needs.includes(member)) readers.add(rule);
                }
            }
            for (const { heads } of readers) for (const head of heads) if (!isMember(head)) waiting.add(head);
        });
        return changed;
    }

    /** A predicate that went and came again is another node, which is touched too. */
    #isCurrent(node: PredicateNode): boolean {
        const current = this.#names.entry(node.name)?.nodes.get(node.arity);
        if (current === undefined) this.#columns.delete(node.key);
        return current === node;
    }

    /** Gives the members whose types changed. */
    #infer(members: readonly PredicateNode[], component: RecursiveComponent | undefined, sources: TypeSources): PredicateNode[] {
        const before = members.map(({ key }) => this.#columns.get(key));
        for (const { key } of members) this.#columns.delete(key);
        const untyped = members.flatMap(({ key, name, arity }) => {
            const facts = this.#names.factsOf(name);
            return (facts && untypedPredicate(key, facts, arity, sources)) ?? [];
        });
        const rules = component?.rules ?? members.flatMap(node => node.rules);
        inferTypes(
            untyped,
            rules.map(({ facts }) => facts),
            component !== undefined,
            this.#columns,
            sources,
        );
        return members.filter(({ key }, i) => !sameTypes(before[i], this.#columns.get(key)));
    }
}

function sameTypes(a: readonly Type[] | undefined, b: readonly Type[] | undefined): boolean {
    if (a === undefined || b === undefined) return a === b;
    return (
        a.length === b.length &&
        a.every((type, i) => {
            const other = b[i];
            return other !== undefined && sameType(type, other);
        })
    );
}

/** Predicates in the order in which they need each other: what others need comes first. */
class Agenda {
    readonly #waiting: Set<PredicateNode>;
    #sorted: PredicateNode[];

    constructor(nodes: readonly PredicateNode[]) {
        this.#waiting = new Set(nodes);
        this.#sorted = [...nodes].sort((a, b) => orderOf(b) - orderOf(a));
    }

    /** One after the other; others may be added meanwhile. */
    *nodes(): Generator<PredicateNode> {
        for (let node = this.#sorted.pop(); node !== undefined; node = this.#sorted.pop()) if (this.#waiting.delete(node)) yield node;
    }

    remove(node: PredicateNode): void {
        this.#waiting.delete(node);
    }

    add(node: PredicateNode): void {
        if (this.#waiting.has(node)) return;
        this.#waiting.add(node);
        let at = this.#sorted.length;
        while (at > 0 && orderOf(this.#sorted[at - 1] ?? node) < orderOf(node)) at--;
        this.#sorted.splice(at, 0, node);
    }
}

function orderOf({ order }: PredicateNode): number {
    return order ?? -1;
}
