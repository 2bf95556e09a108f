import { MIXED } from '#language/program/types.ts';
import { withoutGuards } from '../plan/passes/execution.ts';
import type { Execution, PlanBranch, PlanEmit, PlanOutput, PlanRead, PlanStep, PlanVariant } from '../plan/plan.ts';
import { countsByFacts } from '../plan/plan.ts';
import type { ValueId } from '../values/value-id.ts';
import { compileBatches } from './compile-batches.ts';
import { compileCareful } from './compile-careful.ts';
import { compileContribution } from './compile-contribution.ts';
import { compileExplosion } from './compile-explosion.ts';
import { compileFollowed } from './compile-followed.ts';
import { compileIntersection } from './compile-intersection.ts';
import { compileAbsence, compileRead, type Step } from './compile-read.ts';
import { type CompileSteps, compileDeltaRuns, compileFactored, compileLastRuns } from './compile-runs.ts';
import { counted } from './counted-steps.ts';
import { type TreeSetId, UNNUMBERED } from './derivation-trees.ts';
import { compileCondition, compileDefinition } from './expression.ts';
import { registersOf } from './filled-registers.ts';
import { profiled } from './rule-profile.ts';
import { groupsOf, planOf, type RunContext, relationOf } from './run-context.ts';
import type { VariantContext } from './variant-context.ts';

/**
 * A variant of a rule as closures over one register file: running the result enumerates each match once, or with a `search` those until it
 * has found what it looks for.
 */
export function compileVariant(
    variant: PlanVariant,
    ruleName: string,
    recursive: boolean,
    run: RunContext,
    search?: VariantContext['search'],
): () => void {
    const counts = run.profile?.countsOf(variant, run);
    const context: VariantContext = {
        run,
        variant,
        ...registersOf(variant, run),
        ruleName,
        recursive,
        ...(run.careful === undefined ? {} : { failures: { first: undefined, slots: new Set() } }),
        ...(counts === undefined ? {} : { counts }),
        ...(search === undefined ? {} : { search }),
    };
    const rest = withoutGuards(variant);
    const guards = variant.steps.slice(0, variant.steps.length - rest.steps.length);
    const whole = compileSteps(guards, compileExecution(variant.execution, { ...context, variant: rest }), context);
    return counts === undefined ? whole : profiled(variant, whole, counts, run);
}

function compileExecution(execution: Execution, context: VariantContext): Step {
    const compile: CompileSteps = (steps, last, standsFor) =>
        compileSteps(steps, last, standsFor === undefined ? context : { ...context, standsFor });
    const oneByOne = (): Step => compile(context.variant.steps, () => undefined);
    switch (execution.kind) {
        case 'rows':
            return oneByOne();
        case 'batches':
            return compileBatches(execution, oneByOne(), context);
        case 'runs':
            return compileLastRuns(execution, context, compile);
        case 'delta runs':
            return compileDeltaRuns(execution, context, compile);
        case 'factored':
            return compileFactored(execution, context, compile);
        case 'followed':
            return compileFollowed(execution, context);
    }
}

function compileSteps(steps: readonly PlanStep[], last: Step, context: VariantContext): Step {
    return steps.reduceRight((next, step) => counted(step, compileStep(step, next, context), context), last);
}

/** Runs `next` once when the steps have a match. */
function compileAnyMatch(steps: readonly PlanStep[], next: Step, context: VariantContext): Step {
    const search = { found: false };
    const look = compileSteps(
        steps,
        () => {
            search.found = true;
        },
        { ...context, search },
    );
    return () => {
        search.found = false;
        look();
        if (search.found) next();
    };
}

/** Hands what a variant needs over to its registers, and goes on there. */
function compileBranch({ variant, names }: PlanBranch, at: number, { registers, ...context }: VariantContext): Step {
    const own = registersOf(variant, context.run);
    const next = compileSteps(variant.steps.slice(at), () => undefined, { ...context, ...own, variant });
    const from = [...names.values()].map(name => registers.slot(name));
    const to = [...names.keys()].map(name => own.registers.slot(name));
    const { values } = registers;
    const { values: ownValues } = own.registers;
    return () => {
        for (let i = 0; i < to.length; i++) ownValues[to[i]!] = values[from[i]!]!;
        next();
    };
}

function compileStep(step: PlanStep, next: Step, context: VariantContext): Step {
    const { failures } = context;
    const plainly = (): Step => compilePlainly(step, next, context);
    return failures === undefined ? plainly() : compileCareful(step, next, context, failures, plainly);
}

