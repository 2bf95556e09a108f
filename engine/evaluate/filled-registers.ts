import { MIXED } from '#language/program/types.ts';
import type { OrderedRule } from '../plan/plan.ts';
import { compileExpression } from './expression.ts';
import { Registers } from './registers.ts';
import { constantScope, type RunContext } from './run-context.ts';
import type { Scope } from './scope.ts';

/** Registers of which those of constants are filled. */
export function registersOf(variant: OrderedRule, run: RunContext): { readonly registers: Registers; readonly scope: Scope } {
    const { rule } = variant;
    const registers = new Registers(variant);
    const scope: Scope = {
        ...constantScope(run, rule.place),
        slot: variable => registers.slot(variable),
        type: variable => rule.types.get(variable) ?? MIXED,
    };
    for (const { variable, value } of rule.constants) {
        registers.values[registers.slot(variable)] = compileExpression(value, scope)(registers.values);
    }
    return { registers, scope };
}
