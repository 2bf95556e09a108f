import { printExpression, printRuleText } from '#language/program/print.ts';
import type { PassName } from '../run-options.ts';
import { forkVariants } from './passes/fork-variants.ts';
import type {
    Access,
    ColumnRegister,
    Plan,
    PlanContribution,
    PlanOutput,
    PlanRead,
    PlanRelation,
    PlanRule,
    PlanStep,
    PlanStratum,
    PlanVariant,
} from './plan.ts';
import { type PlannerInput, planVariant, variantStarts } from './planner.ts';

/** Cardinalities are known when a stratum starts; a printed plan takes all relations to be equally large. */
const UNKNOWN_ROWS = 1000;

/** The plan as text to be read: the passes that changed it, strata in order, and under each rule the loops that run for each delta. */
export function printPlan(plan: Plan, disabledPasses: ReadonlySet<PassName> = new Set()): string {
    const input: PlannerInput = {
        relations: plan.relations,
        estimate: () => ({ rows: UNKNOWN_ROWS, distinct: [] }),
        moving: literal => literal.recursive,
        disabledPasses,
    };
    const strata = plan.strata.flatMap((stratum, index) => [...printStratum(stratum, index + 1, plan, input), '']);
    const passes = plan.changedBy.size === 0 ? [] : [`passes: ${[...plan.changedBy].join(', ')}`, ''];
    if (plan.constraints.length === 0) return [...passes, ...strata].join('\n');
    return [
        ...passes,
        ...strata,
        'constraints',
        ...plan.constraints.flatMap(rule => printRule(rule, input).map(line => `  ${line}`)),
        '',
    ].join('\n');
}

function printStratum(stratum: PlanStratum, number: number, plan: Plan, input: PlannerInput): string[] {
    const notes = [
        ...(stratum.recursive ? ['recursive'] : []),
        ...(stratum.growing ? ['growing'] : []),
        ...(stratum.equalities === undefined
            ? []
            : [`equality heads; then again strata ${stratum.equalities.strata.map(index => index + 1).join(', ')}`]),
        ...(stratum.parts === undefined ? [] : ['in parts']),
        ...(stratum.ordersAnew && stratum.parts === undefined ? ['joins ordered anew'] : []),
        ...(stratum.finalPass === 'none' ? [] : [`final pass ${stratum.finalPass}`]),
    ];
    return [
        `stratum ${number}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`,
        ...stratum.relations.map(key => `  ${printRelation(plan.relations.get(key)!)}`),
        ...printRules(stratum, input).map(line => `  ${line}`),
    ];
}

function printRules({ rules, recursive, equalities }: PlanStratum, input: PlannerInput): string[] {
    if (recursive || input.disabledPasses.has('shared-prefixes')) {
        return [...rules, ...(equalities?.turns.flat() ?? [])].flatMap(rule => printRule(rule, input));
    }
    const forks = forkVariants(rules.map(rule => planVariant(rule, undefined, input)));
    return [
        ...forks.flatMap(variant => {
            const last = variant.steps.at(-1);
            const titles = last?.kind === 'fork' ? last.branches.map(one => ruleTitle(one.variant.rule)) : [ruleTitle(variant.rule)];
            return [...titles, ...printVariant(variant).map(line => `  ${line}`)];
        }),
        ...(equalities?.turns.flat() ?? []).flatMap(rule => printRule(rule, input)),
    ];
}

function printRelation({ key, groups, call, internal, arity, columns, predicate }: PlanRelation): string {
    if (call !== undefined)
        return `${key}: #${call.function} of ${call.input}${call.options === undefined ? '' : ` with ${printExpression(call.options)}`}`;
    if (!internal && arity < predicate.arity) return `${key}: only ${columns.map(({ name }) => name).join(', ')}`;
    if (groups === undefined) return key;
    const totals = groups.totals === undefined ? '' : `${groups.totals} `;
    const aggregates = groups.aggregates.map(({ column, family }) => `${totals}${family} in column ${column}`);
    const keys = groups.keys.length === 0 ? 'one group' : `groups by ${groups.keys.join(', ')}`;
    return `${key}: ${keys}; ${aggregates.join(', ')}${groups.largestOnly ? ', the largest only' : ''}`;
}

function printRule(rule: PlanRule, input: PlannerInput): string[] {
    const starts = variantStarts(rule, input);
    const variants = starts.length === 0 ? [undefined] : starts;
    return [
        ruleTitle(rule),
        ...variants.flatMap(delta => {
            const body = printVariant(planVariant(rule, delta, input)).map(line => `  ${line}`);
            return delta === undefined ? body : [`  for new ${rule.literals[delta]!.relation}:`, ...body.map(line => `  ${line}`)];
        }),
    ];
}

