import { neededInTurn } from './chase-analysis.ts';
import { holdsCallOrNull } from './fact-census.ts';
import type { NameIndex } from './name-index.ts';
import type { OwnNulls } from './null-graph.ts';
import type { PredicateNode } from './predicate-graph.ts';
import type { RuleFacts } from './program-facts.ts';

/**
 * Nulls which no rule creates as an existential variable or a Skolem term: from sources, from `null` in facts and rules, or
 * from functions without a result for some values.
 */
export class OtherNulls {
    readonly #names: NameIndex;
    readonly #known = new Map<PredicateNode, boolean>();

    constructor(names: NameIndex) {
        this.#names = names;
    }

    /** Whether such nulls may come to the body of a rule. */
    mayBeRead({ resolved }: RuleFacts): boolean {
        const read = resolved.literals.flatMap(({ predicate, negated }) => (negated ? [] : [this.#names.nodeOf(predicate)]));
        for (const node of neededInTurn(read)) if (this.#mayBegin(node)) return true;
        return false;
    }

    #mayBegin(node: PredicateNode): boolean {
        let found = this.#known.get(node);
        if (found === undefined) {
            found = this.#isSource(node) || node.rules.some(rule => mayMakeNull(rule.facts));
            this.#known.set(node, found);
        }
        return found;
    }

    #isSource(node: PredicateNode): boolean {
        const { columns } = ownNulls(node, this.#names);
        return Array.from({ length: node.arity }, (_, column) => columns(column)).includes(true);
    }
}

/** The nulls that facts, sources and hosts give a predicate. */
export function ownNulls({ name, arity }: PredicateNode, names: NameIndex): OwnNulls {
    const facts = names.factsOf(name);
    if (facts === undefined) return { columns: () => true, cast: false };
    const { openColumns, possiblyDefined, binds, input, definitions, model, mappings } = facts;
    const isOpen = openColumns || possiblyDefined || input !== undefined || binds.some(({ bind }) => bind.direction === 'input');
    const definition = definitions.get(arity);
    return {
        columns: column => isOpen || definition?.census.holdsNull(column) === true,
        cast: model !== undefined || mappings.length > 0,
    };
}

function mayMakeNull({ resolved, rule }: RuleFacts): boolean {
    if (rule.body.kind !== 'items') return true;
    const made = [...resolved.assignments.map(({ value }) => value), ...resolved.heads.flatMap(({ atom }) => atom.arguments)];
    return made.some(holdsCallOrNull);
}
