import type { PredicateKey } from '#language/program/analysed-program.ts';
import { type RunContext, relationOf } from '../evaluate/run-context.ts';
import { evaluateStratum } from '../evaluate/semi-naive.ts';
import { inputsOf, type Plan, type PlanStratum } from '../plan/plan.ts';
import { Relation } from '../relations/relation.ts';
import { ChangedRows, type Changes, noteChange } from './changes.ts';
import { type Ranks, RoundTimes } from './ranks.ts';

/** The rows that a stratum derives from relations as they are, apart from the relations that it fills. */
export interface FreshRows {
    readonly relations: ReadonlyMap<PredicateKey, Relation>;
    readonly times: RoundTimes;
}

/** Evaluates a stratum by this plan; rows that are gone are not in what it reads. */
export function evaluateFresh(stratum: PlanStratum, plan: Plan, run: RunContext): FreshRows {
    const relations = new Map(run.relations);
    const copies: Relation[] = [];
    for (const key of stratum.relations) relations.delete(key);
    if (!plan.rewrites) {
        for (const key of readBy(stratum, plan)) {
            const relation = relations.get(key);
            if (relation === undefined || relation.gone === 0) continue;
            copies.push(livingCopy(relation));
            relations.set(key, copies.at(-1)!);
        }
    }
    const times = new RoundTimes();
    const context: RunContext = { ...run, plan, relations, groups: new Map(), roundEnded: times.note };
    evaluateStratum(stratum, { stratum: 1, strata: 1 }, context);
    for (const copy of copies) copy.dispose();
    return { relations: new Map(stratum.relations.map(key => [key, relationOf(context, key)])), times };
}

function readBy({ relations, rules }: PlanStratum, plan: Plan): ReadonlySet<PredicateKey> {
    const own = new Set(relations);
    const inputs = relations.flatMap(key => {
        const call = plan.relations.get(key)?.call;
        return call === undefined ? [] : inputsOf(call);
    });
    return new Set([...rules.flatMap(({ literals }) => literals.map(({ relation }) => relation)), ...inputs].filter(key => !own.has(key)));
}

/** The rows that are there, in their order. */
export function livingCopy(relation: Relation): Relation {
    const copy = new Relation(relation.arity, relation.memory);
    const rows: number[] = [];
    for (let row = 0; row < relation.count; row++) if (!relation.isGone(row)) rows.push(row);
    copy.append(
        relation.columns.map(column => Int32Array.from(rows, row => column[row]!)),
        rows.length,
    );
    return copy;
}

/**
 * Makes a relation what another one is, and notes what that changes. `within` says which rows the other one stands for, where these are
 * not all; `ranks` are those of the wanted rows.
 */
export function follow(
    key: PredicateKey,
    relation: Relation,
    wanted: Relation,
    changes: Changes,
    { within, ranks }: Following = {},
): ChangedRows {
    const changed = new ChangedRows(relation);
    const isWanted = new Uint8Array(relation.count + wanted.count);
    const { columns, arity } = wanted;
    const row = new Int32Array(arity);
    const wantedRanks = ranks?.times.ranksOf(wanted);
    let next = 0;
    for (let index = 0; index < wanted.count; ) {
        // What an evaluation finds again it mostly finds in the same order.
        let count = sameRows(relation, next, wanted, index);
        if (count === 0) {
            for (let column = 0; column < arity; column++) row[column] = columns[column]![index]!;
            next = changed.place(row);
            count = 1;
        } else if (relation.gone > 0) changed.restoreAll(next, next + count);
        isWanted.fill(1, next, next + count);
        if (wantedRanks !== undefined) ranks!.of.take(next, wantedRanks.subarray(index, index + count));
        next += count;
        index += count;
    }
    const take = (old: number): void => {
        if (isWanted[old] === 0 && !relation.isGone(old)) changed.take(old);
    };
    if (within === undefined) for (let old = 0; old < relation.count; old++) take(old);
    else for (const old of within) take(old);
    relation.extendIndexes(relation.count);
    noteChange(key, changed, changes);
    return changed;
}

/** Rows that are compared at once. */
const COMPARED = 64;

/** How many rows, from one on, be they there or gone, are those of another relation from one on. */
function sameRows(relation: Relation, from: number, wanted: Relation, index: number): number {
    let count = Math.min(COMPARED, relation.count - from, wanted.count - index);
    for (let column = 0; column < wanted.arity; column++) {
        const [left, right] = [relation.columns[column]!, wanted.columns[column]!];
        let same = 0;
        while (same < count && left[from + same] === right[index + same]) same++;
        count = same;
    }
    return Math.max(count, 0);
}

interface Following {
    readonly within?: Iterable<number>;
    readonly ranks?: { readonly of: Ranks; readonly times: RoundTimes };
}
