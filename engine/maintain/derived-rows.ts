import type { PredicateKey } from '#language/program/analysed-program.ts';
import { type RunContext, relationOf } from '../evaluate/run-context.ts';
import { LeastFirst } from '../plan/least-first.ts';
import type { PlanRule } from '../plan/plan.ts';
import type { Relation } from '../relations/relation.ts';
import { ChangedRows, type Changes, noteChange, startingRows, withRemoved } from './changes.ts';
import type { Ranks } from './ranks.ts';
import {
    type FoundHead,
    headsOf,
    openWindows,
    type RuleStart,
    relationsRead,
    type StartKind,
    startFrom,
    startFromHead,
} from './rule-starts.ts';

/** A relation that the rules fill, and what becomes of its rows while a change goes through it. */
interface Filled {
    readonly key: PredicateKey;
    /** The place among all of them. */
    readonly number: number;
    readonly relation: Relation;
    /** Of rows of a recursion. */
    readonly ranks: Ranks | undefined;
    changed: ChangedRows;
    /** Rows that may have lost their derivation; each has a mark. */
    doubted: number[];
    marks: Uint8Array;
    /** Rows that went, but have derivations from rows of higher ranks, should these stay. */
    hopeful: number[];
    /** Rows that came, from which nothing has followed yet. */
    fresh: number[];
}

/** A start, and of each premise of the same recursion its place and its relation; undefined for the rows that the start is given. */
interface Start extends RuleStart {
    readonly outputs: readonly Filled[];
    readonly own: readonly { readonly at: number; readonly filled: Filled | undefined }[];
}

/** The cost of a doubted row, or of a new one, in looked-up rows. */
const COST_OF_ROW = 12;
const NO_BOUND = Number.POSITIVE_INFINITY;
const NONE = -1;

/**
 * Rows that follow from rules. Each has a derivation from premises that are there and, where they are of the same recursion, of a lower
 * rank. So a row has to go only where no such derivation is left, and rows are looked at from the lowest rank on, each once: what is lower
 * is settled by then (ranks bound which rows are looked at as levels do for removed edges of a graph, Even and Shiloach 1981; without them
 * dense recursions would be taken down and built up again). Rows that went come back where they follow from rows that stay; new rows
 * follow semi-naively.
 */
export class DerivedRows {
    readonly #run: RunContext;
    readonly #rules: readonly PlanRule[];
    readonly #filled = new Map<PredicateKey, Filled>();
    /** All relations that the rules read. */
    readonly #relations: readonly Relation[];
    readonly #starts = new Map<string, Start>();
    readonly #checks = new Map<Filled, readonly Start[]>();
    readonly #search = { found: false };
    /** Receives the heads that a start finds. */
    #told: FoundHead = () => undefined;

    constructor(rules: readonly PlanRule[], ranksOf: (key: PredicateKey) => Ranks | undefined, run: RunContext) {
        this.#rules = rules;
        this.#run = run;
        for (const key of new Set(rules.flatMap(({ outputs }) => outputs.map(({ relation }) => relation)))) {
            const relation = relationOf(run, key);
            const changed = new ChangedRows(relation);
            const ofUpdate = { changed, doubted: [], marks: new Uint8Array(0), hopeful: [], fresh: [] };
            this.#filled.set(key, { key, number: this.#filled.size, relation, ranks: ranksOf(key), ...ofUpdate });
        }
        this.#relations = relationsRead(rules, run);
    }

