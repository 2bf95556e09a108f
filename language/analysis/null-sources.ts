import type { Expression } from '#language/program/program.ts';
import { visitExpression } from '#language/program/subexpressions.ts';
import { neededInTurn } from './chase-analysis.ts';
import type { NameIndex } from './name-index.ts';
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

    #isSource({ name, arity }: PredicateNode): boolean {
        const facts = this.#names.factsOf(name);
        if (facts === undefined || facts.openColumns || facts.possiblyDefined || facts.binds.length > 0 || facts.input !== undefined)
            return true;
        const own = facts.definitions.get(arity)?.facts ?? [];
        return own.some(({ atom }) => atom.arguments.some(term => term.kind === 'null'));
    }
}

function mayMakeNull({ resolved, rule }: RuleFacts): boolean {
    if (rule.body.kind !== 'items') return true;
    const made = [...resolved.assignments.map(({ value }) => value), ...resolved.heads.flatMap(({ atom }) => atom.arguments)];
    return made.some(holdsCallOrNull);
}

function holdsCallOrNull(expression: Expression): boolean {
    let found = false;
    visitExpression(expression, part => {
        found ||= part.kind === 'call' || part.kind === 'null';
    });
    return found;
}
