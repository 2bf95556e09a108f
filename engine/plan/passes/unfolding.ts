import { variablesOf } from '#language/program/expression-variables.ts';
import { printExpression } from '#language/program/print.ts';
import { MIXED, sameType } from '#language/program/types.ts';
import type { PlanDefinition, PlanLiteral, PlanRule, PlanTerm } from '../plan.ts';
import { renamed } from '../rule-parts.ts';
import { variablesIn } from './value-flow.ts';

/**
 * A rule with the body of another one, which adds rows to one relation, in the place of a literal of this relation. Undefined where
 * names alone do not bring the two together: where a computed value is joined, or the same variable is written in two ways.
 */
export function unfolded(reader: PlanRule, literal: PlanLiteral, definition: PlanRule): PlanRule | undefined {
    const names = namesIn(reader, literal, definition);
    if (names === undefined) return undefined;
    const nameOf = (name: string): string => names.own.get(name)!;
    const term = (one: PlanTerm): PlanTerm => (one.kind === 'variable' ? { kind: 'variable', name: nameOf(one.name) } : one);
    const literals = definition.literals.map(one => ({ ...one, negated: one.negated || literal.negated, terms: one.terms.map(term) }));
    const moved = ({ variable, value, place }: PlanDefinition): PlanDefinition => ({
        variable: nameOf(variable),
        value: renamed(value, nameOf),
        place: place ?? definition.place,
    });
    const types = new Map(reader.types);
    for (const [name, own] of names.own) if (!types.has(own)) types.set(own, definition.types.get(name) ?? MIXED);
    return {
        ...reader,
        literals: reader.literals.flatMap(one => (one === literal ? literals : [one])),
        constants: [...reader.constants, ...names.constants, ...definition.constants.map(moved)],
        filters: [...definition.filters.map(filter => renamed(filter, nameOf)), ...reader.filters],
        assignments: [...definition.assignments.map(moved), ...reader.assignments],
        types,
    };
}

/** Names for the variables of a definition in its reader, and the variables of the reader that become constants. */
interface Names {
    readonly own: ReadonlyMap<string, string>;
    readonly constants: readonly PlanDefinition[];
}

function namesIn(reader: PlanRule, literal: PlanLiteral, definition: PlanRule): Names | undefined {
    const [output] = definition.outputs;
    if (output?.kind !== 'emit') return undefined;
    const own = new Map<string, string>();
    const constants: PlanDefinition[] = [];
    const joined = reader.literals.filter(({ negated }) => !negated).flatMap(variablesIn);
    const constantOf = (name: string): string | undefined => {
        const constant = [...reader.constants, ...constants].find(({ variable }) => variable === name);
        return constant && printExpression(constant.value);
    };
    for (const [column, term] of literal.terms.entries()) {
        if (term.kind === 'anonymous') continue;
        const variable = output.terms[column]!;
        const constant = definition.constants.find(one => one.variable === variable);
        const given = constantOf(term.name);
        if (constant !== undefined) {
            if (given === undefined) constants.push({ variable: term.name, value: constant.value });
            else if (given !== printExpression(constant.value)) return undefined;
            continue;
        }
        const isComputed = definition.assignments.some(one => one.variable === variable);
        const isJoined = given !== undefined || joined.filter(name => name === term.name).length > 1;
        if ((own.get(variable) ?? term.name) !== term.name || (isComputed && isJoined)) return undefined;
        own.set(variable, term.name);
    }
    for (const name of [...definition.filters, ...definition.assignments.map(({ value }) => value)].flatMap(variablesOf)) {
        const met = own.get(name);
        if (met !== undefined && !sameType(definition.types.get(name) ?? MIXED, reader.types.get(met) ?? MIXED)) return undefined;
    }
    const taken = new Set([...reader.types.keys(), ...variablesOfRule(reader), ...(reader.source?.bound ?? [])]);
    for (const name of variablesOfRule(definition)) {
        if (own.has(name)) continue;
        let fresh = name;
        while (taken.has(fresh)) fresh = `$${fresh}`;
        taken.add(fresh);
        own.set(name, fresh);
    }
    return { own, constants };
}

function variablesOfRule({ literals, constants, assignments, inventions }: PlanRule): string[] {
    return [...literals.flatMap(variablesIn), ...[...constants, ...assignments, ...inventions].map(({ variable }) => variable)];
}
