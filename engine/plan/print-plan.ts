import type { PredicateKey } from '#language/program/analysed-program.ts';
import { printExpression, printRuleText } from '#language/program/print.ts';
import { say } from '#language/program/say.ts';
import type { SwitchedOff } from './decisions.ts';
import { factsOf } from './facts-relation.ts';
import { LEAST_BATCHED_ROWS } from './passes/execution.ts';
import { printCondition } from './passes/source-conditions.ts';
import {
    type Access,
    type ColumnRegister,
    contributesFacts,
    inputsOf,
    isInParts,
    LEVELS,
    type OrderedRule,
    type Plan,
    type PlanCall,
    type PlanContribution,
    type PlanOutput,
    type PlanRead,
    type PlanRelation,
    type PlanRule,
    type PlanStep,
    type PlanStratum,
    type PlanVariant,
    type RowRange,
    type RunHead,
    type StratumExecution,
} from './plan.ts';
import { orderRule, type PlannerInput, planTogether, planVariant, variantStarts } from './planner.ts';

/** Cardinalities are known when a stratum starts; a printed plan takes all relations to be equally large. */
const UNKNOWN_ROWS = 1000;

/**
 * The plan as text to be read: the passes that changed it, strata in order, and under each rule how it is run for each delta, with its
 * loops. Where that depends on rows that a run has, it says on which.
 */
export function printPlan(plan: Plan, disabledPasses: SwitchedOff = new Set<string>()): string {
    const input = printedInput(plan, disabledPasses);
    const strata = plan.strata.flatMap((stratum, index) => [...printStratum(stratum, index + 1, input), '']);
    const passes = plan.changedBy.size === 0 ? [] : [say`passes: ${[...plan.changedBy].join(', ')}`, ''];
    const constraints = plan.constraints.flatMap(rule => printRule(rule, input).map(line => `  ${line}`));
    const sources = printSources(plan);
    const asked = sources.length === 0 ? [] : [say`sources`, ...sources.map(line => `  ${line}`), ''];
    return [...passes, ...asked, ...strata, ...(constraints.length === 0 ? [] : [say`constraints`, ...constraints, ''])].join('\n');
}

/** The strata of a plan that give facts of a predicate, each with its number. */
export function printStrataOf(plan: Plan, predicate: PredicateKey, disabledPasses: SwitchedOff = new Set<string>()): string {
    const input = printedInput(plan, disabledPasses);
    const gives = ({ relations, rules }: PlanStratum): boolean =>
        relations.includes(predicate) || rules.some(({ outputs }) => outputs.some(({ relation }) => relation === predicate));
    return plan.strata.flatMap((stratum, index) => (gives(stratum) ? [...printStratum(stratum, index + 1, input), ''] : [])).join('\n');
}

function printedInput(plan: Plan, disabledPasses: SwitchedOff): PlannerInput {
    return {
        plan,
        estimate: () => ({ rows: UNKNOWN_ROWS, distinct: [] }),
        moving: literal => literal.recursive,
        disabledPasses,
    };
}

function printStratum(stratum: PlanStratum, number: number, input: PlannerInput): string[] {
    const { recursive, growing, equalities, execution, ordersAnew, finalPass } = stratum;
    const notes = [
        ...(recursive ? [say`recursive`] : []),
        ...(growing ? [say`growing`] : []),
        ...(equalities === undefined
            ? []
            : [say`equality heads; then again strata ${equalities.strata.map(index => index + 1).join(', ')}`]),
        ...printStratumExecution(stratum),
        ...(ordersAnew && !isInParts(execution) ? [say`joins ordered anew`] : []),
        ...(finalPass === 'none' ? [] : [finalPass === 'needed' ? say`final pass needed` : say`final pass without effect`]),
    ];
    return [
        notes.length === 0 ? say`stratum ${number}` : say`stratum ${number} (${notes.join(', ')})`,
        ...stratum.relations.map(key => `  ${printRelation(input.plan.relations.get(key)!)}`),
        ...printRules(stratum, input).map(line => `  ${line}`),
    ];
}

