import type { RunOptions } from '#engine/contracts/run-options.ts';
import { type Report, report } from '#engine/reports/reports.ts';
import type { Dictionary } from '#engine/values/dictionary.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import type { AnalysedProgram, PredicateKey } from '#language/program/analysed-program.ts';
import { type NaiveRelation, type Tuple, tupleKey } from './naive-relation.ts';
import type { Match, NaiveRule } from './naive-rule.ts';

interface Known {
    /** The round of the stratum in which the fact appeared; 0 for what was there before. */
    round: number;
    readonly trees: ReadonlySet<string>;
    /** Its trees hold its form. */
    readonly derived: boolean;
    readonly predicate: PredicateKey;
    readonly tuple: Tuple;
}

interface Waiting {
    readonly predicate: PredicateKey;
    readonly tuple: Tuple;
    readonly trees: Set<string>;
}

/** The isomorphism test of D-29, word for word: facts with their trees, and trees with the forms of their facts. */
export class NaiveChase {
    readonly #program: AnalysedProgram;
    readonly #dictionary: Dictionary;
    readonly #report: (report: Report) => void;
    readonly #copies: number;
    #facts = new Map<string, Known>();
    /** How often each tree holds each form. */
    #held = new Map<string, number>();
    #waiting = new Map<string, Waiting>();
    #before = { facts: this.#facts, held: this.#held };
    #round = 0;

    constructor(program: AnalysedProgram, options: RunOptions, dictionary: Dictionary, addReport: (report: Report) => void) {
        this.#program = program;
        this.#dictionary = dictionary;
        this.#report = addReport;
        this.#copies = program.chase.harmfulJoinOverRecursiveNulls ? options.limits.isoDepth : 1;
    }

