import type { Evaluate } from '#engine/evaluate/scope.ts';
import { variablesOf } from '#language/program/expression-variables.ts';
import type { Expression } from '#language/program/program.ts';
import type { NaiveRule } from './naive-rule.ts';

/** The head terms of a rule, with a variable for each anonymous one, and the nulls of its existential variables (4.5, 5.2). */
export interface NaiveNulls {
    /** One list for each head. */
    readonly heads: readonly (readonly Expression[])[];
    /** The registers of a match with the nulls entered. */
    invent(registers: Int32Array): Int32Array;
}

export function naiveNulls(rule: NaiveRule): NaiveNulls {
    const { bound, heads, index } = rule.rule;
    const named = heads.map(({ atom }, head) =>
        atom.arguments.map(
            (term, column): Expression =>
                term.kind === 'anonymous' ? { kind: 'variable', name: `_${head}_${column}`, span: term.span } : term,
        ),
    );
    const terms = named.flat();
    const unbound = [...new Set(terms.flatMap(variablesOf))].filter(name => !bound.has(name));
    const slots = unbound.map(name => rule.slot(name));
    const frontier = frontierOf(rule, terms, new Set(unbound));
    const { dictionary } = rule.scope;
    const sources = unbound.map(name => dictionary.nullSource({ invented: true, rule: index, name }));
    return {
        heads: named,
        invent: registers => {
            if (unbound.length === 0) return registers;
            const values = frontier.map(value => value(registers));
            const filled = Int32Array.from(registers);
            for (const [i, slot] of slots.entries()) filled[slot] = dictionary.nullOfSource(sources[i]!, values);
            return filled;
        },
    };
}

/** The bound variables of the heads; where a rule aggregates, what its groups are named by. */
function frontierOf(rule: NaiveRule, terms: readonly Expression[], unbound: ReadonlySet<string>): readonly Evaluate[] {
    const isWhole = (term: Expression): boolean =>
        rule.dependent.size > 0 && !rule.dependsOnAggregate(term) && !variablesOf(term).some(name => unbound.has(name));
    const names = new Set(terms.filter(term => !isWhole(term)).flatMap(variablesOf));
    const variables = [...names].filter(name => !unbound.has(name) && !rule.dependent.has(name));
    const slots = variables.map(name => rule.slot(name));
    return [
        ...slots.map(
            (slot): Evaluate =>
                registers =>
                    registers[slot]!,
        ),
        ...terms.filter(isWhole).map(term => rule.compile(term)),
    ];
}
