import { explodedCollection } from '#language/library/exploded-collection.ts';
import { functionNamed, type LibraryPrefixes } from '#language/library/function-catalogue.ts';
import type { Expression } from '#language/program/program.ts';
import { partsOf, visitExpression } from '#language/program/subexpressions.ts';
import { isChoice } from './growth.ts';
import { arityOf, type NullGraph, type NullNode } from './null-graph.ts';
import type { UntypedRule } from './program-facts.ts';

/**
 * What replacing nulls can do to what a rule derived (4.8). `sensitive`: a literal becomes false, or a value another one.
 * `woken`: the rule has other matches; all that it had stay.
 */
type Learning = 'sensitive' | 'woken' | 'none';

/** How a rule, whose variables are nodes of the graph, bears the replacement of nulls that the nodes in `touched` may hold. */
export function learningOf(
    rule: UntypedRule,
    variables: ReadonlyMap<string, NullNode>,
    graph: NullGraph,
    touched: ReadonlySet<NullNode>,
    prefixes: LibraryPrefixes,
): Learning {
    const holds = (node: NullNode | undefined): boolean => node !== undefined && touched.has(node);
    const touches = (expression: Expression): boolean => {
        let found = false;
        visitExpression(expression, part => {
            found ||= holds(part.kind === 'variable' ? variables.get(part.name) : graph.madeBy(part));
        });
        return found;
    };
    const touchesParts = (expression: Expression): boolean => partsOf(expression).some(touches);
    /** Where nulls in the value are replaced, that is not all which becomes of it: it is computed from them. */
    const changes = (value: Expression): boolean => {
        if (isChoice(value)) return touchesParts(value);
        switch (value.kind) {
            case 'list':
            case 'set':
                return value.items.some(changes);
            case 'skolem':
                return value.arguments.some(changes);
            case 'call':
                return changesCall(value);
            case 'unary':
            case 'binary':
                return touchesParts(value);
            default:
                return false;
        }
    };
    const changesCall = (call: Extract<Expression, { kind: 'call' }>): boolean => {
        const collection = explodedCollection(call, prefixes);
        return collection === undefined ? touchesParts(call) : changes(collection);
    };
    const becomesFalse = (condition: Expression): boolean => {
        switch (condition.kind) {
            case 'binary':
                if (condition.operator === '&&' || condition.operator === '||')
                    return becomesFalse(condition.left) || becomesFalse(condition.right);
                if (condition.operator === '!in') return touchesParts(condition);
                if (condition.operator === '!=' && !isScalar(condition.left) && !isScalar(condition.right)) return touchesParts(condition);
                return changes(condition.left) || changes(condition.right);
            case 'call':
                if (functionNamed(condition.name, prefixes)?.name !== 'is_not_null') return touchesParts(condition);
                return condition.arguments.some(changes);
            case 'unary':
                return touchesParts(condition);
            default:
                return false;
        }
    };
    const holdsAt = (predicate: UntypedRule['literals'][number]['predicate'], column: number): boolean =>
        holds(graph.position(predicate, column));
    const isRead = ({ predicate }: UntypedRule['literals'][number]): boolean =>
        Array.from({ length: arityOf(predicate) }, (_, column) => holdsAt(predicate, column)).includes(true);

    const { relation } = rule;
    if (relation !== undefined && Array.from({ length: arityOf(relation) }, (_, column) => holdsAt(relation, column)).includes(true)) {
        return 'sensitive';
    }
    const positive = rule.literals.filter(({ negated }) => !negated);
    const isDenied = ({ atom, predicate }: UntypedRule['literals'][number]): boolean =>
        atom.arguments.some((term, column) => {
            if (term.kind === 'anonymous') return false;
            if (term.kind !== 'variable' || rule.bound.has(term.name)) return holdsAt(predicate, column) || touches(term);
            return (
                holdsAt(predicate, column) &&
                atom.arguments.filter(other => other.kind === 'variable' && other.name === term.name).length > 1
            );
        });
    const terms = [...rule.heads.flatMap(({ atom }) => atom.arguments), ...rule.literals.flatMap(({ atom }) => atom.arguments)];
    const aggregates = rule.assignments.some(assignment => assignment.aggregates.length > 0);
    if (
        rule.literals.some(literal => literal.negated && isDenied(literal)) ||
        (aggregates && positive.some(isRead)) ||
        rule.conditions.some(({ expression }) => becomesFalse(expression)) ||
        rule.assignments.some(({ value }) => changes(value)) ||
        terms.some(changes)
    ) {
        return 'sensitive';
    }
    const places = new Map<string, number>();
    for (const { atom } of positive) {
        for (const term of atom.arguments) if (term.kind === 'variable') places.set(term.name, (places.get(term.name) ?? 0) + 1);
    }
    const isMet = ({ atom, predicate }: UntypedRule['literals'][number]): boolean =>
        atom.arguments.some((term, column) => {
            if (term.kind === 'anonymous') return false;
            return holdsAt(predicate, column) && (term.kind !== 'variable' || (places.get(term.name) ?? 0) > 1);
        });
    const isWoken =
        positive.some(literal => isMet(literal) || (rule.constantsOnly && isRead(literal))) ||
        rule.conditions.some(({ expression }) => touches(expression)) ||
        rule.assignments.some(({ value }) => touchesParts(value));
    return isWoken ? 'woken' : 'none';
}

/** A value that no list, set, map or struct is, and that no null is. */
function isScalar({ kind }: Expression): boolean {
    return kind === 'string' || kind === 'integer' || kind === 'double' || kind === 'boolean' || kind === 'date' || kind === 'timestamp';
}
