import type { AnalysedProgram, AnalysedRule, PredicateKey, ResolvedAtom } from '#language/program/analysed-program.ts';
import { predicatesBelow } from '#language/program/predicates-below.ts';
import type { Expression } from '#language/program/program.ts';
import type { Database } from '../database.ts';
import type { Rows } from '../relations/rows.ts';
import type { ValueId } from '../values/value-id.ts';
import type { AbsentFact } from './cause.ts';
import type { FactRow } from './match-rule.ts';
import { hasRow } from './pattern-rows.ts';
import { type Repair, ruleRepairs } from './rule-repairs.ts';
import type { Steps } from './steps.ts';
import { canTry, dependents, type TrialFacts, trialRun } from './trial-run.ts';

/** A change of a rule under which the fact is derived. */
export interface ConfirmedRepair {
    readonly repair: Repair;
    /** Facts of its predicate that it takes away. */
    readonly lost: number;
    /** Other facts of its predicate and of outputs that it brings or takes away. */
    readonly changes: number;
    /** The share of these facts that stays. */
    readonly kept: number;
}

interface Difference {
    readonly before: number;
    readonly lost: number;
    readonly gained: number;
}

/** Rows that all trials together may compute again, about; each trial counts as some by itself. */
const ROWS = 200_000;
const ROWS_PER_TRIAL = 300;
/** Values that are tried for the open columns of a missing fact. */
const FILLED = 6;
const FILLINGS = 12;
/** Given facts that are tried with two values exchanged. */
const MOST_GIVEN = 60;
/** Cheap and likely changes are tried first. */
const ORDER: readonly Repair['kind'][] = ['exchanged', 'comparison', 'negation', 'constant', 'dropped', 'variable'];

/** Tries out changes of a program that lacks a fact, as long as the rows last that it may compute. */
export class Trials {
    readonly #database: Database;
    readonly #asked: AbsentFact;
    readonly #steps: Steps;
    /** What comparing facts takes is paid for by the trial. */
    readonly #looks: Steps;
    readonly #costs = new Map<PredicateKey, number>();
    /** Whether a second run would do the same as the first. */
    readonly canTry: boolean;
    #rowsLeft = ROWS;
    /** Changes that there were no rows left for. */
    untried = 0;

    constructor(database: Database, asked: AbsentFact, steps: Steps) {
        this.#database = database;
        this.#steps = steps;
        this.#looks = steps.apart(Number.POSITIVE_INFINITY);
        this.#asked = asked;
        this.canTry = canTry(database);
    }