    update(changes: Changes): boolean {
        for (const filled of this.#filled.values()) this.#begin(filled);
        const heap = new LeastFirst();
        withRemoved(changes, this.#run.relations, () => this.#doubtWhatLost(changes, heap));
        this.#settle(heap);
        this.#bringBack();
        this.#addWhatGained(changes);
        this.#goOn();
        for (const { key, changed } of this.#filled.values()) noteChange(key, changed, changes);
        return true;
    }

    undo(): void {
        for (const { changed } of this.#filled.values()) changed.undo();
    }

    #begin(filled: Filled): void {
        for (const row of filled.doubted) filled.marks[row] = 0;
        filled.changed = new ChangedRows(filled.relation);
        filled.doubted = [];
        filled.hopeful = [];
        filled.fresh = [];
        if (filled.marks.length < filled.relation.count) filled.marks = new Uint8Array(filled.relation.count);
    }

    #doubtWhatLost(changes: Changes, heap: LeastFirst): void {
        this.#eachStart(changes, 'loss', (start, relation, rows) => {
            this.#told = (output, values) => doubt(start.outputs[output]!, values, 0, heap, this.#filled.size);
            start.run(relation, rows);
        });
    }

    #addWhatGained(changes: Changes): void {
        this.#eachStart(changes, 'gain', (start, relation, rows) => {
            this.#told = (output, values, premises) => add(start.outputs[output]!, values, rankAbove(start, premises));
            start.run(relation, rows);
        });
    }

    /** Each literal of a rule that reads a relation below which has changed, with the rows that make derivations come or go. */
    #eachStart(changes: Changes, kind: StartKind, each: (start: Start, relation: Relation, rows: readonly number[]) => void): void {
        for (const [index, rule] of this.#rules.entries()) {
            for (const [at, { relation, negated }] of rule.literals.entries()) {
                const change = this.#filled.has(relation) ? undefined : changes.get(relation);
                const rows = startingRows(change, negated, kind);
                if (rows.length === 0) continue;
                const start = this.#start(index, at, kind);
                openWindows(this.#relations);
                each(start, relationOf(this.#run, relation), rows);
            }
        }
    }

    #start(index: number, at: number, kind: StartKind): Start {
        const name = `${kind} ${index} ${at}`;
        const known = this.#starts.get(name);
        if (known !== undefined) return known;
        const rule = this.#rules[index]!;
        const start = this.#withOwn(
            rule.outputs.map(({ relation }) => relation),
            startFrom(rule, at, kind, this.#run, (output, values, rows) => this.#told(output, values, rows)),
        );
        this.#starts.set(name, start);
        return start;
    }

    #withOwn(outputs: readonly PredicateKey[], start: RuleStart): Start {
        const own = start.premises.flatMap((key, at) => {
            const filled = key === undefined ? undefined : this.#filled.get(key);
            return key === undefined || filled !== undefined ? [{ at, filled }] : [];
        });
        return { ...start, own, outputs: outputs.map(key => this.#filled.get(key)!) };
    }

    #settle(heap: LeastFirst): void {
        const all = [...this.#filled.values()];
        let rank = 0;
        const starts = all.map(filled =>
            this.#ownStarts(filled).map(start => ({
                start,
                told: ((output, values) => doubt(start.outputs[output]!, values, rank, heap, all.length)) as FoundHead,
            })),
        );
        openWindows(this.#relations);
        for (let next = heap.next(); next !== undefined; next = heap.next()) {
            const filled = all[next.thing % all.length]!;
            const row = Math.floor(next.thing / all.length);
            rank = next.cost;
            this.#run.checkpoint.left -= COST_OF_ROW;
            const found = this.#rankOfDerivation(filled, row, filled.ranks === undefined ? NO_BOUND : rank);
            if (found > 0) continue;
            if (found < NONE) filled.hopeful.push(row);
            for (const { start, told } of starts[filled.number]!) {
                this.#told = told;
                start.run(filled.relation, [row]);
            }
            filled.changed.take(row);
        }
    }

    /** Rows that went come back where something derives them that is still there. */
    #bringBack(): void {
        for (const filled of this.#filled.values()) {
            for (const row of filled.hopeful) {
                const rank = this.#rankOfDerivation(filled, row, NO_BOUND);
                if (rank < 0) continue;
                filled.changed.restore(row);
                filled.ranks?.set(row, rank);
                filled.fresh.push(row);
            }
        }
    }

    /** Derives the consequences of new rows, round by round. */
    #goOn(): void {
        for (;;) {
            const due = [...this.#filled.values()].map(filled => [filled, filled.fresh] as const).filter(([, rows]) => rows.length > 0);
            if (due.length === 0) return;
            for (const [filled] of due) filled.fresh = [];
            for (const [, rows] of due) this.#run.checkpoint.left -= COST_OF_ROW * rows.length;
            if (this.#run.checkpoint.left < 0) this.#run.checkpoint.check();
            for (const [filled, rows] of due) {
                for (const start of this.#ownStarts(filled)) {
                    openWindows(this.#relations);
                    this.#told = (output, values, premises) =>
                        add(start.outputs[output]!, values, rankAbove(start, premises, filled.ranks, rows));
                    start.run(filled.relation, rows);
                }
            }
        }
    }

    /** A start for each literal that reads this relation. */
    #ownStarts({ key }: Filled): readonly Start[] {
        return this.#rules.flatMap((rule, index) =>
            rule.literals.flatMap(({ relation }, at) => (relation === key ? [this.#start(index, at, 'gain')] : [])),
        );
    }

    /**
     * The rank that a derivation from premises below a bound gives to a row. Without one -1, or -2 where there are derivations from
     * premises that are not below it.
     */
    #rankOfDerivation(filled: Filled, row: number, bound: number): number {
        const { columns } = filled.relation;
        let rank = NONE;
        for (const start of this.#checksOf(filled)) {
            this.#search.found = false;
            this.#told = (_, values, premises) => {
                for (let column = 0; column < values.length; column++) if (columns[column]![row] !== values[column]) return;
                const above = rankAbove(start, premises);
                if (above > bound) {
                    rank = NONE - 1;
                    return;
                }
                rank = above;
                this.#search.found = true;
            };
            start.run(filled.relation, [row]);
            if (rank > 0) return rank;
        }
        return rank;
    }

    #checksOf(filled: Filled): readonly Start[] {
        let checks = this.#checks.get(filled);
        if (checks === undefined) {
            const told: FoundHead = (found, values, rows) => this.#told(found, values, rows);
            checks = this.#rules.flatMap(rule =>
                headsOf(rule).flatMap((_, output) => {
                    if (rule.outputs[output]!.relation !== filled.key) return [];
                    return [this.#withOwn([filled.key], startFromHead(rule, output, this.#run, told, this.#search))];
                }),
            );
            this.#checks.set(filled, checks);
            openWindows(this.#relations);
        }
        return checks;
    }
}

