import type { PredicateKey } from '#language/program/analysed-program.ts';
import { append } from '#language/program/append.ts';
import type { Progress } from '../contracts/run-options.ts';
import type { FollowedRule, RunTeam } from '../contracts/team.ts';
import {
    contributesFacts,
    isInParts,
    isTested,
    LEVELS,
    type PlanLevel,
    type PlanLiteral,
    type PlanParts,
    type PlanRule,
    type PlanStratum,
} from '../plan/plan.ts';
import { deltaLiterals, orderRule, type PlannerInput, planTogether, planVariant, variantStarts } from '../plan/planner.ts';
import { PartwiseRelation } from '../relations/partwise-relation.ts';
import type { Relation } from '../relations/relation.ts';
import { compileVariant } from './compile-rule.ts';
import type { Groups } from './groups.ts';
import { type PartwiseStratum, runPartsByRounds, runPartsBySource, startsOf } from './parts.ts';
import { groupsOf, plannerInput, planOf, type RunContext, relationOf } from './run-context.ts';
import { followShared, isMuch, sharing } from './share-sources.ts';
import { StratumChase } from './stratum-chase.ts';
import { StratumEstimates } from './stratum-estimates.ts';
import { endOfHeight, greatestHeight, moveWindow, openWindows, type Seen } from './windows.ts';

/** The place of a stratum among the strata of the plan. */
export type Position = Pick<Progress, 'stratum' | 'strata'>;

/** The rules that fill the relations of one level. A round runs level by level, so that internal groups cost no round. */
interface Phase {
    readonly level: PlanLevel;
    /** Rules that read nothing that changes: run in the first round. */
    readonly starts: (() => void)[];
    readonly variants: RunnableVariant[];
    /** The numbers of the variants that start from what is new in a relation of the stratum, and of those that start from a lower one. */
    readonly variantsOf: Map<PredicateKey, number[]>;
    readonly lowerVariants: number[];
}

interface RunnableVariant {
    readonly fills: readonly PredicateKey[];
    /** Whether there is something new to start from. */
    readonly isDue: () => boolean;
    readonly run: () => void;
}

/**
 * The rounds of a stratum: all rules of a round read what earlier rounds have found, with the newest rows of one literal
 * at a time. With heights, a round takes the facts of one height from all relations, lower strata included, so that
 * every fact appears in the round of its smallest derivation.
 */
export class Rounds {
    readonly #stratum: PlanStratum;
    readonly #position: Position;
    readonly #context: RunContext;
    /** Relations that the rules fill, and the other ones that they read. */
    readonly #own = new Map<PredicateKey, Relation>();
    readonly #lower = new Map<PredicateKey, Relation>();
    readonly #groups = new Map<PredicateKey, Groups>();
    readonly #estimates: StratumEstimates;
    #phases: Phase[] = [];
    /** The relations that may have something new: a round need not look at the others, of which a long cycle has many. */
    readonly #live = new Set<PredicateKey>();
    #newGroup = false;
    readonly #seen: Seen | undefined;
    readonly #byHeight: boolean;
    readonly #parts: PlanParts | undefined;
    readonly #partwise: readonly PartwiseRelation[] = [];