    /** The changes of single rules under which the fact is derived. */
    repairs(): ConfirmedRepair[] {
        if (!this.canTry) return [];
        const { program } = this.#database;
        const below = predicatesBelow(program, [this.#asked.predicate]);
        const rules = program.rules.filter(
            ({ heads, rule }) => rule.body.kind === 'items' && heads.some(({ predicate }) => below.has(predicate)),
        );
        const repairs = rules.flatMap(rule =>
            [...ruleRepairs(rule, (head, column) => constantsAt(program, head, column))].filter(repair =>
                staysStratified(program, rule, repair),
            ),
        );
        repairs.sort((left, right) => ORDER.indexOf(left.kind) - ORDER.indexOf(right.kind));
        return repairs.flatMap((repair): ConfirmedRepair[] => {
            const [head] = repair.rule.heads;
            if (head === undefined || !this.#pay(head.predicate)) return [];
            const shown = [...new Set([this.#asked.predicate, ...program.outputs])];
            const after = trialRun(this.#database, { rule: repair.rule }, shown, this.#steps);
            if (after === undefined || !this.#isThere(after)) return [];
            const counts = shown.map(key => this.#difference(key, after(key)));
            const sum = (count: (one: Difference) => number): number => counts.reduce((total, one) => total + count(one), 0);
            const lost = sum(one => one.lost);
            const before = sum(one => one.before);
            const changes = lost + sum(one => one.gained) - 1;
            return [{ repair, lost: counts[0]!.lost, changes, kept: before === 0 ? 1 : (before - lost) / (before + changes - lost + 1) }];
        });
    }

    /** The given facts that the one asked about may hang on; none where there are many. */
    givenBelow(): readonly FactRow[] {
        const { program } = this.#database;
        const predicates = [...predicatesBelow(program, [this.#asked.predicate])].flatMap(key => program.predicates.get(key) ?? []);
        const given = predicates.filter(
            ({ facts, inputBinds, rules }) => (facts.length > 0 || inputBinds.length > 0) && rules.length === 0,
        );
        const facts = given.flatMap(({ key }) =>
            Array.from(
                { length: Math.min(MOST_GIVEN, this.#database.relation(key)?.count ?? 0) },
                (_, row): FactRow => ({ predicate: key, row }),
            ),
        );
        return facts.length >= MOST_GIVEN ? [] : facts;
    }

    /** Whether the fact is derived once another one is given, with some value in its open columns, perhaps in place of one; undefined where nobody knows. */
    withFact({ predicate, values, names = [] }: AbsentFact, insteadOf?: readonly ValueId[]): boolean | undefined {
        if (!this.canTry) return undefined;
        if (this.#cost(predicate) > this.#rowsLeft) {
            this.untried++;
            return undefined;
        }
        const rows = this.#database.relation(predicate);
        const fresh = values
            .map((value, column) => value ?? this.#freshValue(rows, column))
            .map((value, column, row) => {
                const name = names[column];
                return name === undefined ? value : row[names.indexOf(name)]!;
            });
        let all: ValueId[][] = [[]];
        for (const [column, value] of values.entries()) {
            const agreeing = names[column] === undefined ? column : names.indexOf(names[column]);
            const open = value === undefined ? someValues(rows, column) : [value];
            all = all.flatMap(row => (agreeing < column ? [[...row, row[agreeing]!]] : open.map(one => [...row, one]))).slice(0, FILLINGS);
        }
        for (const row of values.includes(undefined) ? [...all, fresh] : all) {
            if (!this.#pay(predicate)) return undefined;
            const fact = { predicate, values: row, ...(insteadOf === undefined ? {} : { insteadOf }) };
            const after = trialRun(this.#database, { fact }, [this.#asked.predicate], this.#steps);
            if (after !== undefined && this.#isThere(after)) return true;
        }
        return false;
    }

    /** A value that a column does not have: a contributor of its own. */
    #freshValue(rows: Rows | undefined, column: number): ValueId {
        const { dictionary } = this.#database;
        const ids = rows?.columns[column]?.subarray(0, rows.count) ?? [];
        let largest = 0;
        for (const id of ids) {
            if (!dictionary.isNumber(id)) return dictionary.string('another');
            largest = Math.max(largest, dictionary.numberOf(id));
        }
        return dictionary.number(Math.floor(largest) + 1);
    }

    #isThere(after: TrialFacts): boolean {
        return hasRow(after(this.#asked.predicate), this.#asked.values, this.#steps.pause);
    }

    #difference(key: PredicateKey, after: Rows | undefined): Difference {
        const before = this.#database.relation(key);
        return { before: before?.count ?? 0, lost: this.#missingIn(after, before), gained: this.#missingIn(before, after) };
    }

    /** How many rows of the second relation are not in the first. */
    #missingIn(rows: Rows | undefined, wanted: Rows | undefined): number {
        if (rows === undefined || wanted === undefined) return wanted?.count ?? 0;
        if (rows === wanted) return 0;
        let count = 0;
        const row = new Int32Array(wanted.arity);
        for (let index = 0; index < wanted.count; index++) {
            this.#looks.take();
            for (let column = 0; column < row.length; column++) row[column] = wanted.columns[column]![index]!;
            if (rows.find(row, this.#looks.pause) < 0) count++;
        }
        return count;
    }

    /** What a trial of a changed predicate takes. */
    #cost(changed: PredicateKey): number {
        let cost = this.#costs.get(changed);
        if (cost === undefined) {
            cost = ROWS_PER_TRIAL;
            for (const key of dependents(this.#database.program, new Set([changed]))) cost += this.#database.relation(key)?.count ?? 0;
            this.#costs.set(changed, cost);
        }
        return cost;
    }

    #pay(changed: PredicateKey): boolean {
        const cost = this.#cost(changed);
        if (cost > this.#rowsLeft) {
            this.untried++;
            return false;
        }
        this.#rowsLeft -= cost;
        return true;
    }
}

/** The first different values of a column. */
function someValues(rows: Rows | undefined, column: number): ValueId[] {
    const found = new Set<ValueId>();
    for (let row = 0; row < (rows?.count ?? 0) && found.size < FILLED; row++) found.add(rows!.columns[column]![row]!);
    return [...found];
}

/** A literal that is negated must not depend on the head of its rule. */
function staysStratified(program: AnalysedProgram, rule: AnalysedRule, { kind, rule: repaired }: Repair): boolean {
    if (kind !== 'negation') return true;
    const changed = repaired.literals.find((literal, index) => literal.negated !== rule.literals[index]?.negated);
    if (changed === undefined || !changed.negated) return true;
    const below = predicatesBelow(program, [changed.predicate]);
    return !rule.heads.some(({ predicate }) => below.has(predicate));
}

/** Constants that a column of a predicate has elsewhere in the rules, and the numbers beside its own. */
function constantsAt(program: AnalysedProgram, { predicate, atom }: ResolvedAtom, column: number): readonly Expression[] {
    const own = atom.arguments[column];
    const found = new Map<string, Expression>();
    for (const { heads, literals } of program.rules) {
        for (const other of [...heads, ...literals]) {
            const term = other.atom.arguments[column];
            if (other.predicate !== predicate || term === undefined || term === own) continue;
            if (term.kind === 'string' || term.kind === 'integer' || term.kind === 'double') found.set(`${term.kind} ${term.value}`, term);
        }
    }
    if (own?.kind === 'integer' && typeof own.value === 'number')
        for (const value of [own.value - 1, own.value + 1]) found.set(`integer ${value}`, { ...own, value });
    return [...found.values()];
}
