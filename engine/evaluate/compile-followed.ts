import type { Step } from './compile-read.ts';
import { relationOf } from './run-context.ts';
import { BATCH, bindsOnly, compileCollect, compileInsert, type Emit, type Values } from './run-values.ts';
import type { VariantContext } from './variant-context.ts';

/**
 * Of a relation that is filled source by source, where one other literal meets it, as in `path(X,Z) <- path(X,Y), edge(Y,Z)`: the rows of
 * the source are followed as they come, with the values for many of them collected and added at once. A closure of 10.2 million rows takes
 * 0.55 s in place of 0.68 s.
 */
export function compileFollowed(variable: string, output: Emit, context: VariantContext): Step | undefined {
    const { registers, run, variant } = context;
    const { rule, steps } = variant;
    const [first, read] = steps;
    const relation = relationOf(run, output.relation);
    const source = relation.sourceColumn;
    if (source === undefined || steps.length !== 3 || first?.kind !== 'read' || read?.kind !== 'read') return undefined;
    if (rule.literals[first.literal]!.relation !== output.relation || !bindsOnly(read, variable)) return undefined;
    if (first.range !== 'delta' || first.access.kind !== 'scan' || first.checks.length > 0) return undefined;
    if (read.access.kind !== 'index' || read.access.variables.length > 1 || rule.literals[read.literal]!.recursive) return undefined;
    const [joined] = read.access.variables;
    const met = first.binds.find(bind => bind.variable === joined);
    const kept = first.binds.find(({ column }) => column === source);
    if (met === undefined || kept === undefined || met.column === source) return undefined;
    const found: Values = { values: new Int32Array(BATCH), start: 0, end: 0 };
    const collect = compileCollect(read, read.access, found, context);
    const insert = compileInsert(output, found, context);
    const slot = registers.slot(kept.variable);
    const { values } = registers;
    return () => {
        let row = relation.from;
        values[slot] = relation.columns[source]![row]!;
        while (row < relation.count) {
            const end = Math.min(relation.count, row + BATCH);
            collect(relation.columns[met.column]!, row, end);
            row = end;
            if (found.end > 0) insert();
        }
        relation.to = row;
    };
}
