import { explodedCollection } from '#language/library/exploded-collection.ts';
import { functionNamed, type LibraryPrefixes } from '#language/library/function-catalogue.ts';
import { isKnownConstant } from '#language/program/constants.ts';
import type { Expression } from '#language/program/program.ts';
import { partsOf, visitExpression } from '#language/program/subexpressions.ts';
import { isChoice } from './growth.ts';
import { arityOf, type NullGraph, type NullNode } from './null-graph.ts';
import type { UntypedRule } from './program-facts.ts';

/**
 * The effect of replacing nulls on the derivations of a rule (4.8). `sensitive`: a literal becomes false, or a value changes. `woken`: the
 * rule gets further matches and keeps all that it had.
 */
type Learning = 'sensitive' | 'woken' | 'none';

type Literal = UntypedRule['literals'][number];

/** How a rule, whose variables are nodes of the graph, bears the replacement of nulls that the nodes in `touched` may hold. */
export function learningOf(
    rule: UntypedRule,
    variables: ReadonlyMap<string, NullNode>,
    graph: NullGraph,
    touched: ReadonlySet<NullNode>,
    prefixes: LibraryPrefixes,
): Learning {
    const touch = new Touch(variables, graph, touched, prefixes);
    if (rule.reads.some(predicate => touch.isRead(predicate))) return 'sensitive';
    const positive = rule.literals.filter(({ negated }) => !negated);
    if (losesMatches(rule, positive, touch)) return 'sensitive';
    return findsMatches(rule, positive, touch) ? 'woken' : 'none';
}

/** Whether a literal of the rule may become false, or a value of it another one. */
function losesMatches(rule: UntypedRule, positive: readonly Literal[], touch: Touch): boolean {
    const isDenied = ({ atom, predicate }: Literal): boolean =>
        atom.arguments.some((term, column) => {
            if (term.kind === 'anonymous') return false;
            if (term.kind !== 'variable' || rule.bound.has(term.name)) return touch.holdsAt(predicate, column) || touch.touches(term);
            const places = atom.arguments.filter(other => other.kind === 'variable' && other.name === term.name);
            return touch.holdsAt(predicate, column) && places.length > 1;
        });
    const terms = [...rule.heads.flatMap(({ atom }) => atom.arguments), ...rule.literals.flatMap(({ atom }) => atom.arguments)];
    const aggregates = rule.assignments.some(assignment => assignment.aggregates.length > 0);
    return (
        rule.literals.some(literal => literal.negated && isDenied(literal)) ||
        (aggregates && positive.some(({ predicate }) => touch.isRead(predicate))) ||
        rule.conditions.some(({ expression }) => touch.becomesFalse(expression)) ||
        rule.assignments.some(({ value }) => touch.changes(value)) ||
        terms.some(term => touch.changes(term))
    );
}

/** Whether the rule may have matches that it did not have. */
function findsMatches(rule: UntypedRule, positive: readonly Literal[], touch: Touch): boolean {
    const places = new Map<string, number>();
    for (const { atom } of positive) {
        for (const term of atom.arguments) if (term.kind === 'variable') places.set(term.name, (places.get(term.name) ?? 0) + 1);
    }
    const isMet = ({ atom, predicate }: Literal): boolean =>
        atom.arguments.some((term, column) => {
            if (term.kind === 'anonymous') return false;
            return touch.holdsAt(predicate, column) && (term.kind !== 'variable' || (places.get(term.name) ?? 0) > 1);
        });
    return (
        positive.some(literal => isMet(literal) || (rule.constantsOnly && touch.isRead(literal.predicate))) ||
        rule.conditions.some(({ expression }) => touch.touches(expression)) ||
        rule.assignments.some(({ value }) => touch.touchesParts(value))
    );
}

/** Follows the replacement of nulls through the columns and expressions of one rule. */
class Touch {
    readonly #variables: ReadonlyMap<string, NullNode>;
    readonly #graph: NullGraph;
    readonly #touched: ReadonlySet<NullNode>;
    readonly #prefixes: LibraryPrefixes;

    constructor(variables: ReadonlyMap<string, NullNode>, graph: NullGraph, touched: ReadonlySet<NullNode>, prefixes: LibraryPrefixes) {
        this.#variables = variables;
        this.#graph = graph;
        this.#touched = touched;
        this.#prefixes = prefixes;
    }

    /** A column of the predicate may hold such nulls. */
    holdsAt(predicate: Literal['predicate'], column: number): boolean {
        return this.#holds(this.#graph.position(predicate, column));
    }

    /** Any column of the predicate may. */
    isRead(predicate: Literal['predicate']): boolean {
        return Array.from({ length: arityOf(predicate) }, (_, column) => this.holdsAt(predicate, column)).includes(true);
    }

    /** The expression, or a part of it, may be such a null. */
    touches(expression: Expression): boolean {
        let found = false;
        visitExpression(expression, part => {
            found ||= this.#holds(part.kind === 'variable' ? this.#variables.get(part.name) : this.#graph.madeBy(part));
        });
        return found;
    }

    touchesParts(expression: Expression): boolean {
        return partsOf(expression).some(part => this.touches(part));
    }

    /** True if replacing nulls changes the value by more than the replacement: it is computed from them. */
    changes(value: Expression): boolean {
        if (isChoice(value)) return this.touchesParts(value);
        switch (value.kind) {
            case 'list':
            case 'set':
            case 'skolem':
                return partsOf(value).some(part => this.changes(part));
            case 'call': {
                const collection = explodedCollection(value, this.#prefixes);
                return collection === undefined ? this.touchesParts(value) : this.changes(collection);
            }
            case 'unary':
            case 'binary':
                return this.touchesParts(value);
            default:
                return false;
        }
    }

    /** A condition that was true may be false. */
    becomesFalse(condition: Expression): boolean {
        switch (condition.kind) {
            case 'binary':
                if (condition.operator === '&&' || condition.operator === '||')
                    return this.becomesFalse(condition.left) || this.becomesFalse(condition.right);
                if (condition.operator === '!in') return this.touchesParts(condition);
                if (condition.operator === '!=' && !isKnownConstant(condition.left) && !isKnownConstant(condition.right))
                    return this.touchesParts(condition);
                return this.changes(condition.left) || this.changes(condition.right);
            case 'call':
                if (functionNamed(condition.name, this.#prefixes)?.name !== 'is_not_null') return this.touchesParts(condition);
                return condition.arguments.some(argument => this.changes(argument));
            case 'unary':
                return this.touchesParts(condition);
            default:
                return false;
        }
    }

    #holds(node: NullNode | undefined): boolean {
        return node !== undefined && this.#touched.has(node);
    }
}
