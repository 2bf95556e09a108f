import type { Execution } from '../plan/plan.ts';
import type { Step } from './compile-read.ts';
import { counted, countFor } from './counted-steps.ts';
import { relationOf } from './run-context.ts';
import { BATCH, compileCollect, compileInsert, type Values } from './run-values.ts';
import type { VariantContext } from './variant-context.ts';

/**
 * Of a relation that is filled source by source, where one other literal meets it, as in `path(X,Z) <- path(X,Y), edge(Y,Z)`: the rows of
 * the source are followed as they come, with the values for many of them collected and added at once. A closure of 10.2 million rows takes
 * 0.55 s in place of 0.68 s.
 */
export function compileFollowed(execution: Extract<Execution, { readonly kind: 'followed' }>, context: VariantContext): Step {
    const { registers, run } = context;
    const { output, column, delta, read } = execution;
    const relation = relationOf(run, output.relation);
    const source = 1 - column;
    const met = delta.binds.find(bind => bind.variable === read.access.variables[0])!;
    const found: Values = { values: new Int32Array(BATCH), start: 0, end: 0 };
    const collect = compileCollect(read, found, context);
    const insert = compileInsert(execution, found, context);
    const slot = registers.slot(delta.binds.find(bind => bind.column === source)!.variable);
    const { values } = registers;
    const count = countFor(read, context);
    const follow = (): void => {
        let row = relation.from;
        values[slot] = relation.columns[source]![row]!;
        while (row < relation.count) {
            const end = Math.min(relation.count, row + BATCH);
            count?.(end - row);
            collect(relation.columns[met.column]!, row, end);
            row = end;
            if (found.end > 0) insert();
        }
        relation.to = row;
    };
    return counted(delta, follow, context);
}
