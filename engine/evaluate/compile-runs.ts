import type { Execution, PlanRead, PlanStep } from '../plan/plan.ts';
import type { Relation } from '../relations/relation.ts';
import { firstRow, rowLimit, type Step } from './compile-read.ts';
import { counted, countFor } from './counted-steps.ts';
import { relationOf } from './run-context.ts';
import { BATCH, compileCollect, compileInsert, type Values } from './run-values.ts';
import type { VariantContext } from './variant-context.ts';

/** `standsFor` says for how many matches one of these steps stands just now, where that is not one. */
export type CompileSteps = (steps: readonly PlanStep[], last: Step, standsFor?: () => number) => Step;
type Runs<Kind extends Execution['kind']> = Extract<Execution, { readonly kind: Kind }>;

/** The values that the literal read last has for a match of the others. */
export function compileLastRuns(execution: Runs<'runs'>, context: VariantContext, compileSteps: CompileSteps): Step {
    return compileSteps(context.variant.steps.slice(0, -2), counted(execution.read, compileLast(execution, context), context));
}

function compileLast(execution: Runs<'runs'>, context: VariantContext): Step {
    switch (execution.from) {
        case 'clusters':
            return compileClusters(execution, context);
        case 'chains':
            return compileChain(execution, context);
        case 'sets':
            return compileUnion(execution, compileChain(execution, context), context);
    }
}

/** The values of new rows that are the same in all else: the other literals are read once for all of them. */
export function compileDeltaRuns(execution: Runs<'delta runs'>, context: VariantContext, compileSteps: CompileSteps): Step {
    const { output, column, delta } = execution;
    const values: Values = { values: new Int32Array(0), start: 0, end: 0 };
    const insert = compileInsert(execution, values, context);
    const take = (column: Int32Array, start: number, end: number): void => {
        values.values = column;
        values.start = start;
        values.end = end;
    };
    const rest = compileSteps(context.variant.steps.slice(1, -1), insert, () => values.end - values.start);
    return compileDelta(delta, output.terms[column]!, take, rest, context);
}

/** The values that one literal has for new rows, for each match of the others: a third less time than one new row after another. */
export function compileFactored(execution: Runs<'factored'>, context: VariantContext, compileSteps: CompileSteps): Step {
    const { delta, read } = execution;
    const between = context.variant.steps.slice(1, -1).filter(step => step !== read);
    const found: Values = { values: new Int32Array(BATCH), start: 0, end: 0 };
    const collect = compileCollect(read, found, context);
    const insert = compileSteps(between, compileInsert(execution, found, context), () => found.end - found.start);
    const count = countFor(read, context);
    const take: typeof collect = (values, from, to) => {
        count?.(to - from);
        collect(values, from, to);
    };
    const next = (): void => {
        if (found.end > 0) insert();
    };
    return compileDelta(delta, read.access.variables[0]!, count === undefined ? collect : take, next, context);
}

/** The new rows of a literal, those with the same values but for one variable at once. */
function compileDelta(
    read: PlanRead,
    variable: string,
    take: (values: Int32Array, start: number, end: number) => void,
    next: Step,
    context: VariantContext,
): Step {
    const { run, registers, variant } = context;
    const relation = relationOf(run, variant.rule.literals[read.literal]!.relation);
    const kept = read.binds.filter(bind => bind.variable !== variable);
    const { column: last } = read.binds.find(bind => bind.variable === variable)!;
    const places = kept.map(bind => bind.column);
    const slots = kept.map(bind => registers.slot(bind.variable));
    const { values } = registers;
    const each = (): void => {
        const columns = [...relation.columns];
        const { from, to } = relation;
        let end = from;
        for (let row = from; row < to; row = end) {
            for (let i = 0; i < places.length; i++) values[slots[i]!] = columns[places[i]!]![row]!;
            end = endOfRun(columns, places, row, to);
            take(columns[last]!, row, end);
            next();
        }
    };
    return counted(read, each, context);
}