    /** Begins a stratum: all facts so far were there before its first round. */
    begin(): void {
        for (const fact of this.#facts.values()) fact.round = 0;
        this.#waiting.clear();
        this.#before = { facts: new Map(this.#facts), held: new Map(this.#held) };
        this.#round = 0;
    }

    /** Begins the stratum again. */
    beginAgain(): void {
        this.#facts = new Map(this.#before.facts);
        this.#held = new Map(this.#before.held);
        this.#round = 0;
    }

    /** Takes what the rule derives from the match, unless an earlier round has had this match. */
    offer(predicate: PredicateKey, tuple: Tuple, rule: NaiveRule, match: Match | undefined): void {
        const id = `${predicate} ${tupleKey(tuple)}`;
        if (this.#facts.has(id)) return;
        const parent = match && this.#parentOf(rule, match);
        if (match !== undefined && parent !== undefined) {
            const newest = Math.max(...match.facts.map((fact, i) => this.#known(rule.positive[i]!.predicate, fact).round));
            if (newest !== this.#round - 1) return;
        }
        const waiting = this.#waiting.get(id) ?? { predicate, tuple, trees: new Set() };
        this.#waiting.set(id, waiting);
        for (const tree of parent?.trees ?? [id]) waiting.trees.add(tree);
    }

    /** Ends a round: what was offered and stays. */
    settle(): readonly Pick<Waiting, 'predicate' | 'tuple'>[] {
        const stays = [...this.#waiting.values()].filter(waiting => {
            const form = this.#formOf(waiting);
            return form === undefined || [...waiting.trees].some(tree => (this.#held.get(`${tree} ${form}`) ?? 0) < this.#copies);
        });
        if (stays.length < this.#waiting.size && this.#program.chase.harmfulJoinOverRecursiveNulls) {
            this.#report(report('RT030', {}, this.#copies));
        }
        for (const waiting of stays) {
            const { predicate, tuple, trees } = waiting;
            this.#facts.set(`${predicate} ${tupleKey(tuple)}`, { round: this.#round, trees, derived: true, predicate, tuple });
            const form = this.#formOf(waiting);
            if (form === undefined) continue;
            for (const tree of trees) this.#held.set(`${tree} ${form}`, (this.#held.get(`${tree} ${form}`) ?? 0) + 1);
        }
        this.#waiting = new Map();
        return stays;
    }

    /** Ends the round for facts that no rule has offered, the rows of groups among them: they are roots. */
    endRound(predicate: PredicateKey, tuples: readonly Tuple[]): void {
        for (const tuple of tuples) {
            const id = `${predicate} ${tupleKey(tuple)}`;
            if (!this.#facts.has(id)) this.#facts.set(id, { round: this.#round, trees: new Set([id]), derived: false, predicate, tuple });
        }
    }

    /** Facts whose nulls were replaced stay in their trees; a fact that was there already belongs to the trees of both. */
    rewrite(relations: ReadonlyMap<PredicateKey, NaiveRelation>, resolve: (value: ValueId) => ValueId): void {
        const all = [...relations].flatMap(([predicate, { tuples }]) => tuples.map(tuple => this.#known(predicate, tuple)));
        this.#facts = new Map();
        this.#held = new Map();
        for (const { predicate, tuple, trees, derived } of all) {
            const rewritten = tuple.map(resolve);
            const id = `${predicate} ${tupleKey(rewritten)}`;
            const other = this.#facts.get(id);
            this.#facts.set(id, {
                round: 0,
                trees: new Set([...trees, ...(other?.trees ?? [])]),
                derived: derived || other?.derived === true,
                predicate,
                tuple: rewritten,
            });
        }
        for (const known of this.#facts.values()) {
            const form = known.derived ? this.#formOf(known) : undefined;
            if (form === undefined) continue;
            for (const tree of known.trees) this.#held.set(`${tree} ${form}`, (this.#held.get(`${tree} ${form}`) ?? 0) + 1);
        }
    }

    /** Takes the facts of a stratum that derives all of them again out of their trees. */
    forget(predicates: ReadonlySet<PredicateKey>): void {
        for (const [id, known] of this.#facts) {
            if (!predicates.has(known.predicate)) continue;
            this.#facts.delete(id);
            const form = known.derived ? this.#formOf(known) : undefined;
            if (form === undefined) continue;
            for (const tree of known.trees) this.#held.set(`${tree} ${form}`, (this.#held.get(`${tree} ${form}`) ?? 0) - 1);
        }
    }

    nextRound(): void {
        this.#round++;
    }

    /** The fact that the ward matched, or the only atom. */
    #parentOf({ rule, positive }: NaiveRule, { facts }: Match): Known | undefined {
        if (rule.reads.length > 0) return undefined;
        const ward = this.#program.chase.rules[rule.index]?.ward;
        const guard = ward === undefined ? undefined : rule.literals[ward];
        const index = positive.length === 1 ? 0 : guard === undefined ? -1 : positive.indexOf(guard);
        return index < 0 ? undefined : this.#known(positive[index]!.predicate, facts[index]!);
    }

    #known(predicate: PredicateKey, tuple: Tuple): Known {
        const id = `${predicate} ${tupleKey(tuple)}`;
        return this.#facts.get(id) ?? { round: 0, trees: new Set([id]), derived: false, predicate, tuple };
    }

    /** The fact with its nulls that come from rules numbered by first appearance; undefined where it has none. */
    #formOf({ predicate, tuple }: Pick<Waiting, 'predicate' | 'tuple'>): string | undefined {
        const numbers = new Map<ValueId, number>();
        const text = (value: ValueId): string => {
            if (this.#dictionary.comesFromRule(value)) {
                if (!numbers.has(value)) numbers.set(value, numbers.size);
                return `null ${numbers.get(value)}`;
            }
            const kind = this.#dictionary.kind(value);
            if (kind !== 'list' && kind !== 'set' && kind !== 'map' && kind !== 'struct') return String(value);
            return `${kind}(${this.#dictionary.membersOf(value).map(text).join()})`;
        };
        const form = `${predicate}(${tuple.map(text).join()})`;
        return numbers.size === 0 ? undefined : form;
    }
}
