import type { AnalysedRule } from '#language/program/analysed-program.ts';
import { variablesOf } from '#language/program/expression-variables.ts';
import type { Expression } from '#language/program/program.ts';
import type { Scope } from '../evaluate/scope.ts';
import { inventionsOf } from '../plan/inventions.ts';
import type { Dictionary } from '../values/dictionary.ts';
import type { NullSource } from '../values/null-store.ts';
import type { ValueId } from '../values/value-id.ts';
import { compileLeniently } from './lenient-expression.ts';
import { UNBOUND } from './rule-scope.ts';

/** A null that a match of a rule makes of the values of some terms. */
export interface MadeNull {
    /** The registers of these terms. */
    readonly needs: readonly number[];
    /** The null itself, where it was replaced since. */
    make(registers: Int32Array): ValueId;
}

/** The null that an existential variable gets. */
export interface InventedNull extends MadeNull {
    readonly slot: number;
    /** A null in the variable's register gives away the frontier. Returns whether that agrees with what the registers hold. */
    readFrontier(registers: Int32Array): boolean;
}

/** The nulls of the existential variables of a rule whose head terms are named. */
export function inventedNulls(rule: AnalysedRule, scope: Scope): InventedNull[] {
    const { dictionary } = scope;
    return inventionsOf(rule).map(({ variable, source, frontier }): InventedNull => {
        const slot = scope.slot(variable);
        const id = dictionary.nullSource(source);
        const slots = frontier.map(term => (term.kind === 'variable' ? scope.slot(term.name) : undefined));
        return {
            ...madeNull(source, frontier, scope),
            slot,
            readFrontier(registers) {
                const labelled = registers[slot]!;
                if (labelled === UNBOUND || !dictionary.isInvented(labelled)) return true;
                const origin = dictionary.nullOf(labelled);
                if (dictionary.nullSource(origin.source) !== id) return true;
                return slots.every((index, i) => {
                    if (index === undefined) return true;
                    if (registers[index] === UNBOUND) registers[index] = origin.arguments[i]!;
                    return registers[index] === origin.arguments[i];
                });
            },
        };
    });
}

export function madeNull(source: NullSource, terms: readonly Expression[], scope: Scope): MadeNull {
    const id = scope.dictionary.nullSource(source);
    const values = terms.map(term => compileLeniently(term, scope));
    return {
        needs: terms.flatMap(variablesOf).map(scope.slot),
        make: registers =>
            scope.dictionary.unresolvedNull(
                id,
                values.map(value => value(registers)),
            ),
    };
}

/** Equal, or two unknown values that were not invented: one that a rule makes anew is never met again. */
export function areAlike(dictionary: Dictionary, left: ValueId, right: ValueId): boolean {
    if (left === right) return true;
    if (!dictionary.isNull(left) || !dictionary.isNull(right)) return false;
    if (!dictionary.isInvented(left) && !dictionary.isInvented(right)) return true;
    const [a, b] = [dictionary.nullOf(left), dictionary.nullOf(right)];
    return a.source === b.source && a.arguments.every((argument, i) => areAlike(dictionary, argument, b.arguments[i]!));
}
