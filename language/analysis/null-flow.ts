import { append } from '#language/program/append.ts';
import type { Expression, Rule } from '#language/program/program.ts';
import { isChoice } from './growth.ts';
import { variablesIn } from './occurrences.ts';
import type { PositionNumbers } from './positions.ts';
import type { RuleFacts } from './program-facts.ts';

/** A place of a variable in a positive atom. */
export interface Place {
    readonly position: number;
    /** Index among the literals of the rule. */
    readonly literal: number;
}

/** How labelled nulls pass through one rule. */
export interface NullFlow {
    /** Of each variable of positive atoms, every place. */
    readonly places: ReadonlyMap<string, readonly Place[]>;
    readonly heads: readonly HeadColumn[];
    /** Of each variable of atoms that the head receives as it is, all positions in the body and in the head. */
    readonly carried: readonly { readonly from: readonly number[]; readonly to: readonly number[] }[];
    /** Variables that `V = W` makes equal to another, with the variable that stands in an atom or is assigned otherwise. */
    readonly copies: ReadonlyMap<string, string>;
    /** Of each assigned variable, the variables of positive atoms that its value is computed from. */
    readonly sources: ReadonlyMap<string, readonly string[]>;
    /** The variables of positive atoms on which the nulls depend that existential variables stand for (4.5). */
    readonly frontier: readonly string[];
}

/** A term at one column of the head. */
export interface HeadColumn {
    readonly position: number;
    readonly value:
        | { readonly kind: 'variable'; readonly name: string }
        | { readonly kind: 'existential' }
        | { readonly kind: 'skolem'; readonly name: string }
        | { readonly kind: 'computed'; readonly sources: readonly string[] };
}

/** True when the rule has an existential variable, an anonymous head variable or a Skolem term. */
export function createsNulls({ rule, resolved, expressions }: RuleFacts): boolean {
    return (
        resolved.existential.length > 0 || expressions.some(({ expression }) => expression.kind === 'skolem') || hasAnonymousHeadTerm(rule)
    );
}

function hasAnonymousHeadTerm({ head, body }: Rule): boolean {
    if (body.kind !== 'items' || head.kind !== 'atoms') return false;
    return head.atoms.some(atom => atom.arguments.some(term => term.kind === 'anonymous'));
}

/** A function of the rule and the numbers of positions. A variable that `V = W` assigns stands for `W`; other computed values pass nulls on. */
export function nullFlow({ resolved }: RuleFacts, positions: PositionNumbers): NullFlow {
    const places = new Map<string, Place[]>();
    resolved.literals.forEach(({ atom, predicate, negated }, literal) => {
        if (negated) return;
        atom.arguments.forEach((term, column) => {
            if (term.kind === 'variable') append(places, term.name, { position: positions.number(predicate, column), literal });
        });
    });
    const copies = new Map<string, string>();
    const sources = new Map<string, readonly string[]>();
    const skolems = new Set<string>();
    const sourcesOf = (value: Expression): readonly string[] => [
        ...new Set(variablesIn(value).flatMap(name => (places.has(name) ? [name] : (sources.get(name) ?? [])))),
    ];
    for (const { variable, value, afterAggregation } of resolved.assignments) {
        if (afterAggregation || (value.kind === 'binary' && isChoice(value))) continue;
        if (value.kind === 'variable') copies.set(variable.name, copies.get(value.name) ?? value.name);
        if (value.kind === 'skolem') skolems.add(variable.name);
        sources.set(variable.name, sourcesOf(value));
    }
    const unbound = new Set(resolved.existential);
    const headValue = (term: Expression): HeadColumn['value'] => {
        if (term.kind === 'anonymous') return { kind: 'existential' };
        if (term.kind !== 'variable') return { kind: 'computed', sources: sourcesOf(term) };
        if (unbound.has(term.name)) return { kind: 'existential' };
        const name = copies.get(term.name) ?? term.name;
        if (skolems.has(name)) return { kind: 'skolem', name };
        if (places.has(name)) return { kind: 'variable', name };
        return { kind: 'computed', sources: sources.get(name) ?? [] };
    };
    const heads = resolved.heads.flatMap(({ atom, predicate }) =>
        atom.arguments.map((term, column): HeadColumn => ({ position: positions.number(predicate, column), value: headValue(term) })),
    );
    const frontier = new Set(resolved.heads.flatMap(({ atom }) => atom.arguments.flatMap(sourcesOf)));
    const carried = new Map<string, number[]>();
    for (const { position, value } of heads) {
        if (value.kind === 'variable' && !resolved.constantsOnly) append(carried, value.name, position);
    }
    return {
        places,
        heads,
        carried: [...carried].map(([name, to]) => ({ from: places.get(name)?.map(({ position }) => position) ?? [], to })),
        copies,
        sources,
        frontier: [...frontier],
    };
}
