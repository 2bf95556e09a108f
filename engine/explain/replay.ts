import type { AnalysedRule, PredicateKey } from '#language/program/analysed-program.ts';
import type { ClausePlace } from '#language/program/span.ts';
import type { Database } from '../contracts/database.ts';
import type { Rows } from '../relations/rows.ts';
import type { NullLabel } from '../values/text.ts';
import { explainFact } from './explain.ts';
import type { DerivationNode, FactNode } from './explanation.ts';
import type { FactRow } from './match-rule.ts';

/** What a stratum derives in one round: rows of one height. */
export interface ReplayRound {
    /** Zero-based, among the strata that derive something. */
    readonly stratum: number;
    /** The height of its rows. */
    readonly height: number;
    /** The number of its first step. */
    readonly from: number;
    readonly steps: number;
    readonly parts: readonly RoundPart[];
}

/** The rows that one predicate gets in a round: these entries of its rows by height. */
interface RoundPart {
    readonly predicate: PredicateKey;
    readonly start: number;
    readonly end: number;
}

/** A match that derives a row. */
export interface ReplayStep {
    readonly row: FactRow;
    /** The rule, or the equality head that has given the row its values; undefined where nothing gives the row any more. */
    readonly rule: AnalysedRule | undefined;
}

export interface ReplayOptions {
    readonly label: NullLabel;
    /** Ends whatever is sought by an error once nobody waits for it. */
    readonly checkpoint?: () => void;
}

/**
 * The derivation of a database whose run kept heights, as steps in order: by stratum, height, rule and row. Each step is the match that
 * explains a row first; premises come before what rests on them. Steps of a round are sought when one of them is asked for. Values are
 * those at the end of the run: groups have their results, and nulls what took their places.
 */
export class Replay {
    readonly database: Database;
    readonly label: NullLabel;
    readonly rounds: readonly ReplayRound[];
    /** The number of steps. */
    readonly count: number;
    readonly strata: number;
    readonly #checkpoint: () => void;
    readonly #byHeight = new Map<PredicateKey, RowsByHeight>();
    readonly #stratumOf = new Map<PredicateKey, number>();
    readonly #rules = new Map<ClausePlace, AnalysedRule>();
    readonly #steps = new Map<ReplayRound, RoundSteps>();
    /** By stratum and height. */
    readonly #roundsOf = new Map<string, ReplayRound>();

    constructor(database: Database, { label, checkpoint = () => undefined }: ReplayOptions) {
        this.database = database;
        this.label = label;
        this.#checkpoint = checkpoint;
        for (const rule of database.program.rules) this.#rules.set(rule.rule.place, rule);
        const rounds: ReplayRound[] = [];
        let count = 0;
        let strata = 0;
        for (const { predicates } of database.program.strata) {
            const parts = new Map<number, RoundPart[]>();
            for (const predicate of predicates) {
                const rows = database.relation(predicate);
                if (rows === undefined) continue;
                const byHeight = rowsByHeight(rows);
                this.#byHeight.set(predicate, byHeight);
                this.#stratumOf.set(predicate, strata);
                for (const [height, [start, end]] of byHeight.heights) {
                    if (height === 0) continue;
                    const known = parts.get(height);
                    if (known === undefined) parts.set(height, [{ predicate, start, end }]);
                    else known.push({ predicate, start, end });
                }
            }
            for (const height of [...parts.keys()].sort((left, right) => left - right)) {
                const own = parts.get(height)!;
                const steps = own.reduce((sum, { start, end }) => sum + end - start, 0);
                const round = { stratum: strata, height, from: count, steps, parts: own };
                rounds.push(round);
                this.#roundsOf.set(`${strata}:${height}`, round);
                count += steps;
            }
            if (parts.size > 0) strata++;
        }
        this.rounds = rounds;
        this.count = count;
        this.strata = strata;
    }

