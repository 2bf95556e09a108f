import { variablesOf } from '#language/program/expression-variables.ts';
import { LEAST_BATCHED_ROWS } from '../plan/passes/execution.ts';
import { stepReads } from '../plan/passes/first-match.ts';
import type { PlanBatches, PlanRead, PlanStep } from '../plan/plan.ts';
import { countsByFacts } from '../plan/plan.ts';
import type { ClusteredIndex } from '../relations/clustered-index.ts';
import type { Relation } from '../relations/relation.ts';
import { type BatchContext, type BatchStep, compileChecks, livePlaces, nameOfRow, type Places } from './batch-context.ts';
import { compileBatchIntersection } from './compile-batch-intersection.ts';
import { compileBatchOutput } from './compile-batch-output.ts';
import { compileBatchLookup, compileBatchRead } from './compile-batch-read.ts';
import { firstRow, rowLimit, type Step } from './compile-read.ts';
import { counted, countedBatch } from './counted-steps.ts';
import { compileCondition, compileDefinition } from './expression.ts';
import { registersOf } from './filled-registers.ts';
import { relationOf } from './run-context.ts';
import type { VariantContext } from './variant-context.ts';
import { BATCH_SIZE, keep } from './vectors.ts';

/**
 * Runs a rule for many matches at once: each step goes over vectors with the values of up to a thousand matches, in a loop that
 * does one thing. Where steps call each other for each match, the calls take most of the time. Few rows are left to
 * `others`, which does so.
 */
export function compileBatches({ order, appended, first }: PlanBatches, others: Step, context: VariantContext): Step {
    const { run, variant } = context;
    const batch = batchContext(context, { atStart: [], atEnd: [], take: run.vectors.hand(), appended });
    const relation = relationOf(run, variant.rule.literals[first.literal]!.relation);
    const index = order === undefined ? undefined : relation.clustered([order]);
    const scan = counted(first, compileScan(first, relation, index, constantPlaces(batch), batch), context);
    return () => {
        const rows = rowLimit(relation, first.range) - firstRow(relation, first.range);
        if (rows < LEAST_BATCHED_ROWS) {
            const { isLive } = relation;
            relation.isLive = false;
            others();
            relation.isLive = isLive;
            return;
        }
        for (const start of batch.atStart) start();
        scan();
        for (const end of batch.atEnd) end();
    };
}

function batchContext(context: VariantContext, shared: Pick<BatchContext, 'atStart' | 'atEnd' | 'take' | 'appended'>): BatchContext {
    const { steps } = context.variant;
    const batch: BatchContext = {
        ...context,
        ...shared,
        neededAfter: neededSteps(context),
        compileAfter: (step, places) => {
            const next = steps[steps.indexOf(step) + 1]!;
            return countedBatch(next, compileStep(next, places, batch), batch);
        },
    };
    return batch;
}

/** Vectors that hold the constants of the rule. */
function constantPlaces({ variant, registers, take, atStart }: BatchContext): Places {
    const { values } = registers;
    return new Map(
        variant.rule.constants.map(({ variable }) => {
            const vector = take();
            const slot = registers.slot(variable);
            atStart.push(() => {
                vector.fill(values[slot]!);
            });
            return [variable, vector] as const;
        }),
    );
}

/** Each variant gets vectors of its own of what it needs, since steps keep only the matches that they let pass; the last one needs no others. */
function compileFork({ at, branches }: Extract<PlanStep, { kind: 'fork' }>, places: Places, context: BatchContext): BatchStep {
    const { run, take, atStart, atEnd, appended } = context;
    const last = branches.at(-1);
    const nexts = branches.map((branch): BatchStep => {
        const { variant, names } = branch;
        const own = batchContext({ ...context, ...registersOf(variant, run), variant }, { atStart, atEnd, take, appended });
        const handed = [...names].map(([name, from]) => [name, places.get(from)!, branch === last ? places.get(from)! : take()] as const);
        const ownPlaces = new Map([...constantPlaces(own), ...handed.map(([name, , to]) => [name, to] as const)]);
        const next = compileStep(variant.steps[at]!, ownPlaces, own);
        return count => {
            for (const [, from, to] of handed) if (from !== to) to.set(from.subarray(0, count));
            next(count);
        };
    });
    return count => {
        for (const next of nexts) next(count);
    };
}

function neededSteps({ variant: { rule, steps } }: VariantContext): (step: PlanStep) => ReadonlySet<string> {
    const needed = new Map<PlanStep, ReadonlySet<string>>();
    let names = new Set<string>();
    for (const step of [...steps].reverse()) {
        needed.set(step, names);
        names = new Set([...names, ...stepReads(step, rule)]);
        const isByFacts = rule.outputs.some(countsByFacts);
        if (step.kind === 'output' && isByFacts) for (const literal of rule.literals.keys()) names.add(nameOfRow(literal));
    }
    return step => needed.get(step)!;
}

