import type { PredicateKey } from '#language/program/analysed-program.ts';
import type { Progress } from '../contracts/run-options.ts';
import { inputsOf, type PlanEqualities, type PlanLiteral, type PlanRule, type PlanStratum } from '../plan/plan.ts';
import { deltaLiterals, planVariant } from '../plan/planner.ts';
import type { ValueId } from '../values/value-id.ts';
import { evaluateAnswered } from './answer-body.ts';
import { compileVariant } from './compile-rule.ts';
import { sortByHeight } from './groups.ts';
import { HeldValues } from './held-values.ts';
import { Merges } from './merges.ts';
import { plannerInput, planOf, type RunContext, relationOf } from './run-context.ts';
import { evaluateStratum, resumeStratum } from './semi-naive.ts';
import { openWindows } from './windows.ts';

type Position = Pick<Progress, 'stratum' | 'strata'>;

/** An evaluation in pieces: each is a stratum to evaluate as a whole, which is answered by its rounds. */
type Pieces = Generator<readonly [PlanStratum, Position], number, number>;

/** A stratum that has been evaluated, with what is needed to evaluate it again. */
interface Evaluated {
    readonly stratum: PlanStratum;
    readonly index: number;
    readonly position: Position;
    /** All relations that it reads or fills. */
    readonly relations: readonly PredicateKey[];
    /** It has groups, answers a relation function, or reads what such a stratum gives: it is evaluated anew. */
    readonly anew: boolean;
    /** Rows of its relations before its first evaluation: facts and source rows. */
    readonly given: Map<PredicateKey, number>;
    readonly seen: Map<PredicateKey, number>;
}

/**
 * The strata of a program with equality heads. At the end of a level its equality heads are matched, those of a later turn
 * where the earlier ones replace nothing more; where they replaced a null, the rows that hold it are rewritten in all relations, and the strata of the level go on from these rows. Groups
 * are computed anew wherever a null in what they read, or in themselves, was replaced, and so is what reads them.
 */
export class RewritingStrata {
    readonly #context: RunContext;
    readonly #evaluated: Evaluated[] = [];
    readonly #held: HeldValues;
    readonly #merges: Merges;

    constructor(context: RunContext) {
        this.#context = context;
        this.#held = new HeldValues(context.dictionary);
        this.#merges = new Merges(context);
    }

    get merges(): Merges {
        return this.#merges;
    }

