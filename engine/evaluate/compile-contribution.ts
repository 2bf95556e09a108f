import { AGGREGATES } from '#language/program/aggregates.ts';
import { MIXED } from '#language/program/types.ts';
import type { PlanAggregate, PlanContribution, PlanOutput } from '../plan/plan.ts';
import type { Relation } from '../relations/relation.ts';
import { report } from '../reports/reports.ts';
import { type Dictionary, smallInteger } from '../values/dictionary.ts';
import { compareValues } from '../values/order.ts';
import type { ValueId } from '../values/value-id.ts';
import { needsNumbers, requireNumber } from './aggregate-numbers.ts';
import type { Step } from './compile-read.ts';
import { shown } from './expression-site.ts';
import type { CastColumn, Groups } from './groups.ts';
import { groupsOf, planOf } from './run-context.ts';
import type { VariantContext } from './variant-context.ts';

type Contribute = Extract<PlanOutput, { kind: 'contribute' }>;

/** Gives the value to one aggregate of a group that exists. */
type Give = (group: number) => void;

const ONE = smallInteger(1);

/** Finds or makes the group of a match and gives it what the match contributes; nulls are skipped (5.1). */
export function compileContribution(output: Contribute, name: string, context: VariantContext): Step {
    const { run, registers, variant } = context;
    const { dictionary } = run;
    const groups = groupsOf(run, output.relation);
    const { relation } = groups;
    const { values } = registers;
    const key = compileKeyValues(output, context);
    const addGroup = compileKey(output, relation, context, key);
    const leaveOut = (): void => groups.leaveOut(variant.rule, key());
    const gives = output.contributions.map((contribution, i) => compileGive(contribution, i, `${name} ${i}`, groups, context));
    const slots = output.contributions.map(({ value }) => (value === undefined ? -1 : registers.slot(value)));
    const [give] = gives;
    const [slot = -1] = slots;
    if (gives.length === 1 && give !== undefined) {
        return () => {
            if (slot >= 0 && values[slot]! >= 0 && dictionary.isNull(values[slot]!)) return leaveOut();
            const group = addGroup();
            groups.touch(group);
            give(group);
        };
    }
    return () => {
        let group = -1;
        for (let i = 0; i < gives.length; i++) {
            if (slots[i]! >= 0 && dictionary.isNull(values[slots[i]!]!)) continue;
            if (group < 0) {
                group = addGroup();
                groups.touch(group);
            }
            gives[i]!(group);
        }
        if (group < 0) leaveOut();
    };
}

/** Finds or makes the group of a match. */
function compileKey(output: Contribute, relation: Relation, context: VariantContext, key: () => Int32Array): () => number {
    const { values } = context.registers;
    if (keyCasts(output, context).every(cast => cast === undefined)) {
        const [a = 0, b = 0] = output.keys.map(key => context.registers.slot(key));
        if (output.keys.length === 1) return () => relation.add1(values[a]!);
        if (output.keys.length === 2) return () => relation.add2(values[a]!, values[b]!);
    }
    return () => relation.add(key());
}

/** The key of the group of a match; the array is used again. */
function compileKeyValues(output: Contribute, context: VariantContext): () => Int32Array {
    const { values } = context.registers;
    const slots = output.keys.map(key => context.registers.slot(key));
    const casts = keyCasts(output, context);
    const row = new Int32Array(slots.length);
    return () => {
        for (let i = 0; i < slots.length; i++) {
            const value = values[slots[i]!]!;
            row[i] = casts[i]?.(value) ?? value;
        }
        return row;
    };
}

/** How the values of a key become those of the columns of the groups. */
export function keyCasts(
    { keys, relation: name }: Contribute,
    { run, variant }: Pick<VariantContext, 'run' | 'variant'>,
): readonly (CastColumn | undefined)[] {
    const columns = groupsOf(run, name).relation.keys;
    return keys.map((key, i) => run.casts.castTo(planOf(run, name), columns[i]!, variant.rule.types.get(key) ?? MIXED));
}

function compileGive(contribution: PlanContribution, index: number, name: string, groups: Groups, context: VariantContext): Give {
    const { registers, run, variant } = context;
    const { values } = registers;
    const aggregate = groups.plan.aggregates[index]!;
    const state = groups.states[index]!;
    const contributed = compileValue(contribution, aggregate, groups, context);
    const { contributors } = contribution;
    if (contributors === 'each match') {
        return group => {
            state.add(group, contributed());
        };
    }
    const positive = variant.rule.literals.flatMap((literal, i) => (literal.negated ? [] : [i]));
    const slots =
        contributors === 'facts of the match' ? registers.identity(positive) : contributors.map(variable => registers.slot(variable));
    const key = new Int32Array(slots.length + 1);
    const store = groups.store(name, key.length);
    const better = betterFor(aggregate, run.dictionary);
    return group => {
        key[0] = group;
        for (let i = 0; i < slots.length; i++) key[i + 1] = values[slots[i]!]!;
        store.offer(key, contributed(), state, better);
    };
}

/** The contributed value, checked: numbers where the aggregate needs them, and inside its monotone range in recursion. */
function compileValue(
    { value, counts }: PlanContribution,
    aggregate: PlanAggregate,
    groups: Groups,
    { registers, run, recursive, variant }: VariantContext,
): () => ValueId {
    if (value === undefined || counts === 'one') return () => ONE;
    const { dictionary } = run;
    const { values } = registers;
    const slot = registers.slot(value);
    if (!needsNumbers(aggregate)) return () => values[slot]!;
    const checked = (): ValueId => {
        const id = values[slot]!;
        if (id >= 0) requireNumber(aggregate, dictionary, id);
        return id;
    };
    const { range } = AGGREGATES[aggregate.family];
    if (!recursive || range === undefined) return checked;
    const { most = Number.POSITIVE_INFINITY } = range;
    return () => {
        const id = checked();
        const number = dictionary.numberOf(id);
        if ((number < 0 || number > most) && !groups.outsideRange) {
            groups.outsideRange = true;
            const location = { place: variant.rule.place, span: aggregate.span };
            run.report(report('RT051', { location }, aggregate.name, shown(dictionary, id)));
        }
        return id;
    };
}

/** Compares two values of a contributor: true if `value` replaces `best` (5.3). */
export function betterFor({ family }: PlanAggregate, dictionary: Dictionary): (value: ValueId, best: ValueId) => boolean {
    return AGGREGATES[family].direction === 'decreasing'
        ? (value, best) => compareValues(dictionary, value, best) < 0
        : (value, best) => compareValues(dictionary, value, best) > 0;
}