    /** The number among the rounds of that in which a step is; there are as many as rounds after the last step. */
    roundAt(step: number): number {
        let low = 0;
        let high = this.rounds.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            const { from, steps } = this.rounds[middle]!;
            if (from + steps <= step) low = middle + 1;
            else high = middle;
        }
        return low;
    }

    step(index: number): ReplayStep {
        const round = this.rounds[this.roundAt(index)];
        const step = round && this.#stepsOf(round).steps[index - round.from];
        if (step === undefined) throw new RangeError(`there is no step ${index}`);
        return step;
    }

    /** The step that derives a row; undefined for a row that is given. */
    stepOf(fact: FactRow): number | undefined {
        const round = this.#roundOf(fact);
        const at = round && this.#stepsOf(round).numbers.get(nameOf(fact));
        return at === undefined ? undefined : round!.from + at;
    }

    /** Whether a row is there before a step is made. */
    isThere(fact: FactRow, step: number): boolean {
        const round = this.#roundOf(fact);
        if (round === undefined || round.from + round.steps <= step) return true;
        return round.from < step && (this.stepOf(fact) ?? 0) < step;
    }

    /** The rows that a predicate has before a step is made: given ones, then those of the steps in their order, but for rounds that are over in the order of their relation. */
    rowsBefore(predicate: PredicateKey, step: number): RowsSoFar {
        const byHeight = this.#byHeight.get(predicate);
        if (byHeight === undefined) return { count: 0, at: () => -1 };
        const { rows, heights } = byHeight;
        const round = this.rounds[this.roundAt(step)];
        const stratum = this.#stratumOf.get(predicate) ?? 0;
        const [, given = 0] = heights.get(0) ?? [];
        if (round === undefined || stratum < round.stratum) return { count: rows.length, at: index => rows[index] ?? -1 };
        if (stratum > round.stratum) return { count: given, at: index => rows[index] ?? -1 };
        let over = given;
        for (const [height, [, end]] of heights) if (height < round.height && end > over) over = end;
        const isRunning = step > round.from && round.parts.some(part => part.predicate === predicate);
        const own = isRunning ? this.#stepsOf(round).steps.slice(0, step - round.from) : [];
        const recent = own.filter(({ row }) => row.predicate === predicate).map(({ row }) => row.row);
        return { count: over + recent.length, at: index => (index < over ? rows[index] : recent[index - over]) ?? -1 };
    }

    /** Why a row is there, with what the variables of rules hold. */
    explain(fact: FactRow): FactNode {
        return explainFact(this.database, fact, { label: this.label, registers: true, checkpoint: this.#checkpoint });
    }

    ruleOf({ place }: Pick<DerivationNode, 'place'>): AnalysedRule | undefined {
        return this.#rules.get(place);
    }

    #roundOf({ predicate, row }: FactRow): ReplayRound | undefined {
        const height = this.database.relation(predicate)?.notes?.heights?.[row] ?? 0;
        return this.#roundsOf.get(`${this.#stratumOf.get(predicate)}:${height}`);
    }

    #stepsOf(round: ReplayRound): RoundSteps {
        const known = this.#steps.get(round);
        if (known !== undefined) return known;
        const steps = round.parts.flatMap(({ predicate, start, end }) => {
            const { rows } = this.#byHeight.get(predicate)!;
            return Array.from(rows.subarray(start, end), (row): ReplayStep => {
                this.#checkpoint();
                return { row: { predicate, row }, rule: this.#ruleFor({ predicate, row }) };
            });
        });
        const order = ({ rule }: ReplayStep): number => rule?.index ?? this.database.program.rules.length;
        steps.sort((left, right) => order(left) - order(right));
        const found = { steps, numbers: new Map(steps.map(({ row }, number) => [nameOf(row), number])) };
        this.#steps.set(round, found);
        return found;
    }

    /** Where one rule alone can have derived a row, nothing has to be sought. */
    #ruleFor(row: FactRow): AnalysedRule | undefined {
        const { program } = this.database;
        const [first, ...others] = program.predicates.get(row.predicate)?.rules ?? [];
        const isRewritten = (this.database.relation(row.predicate)?.notes?.rewrites?.[row.row] ?? 0) > 0;
        if (first !== undefined && others.length === 0 && !isRewritten) return program.rules[first];
        const [derivation] = this.explain(row).derivations;
        return derivation && this.ruleOf(derivation);
    }
}

function nameOf({ predicate, row }: FactRow): string {
    return `${predicate}:${row}`;
}

interface RoundSteps {
    readonly steps: readonly ReplayStep[];
    /** The numbers of the steps in the round, by their rows. */
    readonly numbers: ReadonlyMap<string, number>;
}

/** The rows of a predicate at a moment. */
export interface RowsSoFar {
    readonly count: number;
    /** The number in its relation of one of them. */
    readonly at: (index: number) => number;
}

interface RowsByHeight {
    /** The rows in the order of their heights, those of one height in the order of the relation. */
    readonly rows: Int32Array;
    /** For each height the entries above that have it, ascending. */
    readonly heights: ReadonlyMap<number, readonly [start: number, end: number]>;
}

/** By counting (counting sort), since heights are few beside rows. */
function rowsByHeight({ count, notes }: Rows): RowsByHeight {
    const counts = new Map<number, number>();
    const heightOf = (row: number): number => notes?.heights?.[row] ?? 0;
    for (let row = 0; row < count; row++) counts.set(heightOf(row), (counts.get(heightOf(row)) ?? 0) + 1);
    const heights = new Map<number, readonly [number, number]>();
    let next = 0;
    for (const height of [...counts.keys()].sort((left, right) => left - right)) {
        const end = next + (counts.get(height) ?? 0);
        heights.set(height, [next, end]);
        next = end;
    }
    const rows = new Int32Array(count);
    const free = new Map([...heights].map(([height, [start]]) => [height, start]));
    for (let row = 0; row < count; row++) {
        const height = heightOf(row);
        const at = free.get(height)!;
        rows[at] = row;
        free.set(height, at + 1);
    }
    return { rows, heights };
}