    /** Evaluates a stratum, or applies equality heads; returns the number of rounds. */
    async evaluate(stratum: PlanStratum, index: number, position: Position): Promise<number> {
        const pieces = this.#pieces(stratum, index, position);
        let piece = pieces.next();
        while (!piece.done) piece = pieces.next(await evaluateAnswered(...piece.value, this.#context));
        return piece.value;
    }

    /** As `evaluate` for a program that asks nothing of its host. */
    evaluateAlone(stratum: PlanStratum, index: number, position: Position): number {
        const pieces = this.#pieces(stratum, index, position);
        let piece = pieces.next();
        while (!piece.done) piece = pieces.next(evaluateStratum(...piece.value, this.#context));
        return piece.value;
    }

    *#pieces(stratum: PlanStratum, index: number, position: Position): Pieces {
        if (stratum.equalities !== undefined) return yield* this.#apply(stratum.equalities, position);
        const read = stratum.rules.flatMap(rule => rule.literals.map(literal => literal.relation));
        const calls = stratum.relations.flatMap(key => {
            const { call } = planOf(this.#context, key);
            return call === undefined ? [] : inputsOf(call);
        });
        const relations = [...new Set([...read, ...calls, ...stratum.relations])];
        const isGroups = stratum.relations.some(key => planOf(this.#context, key).groups !== undefined);
        const anew = isGroups || calls.length > 0 || relations.some(key => this.#isMadeAnew(key));
        const given = new Map(stratum.relations.map(key => [key, relationOf(this.#context, key).count]));
        const evaluated = { stratum, index, position, relations, anew, given, seen: new Map() };
        const rounds = yield [stratum, position];
        this.#evaluated.push(evaluated);
        this.#see(evaluated);
        return rounds;
    }

    #isMadeAnew(key: PredicateKey): boolean {
        return this.#evaluated.some(({ stratum, anew }) => anew && stratum.relations.includes(key));
    }

    *#apply(equalities: PlanEqualities, position: Position): Pieces {
        const { checkpoint, relations, dictionary, options } = this.#context;
        const again = new Set(equalities.strata);
        const seen: Map<PredicateKey, number>[] = [];
        let turn = 0;
        let rounds = 0;
        let counted = 0;
        for (let round = 1; turn < equalities.turns.length; round++) {
            checkpoint.enter({ phase: 'evaluating', ...position, round });
            this.#match(equalities.turns[turn]!, seen[turn]);
            const settled = dictionary.equalities.settle();
            seen[turn] = new Map([...relations].map(([key, { count }]) => [key, count]));
            if ('different' in settled) this.#merges.clash(settled.different);
            else if (settled.replaced.length === 0) turn++;
            else {
                turn = 0;
                const changed = this.#rewrite(settled.replaced, seen);
                const { size } = dictionary;
                rounds += yield* this.#runAgain(again, changed, seen);
                // Known nulls are replaced once each; only rules that go on making others need a limit.
                if (dictionary.size > size) checkpoint.checkRounds(++counted);
            }
        }
        for (const [key, relation] of relations) {
            this.#compact(key, []);
            if (options.heights) sortByHeight(relation);
        }
        return rounds;
    }

    /** Makes the two values of every match equal that has not been seen before. */
    #match(rules: readonly PlanRule[], seen: ReadonlyMap<PredicateKey, number> | undefined): void {
        const { relations } = this.#context;
        const input = { ...plannerInput(this.#context), moving: ({ negated }: PlanLiteral) => !negated };
        for (const rule of rules) {
            const read = [...new Set(rule.literals.map(({ relation }) => relation))];
            openWindows(
                read.map(key => [key, relationOf(this.#context, key)]),
                seen ?? new Map(),
            );
            const { relation } = rule.outputs[0]!;
            this.#context.matches.set(relation, (values, rows) => this.#merges.merge(rule, values, rows));
            const deltas = seen === undefined ? [undefined] : deltaLiterals(rule, input).filter(delta => this.#isNew(rule, delta));
            for (const delta of deltas) {
                const run = compileVariant(planVariant(rule, delta, input), relation, false, this.#context);
                for (const key of read) relations.get(key)!.extendIndexes(relations.get(key)!.count);
                run();
            }
        }
    }

    #isNew(rule: PlanRule, literal: number): boolean {
        const { from, to } = relationOf(this.#context, rule.literals[literal]!.relation);
        return from < to;
    }

    /**
     * Puts their replacements in the place of values, wherever rows hold them. A rewritten row keeps its height, so that what
     * it was derived from, rewritten or not, stays below it. Returns the relations concerned.
     */
    #rewrite(replaced: readonly ValueId[], seen: readonly Map<PredicateKey, number>[]): Set<PredicateKey> {
        const { relations, dictionary, options, checkpoint, trees } = this.#context;
        const concerned = new Map<PredicateKey, Int32Array>();
        for (const [key, relation] of relations) {
            if (relation.gone * 2 > relation.count) this.#compact(key, seen);
            const rows = this.#held.rowsOf(relation, replaced);
            checkpoint.check();
            if (rows.length > 0) concerned.set(key, rows);
        }
        const rewritten = [...concerned]
            .filter(([key]) => !this.#isMadeAnew(key))
            .map(([key, rows]) => [relations.get(key)!, rows] as const);
        const resolve = (value: ValueId): ValueId => dictionary.resolve(value);
        for (const [relation, rows] of rewritten) {
            for (const row of rows) {
                const before = relation.count;
                relation.discard(row);
                const added = relation.addRewritten(row, resolve);
                if (added < before) trees?.unite(relation, added, row);
                if (added < before || !options.heights) continue;
                relation.notes.setHeights(added, added + 1, relation.notes.heights?.[row] ?? 0);
                relation.notes.setRewrite(added, this.#merges.causeOf(relation, row));
            }
        }
        return new Set(concerned.keys());
    }

    /** Lets the strata that are to run again go on from rewritten rows; what they changed is entered in `changed`. */
    *#runAgain(again: ReadonlySet<number>, changed: Set<PredicateKey>, seen: readonly Map<PredicateKey, number>[]): Pieces {
        // Where isomorphic facts are dropped, one may have been the like of a fact that is another one now: all matches count again.
        const { trees } = this.#context;
        let rounds = 0;
        for (const one of this.#evaluated) {
            if (one.anew) {
                if (!one.relations.some(key => changed.has(key))) continue;
                rounds += yield* this.#evaluateAnew(one, seen);
                for (const key of one.stratum.relations) changed.add(key);
            } else if (again.has(one.index)) {
                const counts = one.stratum.relations.map(key => relationOf(this.#context, key).count);
                const isDue = (key: PredicateKey): boolean =>
                    trees === undefined ? relationOf(this.#context, key).count > (one.seen.get(key) ?? 0) : changed.has(key);
                if (one.relations.some(isDue)) {
                    rounds += resumeStratum(one.stratum, trees === undefined ? one.seen : new Map(), one.position, this.#context);
                }
                for (const [i, key] of one.stratum.relations.entries()) {
                    if (relationOf(this.#context, key).count > counts[i]!) changed.add(key);
                }
            }
            this.#see(one);
        }
        return rounds;
    }

    *#evaluateAnew({ stratum, given, position }: Evaluated, seen: readonly Map<PredicateKey, number>[]): Pieces {
        const { dictionary } = this.#context;
        for (const key of stratum.relations) {
            const relation = relationOf(this.#context, key);
            this.#held.forget(relation);
            given.set(
                key,
                relation.rewriteFirst(given.get(key) ?? 0, value => dictionary.resolve(value)),
            );
            relation.dropIndexes();
            for (const counts of seen) counts.set(key, 0);
        }
        for (const key of stratum.relations) {
            const { call } = planOf(this.#context, key);
            for (const input of call === undefined ? [] : inputsOf(call)) this.#compact(input, seen);
        }
        return yield [stratum, position];
    }

    #see({ relations, seen }: Evaluated): void {
        for (const key of relations) seen.set(key, relationOf(this.#context, key).count);
    }

    /** Drops the rows of a relation that are gone, and counts anew what has been seen of it. */
    #compact(key: PredicateKey, seen: readonly Map<PredicateKey, number>[]): void {
        const relation = relationOf(this.#context, key);
        if (relation.gone === 0) return;
        const known = [...this.#evaluated.map(one => one.seen), ...seen].filter(counts => counts.has(key));
        for (const counts of known) {
            let left = 0;
            for (let row = 0; row < counts.get(key)!; row++) if (!relation.isGone(row)) left++;
            counts.set(key, left);
        }
        relation.compact();
        this.#held.forget(relation);
    }
}
