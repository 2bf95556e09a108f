import type { PredicateKey } from '#language/program/analysed-program.ts';
import { Relation } from '../relations/relation.ts';
import { report } from '../reports/reports.ts';
import { grownInts } from '../values/memory.ts';
import type { ValueId } from '../values/value-id.ts';
import type { Checkpoint } from './checkpoint.ts';
import { type TreeSetId, type TreeSets, UNNUMBERED } from './derivation-trees.ts';
import { TreeForms } from './isomorphism.ts';
import type { RunContext } from './run-context.ts';

/**
 * The isomorphism test of D-29 over the rounds of one stratum (after Bellomarini, Sallinger, Gottlob: The Vadalog System,
 * 2018). What a round derives waits until the round ends, so that nothing depends on the order inside it: then a new fact
 * gets the trees of all its parents, and is dropped where each of them holds the like from earlier rounds.
 */
export class StratumChase {
    readonly #context: RunContext;
    readonly #trees: TreeSets;
    readonly #copies: number;
    readonly #waiting = new Map<PredicateKey, WaitingFacts>();

    constructor(trees: TreeSets, context: RunContext) {
        const { chase } = context.plan.program;
        this.#context = context;
        this.#trees = trees;
        this.#copies = chase.harmfulJoinOverRecursiveNulls ? context.options.limits.isoDepth : 1;
    }

    /** Returns the facts that wait for a relation, which may have facts from before. */
    waitingFor(key: PredicateKey, relation: Relation): WaitingFacts {
        let waiting = this.#waiting.get(key);
        if (waiting === undefined) {
            const forms = new TreeForms(relation.arity, this.#copies, this.#trees, this.#context.dictionary, this.#context.memory);
            waiting = new WaitingFacts(relation, forms, this.#trees, this.#context.checkpoint);
            this.#waiting.set(key, waiting);
        }
        return waiting;
    }

    /** Ends a round. */
    settle(): void {
        let dropped = false;
        for (const waiting of this.#waiting.values()) dropped = waiting.admit() || dropped;
        for (const waiting of this.#waiting.values()) waiting.enter();
        if (dropped && this.#context.plan.program.chase.harmfulJoinOverRecursiveNulls) {
            this.#context.report(report('RT030', {}, this.#copies));
        }
    }

    dispose(): void {
        for (const waiting of this.#waiting.values()) waiting.dispose();
    }
}

/** Estimated bytes of a set for each of its members. */
const BYTES_PER_PARENT = 40;

/** The facts that one round derives for a relation, with the trees of their parents. */
export class WaitingFacts {
    readonly relation: Relation;
    readonly #trees: TreeSets;
    readonly #forms: TreeForms;
    readonly #checkpoint: Checkpoint;
    #facts: Relation;
    /** By fact, the trees of its first parent, and those of the others. */
    #first: Int32Array = new Int32Array(64);
    readonly #more = new Map<number, Set<TreeSetId>>();
    #moreBytes = 0;
    /** Pairs of trees and the form of a fact that they hold from the next round on. */
    #admitted: Int32Array = new Int32Array(64);
    #admittedCount = 0;

    constructor(relation: Relation, forms: TreeForms, trees: TreeSets, checkpoint: Checkpoint) {
        this.relation = relation;
        this.#checkpoint = checkpoint;
        this.#trees = trees;
        this.#forms = forms;
        this.#facts = new Relation(relation.arity, relation.memory);
        relation.memory.reserve(this.#first.byteLength + this.#admitted.byteLength);
        const fact: ValueId[] = [];
        for (let row = 0; row < relation.count && relation.notes.trees !== undefined; row++) {
            const set = relation.notes.trees[row] ?? UNNUMBERED;
            if (set === UNNUMBERED || relation.isGone(row)) continue;
            for (let column = 0; column < relation.arity; column++) fact[column] = relation.columns[column]![row]!;
            const form = forms.formOf(fact);
            if (form !== undefined) forms.add(set, form);
        }
    }

    /** A fact, which may be known already, with the trees of its parent, or `UNNUMBERED` where it has no parent. */
    offer(fact: ArrayLike<ValueId>, trees: TreeSetId): void {
        if (this.relation.findKey(fact) >= 0) return;
        const before = this.#facts.count;
        const number = this.#facts.add(fact);
        if (number < before) {
            if (this.#first[number] !== trees) this.#addParent(number, trees);
            return;
        }
        if (number === this.#first.length) this.#first = grownInts(this.relation.memory, this.#first, 2 * number);
        this.#first[number] = trees;
    }

    /** Adds what has waited to the relation, as far as its trees hold nothing like it. Returns whether something was dropped. */
    admit(): boolean {
        const facts = this.#facts;
        if (facts.count === 0) return false;
        const fact = new Int32Array(facts.arity);
        let dropped = false;
        for (let number = 0; number < facts.count; number++) {
            if (--this.#checkpoint.left < 0) this.#checkpoint.check();
            for (let column = 0; column < fact.length; column++) fact[column] = facts.columns[column]![number]!;
            const form = this.#forms.formOf(fact);
            const trees = this.#treesOf(number, form !== undefined);
            if (form !== undefined) {
                if (this.#forms.isFull(trees, form)) {
                    dropped = true;
                    continue;
                }
                this.#note(trees, form);
            }
            this.relation.notes.setTrees(this.relation.add(fact), trees);
        }
        facts.dispose();
        this.#facts = new Relation(facts.arity, facts.memory);
        this.#more.clear();
        this.relation.memory.release(this.#moreBytes);
        this.#moreBytes = 0;
        return dropped;
    }

    /** Lets the trees hold what was admitted. */
    enter(): void {
        for (let i = 0; i < this.#admittedCount; i += 2) this.#forms.add(this.#admitted[i]!, this.#admitted[i + 1]!);
        this.#admittedCount = 0;
    }

    dispose(): void {
        this.#facts.dispose();
        this.#forms.dispose();
        this.relation.memory.release(this.#first.byteLength + this.#admitted.byteLength);
    }

    #addParent(number: number, trees: TreeSetId): void {
        const more = this.#more.get(number) ?? new Set();
        this.#more.set(number, more);
        if (more.has(trees)) return;
        more.add(trees);
        this.relation.memory.reserve(BYTES_PER_PARENT);
        this.#moreBytes += BYTES_PER_PARENT;
    }

    #note(trees: TreeSetId, form: number): void {
        if (this.#admittedCount === this.#admitted.length) {
            this.#admitted = grownInts(this.relation.memory, this.#admitted, 2 * this.#admittedCount);
        }
        this.#admitted[this.#admittedCount++] = trees;
        this.#admitted[this.#admittedCount++] = form;
    }

    /** The trees of a waiting fact: those of its parents, and one of its own where it was derived without a parent. */
    #treesOf(number: number, needsNumber: boolean): TreeSetId {
        const first = this.#first[number]!;
        const more = this.#more.get(number);
        if (more === undefined) return first === UNNUMBERED && needsNumber ? this.#trees.newTree() : first;
        const sets = new Set([first, ...more]);
        if (sets.delete(UNNUMBERED)) sets.add(this.#trees.newTree());
        return this.#trees.union([...sets]);
    }
}
