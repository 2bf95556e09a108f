import { printExpression } from '#language/program/print.ts';
import type { Atom, BinaryOperator, Expression, Item } from '#language/program/program.ts';
import { childrenOf, holeName, isRest } from './holes.ts';

/** Values of the holes and variables of a pattern: terms, further terms, and names of predicates. */
export type Bindings = ReadonlyMap<string, Bound>;

export type Bound =
    | { readonly kind: 'term'; readonly term: Expression }
    | { readonly kind: 'terms'; readonly terms: readonly Expression[] }
    | { readonly kind: 'predicate'; readonly name: string };

/** The bindings with which an item of a pattern is an item of a body; nothing where it is not. */
export function matchItem(pattern: Item, item: Item, bindings: Bindings): Bindings | undefined {
    switch (pattern.kind) {
        case 'atom':
            return item.kind === 'atom' && item.negated === pattern.negated ? matchAtom(pattern.atom, item.atom, bindings) : undefined;
        case 'expression':
            return item.kind === 'expression' ? matchTerm(pattern.expression, item.expression, bindings) : undefined;
        case 'domain':
            return item.kind === 'domain' ? bindings : undefined;
    }
}

export function matchAtom(pattern: Atom, atom: Atom, bindings: Bindings): Bindings | undefined {
    const named = matchName(pattern.predicate, atom.predicate, bindings);
    return named && matchTerms(pattern.arguments, atom.arguments, named);
}

function matchName(pattern: string, name: string, bindings: Bindings): Bindings | undefined {
    const hole = holeName(pattern);
    if (hole === undefined) return pattern === name ? bindings : undefined;
    const known = bindings.get(hole);
    if (known === undefined) return new Map([...bindings, [hole, { kind: 'predicate', name }]]);
    return known.kind === 'predicate' && known.name === name ? bindings : undefined;
}

function matchTerms(patterns: readonly Expression[], terms: readonly Expression[], bindings: Bindings): Bindings | undefined {
    const rest = patterns.findIndex(isRest);
    if (rest < 0) return patterns.length === terms.length ? matchAll(patterns, terms, bindings) : undefined;
    const after = patterns.length - rest - 1;
    if (terms.length < patterns.length - 1) return undefined;
    const further = terms.slice(rest, terms.length - after);
    const before = matchAll(patterns.slice(0, rest), terms.slice(0, rest), bindings);
    const all = before && matchAll(patterns.slice(rest + 1), terms.slice(terms.length - after), before);
    return all && new Map([...all, ['$...', { kind: 'terms', terms: further }]]);
}

function matchAll(patterns: readonly Expression[], terms: readonly Expression[], bindings: Bindings): Bindings | undefined {
    let found: Bindings | undefined = bindings;
    for (const [i, pattern] of patterns.entries()) {
        const term = terms[i];
        found = found && term && matchTerm(pattern, term, found);
    }
    return found;
}

function matchTerm(pattern: Expression, term: Expression, bindings: Bindings): Bindings | undefined {
    if (pattern.kind === 'variable') {
        const isHole = holeName(pattern.name) !== undefined;
        if (!isHole && term.kind !== 'variable') return undefined;
        return bind(holeName(pattern.name) ?? pattern.name, term, bindings);
    }
    if (pattern.kind === 'binary' && term.kind === 'binary') {
        if (pattern.operator === term.operator) {
            const found = matchAll(childrenOf(pattern), childrenOf(term), bindings);
            if (found !== undefined) return found;
        }
        return TURNED.get(pattern.operator) === term.operator
            ? matchAll(childrenOf(pattern), [term.right, term.left], bindings)
            : undefined;
    }
    if (pattern.kind !== term.kind || headOf(pattern) !== headOf(term)) return undefined;
    return matchTerms(childrenOf(pattern), childrenOf(term), bindings);
}

/** Comparisons that say the same with their sides exchanged. */
const TURNED: ReadonlyMap<BinaryOperator, BinaryOperator> = new Map([
    ['==', '=='],
    ['!=', '!='],
    ['<', '>'],
    ['<=', '>='],
    ['>', '<'],
    ['>=', '<='],
]);

function bind(name: string, term: Expression, bindings: Bindings): Bindings | undefined {
    const known = bindings.get(name);
    if (known === undefined) return new Map([...bindings, [name, { kind: 'term', term }]]);
    return known.kind === 'term' && printExpression(known.term) === printExpression(term) ? bindings : undefined;
}

/** Returns the part of an expression beside its operands, which equal expressions of a kind share. */
function headOf(expression: Expression): string {
    switch (expression.kind) {
        case 'unary':
            return expression.operator;
        case 'binary':
            return expression.operator;
        case 'call':
        case 'skolem':
            return expression.name;
        case 'aggregate':
            return `${expression.name} ${expression.contributors?.length ?? ''}`;
        case 'list':
        case 'set':
        case 'anonymous':
            return '';
        case 'parameter':
        case 'variable':
            return expression.name;
        default:
            return printExpression(expression);
    }
}