/**
 * Prints the execution of a stratum. It leaves out the usual: that rules without recursion share their first steps, and that others run in
 * rounds.
 */
function printStratumExecution({ execution, recursive, rules }: PlanStratum): string[] {
    switch (execution.kind) {
        case 'once':
            return [];
        case 'rounds':
            return recursive || rules.length < 2 ? [] : [say`each rule by itself`];
        case 'heights':
            return [say`by heights`];
        case 'parts':
        case 'sources': {
            const { forgotten } = execution.parts;
            const kind = execution.kind === 'parts' ? say`in parts` : say`source by source`;
            return [forgotten.size === 0 ? kind : say`${kind} without keeping ${[...forgotten].join(say` and `)}`];
        }
    }
}

/** The rules in the order in which they are planned: what facts contribute comes before all others. */
function printRules({ rules, execution, equalities }: PlanStratum, whole: PlannerInput): string[] {
    const byHeight = execution.kind === 'heights';
    const input: PlannerInput = { ...whole, execution, moving: ({ negated, recursive }) => !negated && (recursive || byHeight) };
    const others = rules.filter(rule => !contributesFacts(rule));
    return [
        ...rules.filter(contributesFacts).flatMap(rule => printRule(rule, whole)),
        ...(execution.kind === 'once' ? printTogether(others, input) : printApart(others, execution, input)),
        ...(equalities?.turns.flat() ?? []).flatMap(rule => printRule(rule, whole)),
    ];
}

function printTogether(rules: readonly PlanRule[], input: PlannerInput): string[] {
    const levelOf = ({ outputs }: PlanRule): string => input.plan.relations.get(outputs[0]!.relation)!.level;
    return LEVELS.flatMap(level => {
        const orders = rules.filter(rule => levelOf(rule) === level).map(rule => orderRule(rule, undefined, input));
        return planTogether(orders, input).flatMap(variant => {
            const last = variant.steps.at(-1);
            const members = last?.kind === 'fork' ? last.branches.map(branch => branch.variant) : [variant];
            return [...members.map(({ rule }) => ruleTitle(rule)), ...printVariant(variant)];
        });
    });
}

function printApart(rules: readonly PlanRule[], execution: StratumExecution, input: PlannerInput): string[] {
    if (!isInParts(execution)) return rules.flatMap(rule => printRule(rule, input));
    const { sources, starts } = execution.parts;
    return [...sources, ...rules.map(rule => starts.get(rule) ?? rule)].flatMap(rule => printRule(rule, input));
}

function printCall(call: PlanCall): string {
    if (call.function === 'python:run') return say`script ${call.script}`;
    if (call.function === 'SQL') return say`SQL query of ${inputsOf(call).join(', ')}`;
    if (call.function === 'qbind') return say`queries, asked for ${call.input}`;
    if (call.function === 'provided') return say`answers of ${printExpression(call.call)} for ${call.input}`;
    const { input, options } = call;
    const name = `#${call.function}`;
    return options === undefined ? say`${name} of ${input}` : say`${name} of ${input} with ${printExpression(options)}`;
}

function printRelation({ key, groups, call, internal, arity, columns, predicate }: PlanRelation): string {
    if (call !== undefined) return `${key}: ${printCall(call)}`;
    if (!internal && arity < predicate.arity) return say`${key}: only ${columns.map(({ name }) => name).join(', ')}`;
    if (groups === undefined) return key;
    const { totals } = groups;
    const aggregates = groups.aggregates.map(({ column, family }) => {
        if (totals === undefined) return say`${family} in column ${column}`;
        return totals === 'running' ? say`running ${family} in column ${column}` : say`recomputed ${family} in column ${column}`;
    });
    const keys = groups.keys.length === 0 ? say`one group` : say`groups by ${groups.keys.join(', ')}`;
    return `${key}: ${keys}; ${[...aggregates, ...(groups.largestOnly ? [say`the largest only`] : [])].join(', ')}`;
}

/** Prints requests to the sources of predicates that ask for less than all rows. */
export function printSources({ relations }: Pick<Plan, 'relations'>): string[] {
    return [...relations.values()].flatMap(printSource);
}