/** What a rule of a plan is called: its text, or whose facts it stands for. */
export function ruleTitle({ source, literals }: PlanRule): string {
    return source === undefined
        ? `the ${literals.find(({ relation }) => relation.startsWith('facts of'))!.relation}`
        : printRuleText(source.rule);
}

/** The loops of a variant, one line each, those inside others further to the right. */
export function printVariant({ rule, steps }: PlanVariant): string[] {
    return steps.flatMap((step, depth) => printStep(step, rule).map(line => `${'  '.repeat(depth)}${line}`));
}

function printStep(step: PlanStep, rule: PlanRule): string[] {
    switch (step.kind) {
        case 'read': {
            const range = step.range === 'all' ? '' : `${step.range} `;
            const verb = step.exists ? 'any' : 'each';
            return [`${verb} ${range}${printRows(step, rule)}`];
        }
        case 'absent':
            return [`no ${printRows(step, rule)}`];
        case 'filter':
            return [`if ${printExpression(step.condition)}`];
        case 'assign':
            return [
                `${step.definition.variable} ${step.definition.exploded ? 'from each of' : '='} ${printExpression(step.definition.value)}`,
            ];
        case 'crossing':
            return [['once', step.conditions.map(printExpression).join(' and ')].join(' ').trimEnd()];
        case 'intersect': {
            const { variable } = step.reads[0]!.binds[0]!;
            return [`each ${named(variable, rule)} in ${step.reads.map(read => printAtom(read, rule)).join(' and ')}`];
        }
        case 'any match':
            return [
                'if any match:',
                ...step.steps.flatMap((one, depth) => printStep(one, rule).map(line => `${'  '.repeat(depth + 1)}${line}`)),
            ];
        case 'constants only':
            return ['if all constants'];
        case 'invent': {
            const { variable, frontier } = step.invention;
            return [`${variable} invented for (${frontier.map(name => named(name, rule)).join(', ')})`];
        }
        case 'output':
            return rule.outputs.map(output => printOutput(output, rule));
        case 'fork':
            return step.branches.flatMap(({ variant }) => printVariant({ ...variant, steps: variant.steps.slice(step.at) }));
    }
}

function printRows(step: Pick<Extract<PlanStep, { kind: 'read' }>, 'literal' | 'access' | 'binds' | 'checks'>, rule: PlanRule): string {
    const columns = (registers: readonly ColumnRegister[], sign: string): string[] =>
        registers.map(({ column, variable }) => `${column}${sign}${named(variable, rule)}`);
    const parts = [...columns(step.binds, '→'), ...columns(step.checks, '=')];
    const access = printAccess(step.access, rule);
    return `${rule.literals[step.literal]!.relation}${access}${parts.length === 0 ? '' : `: ${parts.join(', ')}`}`;
}

function printAtom({ literal }: PlanRead, rule: PlanRule): string {
    const { relation, terms } = rule.literals[literal]!;
    return `${relation} (${terms.map(term => (term.kind === 'variable' ? named(term.name, rule) : '_')).join(', ')})`;
}

function printAccess(access: Access, rule: PlanRule): string {
    switch (access.kind) {
        case 'scan':
            return '';
        case 'changed':
            return ' changed';
        case 'key':
            return ` with key (${access.variables.map(variable => named(variable, rule)).join(', ')})`;
        case 'index': {
            const pairs = access.columns.map((column, i) => `${column}=${named(access.variables[i]!, rule)}`);
            return ` by index ${pairs.join(', ')}`;
        }
    }
}

function printOutput(output: PlanOutput, rule: PlanRule): string {
    const name = (variable: string): string => named(variable, rule);
    if (output.kind === 'emit') {
        const parent = rule.parent === undefined ? '' : ` below ${rule.literals[rule.parent]!.relation}`;
        return `add ${output.relation} (${output.terms.map(name).join(', ')})${parent}`;
    }
    if (output.kind === 'match')
        return rule.source?.rule.head.kind === 'equality' ? `equate ${output.terms.map(name).join(' and ')}` : 'violated';
    const contributions = output.contributions.map(contribution => printContribution(contribution, name));
    return `give ${output.relation} (${output.keys.map(name).join(', ')}): ${contributions.join(', ')}`;
}

function printContribution({ value, counts, contributors }: PlanContribution, name: (variable: string) => string): string {
    const given = counts === 'one' ? (value === undefined ? 'one' : `one unless ${name(value)} is null`) : name(value!);
    const per = typeof contributors === 'string' ? contributors : `(${contributors.map(name).join(', ')})`;
    return `${given} per ${per === 'each match' ? 'match' : per}`;
}

/** A constant is shown itself. */
function named(variable: string, rule: PlanRule): string {
    const constant = rule.constants.find(one => one.variable === variable);
    return constant === undefined ? variable : printExpression(constant.value);
}
