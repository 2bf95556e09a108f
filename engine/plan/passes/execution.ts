import type { PredicateKey } from '#language/program/analysed-program.ts';
import { isInjective } from '../injective-heads.ts';
import {
    type Execution,
    type IndexRead,
    isTested,
    type OrderedRule,
    type PlanBatches,
    type PlanEmit,
    type PlanRead,
    type PlanStep,
    type PlanVariant,
    type RunHead,
} from '../plan.ts';
import type { PlannerInput } from '../planner.ts';
import { differsPerMatch, stepReads } from './first-match.ts';

/** Fewer rows of the first literal are gone through one by one: batches do not pay. */
export const LEAST_BATCHED_ROWS = 32;

/** Of a rule with more steps the vectors would no longer stay in the cache, and soon not in memory: each step has some of its own. */
const MOST_STEPS = 256;

/**
 * Decides how the steps of a rule are run: the last pass over it. Runs of rows pay more than batches, and these more than single
 * matches. Facts with parents, and rows that may be rewritten, are derived one after another.
 */
export function withExecution(order: OrderedRule, input: PlannerInput): PlanVariant {
    const { plan, disabledPasses } = input;
    const { rule } = order;
    if (plan.rewrites || rule.parent !== undefined || isTested(rule, plan)) return { ...order, execution: BY_ROWS };
    const rest = withoutGuards(order);
    const runs = disabledPasses.has('runs') ? undefined : inRuns(rest, input);
    const batches = runs !== undefined || disabledPasses.has('batches') ? undefined : inBatches(rest, input);
    return { ...order, execution: runs ?? batches ?? BY_ROWS };
}

const BY_ROWS: Execution = { kind: 'rows' };

/** The steps after those that only have to have a match, which come first. */
export function withoutGuards(order: OrderedRule): OrderedRule {
    const first = order.steps.findIndex(step => step.kind !== 'any match');
    return first === 0 ? order : { ...order, steps: order.steps.slice(first) };
}

/**
 * Rows that differ in one column of the head only, mostly the last, or beside a source the other one: all values of a variable that no
 * other column needs.
 */
function inRuns(order: OrderedRule, input: PlannerInput): Execution | undefined {
    const { rule, steps } = order;
    const [output, ...others] = rule.outputs;
    if (steps.at(-1)?.kind !== 'output' || output?.kind !== 'emit' || others.length > 0 || isCast(output, input)) return undefined;
    const { terms } = output;
    if (terms.length < 2 || terms.length > 3) return undefined;
    const source = sourceOf(output.relation, input);
    const column = source === 1 ? 0 : terms.length - 1;
    const variable = terms[column]!;
    if (terms.some((term, i) => i !== column && term === variable)) return undefined;
    const head = { output, column };
    return (
        (source === undefined ? undefined : followed(source, variable, head, order)) ??
        (input.plan.heights ? undefined : factored(variable, head, order)) ??
        ofLastRead(variable, head, order, input) ??
        ofDelta(variable, head, order)
    );
}

/** The column of the sources, of the relation whose rows come source by source. */
function sourceOf(relation: PredicateKey, { execution }: PlannerInput): 0 | 1 | undefined {
    return execution?.kind === 'sources' && execution.relation === relation ? execution.column : undefined;
}

function isCast({ relation }: PlanEmit, { plan }: PlannerInput): boolean {
    return plan.relations.get(relation)!.columns.some(({ cast }) => cast);
}

/** In `path(X,Z) <- path(X,Y), edge(Y,Z)`, where rows come source by source, those of `path` with one X. */
function followed(source: 0 | 1, variable: string, head: RunHead, { rule, steps }: OrderedRule): Execution | undefined {
    const [first, read] = steps;
    const delta = newRows(first);
    if (steps.length !== 3 || delta === undefined || !isIndexed(read, variable) || read.access.variables.length > 1) return undefined;
    if (rule.literals[delta.literal]!.relation !== head.output.relation || rule.literals[read.literal]!.recursive) return undefined;
    const met = delta.binds.find(bind => bind.variable === read.access.variables[0]);
    if (met === undefined || met.column === source || !delta.binds.some(({ column }) => column === source)) return undefined;
    return { kind: 'followed', ...head, delta, read };
}

/** In `sg(X,Y) <- sg(A,B), par(X,A), par(Y,B)` all Y for the B of one A, then each X: B is met by one literal, and A by the rest. */
function factored(variable: string, head: RunHead, { rule, steps }: OrderedRule): Execution | undefined {
    const delta = newRows(steps[0]);
    const read = steps.find((step): step is IndexRead => step !== delta && isIndexed(step, variable));
    if (delta === undefined || read === undefined || read.access.variables.length > 1 || rule.literals[read.literal]!.recursive)
        return undefined;
    const [met = ''] = read.access.variables;
    const between = steps.slice(1, -1).filter(step => step !== read);
    if (!between.some(step => step.kind === 'read') || !delta.binds.some(bind => bind.variable === met)) return undefined;
    const isApart =
        !head.output.terms.includes(met) && !between.some(step => stepReads(step, rule).some(name => name === met || name === variable));
    return isApart ? { kind: 'factored', ...head, delta, read } : undefined;
}