    constructor(stratum: PlanStratum, position: Position, context: RunContext, seen?: Seen) {
        const { rules, execution } = stratum;
        this.#seen = seen;
        this.#stratum = stratum;
        this.#position = position;
        const { trees, plan } = context;
        const isWaiting = trees !== undefined && rules.some(rule => isTested(rule, plan));
        this.#context = isWaiting ? { ...context, chase: new StratumChase(trees, context) } : context;
        this.#byHeight = execution.kind === 'heights';
        for (const rule of rules) {
            for (const { relation } of rule.outputs) this.#own.set(relation, relationOf(context, relation));
        }
        for (const { relation } of rules.flatMap(rule => rule.literals)) {
            if (!this.#own.has(relation)) this.#lower.set(relation, relationOf(context, relation));
        }
        this.#estimates = new StratumEstimates(this.#own, this.#lower);
        for (const key of this.#own.keys()) if (planOf(context, key).groups !== undefined) this.#groups.set(key, groupsOf(context, key));
        if (!isInParts(execution)) return;
        this.#parts = execution.parts;
        const { forgotten } = execution.parts;
        const source = execution.kind === 'sources' ? execution.column : undefined;
        this.#partwise = [...this.#own].map(([key, relation]) => new PartwiseRelation(relation, forgotten.has(key), source));
    }

    run(): number {
        const rounds = this.#run();
        this.#context.chase?.dispose();
        return rounds;
    }

    #run(): number {
        this.#openWindows();
        this.#contributeFacts();
        this.#plan();
        if (this.#parts !== undefined) return this.#runParts(this.#parts);
        return this.#runRounds();
    }

    /** As `run`, of a recursion that is followed source by source: what is much, and may be, is shared with a team. */
    async runShared(team: RunTeam): Promise<number> {
        this.#openWindows();
        this.#plan();
        const { stratum, end } = this.#startParts(this.#parts!);
        const { starts, variants } = this.#phaseOfPredicates();
        const { values, check } = stratum;
        /** Looked for when there is much, and once. */
        let rules: readonly FollowedRule[] | 'none' | undefined;
        const from = runPartsBySource(stratum, starts, variants, (rows, sources) => {
            if (rules === 'none' || !isMuch(team, rows, sources, values.count)) return false;
            rules = this.#followedRules() ?? 'none';
            return rules !== 'none';
        });
        if (typeof rules === 'object') {
            const [filled] = this.#partwise as [PartwiseRelation];
            const work = { ...startsOf(stratum, starts, from), rules, ...sharing(values.count - from, filled.forgets) };
            await followShared(team, work, values.columns[0]!.subarray(from, values.count), filled, check);
        }
        return end();
    }

    /** Returns the relation by which each recursive rule follows the rows of a source; undefined if a rule does more. */
    #followedRules(): FollowedRule[] | undefined {
        const input = this.#plannerInput();
        const found: FollowedRule[] = [];
        for (const rule of this.#stratum.rules) {
            if (this.#parts?.starts.has(rule)) continue;
            const deltas = deltaLiterals(rule, input);
            if (deltas.length !== 1) return undefined;
            const { execution } = planVariant(rule, deltas[0], input);
            if (execution.kind !== 'followed') return undefined;
            const { read } = execution;
            const { columns, count } = relationOf(this.#context, rule.literals[read.literal]!.relation);
            const column = (at: number): Int32Array => columns[at]!.subarray(0, count);
            found.push([column(read.access.columns[0]!), column(read.binds[0]!.column)]);
        }
        return found;
    }

    #phaseOfPredicates(): { readonly starts: readonly (() => void)[]; readonly variants: readonly (() => void)[] } {
        const { starts, variants } = this.#phases.find(({ level }) => level === 'predicates')!;
        return { starts, variants: variants.map(({ run }) => run) };
    }

    #runParts(parts: PlanParts): number {
        const { stratum, end } = this.#startParts(parts);
        if (this.#stratum.execution.kind === 'parts') return end(runPartsByRounds(stratum, () => this.#runRounds()));
        const { starts, variants } = this.#phaseOfPredicates();
        runPartsBySource(stratum, starts, variants);
        return end();
    }

    /** Finds the values of the parts; `end` joins them, and gives the number of rounds. */
    #startParts({ values: key, sources }: PlanParts): { readonly stratum: PartwiseStratum; readonly end: (rounds?: number) => number } {
        const { checkpoint, relations } = this.#context;
        const check = (): void => checkpoint.enter({ phase: 'evaluating', ...this.#position, round: 1 });
        check();
        const input = this.#plannerInput();
        const fills = sources.map(rule => compileVariant(planVariant(rule, undefined, input), 'parts', false, this.#context));
        for (const relation of this.#lower.values()) relation.extendIndexes(relation.count);
        for (const fill of fills) fill();
        const stratum: PartwiseStratum = {
            values: relationOf(this.#context, key),
            relations: this.#partwise,
            groups: new Map([...this.#groups.values()].map(one => [one.relation, one])),
            check,
        };
        const end = (rounds = 2): number => {
            for (const relation of this.#partwise) relation.endParts();
            stratum.values.dispose();
            relations.delete(key);
            return rounds;
        };
        return { stratum, end };
    }

    #runRounds(): number {
        const { checkpoint, dictionary, plan } = this.#context;
        const { weaklyAcyclic, warded } = plan.program.chase;
        this.#lookAtAll();
        let counted = 0;
        const given = [...this.#own.values(), ...this.#lower.values()].reduce((facts, { count }) => facts + count, 0);
        let height = this.#seen === undefined && this.#context.chase === undefined ? 0 : greatestHeight(this.#context);
        for (let round = 1; ; round++) {
            // Rounds over a part are short.
            if (this.#parts === undefined) checkpoint.enter({ phase: 'evaluating', ...this.#position, round });
            else checkpoint.check();
            if (round > 1 && this.#stratum.ordersAnew && this.#parts === undefined && this.#estimates.areFarOff(round)) this.#plan();
            for (const key of this.#live) {
                const relation = this.#own.get(key)!;
                relation.extendIndexes(relation.to);
            }
            for (const relation of this.#lower.values()) relation.extendIndexes(relation.count);
            for (const phase of this.#phases) {
                if (round === 1) for (const start of phase.starts) start();
                this.#runDue(phase);
                if (phase.level !== 'predicates') this.#endPhase(phase.level, height);
            }
            const { changed, newGroup } = this.#endRound(height);
            if (round === 1 && this.#seen !== undefined) for (const relation of this.#lower.values()) relation.from = relation.to;
            const next = this.#nextHeight(changed, height);
            if (next === undefined) return round;
            height = next;
            if (this.#stratum.growing || (this.#groups.size > 0 && !newGroup)) counted++;
            checkpoint.checkRounds(counted, given);
            if (!weaklyAcyclic && !warded) checkpoint.checkNullDepth(dictionary.deepestNull);
        }
    }

    #lookAtAll(): void {
        for (const key of this.#own.keys()) this.#live.add(key);
    }

    /** Runs the variants that have something new to start from, in their order. */
    #runDue({ variants, variantsOf, lowerVariants }: Phase): void {
        if (variants.length === 0) return;
        const numbers = new Set(lowerVariants);
        for (const key of this.#live) for (const number of variantsOf.get(key) ?? []) numbers.add(number);
        for (const number of [...numbers].sort((one, other) => one - other)) {
            const { isDue, run, fills } = variants[number]!;
            if (!isDue()) continue;
            run();
            for (const key of fills) this.#live.add(key);
        }
    }

    /** The first round sees all there is; with heights, only what has height 0. */
    #openWindows(): void {
        if (this.#seen !== undefined) {
            openWindows([...this.#own, ...this.#lower], this.#seen);
            return;
        }
        for (const relation of this.#own.values()) {
            relation.from = 0;
            relation.to = relation.count;
        }
        for (const relation of this.#lower.values()) {
            relation.from = 0;
            relation.to = relation.count;
            if (this.#byHeight) relation.to = endOfHeight(relation, 0, 0);
        }
    }

    /** Facts of aggregated predicates are contributions, and there before the first round. */
    #contributeFacts(): void {
        for (const [index, rule] of this.#stratum.rules.entries()) {
            if (!contributesFacts(rule)) continue;
            const input = { ...this.#plannerInput(), moving: () => false };
            compileVariant(planVariant(rule, undefined, input), `facts ${index}`, false, this.#context)();
        }
        for (const groups of this.#groups.values()) groups.endRound(this.#context.options.heights ? 0 : undefined);
    }

    /** Makes what the round has found the delta of the next one. */
    #endRound(height: number): { changed: boolean; newGroup: boolean } {
        const { heights } = this.#context.options;
        this.#context.chase?.settle();
        let changed = false;
        let newGroup = this.#newGroup;
        this.#newGroup = false;
        for (const key of this.#live) {
            if (planOf(this.#context, key).level !== 'predicates') continue;
            const groups = this.#groups.get(key);
            const relation = this.#own.get(key)!;
            if (groups !== undefined) {
                newGroup = groups.endRound(heights ? height + 1 : undefined) || newGroup;
                changed ||= groups.changedCount > 0;
            } else {
                moveWindow(relation);
                changed ||= relation.from < relation.to;
                if (heights && relation.from < relation.to) relation.notes.setHeights(relation.from, relation.count, height + 1);
            }
            this.#restIfSettled(key);
        }
        this.#context.roundEnded?.(this.#own);
        const goesOn = this.#byHeight || this.#phases.some(phase => phase.variants.length > 0);
        return { changed: changed && goesOn, newGroup };
    }

    /** Lets the next level read the internal relations of this one: their rows are as high as what they were made of. */
    #endPhase(level: PlanLevel, height: number): void {
        const { heights } = this.#context.options;
        for (const key of this.#live) {
            if (planOf(this.#context, key).level !== level) continue;
            const relation = this.#own.get(key)!;
            const groups = this.#groups.get(key);
            if (groups === undefined) {
                moveWindow(relation);
                if (heights) relation.notes.setHeights(relation.from, relation.count, height);
            } else if (groups.endRound(heights ? height : undefined)) {
                this.#newGroup = true;
            }
            relation.extendIndexes(relation.to);
            this.#restIfSettled(key);
        }
        this.#context.roundEnded?.(this.#own);
    }

    /** A relation without anything new is looked at again when a rule fills it; the isomorphism test may fill any. */
    #restIfSettled(key: PredicateKey): void {
        const { from, to } = this.#own.get(key)!;
        const changedGroups = this.#groups.get(key)?.changedCount ?? 0;
        if (from === to && changedGroups === 0 && this.#context.chase === undefined) this.#live.delete(key);
    }

    /** The height of the facts that the next round starts from; undefined when nothing is left to do. */
    #nextHeight(changed: boolean, height: number): number | undefined {
        if (!this.#byHeight) return changed ? height + 1 : undefined;
        let next = changed ? height + 1 : Number.POSITIVE_INFINITY;
        for (const { to, count, notes } of this.#lower.values()) if (to < count) next = Math.min(next, notes.heights?.[to] ?? 0);
        if (next === Number.POSITIVE_INFINITY) return undefined;
        // Rewritten rows stand behind higher ones.
        next = Math.max(next, height);
        for (const relation of this.#lower.values()) {
            relation.from = relation.to;
            relation.to = endOfHeight(relation, relation.to, next);
        }
        return next;
    }

    #plan(): void {
        this.#estimates.update();
        const input = this.#plannerInput();
        this.#phases = LEVELS.map(level => ({ level, starts: [], variants: [], variantsOf: new Map(), lowerVariants: [] }));
        // New indexes have nothing in them.
        this.#lookAtAll();
        if (this.#stratum.execution.kind === 'once') {
            this.#planTogether(input);
            return;
        }
        for (const [index, whole] of this.#stratum.rules.entries()) {
            this.#context.checkpoint.check();
            const restricted = this.#parts?.starts.get(whole);
            const rule = restricted ?? whole;
            if (contributesFacts(rule)) continue;
            const { starts, variants, variantsOf, lowerVariants } = this.#phases[this.#levelOf(rule)]!;
            const fills = rule.outputs.map(({ relation }) => relation);
            const compile = (delta: number | undefined): (() => void) =>
                compileVariant(planVariant(rule, delta, input), String(index), this.#stratum.recursive, this.#context);
            const deltas = deltaLiterals(rule, input);
            if (restricted !== undefined) starts.push(compile(deltas[0]));
            else if (deltas.length === 0) starts.push(compile(undefined));
            else {
                for (const start of variantStarts(rule, input)) {
                    const literals = (start === undefined ? deltas : [start]).map(index => rule.literals[index]!);
                    for (const relation of new Set(literals.map(literal => literal.relation))) {
                        if (this.#own.has(relation)) append(variantsOf, relation, variants.length);
                        else lowerVariants.push(variants.length);
                    }
                    const news = literals.map(literal => this.#newIn(literal));
                    variants.push({ fills, isDue: () => news.some(isNew => isNew()), run: compile(start) });
                }
            }
        }
    }

    /** Of rules without recursion, those that begin alike run together. */
    #planTogether(input: PlannerInput): void {
        for (const [level, { starts }] of this.#phases.entries()) {
            const rules = this.#stratum.rules.filter(rule => !contributesFacts(rule) && this.#levelOf(rule) === level);
            const orders = rules.map(rule => {
                this.#context.checkpoint.check();
                return orderRule(rule, undefined, input);
            });
            const variants = planTogether(orders, input);
            starts.push(...variants.map((variant, index) => compileVariant(variant, `${level} ${index}`, false, this.#context)));
        }
    }

    #plannerInput(): PlannerInput {
        const input = plannerInput(this.#context);
        return {
            ...input,
            execution: this.#stratum.execution,
            estimate: key => this.#estimates.of(key) ?? input.estimate(key),
            moving: literal => this.#isMoving(literal),
        };
    }

    #levelOf(rule: PlanRule): number {
        return LEVELS.indexOf(planOf(this.#context, rule.outputs[0]!.relation).level);
    }

    #isMoving(literal: PlanLiteral): boolean {
        return !literal.negated && (literal.recursive || this.#byHeight || this.#seen !== undefined);
    }

    #newIn(literal: PlanLiteral): () => boolean {
        const groups = literal.recursive ? this.#groups.get(literal.relation) : undefined;
        if (groups !== undefined) return () => groups.changedCount > 0;
        const relation = relationOf(this.#context, literal.relation);
        return () => relation.from < relation.to;
    }
}
