import { MIXED } from '#language/program/types.ts';
import type { PlanEmit, PlanOutput } from '../plan/plan.ts';
import type { Relation } from '../relations/relation.ts';
import type { BatchContext, BatchStep, Places } from './batch-context.ts';
import { compileBatchContribution } from './compile-batch-contribution.ts';
import type { CastColumn } from './groups.ts';
import { planOf, relationOf } from './run-context.ts';

/** From so many rows on that differ in one column, they are added at once. */
const LEAST_RUN = 4;

/** Compiles the rows that the matches of a batch derive. */
export function compileBatchOutput(places: Places, context: BatchContext): BatchStep {
    const { rule } = context.variant;
    const outputs = rule.outputs.map((output, index) => compileOne(output, index, places, context));
    const { counts } = context;
    return count => {
        if (counts !== undefined) counts.of.tried += count * outputs.length;
        for (const output of outputs) output(count);
    };
}

function compileOne(output: PlanOutput, index: number, places: Places, context: BatchContext): BatchStep {
    switch (output.kind) {
        case 'emit':
            return compileEmit(output, places, context);
        case 'contribute':
            return compileBatchContribution(output, `${context.ruleName} ${index}`, places, context);
        case 'match':
            throw new Error('Matches are handed out one by one');
    }
}

function compileEmit({ relation: key, terms }: PlanEmit, places: Places, context: BatchContext): BatchStep {
    const { run, variant, take } = context;
    const relation = relationOf(run, key);
    const plan = planOf(run, key);
    const casts = terms.map((term, column) => run.casts.castTo(plan, column, variant.rule.types.get(term) ?? MIXED));
    const isCast = casts.some(cast => cast !== undefined);
    const sources = terms.map(term => places.get(term)!);
    const vectors = sources.map((vector, column) => (casts[column] === undefined ? vector : take()));
    const add = compileAdd(relation, vectors);
    if (context.appended.has(key)) {
        let isEmpty = false;
        context.atStart.push(() => {
            isEmpty = relation.count === 0;
        });
        return count => {
            if (isEmpty) relation.append(vectors, count);
            else add(count);
        };
    }
    if (!isCast) return add;
    return count => {
        for (let column = 0; column < casts.length; column++) {
            const cast = casts[column];
            if (cast !== undefined) castAll(cast, sources[column]!, vectors[column]!, count);
        }
        add(count);
    };
}

function castAll(cast: CastColumn, from: Int32Array, to: Int32Array, count: number): void {
    for (let i = 0; i < count; i++) to[i] = cast(from[i]!);
}

function compileAdd(relation: Relation, vectors: readonly Int32Array[]): BatchStep {
    const [a, b, c, d] = vectors as [Int32Array, Int32Array, Int32Array, Int32Array];
    switch (vectors.length) {
        case 1:
            return count => relation.insertAll(a, count);
        case 2: {
            const [same, other] = relation.sourceColumn === 1 ? [b, a] : [a, b];
            return count => {
                for (let i = 0, end = 0; i < count; i = end) {
                    const value = same[i]!;
                    for (end = i + 1; end < count && same[end] === value; ) end++;
                    if (end - i < LEAST_RUN) for (let k = i; k < end; k++) relation.insert2(a[k]!, b[k]!);
                    else relation.insertRun(value, 0, other, i, end);
                }
            };
        }
        case 3:
            return count => {
                for (let i = 0, end = 0; i < count; i = end) {
                    const [first, second] = [a[i]!, b[i]!];
                    for (end = i + 1; end < count && a[end] === first && b[end] === second; ) end++;
                    if (end - i < LEAST_RUN) for (let k = i; k < end; k++) relation.insert3(a[k]!, b[k]!, c[k]!);
                    else relation.insertRun(first, second, c, i, end);
                }
            };
        case 4:
            return count => {
                for (let i = 0; i < count; i++) relation.add4(a[i]!, b[i]!, c[i]!, d[i]!);
            };
        default: {
            const row = new Int32Array(vectors.length);
            return count => {
                for (let i = 0; i < count; i++) {
                    for (let column = 0; column < row.length; column++) row[column] = vectors[column]![i]!;
                    relation.add(row);
                }
            };
        }
    }
}