/** Finds the end of the rows that follow one and have the same values in these columns. */
function endOfRun(columns: readonly Int32Array[], places: readonly number[], row: number, to: number): number {
    let end = row + 1;
    for (; end < to; end++) {
        for (let i = 0; i < places.length; i++) {
            const column = columns[places[i]!]!;
            if (column[end] !== column[row]) return end;
        }
    }
    return end;
}

/** Of a complete relation: the rows with a key are neighbours in its index. */
function compileClusters(execution: Runs<'runs'>, context: VariantContext): Step {
    const { registers, run, variant } = context;
    const { read } = execution;
    const { access } = read;
    const index = relationOf(run, variant.rule.literals[read.literal]!.relation).clustered(access.columns);
    const found: Values = { values: index.column(read.binds[0]!.column), start: 0, end: 0 };
    const insert = compileInsert(execution, found, context);
    const { values } = registers;
    const slots = access.variables.map(name => registers.slot(name));
    const [slot = 0] = slots;
    if (slots.length === 1) {
        return () => {
            found.start = index.locate1(values[slot]!);
            found.end = index.end;
            if (found.start < found.end) insert();
        };
    }
    const probe = new Int32Array(slots.length);
    return () => {
        for (let i = 0; i < slots.length; i++) probe[i] = values[slots[i]!]!;
        found.start = index.locate(probe);
        found.end = index.end;
        if (found.start < found.end) insert();
    };
}

/** Of a relation that grows: the rows with a key are a chain, of which a batch is collected at a time. */
function compileChain(execution: Runs<'runs'>, context: VariantContext): Step {
    const { registers, run, variant } = context;
    const { read } = execution;
    const { access, range } = read;
    const relation: Relation = relationOf(run, variant.rule.literals[read.literal]!.relation);
    const { column } = read.binds[0]!;
    const { values } = registers;
    const slots = access.variables.map(name => registers.slot(name));
    const probe = new Int32Array(slots.length);
    const batch = new Int32Array(BATCH);
    const found: Values = { values: batch, start: 0, end: 0 };
    const insert = compileInsert(execution, found, context);
    return () => {
        const index = relation.index(access.columns);
        index.extend(relation.to);
        for (let i = 0; i < slots.length; i++) probe[i] = values[slots[i]!]!;
        const from = firstRow(relation, range);
        const to = rowLimit(relation, range);
        const { next } = index;
        const chosen = relation.columns[column]!;
        let count = 0;
        for (let row = slots.length === 1 ? index.first1(probe[0]!) : index.first(probe); row >= from; row = next[row]!) {
            if (row >= to) continue;
            batch[count++] = chosen[row]!;
            if (count < BATCH) continue;
            found.end = count;
            insert();
            count = 0;
        }
        if (count === 0) return;
        found.end = count;
        insert();
    };
}

/**
 * Of a relation that grows, and is read by all columns but the last: the set of the values of one key is added to another set. It may have
 * values beyond the window, of rows that are rows all the same; deriving from them again in the next round finds nothing new. Points-to
 * with fields, where most of these sets are bit maps, takes 1.1 s in place of 1.5 s.
 */
function compileUnion({ read, output }: Runs<'runs'>, otherwise: Step, context: VariantContext): Step {
    const { counts, registers, run, variant } = context;
    const { access } = read;
    const from = relationOf(run, variant.rule.literals[read.literal]!.relation);
    const target = relationOf(run, output.relation);
    const { checkpoint } = run;
    const { values } = registers;
    const [a = 0, b = 0] = output.terms.slice(0, -1).map(term => registers.slot(term));
    const keyOf = (column: number): number => registers.slot(access.variables[access.columns.indexOf(column)] ?? access.variables[0]!);
    const [key0, key1] = [keyOf(0), keyOf(1)];
    return () => {
        const tried = target.insertGroup(values[a]!, values[b]!, from, values[key0]!, values[key1]!);
        if (tried === undefined) {
            otherwise();
            return;
        }
        if (counts !== undefined) counts.of.tried += tried;
        checkpoint.left -= tried;
        if (checkpoint.left < 0) checkpoint.check();
    };
}