function printSource({ key, needs, predicate: { columns, arity } }: PlanRelation): string[] {
    if (needs === undefined) return [];
    const name = (column: number): string => columns[column]!.name;
    const rows = needs.rows?.map(conditions => conditions.map(condition => printCondition(condition, name)).join(say` and `));
    const chosen = needs.columns.length < arity ? [say`only ${needs.columns.map(name).join(', ')}`] : [];
    const what = needs.anyRow ? [say`any row`] : [...chosen, ...(rows === undefined ? [] : [say`where ${rows.join(say` or `)}`])];
    return [`${key}: ${what.join(', ')}`];
}

function printRule(rule: PlanRule, input: PlannerInput): string[] {
    const starts = variantStarts(rule, input);
    const variants = starts.length === 0 ? [undefined] : starts;
    return [ruleTitle(rule), ...variants.flatMap(delta => printVariant(planVariant(rule, delta, input)))];
}

function printVariant(variant: PlanVariant): string[] {
    const { rule, delta } = variant;
    const start = delta === undefined ? [] : [say`for new ${rule.literals[delta]!.relation}`];
    return [`  ${[...start, printExecution(variant)].join(', ')}:`, ...printSteps(variant).map(line => `    ${line}`)];
}

/** How the steps of a variant are run, and what decides about that at run time. */
export function printExecution({ rule, execution }: PlanVariant): string {
    const relationOf = ({ literal }: PlanRead): string => rule.literals[literal]!.relation;
    const inRuns = ({ output, column }: RunHead, source: string): string => say`in runs of ${output.terms[column]!} from ${source}`;
    switch (execution.kind) {
        case 'rows':
            return say`row by row`;
        case 'batches': {
            const { first, order, appended } = execution;
            const batches =
                order === undefined
                    ? say`in batches from ${LEAST_BATCHED_ROWS} rows on, else row by row`
                    : say`in batches by column ${order} of ${relationOf(first)} from ${LEAST_BATCHED_ROWS} rows on, else row by row`;
            return [batches, ...[...appended].map(key => say`appended if ${key} is empty`)].join(', ');
        }
        case 'runs': {
            const relation = relationOf(execution.read);
            if (execution.from === 'sets')
                return inRuns(execution, say`sets of ${relation} if both relations are grouped, else from chains`);
            return inRuns(execution, execution.from === 'clusters' ? say`clusters of ${relation}` : say`chains of ${relation}`);
        }
        case 'delta runs':
            return inRuns(execution, say`new rows`);
        case 'factored':
            return inRuns(
                execution,
                say`clusters of ${relationOf(execution.read)}, for all new ${execution.read.access.variables[0]} at once`,
            );
        case 'followed':
            return inRuns(execution, say`clusters of ${relationOf(execution.read)}, following ${execution.output.relation}`);
    }
}

/** The title of a plan's rule: its text, or the predicate whose facts it reads. */
export function ruleTitle({ source, literals }: PlanRule): string {
    if (source !== undefined) return printRuleText(source.rule);
    return say`the facts of ${literals.map(({ relation }) => factsOf(relation)).find(predicate => predicate !== undefined)}`;
}

/** The loops of a rule, one line each, those inside others further to the right. */
export function printSteps({ rule, steps }: OrderedRule): string[] {
    return steps.flatMap((step, depth) => printStep(step, rule).map(line => `${'  '.repeat(depth)}${line}`));
}

