import { outputVariables } from '../plan/passes/first-match.ts';
import type { PlanOutput } from '../plan/plan.ts';
import type { Relation } from '../relations/relation.ts';
import { smallInteger } from '../values/dictionary.ts';
import { needsNumbers, requireNumber } from './aggregate-numbers.ts';
import { type BatchContext, type BatchStep, nameOfRow, type Places } from './batch-context.ts';
import { compileContribution, keyCasts } from './compile-contribution.ts';
import type { CastColumn } from './groups.ts';
import { groupsOf } from './run-context.ts';

type Contribute = Extract<PlanOutput, { kind: 'contribute' }>;

/** Gives the values of a batch to the groups of its matches; a negative group takes none. */
type Give = (groups: Int32Array, count: number) => void;

const ONE = smallInteger(1);
const NO_GROUP = -1;

/** Compiles the contributions of a batch's matches: aggregate by aggregate if each match counts, else match by match. */
export function compileBatchContribution(output: Contribute, name: string, places: Places, context: BatchContext): BatchStep {
    const { recursive, run, take, variant } = context;
    const groups = groupsOf(run, output.relation);
    if (recursive || output.contributions.some(({ contributors }) => contributors !== 'each match')) {
        return compileOneByOne(output, name, places, context);
    }
    const { dictionary } = run;
    const [groupOf, ownGroupOf, ones] = [take(), take(), take()];
    const contributed = output.contributions.map(({ value }) => (value === undefined ? undefined : places.get(value)!));
    const isAlwaysGiven = contributed.includes(undefined);
    const { addGroups, keyAt } = compileGroups(output, groups.relation, places, context);
    const gives = output.contributions.map(({ counts }, i): Give => {
        const aggregate = groups.plan.aggregates[i]!;
        const state = groups.states[i]!;
        const vector = contributed[i];
        const isNumber = counts === 'value' && needsNumbers(aggregate);
        if (vector === undefined) {
            return (given, count) => {
                ones.fill(ONE, 0, count);
                state.addAll(given, ones, count);
            };
        }
        return (given, count) => {
            let own = given;
            for (let i = 0; i < count; i++) {
                const value = vector[i]!;
                if (value < 0) continue;
                if (dictionary.isNull(value)) {
                    if (own === given) ownGroupOf.set(given);
                    own = ownGroupOf;
                    own[i] = NO_GROUP;
                } else if (isNumber) {
                    requireNumber(aggregate, dictionary, value);
                }
            }
            if (counts === 'one') ones.fill(ONE, 0, count);
            state.addAll(own, counts === 'one' ? ones : vector, count);
        };
    });
    const isUnknown = (match: number): boolean =>
        !isAlwaysGiven && contributed.every(vector => vector![match]! >= 0 && dictionary.isNull(vector![match]!));
    return count => {
        for (let i = 0; i < count; i++) groupOf[i] = isUnknown(i) ? NO_GROUP : 0;
        addGroups(groupOf, count);
        for (let i = 0; i < count; i++) {
            if (groupOf[i] !== NO_GROUP) groups.touch(groupOf[i]!);
            else groups.leaveOut(variant.rule, keyAt(i));
        }
        for (const give of gives) give(groupOf, count);
    };
}

interface BatchGroups {
    /** Puts the numbers of the groups in the place of zeros. */
    readonly addGroups: Give;
    /** The key of a match of the batch; the array is used again. */
    readonly keyAt: (match: number) => Int32Array;
}

function compileGroups(output: Contribute, relation: Relation, places: Places, context: BatchContext): BatchGroups {
    const casts = keyCasts(output, context);
    const sources = output.keys.map(key => places.get(key)!);
    const vectors = sources.map((vector, i) => (casts[i] === undefined ? vector : context.take()));
    const [a, b] = vectors as [Int32Array, Int32Array];
    const row = new Int32Array(vectors.length);
    const groupAt = (match: number): number => {
        if (row.length === 1) return relation.add1(a[match]!);
        if (row.length === 2) return relation.add2(a[match]!, b[match]!);
        for (let i = 0; i < row.length; i++) row[i] = vectors[i]![match]!;
        return relation.add(row);
    };
    return {
        addGroups: (groupOf, count) => {
            for (let i = 0; i < casts.length; i++) castKeys(casts[i], sources[i]!, vectors[i]!, groupOf, count);
            for (let i = 0; i < count; i++) if (groupOf[i] !== NO_GROUP) groupOf[i] = groupAt(i);
        },
        keyAt: match => {
            for (let i = 0; i < row.length; i++) {
                const value = sources[i]![match]!;
                row[i] = casts[i]?.(value) ?? value;
            }
            return row;
        },
    };
}

function castKeys(cast: CastColumn | undefined, from: Int32Array, to: Int32Array, groupOf: Int32Array, count: number): void {
    if (cast === undefined) return;
    for (let i = 0; i < count; i++) if (groupOf[i] !== NO_GROUP) to[i] = cast(from[i]!);
}

function compileOneByOne(output: Contribute, name: string, places: Places, context: BatchContext): BatchStep {
    const { registers, variant } = context;
    const { values } = registers;
    const contribute = compileContribution(output, name, context);
    const slots: number[] = [];
    const vectors: Int32Array[] = [];
    for (const variable of new Set(outputVariables(output))) {
        slots.push(registers.slot(variable));
        vectors.push(places.get(variable)!);
    }
    for (const literal of variant.rule.literals.keys()) {
        const rows = places.get(nameOfRow(literal));
        if (rows === undefined) continue;
        slots.push(registers.rowOf(literal));
        vectors.push(rows);
    }
    return count => {
        for (let i = 0; i < count; i++) {
            for (let k = 0; k < slots.length; k++) values[slots[k]!] = vectors[k]![i]!;
            contribute();
        }
    };
}