function compileStep(step: PlanStep, places: Places, context: BatchContext): BatchStep {
    switch (step.kind) {
        case 'read':
            return step.exists ? compileBatchLookup(step, true, places, context) : compileBatchRead(step, places, context);
        case 'absent':
            return compileBatchLookup({ ...step, kind: 'read', range: 'all', exists: true }, false, places, context, step);
        case 'intersect':
            return compileBatchIntersection(step, places, context);
        case 'filter':
            return compileFilter(step, places, context);
        case 'assign': {
            const { variable, value } = step.definition;
            return compileValue(step, variable, variablesOf(value), compileDefinition(step.definition, context.scope), places, context);
        }
        case 'invent': {
            const { dictionary } = context.run;
            const { variable, frontier, source } = step.invention;
            const number = dictionary.nullSource(source);
            const slots = frontier.map(name => context.registers.slot(name));
            const args = new Int32Array(slots.length);
            const invent = (values: Int32Array): number => {
                for (let i = 0; i < slots.length; i++) args[i] = values[slots[i]!]!;
                return dictionary.nullOfSource(number, args);
            };
            return compileValue(step, variable, frontier, invent, places, context);
        }
        case 'output':
            return compileBatchOutput(places, context);
        case 'fork':
            return compileFork(step, places, context);
        default:
            throw new Error(`No batches of '${step.kind}'`);
    }
}

/** The rows of the first literal, in the order of an index where there is one. */
function compileScan(
    step: PlanRead,
    relation: Relation,
    order: ClusteredIndex | undefined,
    constants: Places,
    context: BatchContext,
): Step {
    const { take, run, neededAfter, compileAfter } = context;
    const places = new Map(constants);
    const columns: number[] = [];
    const vectors: Int32Array[] = [];
    const read = (column: number): Int32Array => {
        columns.push(column);
        const vector = take();
        vectors.push(vector);
        return vector;
    };
    for (const { column, variable } of step.binds) places.set(variable, read(column));
    const checked = step.checks.map(({ column, variable }) => [read(column), places.get(variable)!] as const);
    const rows = neededAfter(step).has(nameOfRow(step.literal)) ? take() : undefined;
    if (rows !== undefined) places.set(nameOfRow(step.literal), rows);
    const check = compileChecks(checked, livePlaces(step, places, context).values(), take());
    const next = compileAfter(step, places);
    const { checkpoint } = run;
    const columnAt = (column: number): Int32Array => order?.column(column) ?? relation.columns[column]!;
    return () => {
        const to = rowLimit(relation, step.range);
        let count = 0;
        for (let row = firstRow(relation, step.range); row < to; row += count) {
            count = Math.min(BATCH_SIZE, to - row);
            checkpoint.left -= count;
            if (checkpoint.left < 0) checkpoint.check();
            for (let i = 0; i < columns.length; i++) vectors[i]!.set(columnAt(columns[i]!).subarray(row, row + count));
            if (rows !== undefined) for (let i = 0; i < count; i++) rows[i] = row + i;
            const kept = check(count);
            if (kept > 0) next(kept);
        }
    };
}

function compileFilter(step: Extract<PlanStep, { kind: 'filter' }>, places: Places, context: BatchContext): BatchStep {
    const { registers, scope, take, compileAfter } = context;
    const { values } = registers;
    const test = compileCondition(step.condition, scope);
    const names = variablesOf(step.condition);
    const [slots, vectors] = [names.map(name => registers.slot(name)), names.map(name => places.get(name)!)];
    const live = [...livePlaces(step, places, context).values()];
    const chosen = take();
    const next = compileAfter(step, places);
    return count => {
        let kept = 0;
        for (let i = 0; i < count; i++) {
            for (let k = 0; k < slots.length; k++) values[slots[k]!] = vectors[k]![i]!;
            if (test(values)) chosen[kept++] = i;
        }
        if (kept === 0) return;
        if (kept < count) keep(live, chosen, kept);
        next(kept);
    };
}

function compileValue(
    step: PlanStep,
    variable: string,
    names: readonly string[],
    evaluate: (values: Int32Array) => number,
    places: Places,
    { registers, take, compileAfter }: BatchContext,
): BatchStep {
    const { values } = registers;
    const [slots, vectors] = [names.map(name => registers.slot(name)), names.map(name => places.get(name)!)];
    const results = take();
    const next = compileAfter(step, new Map([...places, [variable, results]]));
    return count => {
        for (let i = 0; i < count; i++) {
            for (let k = 0; k < slots.length; k++) values[slots[k]!] = vectors[k]![i]!;
            results[i] = evaluate(values);
        }
        next(count);
    };
}
