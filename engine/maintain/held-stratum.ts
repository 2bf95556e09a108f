import type { PredicateKey } from '#language/program/analysed-program.ts';
import { type RunContext, relationOf } from '../evaluate/run-context.ts';
import { inputsOf, type Plan, type PlanRelation, type PlanStratum } from '../plan/plan.ts';
import type { Relation } from '../relations/relation.ts';
import { type BudgetedCheckpoint, BudgetSpent } from './budget.ts';
import type { Changes } from './changes.ts';
import { DerivedRows } from './derived-rows.ts';
import { evaluateFresh, follow } from './fresh-rows.ts';
import { GroupedRows } from './grouped-rows.ts';
import { type Upkeep, upkeepOf } from './held-plan.ts';
import { PartedRows } from './parted-rows.ts';
import { Ranks, type RoundTimes } from './ranks.ts';

/** Rows that an update may look at for each millisecond that an evaluation takes: about 15 % of its time. */
const LOOKED_AT = 3_000;

/** Brings some relations of a stratum up to date; false if evaluating all of them again is better. */
interface Unit {
    update(changes: Changes): boolean;
    undo(): void;
}

/** A stratum of a program that is held, with what its relations are kept up to date by. */
export class HeldStratum {
    readonly stratum: PlanStratum;
    readonly signature: string;
    /** The relations below that it reads. */
    readonly reads: ReadonlySet<PredicateKey>;
    readonly #upkeep: Upkeep;
    /** The relations that it fills, with their groups. */
    readonly #own: readonly PlanRelation[];
    readonly #run: RunContext;
    /** Milliseconds that an evaluation takes. */
    #time = 0;
    readonly #ranks = new Map<PredicateKey, Ranks>();
    #units: readonly Unit[] | undefined;

    /** In the plan of `run` no relation has groups. */
    constructor(stratum: PlanStratum, signature: string, plan: Plan, run: RunContext) {
        this.stratum = stratum;
        this.signature = signature;
        this.#own = stratum.relations.map(key => plan.relations.get(key)!);
        this.#run = run;
        this.#upkeep = upkeepOf(stratum, plan);
        this.reads = readsOf(stratum, plan);
    }

    /** Takes the ranks of rows that an evaluation has found. */
    begin(times: RoundTimes, time: number): void {
        this.#time = time;
        if (this.#upkeep !== 'derivations') return;
        for (const key of this.stratum.relations) this.#ranks.set(key, new Ranks(times.ranksOf(relationOf(this.#run, key))));
    }

    /** Brings the relations up to date with what has changed below; `least` rows may be looked at for it in any case. */
    update(changes: Changes, checkpoint: BudgetedCheckpoint, least: number): void {
        if (this.#upkeep !== 'fresh') {
            const units = this.#units ?? this.#makeUnits();
            this.#units = units;
            const begun: Unit[] = [];
            checkpoint.allow(Math.max(least, this.#time * LOOKED_AT));
            try {
                const isDone = units.every(unit => {
                    begun.push(unit);
                    return unit.update(changes);
                });
                if (isDone) return;
            } catch (thrown) {
                if (!(thrown instanceof BudgetSpent)) throw thrown;
            } finally {
                checkpoint.allow(Number.POSITIVE_INFINITY);
            }
            for (const unit of begun) unit.undo();
            for (const key of this.stratum.relations) changes.delete(key);
        }
        this.evaluate(changes);
    }

    /** Evaluates the stratum again, and notes what is different. */
    evaluate(changes: Changes): void {
        const { clock } = this.#run.options;
        const begun = clock();
        const { relations, times } = evaluateFresh(this.stratum, this.#plan(), this.#run);
        this.#time = clock() - begun;
        for (const [key, wanted] of relations) {
            const ranks = this.#upkeep === 'derivations' ? (this.#ranks.get(key) ?? new Ranks(new Int32Array(0))) : undefined;
            if (ranks !== undefined) this.#ranks.set(key, ranks);
            follow(key, relationOf(this.#run, key), wanted, changes, ranks && { ranks: { of: ranks, times } });
            wanted.dispose();
        }
    }

    /** Hears that rows have other numbers from now on: for each row the number that it had. */
    renumbered(key: PredicateKey, rows: ArrayLike<number>): void {
        this.#ranks.get(key)?.keep(rows);
    }

    /** The plan with the groups of the relations that the stratum fills; those of others are rows like all. */
    #plan(): Plan {
        const { plan } = this.#run;
        return { ...plan, rewrites: false, relations: new Map([...plan.relations, ...this.#own.map(one => [one.key, one] as const)]) };
    }

    #makeUnits(): readonly Unit[] {
        const { stratum } = this;
        const plan = this.#plan();
        if (this.#upkeep === 'parts') return [new PartedRows(stratum, plan, this.#run)];
        const isGrouped = (key: PredicateKey): boolean => plan.relations.get(key)!.groups !== undefined;
        const derived = stratum.rules.filter(({ outputs }) => outputs.some(({ relation }) => !isGrouped(relation)));
        const groups = stratum.relations.filter(isGrouped).map(key => {
            const rules = stratum.rules.filter(({ outputs }) => outputs.some(({ relation }) => relation === key));
            return new GroupedRows(plan.relations.get(key)!, rules, this.#run);
        });
        return [...(derived.length > 0 ? [new DerivedRows(derived, key => this.#ranks.get(key), this.#run)] : []), ...groups];
    }
}

function readsOf({ relations, rules }: PlanStratum, plan: Plan): ReadonlySet<PredicateKey> {
    const own = new Set(relations);
    const inputs = relations.flatMap(key => {
        const call = plan.relations.get(key)?.call;
        return call === undefined ? [] : inputsOf(call);
    });
    const read = [...rules.flatMap(({ literals }) => literals.map(({ relation }) => relation)), ...inputs];
    return new Set(read.filter(key => !own.has(key)));
}

/** A relation of groups as one of rows like all: an edit may have the rows of a group beside each other for a while. */
export function withoutGroups(relation: Relation, make: () => Relation): Relation {
    const plain = make();
    plain.append(relation.columns, relation.count);
    relation.dispose();
    return plain;
}
