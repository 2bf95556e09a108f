import { typeOfExpression } from '#language/library/expression-type.ts';
import type { AnalysedRule, ResolvedAtom } from '#language/program/analysed-program.ts';
import { variablesOf } from '#language/program/expression-variables.ts';
import type { Expression } from '#language/program/program.ts';
import { MIXED, type Type } from '#language/program/types.ts';
import type { Database } from '../contracts/database.ts';
import type { Evaluate, Scope } from '../evaluate/scope.ts';
import { castValue } from '../values/cast.ts';
import type { ValueId } from '../values/value-id.ts';
import { compileLeniently } from './lenient-expression.ts';

/** The register of a variable that has no value yet. */
export const UNBOUND = 0x7fffffff;

/** A register, a computed constant, or nothing for an anonymous term. */
export type BodyTerm = { readonly slot: number } | { readonly constant: Evaluate } | undefined;

/** The scope of a rule whose body is matched again over finished relations; `slots` grows with the variables that are met. */
export function ruleScope(database: Database, rule: AnalysedRule): { readonly scope: Scope; readonly slots: ReadonlyMap<string, number> } {
    const slots = new Map<string, number>();
    const slot = (variable: string): number => {
        let index = slots.get(variable);
        if (index === undefined) {
            index = slots.size;
            slots.set(variable, index);
        }
        return index;
    };
    const scope: Scope = {
        dictionary: database.dictionary,
        place: rule.rule.place,
        slot,
        type: variable => rule.types.get(variable) ?? MIXED,
        parameter: name => ({ value: database.parameters.get(name) ?? database.dictionary.freshNull(name), type: MIXED }),
        report: () => undefined,
        now: database.now,
        ...(database.program.libraryPrefixes === undefined ? {} : { libraryPrefixes: database.program.libraryPrefixes }),
    };
    return { scope, slots };
}

export function compileTerm(term: Expression, scope: Scope): BodyTerm {
    if (term.kind === 'anonymous') return undefined;
    return term.kind === 'variable' ? { slot: scope.slot(term.name) } : { constant: compileLeniently(term, scope) };
}

/** A head term whose value is the register's, one whose value must be computed, or an anonymous one. */
export type HeadTerm = { readonly slot: number } | ComputedTerm | undefined;

interface ComputedTerm {
    readonly value: Evaluate;
    readonly needs: readonly number[];
}

/** A value that a match has to give a column of its head. */
export interface HeadCheck extends ComputedTerm {
    readonly expected: ValueId;
}

/** Gives the variables of a head the values that are asked for, and tells what is left to check; undefined where a variable would have two values. */
export function bindHead(
    terms: readonly HeadTerm[],
    pattern: readonly (ValueId | undefined)[],
    registers: Int32Array,
): HeadCheck[] | undefined {
    const checks: HeadCheck[] = [];
    for (const [column, term] of terms.entries()) {
        const expected = pattern[column];
        if (expected === undefined || term === undefined) continue;
        if (!('slot' in term)) checks.push({ expected, ...term });
        else if (registers[term.slot] === UNBOUND) registers[term.slot] = expected;
        else if (registers[term.slot] !== expected) return undefined;
    }
    return checks;
}

/** A column that a model types holds the converted value, so that it does not give its variable's value. */
export function compileHead(
    { atom, predicate }: ResolvedAtom,
    rule: AnalysedRule,
    database: Database,
    scope: Scope,
    byChance: (term: Expression) => boolean,
): HeadTerm[] {
    const columns = database.program.predicates.get(predicate)?.columns ?? [];
    return atom.arguments.map((term, column): HeadTerm => {
        if (term.kind === 'anonymous') return undefined;
        const to = columns[column];
        if (term.kind === 'variable' && (!to?.cast || isKept(to.type, rule.types.get(term.name)))) return { slot: scope.slot(term.name) };
        if (byChance(term)) return undefined;
        const value = compileLeniently(term, scope);
        const needs = variablesOf(term).map(scope.slot);
        if (!to?.cast) return { value, needs };
        const { dictionary } = database;
        const from = typeOfExpression(term, { variable: name => rule.types.get(name) ?? MIXED, parameter: () => MIXED });
        return { value: registers => castValue(dictionary, value(registers), to.type, from) ?? dictionary.freshNull('cast'), needs };
    });
}

/** A cast from a simple type to itself changes nothing. */
function isKept(to: Type, from: Type | undefined): boolean {
    return to.kind === from?.kind && ['string', 'int', 'long', 'double', 'boolean', 'date'].includes(to.kind);
}