/** A row of a higher rank than `above` may have lost its derivation. */
function doubt(filled: Filled, values: Int32Array, above: number, heap: LeastFirst, relations: number): void {
    const { relation, ranks, marks, doubted, number } = filled;
    const row = values.length === 2 ? relation.findKey2(values[0]!, values[1]!) : relation.findKey(values);
    if (row < 0 || marks[row] === 1 || relation.isGone(row)) return;
    const rank = ranks?.of(row) ?? 1;
    if (rank <= above) return;
    marks[row] = 1;
    doubted.push(row);
    heap.add(row * relations + number, rank);
}

function add({ changed, ranks, fresh }: Filled, values: Int32Array, rank: number): void {
    const row = changed.give(values);
    if (row < 0) return;
    ranks?.set(row, rank);
    fresh.push(row);
}

/** One more than the highest rank of the premises, of which a start may have been given `rows` with ranks. */
function rankAbove({ own }: Start, premises: Int32Array, ranks?: Ranks, rows?: readonly number[]): number {
    let highest = 0;
    for (let i = 0; i < own.length; i++) {
        const { at, filled } = own[i]!;
        const row = premises[at]!;
        const rank = filled === undefined ? (rows === undefined ? 0 : (ranks?.of(rows[row]!) ?? 0)) : (filled.ranks?.of(row) ?? 0);
        if (rank > highest) highest = rank;
    }
    return highest + 1;
}
