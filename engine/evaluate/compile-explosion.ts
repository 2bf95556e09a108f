import type { PlanDefinition } from '../plan/plan.ts';
import type { Step } from './compile-read.ts';
import { compileExpression } from './expression.ts';
import { shown, warnOnce } from './expression-site.ts';
import type { VariantContext } from './variant-context.ts';

/** Goes on once for each element of a collection; an unknown one has none (D-55). */
export function compileExplosion({ variable, value }: PlanDefinition, next: Step, { registers, scope, run }: VariantContext): Step {
    const { dictionary } = run;
    const { values } = registers;
    const slot = registers.slot(variable);
    const position = registers.positionOf(variable);
    const collection = compileExpression(value, scope);
    const undefinedFor = warnOnce('RT024', value, scope);
    return () => {
        const id = collection(values);
        const kind = dictionary.kind(id);
        if (kind !== 'list' && kind !== 'set') {
            if (kind !== 'null') undefinedFor(() => ['collections:explode', shown(dictionary, id)]);
            return;
        }
        for (const [i, member] of dictionary.membersOf(id).entries()) {
            values[slot] = member;
            values[position] = i;
            next();
        }
    };
}
