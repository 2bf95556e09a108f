import { functionNamed, type LibraryPrefixes } from '#language/library/function-catalogue.ts';
import { argumentCount } from '#language/library/function-entry.ts';
import { AGGREGATES, isAggregateName } from '#language/program/aggregates.ts';
import type { Atom, Call, Expression, Item, Rule } from '#language/program/program.ts';
import type { Span } from '#language/program/span.ts';
import type { ReadItem } from './program-facts.ts';

/** Tests that decide whether `name(args)` is an atom or a condition (1.1). */
export interface Naming {
    /** A predicate of this name is a head, a fact, bound, declared or modelled. */
    readonly isPredicate: (name: string) => boolean;
    /** `@implement` declares a function of this name. */
    readonly isImplemented: (name: string) => boolean;
    readonly prefixes: LibraryPrefixes;
}

export function readItems(rule: Rule, naming: Naming): readonly ReadItem[] {
    return rule.body.kind === 'items' ? rule.body.items.map(item => readItem(item, naming)) : [];
}

function readItem(item: Item, naming: Naming): ReadItem {
    switch (item.kind) {
        case 'atom':
            return readAtom(item.atom, item.negated, item.span, naming);
        case 'expression':
            return readExpression(item.expression, item.span, naming);
        case 'domain':
            return { kind: 'domain', span: item.span };
    }
}

function readAtom(atom: Atom, negated: boolean, span: Span, naming: Naming): ReadItem {
    const predicate = !atom.predicate.includes(':') && naming.isPredicate(atom.predicate);
    if (predicate || !isBuiltIn(atom.predicate, naming)) {
        return { kind: 'literal', atom, negated, span, exclamation: false, doubtful: predicate && !negated && fitsFunction(atom, naming) };
    }
    const expression = callOf(atom);
    return negated ? { kind: 'negated-condition', expression, span } : { kind: 'condition', expression, span };
}

function readExpression(expression: Expression, span: Span, naming: Naming): ReadItem {
    if (expression.kind === 'call' && !expression.name.includes(':') && naming.isPredicate(expression.name)) {
        return readAtom(atomOf(expression), false, span, naming);
    }
    if (expression.kind === 'unary' && isAtomCall(expression.operand, naming)) {
        return { kind: 'literal', atom: atomOf(expression.operand), negated: true, span, exclamation: true, doubtful: false };
    }
    if (expression.kind === 'binary' && JOINING.has(expression.operator) && joinsAtoms(expression, naming)) {
        return { kind: 'joined-atoms', expression, operator: expression.operator, operatorSpan: expression.operatorSpan, span };
    }
    if (expression.kind === 'binary' && expression.operator === '=' && expression.left.kind === 'variable') {
        return { kind: 'equation', variable: expression.left, value: expression.right, expression, span };
    }
    return { kind: 'condition', expression, span };
}

function isAtomCall(expression: Expression, naming: Naming): expression is Call {
    return expression.kind === 'call' && !expression.name.includes(':') && naming.isPredicate(expression.name);
}

/** The operators that people write between atoms. */
export const JOINING: ReadonlySet<string> = new Set(['|', '||', '&', '&&']);

function joinsAtoms(expression: Expression, naming: Naming): boolean {
    if (expression.kind === 'unary' && expression.operator === '!') return joinsAtoms(expression.operand, naming);
    if (expression.kind === 'binary' && JOINING.has(expression.operator)) {
        return joinsAtoms(expression.left, naming) || joinsAtoms(expression.right, naming);
    }
    return isAtomCall(expression, naming);
}

function isBuiltIn(name: string, naming: Naming): boolean {
    return name.includes(':') || isAggregateName(name) || naming.isImplemented(name) || functionNamed(name, naming.prefixes) !== undefined;
}

function fitsFunction(atom: Atom, naming: Naming): boolean {
    const entry = functionNamed(atom.predicate, naming.prefixes);
    if (entry === undefined) return false;
    const { least, most } = argumentCount(entry);
    return atom.arguments.length >= least && atom.arguments.length <= most;
}

/** An atom that turns out to be a function or aggregate call. */
function callOf(atom: Atom): Expression {
    const { predicate: name, arguments: args, nameSpan, span } = atom;
    return isAggregateName(name)
        ? { kind: 'aggregate', name: AGGREGATES[name].name, arguments: args, nameSpan, span }
        : { kind: 'call', name, arguments: args, nameSpan, span };
}

function atomOf(call: Call): Atom {
    return { predicate: call.name, arguments: call.arguments, nameSpan: call.nameSpan, span: call.span };
}