function printStep(step: PlanStep, rule: PlanRule): string[] {
    switch (step.kind) {
        case 'read': {
            const rows = printRange(step.range, printRows(step, rule));
            return [step.exists ? say`any ${rows}` : say`each ${rows}`];
        }
        case 'absent':
            return [say`no ${printRows(step, rule)}`];
        case 'filter':
            return [say`if ${printExpression(step.condition)}`];
        case 'assign': {
            const { variable, value, exploded } = step.definition;
            return [exploded ? say`${variable} from each of ${printExpression(value)}` : `${variable} = ${printExpression(value)}`];
        }
        case 'crossing':
            return [step.conditions.length === 0 ? say`once` : say`once ${step.conditions.map(printExpression).join(say` and `)}`];
        case 'intersect': {
            const { variable } = step.reads[0]!.binds[0]!;
            return [say`each ${named(variable, rule)} in ${step.reads.map(read => printAtom(read, rule)).join(say` and `)}`];
        }
        case 'any match':
            return [
                say`if any match:`,
                ...step.steps.flatMap((one, depth) => printStep(one, rule).map(line => `${'  '.repeat(depth + 1)}${line}`)),
            ];
        case 'constants only':
            return [say`if all constants`];
        case 'invent': {
            const { variable, frontier } = step.invention;
            return [say`${variable} invented for (${frontier.map(name => named(name, rule)).join(', ')})`];
        }
        case 'output':
            return rule.outputs.map(output => printOutput(output, rule));
        case 'fork':
            return step.branches.flatMap(({ variant }) => printSteps({ ...variant, steps: variant.steps.slice(step.at) }));
    }
}

function printRange(range: RowRange, rows: string): string {
    switch (range) {
        case 'all':
            return rows;
        case 'old':
            return say`old ${rows}`;
        case 'delta':
            return say`delta ${rows}`;
    }
}

function printRows(step: Pick<Extract<PlanStep, { kind: 'read' }>, 'literal' | 'access' | 'binds' | 'checks'>, rule: PlanRule): string {
    const columns = (registers: readonly ColumnRegister[], sign: string): string[] =>
        registers.map(({ column, variable }) => `${column}${sign}${named(variable, rule)}`);
    const parts = [...columns(step.binds, '→'), ...columns(step.checks, '=')];
    const read = printAccess(rule.literals[step.literal]!.relation, step.access, rule);
    return parts.length === 0 ? read : `${read}: ${parts.join(', ')}`;
}

function printAtom({ literal }: PlanRead, rule: PlanRule): string {
    const { relation, terms } = rule.literals[literal]!;
    return `${relation} (${terms.map(term => (term.kind === 'variable' ? named(term.name, rule) : '_')).join(', ')})`;
}

function printAccess(relation: PredicateKey, access: Access, rule: PlanRule): string {
    switch (access.kind) {
        case 'scan':
            return relation;
        case 'changed':
            return say`${relation} changed`;
        case 'key':
            return say`${relation} with key (${access.variables.map(variable => named(variable, rule)).join(', ')})`;
        case 'index': {
            const pairs = access.columns.map((column, i) => `${column}=${named(access.variables[i]!, rule)}`);
            return say`${relation} by index ${pairs.join(', ')}`;
        }
    }
}

function printOutput(output: PlanOutput, rule: PlanRule): string {
    const name = (variable: string): string => named(variable, rule);
    if (output.kind === 'emit') {
        const fact = `${output.relation} (${output.terms.map(name).join(', ')})`;
        return rule.parent === undefined ? say`add ${fact}` : say`add ${fact} below ${rule.literals[rule.parent]!.relation}`;
    }
    if (output.kind === 'match')
        return rule.source?.rule.head.kind === 'equality' ? say`equate ${output.terms.map(name).join(say` and `)}` : say`violated`;
    const contributions = output.contributions.map(contribution => printContribution(contribution, name));
    return say`give ${output.relation} (${output.keys.map(name).join(', ')}): ${contributions.join(', ')}`;
}

function printContribution({ value, counts, contributors }: PlanContribution, name: (variable: string) => string): string {
    const given = counts === 'one' ? (value === undefined ? say`one` : say`one unless ${name(value)} is null`) : name(value!);
    switch (contributors) {
        case 'each match':
            return say`${given} per match`;
        case 'facts of the match':
            return say`${given} per facts of the match`;
        default:
            return say`${given} per (${contributors.map(name).join(', ')})`;
    }
}

/** A constant is shown itself. */
function named(variable: string, rule: PlanRule): string {
    const constant = rule.constants.find(one => one.variable === variable);
    return constant === undefined ? variable : printExpression(constant.value);
}
