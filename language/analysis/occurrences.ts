import { append } from '#language/program/append.ts';
import type { Expression, Rule, Variable } from '#language/program/program.ts';
import { visitExpression } from '#language/program/subexpressions.ts';
import type { NamedAnonymous, Occurrence, OccurrencePlace, ReadItem } from './program-facts.ts';

export interface Occurrences {
    readonly occurrences: ReadonlyMap<string, readonly Occurrence[]>;
    readonly anonymous: readonly NamedAnonymous[];
}

/** Every occurrence of every variable of a rule that has a name, in text order. Contributors of aggregates count. */
export function variableOccurrences(rule: Rule, items: readonly ReadItem[]): Occurrences {
    const found = new Map<string, Occurrence[]>();
    const anonymous: NamedAnonymous[] = [];
    const add = (variable: Variable, where: OccurrencePlace, item: number): void => {
        append(found, variable.name, { variable, where, item });
    };
    const addAll = (expression: Expression, where: OccurrencePlace, item: number): void => {
        visitExpression(expression, part => {
            if (part.kind === 'variable') add(part, where, item);
            if (part.kind === 'anonymous' && part.name !== '_') anonymous.push(part);
            if (part.kind === 'aggregate') for (const contributor of part.contributors ?? []) add(contributor, 'contributor', item);
        });
    };
    if (rule.head.kind === 'atoms') for (const atom of rule.head.atoms) for (const term of atom.arguments) addAll(term, 'head', -1);
    if (rule.head.kind === 'equality') {
        add(rule.head.left, 'head', -1);
        addAll(rule.head.right, 'head', -1);
    }
    items.forEach((item, index) => {
        switch (item.kind) {
            case 'literal':
                for (const term of item.atom.arguments) addAll(term, item.negated ? 'negated' : 'positive', index);
                return;
            case 'condition':
            case 'negated-condition':
                addAll(item.expression, 'condition', index);
                return;
            case 'equation':
                add(item.variable, 'assigned', index);
                addAll(item.value, 'value', index);
                return;
            case 'joined-atoms':
                addAll(item.expression, 'positive', index);
                return;
            case 'domain':
                return;
        }
    });
    for (const [name, places] of found) found.set(name, places.slice());
    return { occurrences: found, anonymous };
}

/** Calls `visit` for each named variable inside an expression, contributors included. */
export function visitVariables(expression: Expression, visit: (variable: Variable) => void): void {
    if (expression.kind === 'variable') {
        visit(expression);
        return;
    }
    visitExpression(expression, part => {
        if (part.kind === 'variable') visit(part);
        if (part.kind === 'aggregate') part.contributors?.forEach(visit);
    });
}

/** The names of the variables inside an expression, in text order, each as often as it occurs. */
export function variablesIn(expression: Expression): string[] {
    const names: string[] = [];
    visitVariables(expression, variable => names.push(variable.name));
    return names;
}

/** Whether one of some variables is inside an expression. */
export function mentions(expression: Expression, names: { has(name: string): boolean }): boolean {
    return variablesIn(expression).some(name => names.has(name));
}
