import type { AnalysedRule, Literal, PredicateKey } from './analysed-program.ts';
import { variablesOf } from './expression-variables.ts';
import type { Expression } from './program.ts';

/** A literal whose predicate is asked for values of some of its columns (8.6). */
export interface Asking {
    readonly literal: Literal;
    /** Counted from 0. */
    readonly columns: readonly number[];
    /** The positive literals that can bring the values: those that ask nothing, and those that asked before. */
    readonly after: readonly Literal[];
    /** The variables that have values by then, and what gives them to those that these literals do not. */
    readonly bound: ReadonlySet<string>;
    readonly equations: readonly Equation[];
}

/** A variable with what it is equal to, whether it is computed or compared. */
export interface Equation {
    readonly variable: string;
    readonly value: Expression;
}

export interface AskingOrder {
    readonly order: readonly Asking[];
    /** The columns of literals for which nothing else in the rule has a value. */
    readonly unbound: readonly { readonly literal: Literal; readonly column: number }[];
}

/** In which order the literals of a rule ask for values, so that each finds those that it needs; `columnsOf` says what a predicate is asked for. */
export function askingOrder(
    rule: Pick<AnalysedRule, 'literals' | 'assignments' | 'conditions'>,
    columnsOf: (literal: Literal) => readonly number[],
): AskingOrder {
    const { literals } = rule;
    let waiting = literals.map(literal => ({ literal, columns: columnsOf(literal) })).filter(({ columns }) => columns.length > 0);
    if (waiting.length === 0) return { order: [], unbound: [] };
    const bringing = literals.filter(literal => !literal.negated && !waiting.some(asking => asking.literal === literal));
    const bound = new Set(bringing.flatMap(variablesIn));
    const order: Asking[] = [];
    const isBound = (term: Expression | undefined): boolean =>
        term !== undefined && term.kind !== 'anonymous' && variablesOf(term).every(name => bound.has(name));
    const isOpen = ({ atom }: Literal, column: number): boolean => !isBound(atom.arguments[column]);
    const equations: Equation[] = [];
    let open = equationsOf(rule);
    const compute = (): void => {
        for (let isSettled = false; !isSettled; ) {
            const ready = open.find(({ variable, value }) => !bound.has(variable) && isBound(value));
            if (ready !== undefined) equations.push(ready);
            if (ready !== undefined) bound.add(ready.variable);
            open = open.filter(equation => equation !== ready);
            isSettled = ready === undefined;
        }
    };
    const isReady = ({ literal, columns }: Pick<Asking, 'literal' | 'columns'>): boolean =>
        !columns.some(column => isOpen(literal, column));
    for (;;) {
        compute();
        // A negated literal gives no values, so that it waits for all that others give.
        const next = waiting.find(asking => !asking.literal.negated && isReady(asking)) ?? waiting.find(isReady);
        if (next === undefined) break;
        order.push({ ...next, after: [...bringing], bound: new Set(bound), equations: [...equations] });
        waiting = waiting.filter(asking => asking !== next);
        if (next.literal.negated) continue;
        bringing.push(next.literal);
        for (const name of variablesIn(next.literal)) bound.add(name);
    }
    const unbound = waiting.flatMap(({ literal, columns }) =>
        columns.filter(column => isOpen(literal, column)).map(column => ({ literal, column })),
    );
    return { order, unbound };
}

/** The predicates that are asked for values which the predicates `own` of a recursion find. */
export function askedWithin(askings: readonly Asking[], own: ReadonlySet<PredicateKey>): ReadonlySet<PredicateKey> {
    const within = new Set<PredicateKey>();
    for (let isSettled = false; !isSettled; ) {
        isSettled = true;
        for (const { literal, after } of askings) {
            const isInside = after.some(({ predicate }) => own.has(predicate) || within.has(predicate));
            if (!isInside || within.has(literal.predicate)) continue;
            within.add(literal.predicate);
            isSettled = false;
        }
    }
    return within;
}

/** The variables that a literal gives values to. */
function variablesIn({ atom }: Literal): string[] {
    return atom.arguments.flatMap(term => (term.kind === 'variable' ? [term.name] : []));
}

function equationsOf({ assignments, conditions }: Pick<AnalysedRule, 'assignments' | 'conditions'>): Equation[] {
    const computed = assignments.filter(({ afterAggregation }) => !afterAggregation);
    return [
        ...computed.map(({ variable, value }) => ({ variable: variable.name, value })),
        ...conditions.flatMap(({ expression, afterAggregation }) => {
            if (afterAggregation || expression.kind !== 'binary') return [];
            const { left, right, operator } = expression;
            if (operator !== '=' && operator !== '==') return [];
            const sides = [[left, right] as const, [right, left] as const];
            return sides.flatMap(([one, value]) => (one.kind === 'variable' ? [{ variable: one.name, value }] : []));
        }),
    ];
}