/** In `path(X,Z) <- path(X,Y), edge(Y,Z)` each Z of an `edge`. */
function ofLastRead(variable: string, head: RunHead, { rule, steps }: OrderedRule, input: PlannerInput): Execution | undefined {
    const { plan, disabledPasses } = input;
    const read = steps.at(-2);
    if (!isIndexed(read, variable)) return undefined;
    const { recursive, relation, terms } = rule.literals[read.literal]!;
    if (!recursive && !plan.heights) return { kind: 'runs', ...head, read, from: 'clusters' };
    const { columns } = read.access;
    const areSets =
        !plan.heights &&
        !disabledPasses.has('grouped-sets') &&
        plan.relations.get(relation)!.groups === undefined &&
        read.binds[0]!.column === terms.length - 1 &&
        head.column === head.output.terms.length - 1 &&
        columns.length === terms.length - 1 &&
        columns.length <= 2;
    return { kind: 'runs', ...head, read, from: areSets ? 'sets' : 'chains' };
}

/** In `path(X,Z) <- path(Y,Z), edge(X,Y)` the Z of all new rows with one Y. */
function ofDelta(variable: string, head: RunHead, { rule, steps }: OrderedRule): Execution | undefined {
    const delta = newRows(steps[0]);
    if (delta === undefined || !delta.binds.some(bind => bind.variable === variable)) return undefined;
    if (steps.slice(1, -1).some(step => stepReads(step, rule).includes(variable))) return undefined;
    return { kind: 'delta runs', ...head, delta };
}

function newRows(first: PlanStep | undefined): PlanRead | undefined {
    const isNew = first?.kind === 'read' && first.range === 'delta' && first.access.kind === 'scan' && first.checks.length === 0;
    return isNew ? first : undefined;
}

/** Whether a literal is read by an index, and all that it gives is the value of one variable. */
function isIndexed(step: PlanStep | undefined, variable: string): step is IndexRead {
    if (step?.kind !== 'read' || step.access.kind !== 'index' || step.exists || step.checks.length > 0) return false;
    return step.binds.length === 1 && step.binds[0]!.variable === variable;
}

function inBatches(order: OrderedRule, input: PlannerInput): PlanBatches | undefined {
    const [first, second] = order.steps;
    if (input.plan.heights || first?.kind !== 'read' || first.access.kind !== 'scan' || first.exists || !fitsBatches(order))
        return undefined;
    const column = columnToReadBy(first, second, order);
    return { kind: 'batches', first, ...(column === undefined ? {} : { order: column }), appended: appended(order, input) };
}

function fitsBatches({ rule, steps }: OrderedRule): boolean {
    if (steps.length > MOST_STEPS || rule.outputs.some(output => output.kind === 'match')) return false;
    if ([...rule.assignments.map(({ value }) => value), ...rule.filters].some(differsPerMatch)) return false;
    return steps.every(step => {
        switch (step.kind) {
            case 'read':
            case 'absent': {
                if (step.access.kind === 'changed') return false;
                if (step.kind === 'read' && !step.exists) return true;
                return step.access.kind !== 'scan' && step.binds.length === 0 && step.checks.length === 0;
            }
            case 'assign':
                return step.definition.exploded === undefined;
            case 'filter':
            case 'intersect':
            case 'invent':
            case 'output':
                return true;
            case 'fork':
                return step.branches.every(({ variant }) => fitsBatches(variant));
            default:
                return false;
        }
    });
}

/** The column by whose values a complete first literal is best read: that by which an intersection after it looks something up. */
function columnToReadBy(first: PlanRead, second: PlanStep | undefined, { rule }: OrderedRule): number | undefined {
    if (second?.kind !== 'intersect' || first.range !== 'all' || rule.literals[first.literal]!.recursive) return undefined;
    const { variable: met } = second.reads[0]!.binds[0]!;
    const single = second.reads.map(({ literal }) => {
        const names = rule.literals[literal]!.terms.flatMap(term => (term.kind === 'variable' && term.name !== met ? [term.name] : []));
        return names.length === 1 ? names[0] : undefined;
    });
    return first.binds.find(({ variable }) => single.includes(variable))?.column;
}

/** The relations that get other rows from each match, and from no other rule that runs at the same time. */
function appended(order: OrderedRule, input: PlannerInput): ReadonlySet<PredicateKey> {
    const last = order.steps.at(-1);
    const orders = last?.kind === 'fork' ? last.branches.map(({ variant }) => variant) : [order];
    const filled = orders.flatMap(({ rule }) => rule.outputs.map(({ relation }) => relation));
    const isFilledOnce = (key: PredicateKey): boolean => filled.indexOf(key) === filled.lastIndexOf(key);
    const found = orders.flatMap(one =>
        one.rule.outputs.filter(
            output =>
                output.kind === 'emit' &&
                !isCast(output, input) &&
                sourceOf(output.relation, input) === undefined &&
                isFilledOnce(output.relation) &&
                isInjective(output, one, input.plan.relations),
        ),
    );
    return new Set(found.map(({ relation }) => relation));
}