function compilePlainly(step: PlanStep, next: Step, context: VariantContext): Step {
    const { registers, scope, variant, run } = context;
    const { values } = registers;
    switch (step.kind) {
        case 'read':
            return compileRead(step, keepsRow(step, context), next, context);
        case 'absent':
            return compileAbsence(step, next, context);
        case 'filter': {
            const test = compileCondition(step.condition, scope);
            return () => {
                if (test(values)) next();
            };
        }
        case 'assign': {
            if (step.definition.exploded) return compileExplosion(step.definition, next, context);
            const slot = registers.slot(step.definition.variable);
            const evaluate = compileDefinition(step.definition, scope);
            return () => {
                values[slot] = evaluate(values);
                next();
            };
        }
        case 'crossing': {
            const groups = groupsOf(run, variant.rule.literals[step.literal]!.relation);
            const crossings = groups.crossings(`${context.ruleName} from ${step.literal}`);
            const tests = step.conditions.map(condition => compileCondition(condition, scope));
            return () => {
                let holds = true;
                for (let i = 0; holds && i < tests.length; i++) holds = tests[i]!(values);
                if (crossings.change(groups.current, holds)) next();
            };
        }
        case 'intersect':
            return compileIntersection(step.reads, next, context);
        case 'any match':
            return compileAnyMatch(step.steps, next, context);
        case 'constants only': {
            const { dictionary } = run;
            const slots = variant.rule.constantsOnly.filter(name => registers.has(name)).map(name => registers.slot(name));
            return () => {
                for (const slot of slots) if (dictionary.isNull(values[slot]!)) return;
                next();
            };
        }
        case 'invent': {
            const { dictionary } = run;
            const source = dictionary.nullSource(step.invention.source);
            const slot = registers.slot(step.invention.variable);
            const slots = step.invention.frontier.map(name => registers.slot(name));
            const frontier = new Int32Array(slots.length);
            return () => {
                for (let i = 0; i < slots.length; i++) frontier[i] = values[slots[i]!]!;
                values[slot] = dictionary.nullOfSource(source, frontier);
                next();
            };
        }
        case 'output': {
            const outputs = variant.rule.outputs.map((output, index) => compileOutput(output, index, context));
            const [only] = outputs;
            const { counts } = context;
            if (counts !== undefined) {
                return () => {
                    counts.of.tried += outputs.length;
                    for (const output of outputs) output();
                };
            }
            if (outputs.length === 1 && only !== undefined) return only;
            return () => {
                for (const output of outputs) output();
            };
        }
        case 'fork': {
            const branches = step.branches.map(branch => compileBranch(branch, step.at, context));
            return () => {
                for (const branch of branches) branch();
            };
        }
    }
}

/**
 * Returns the register for the row of a literal, if needed. Rows distinguish contributions of matches that may come twice; parents and
 * reports of failures need them too.
 */
function keepsRow(step: PlanRead, { run, variant, registers }: VariantContext): number | undefined {
    const isTold = variant.rule.outputs.some(output => output.kind === 'match' || countsByFacts(output));
    return isTold || run.careful !== undefined || step.literal === variant.rule.parent ? registers.rowOf(step.literal) : undefined;
}

function compileOutput(output: PlanOutput, index: number, context: VariantContext): Step {
    switch (output.kind) {
        case 'contribute':
            return compileContribution(output, `${context.ruleName} ${index}`, context);
        case 'emit':
            return compileEmit(output, context);
        case 'match':
            return compileMatchOutput(output, context);
    }
}

function compileMatchOutput(
    { relation, terms }: Extract<PlanOutput, { kind: 'match' }>,
    { run, registers, variant }: VariantContext,
): Step {
    const found = run.matches.get(relation);
    if (found === undefined) throw new Error(`Nothing asked for the ${relation}`);
    const slots = terms.map(term => registers.slot(term));
    const rowSlots = variant.rule.literals.flatMap((literal, index) => (literal.negated ? [] : [registers.rowOf(index)]));
    const values = new Int32Array(slots.length);
    const rows = new Int32Array(rowSlots.length);
    return () => {
        for (let i = 0; i < slots.length; i++) values[i] = registers.values[slots[i]!]!;
        for (let i = 0; i < rowSlots.length; i++) rows[i] = registers.values[rowSlots[i]!]!;
        found(values, rows);
    };
}

/** The trees that what the match derives belongs to (D-29). */
function compileParent({ run, registers, variant }: VariantContext): () => TreeSetId {
    const { parent, literals } = variant.rule;
    const { trees } = run;
    if (parent === undefined || trees === undefined) return () => UNNUMBERED;
    const relation = relationOf(run, literals[parent]!.relation);
    const slot = registers.rowOf(parent);
    return () => trees.ofRow(relation, registers.values[slot]!);
}

function compileEmit({ relation: key, terms }: PlanEmit, context: VariantContext): Step {
    const { run, registers } = context;
    const relation = relationOf(run, key);
    const { values } = registers;
    const slots = terms.map(term => registers.slot(term));
    const casts = terms.map((term, column) => run.casts.castTo(planOf(run, key), column, context.variant.rule.types.get(term) ?? MIXED));
    const row = new Int32Array(slots.length);
    if (run.chase !== undefined && run.plan.trees.has(key)) {
        const waiting = run.chase.waitingFor(key, relation);
        const parentTrees = compileParent(context);
        return () => {
            for (let i = 0; i < slots.length; i++) {
                const value: ValueId = values[slots[i]!]!;
                row[i] = casts[i]?.(value) ?? value;
            }
            waiting.offer(row, parentTrees());
        };
    }
    if (casts.some(cast => cast !== undefined)) {
        return () => {
            for (let i = 0; i < slots.length; i++) {
                const value: ValueId = values[slots[i]!]!;
                row[i] = casts[i]?.(value) ?? value;
            }
            relation.add(row);
        };
    }
    const [a = 0, b = 0, c = 0, d = 0] = slots;
    switch (slots.length) {
        case 1:
            return () => {
                relation.insert1(values[a]!);
            };
        case 2:
            return () => {
                relation.insert2(values[a]!, values[b]!);
            };
        case 3:
            return () => {
                relation.insert3(values[a]!, values[b]!, values[c]!);
            };
        case 4:
            return () => {
                relation.add4(values[a]!, values[b]!, values[c]!, values[d]!);
            };
        default:
            return () => {
                for (let i = 0; i < slots.length; i++) row[i] = values[slots[i]!]!;
                relation.add(row);
            };
    }
}
