import type { AnalysedProgram, AnalysedRule, PredicateKey, ResolvedAtom } from '#language/program/analysed-program.ts';
import { predicatesBelow } from '#language/program/predicates-below.ts';
import type { Expression } from '#language/program/program.ts';
import type { Database } from '../contracts/database.ts';
import type { Rows } from '../relations/rows.ts';
import type { ValueId } from '../values/value-id.ts';
import type { AbsentFact, OpenNames } from './cause.ts';
import { areOfOneKind, mayHold } from './kinds-of-columns.ts';
import type { FactRow, HeadPattern } from './match-rule.ts';
import { partialMatcher } from './partial-match.ts';
import { hasRow, patternRows } from './pattern-rows.ts';
import type { Remedy } from './remedy.ts';
import { type Repair, ruleRepairs } from './rule-repairs.ts';
import { UNBOUND } from './rule-scope.ts';
import type { Steps } from './steps.ts';
import { type Change, type ChangedFact, dependents, type Retrial, retrialOf, type Trial, trialRun } from './trial-run.ts';

/** A change of a rule under which the fact is derived. */
export interface ConfirmedRepair {
    readonly repair: Repair;
    /** Facts of its predicate that it takes away. */
    readonly lost: number;
    /** Other facts of its predicate and of outputs that it brings or takes away. */
    readonly changes?: number;
    /** The share of these facts that stays. */
    readonly kept: number;
}

type FactRemedy = Extract<Remedy, { readonly kind: 'fact' }>;

interface Difference {
    readonly before: number;
    readonly lost: number;
    readonly gained: number;
    /** Some facts have unknown values that cannot be told again. */
    readonly isUnsure?: true;
}

/** Rows that all trials together may compute again, about; each trial counts as some by itself. */
const ROWS = 200_000;
/** Steps in which a changed rule is looked through for a new fact before it is tried. */
const LOOKED_AHEAD = 3_000;
const ROWS_PER_TRIAL = 300;
/** What a row counts that is read, derived and rewritten anew. */
const ROWS_ANEW = 4;
/** Values that are tried for the open columns of a missing fact. */
const FILLED = 6;
const FILLINGS = 12;
/** Given facts that are tried with two values exchanged. */
const MOST_GIVEN = 60;
/** Cheap and likely changes are tried first. */
const ORDER: readonly Repair['kind'][] = ['exchanged', 'comparison', 'negation', 'constant', 'dropped', 'variable'];

/** What is asked about: a fact that is not there, or without a predicate two values that are not equal. */
export interface AskedAbsence {
    readonly predicate?: PredicateKey;
    readonly values: HeadPattern;
    readonly names?: OpenNames;
}

/** Tries out changes of a program that lacks a fact, as long as the rows last that it may compute. */
export class Trials {
    readonly #database: Database;
    readonly #asked: AskedAbsence;
    /** What trials have to derive. */
    readonly #goals: readonly PredicateKey[];
    readonly #steps: Steps;
    /** What comparing facts takes is paid for by the trial. */
    readonly #looks: Steps;
    readonly #costs = new Map<string, number>();
    readonly #retrial: Retrial;
    /** Whether a second run would do the same as the first. */
    readonly canTry: boolean;
    /** Why no change can be tried out. */
    readonly untriable: 'chance' | 'equality' | undefined;
    /** Rows that are left for this absence and those of its premises. */
    readonly #rows: { left: number };
    readonly #premises = new Map<string, Trials>();
    /** Changes that there were no rows left for. */
    untried = 0;

    constructor(database: Database, asked: AskedAbsence, steps: Steps, rows = { left: ROWS }) {
        this.#database = database;
        this.#rows = rows;
        this.#steps = steps;
        this.#looks = steps.apart(Number.POSITIVE_INFINITY);
        this.#asked = asked;
        const { dictionary, program } = database;
        const isTold = (value: ValueId | undefined): boolean =>
            value === undefined || !dictionary.isNull(value) || dictionary.comesFromRule(value);
        const known = retrialOf(database);
        const retrial = known === 'wholly' && !asked.values.every(isTold) ? undefined : known;
        this.#goals = asked.predicate === undefined ? program.rules.flatMap(rule => readByEquality(rule)) : [asked.predicate];
        this.canTry = retrial !== undefined;
        this.untriable =
            retrial !== undefined ? undefined : program.rules.some(({ rule }) => rule.head.kind === 'equality') ? 'equality' : 'chance';
        this.#retrial = retrial ?? 'partly';
    }

    /** Trials of a missing premise, at the expense of these. */
    of(premise: AbsentFact): Trials {
        const name = `${premise.predicate}:${premise.values.join()}:${premise.names?.join()}`;
        const trials = this.#premises.get(name) ?? new Trials(this.#database, premise, this.#steps, this.#rows);
        this.#premises.set(name, trials);
        return trials;
    }

    /** The changes of single rules under which the fact is derived. */
    repairs(): ConfirmedRepair[] {
        if (!this.canTry) return [];
        const { program } = this.#database;
        const { predicate: asked } = this.#asked;
        if (asked === undefined) return [];
        const below = predicatesBelow(program, [asked]);
        const rules = program.rules.filter(
            ({ heads, rule }) => rule.body.kind === 'items' && heads.some(({ predicate }) => below.has(predicate)),
        );
        const repairs = rules.flatMap(rule =>
            [...ruleRepairs(rule, (head, column) => constantsAt(program, head, column))].filter(
                repair => staysStratified(program, rule, repair) && this.#isLikely(rule, repair),
            ),
        );
        const against = predicatesAgainst(program, below);
        repairs.sort((left, right) => ORDER.indexOf(left.kind) - ORDER.indexOf(right.kind));
        return repairs.flatMap((repair): ConfirmedRepair[] => {
            const [head] = repair.rule.heads;
            if (head === undefined || !this.#mayHelp(repair.rule, against) || !this.#pay(new Set([head.predicate]))) return [];
            const shown = [...new Set([asked, ...program.outputs])];
            const after = trialRun(this.#database, { rules: [repair.rule] }, shown, this.#steps, this.#retrial);
            if (after === undefined || !this.#isThere(after)) return [];
            const counts = shown.map(key => this.#difference(key, after));
            const sum = (count: (one: Difference) => number): number => counts.reduce((total, one) => total + count(one), 0);
            const lost = sum(one => one.lost);
            const before = sum(one => one.before);
            const changes = lost + sum(one => one.gained) - 1;
            const told = counts.some(({ isUnsure }) => isUnsure) ? {} : { changes };
            return [{ repair, lost: counts[0]!.lost, ...told, kept: before === 0 ? 1 : (before - lost) / (before + changes - lost + 1) }];
        });
    }

    /**
     * Whether a changed rule gives a fact that is not there yet, without which it cannot help where no fact that goes does;
     * true where looking takes too long.
     */
    #mayHelp(rule: AnalysedRule, against: ReadonlySet<PredicateKey>): boolean {
        const isPlain =
            rule.heads.every(({ predicate }) => !against.has(predicate)) && rule.assignments.every(one => !one.afterAggregation);
        if (!isPlain || this.#retrial === 'wholly') return true;
        return rule.heads.some(head => {
            const matcher = partialMatcher(this.#database, rule, head);
            const rows = this.#database.relation(head.predicate);
            const steps = this.#steps.apart(LOOKED_AHEAD);
            let isNew = false;
            matcher.run(
                head.atom.arguments.map(() => undefined),
                [],
                steps,
                ({ registers }) => {
                    const values = matcher.head.map(term => (term === undefined || !('slot' in term) ? UNBOUND : registers[term.slot]!));
                    isNew = rows === undefined || values.includes(UNBOUND) || rows.find(values, steps.pause) < 0;
                    return !isNew;
                },
            );
            return isNew || steps.left < 0;
        });
    }

    /** Nobody exchanges columns that hold different kinds of values, or takes a variable of one kind for one of another. */
    #isLikely({ heads, literals, types }: AnalysedRule, { kind, span, to, columns: [first, second] }: Repair): boolean {
        const key = [...heads, ...literals].find(({ atom }) => atom.span === span)?.predicate;
        const predicate = key && this.#database.program.predicates.get(key);
        if (predicate === undefined || first === undefined) return true;
        const term = to !== undefined && 'predicate' in to ? to.arguments[first] : undefined;
        if (kind === 'variable' && term?.kind === 'variable') return mayHold(this.#database, predicate, first, types.get(term.name));
        return kind !== 'exchanged' || second === undefined || areOfOneKind(this.#database, predicate, first, second);
    }

    /** The given facts that the one asked about may hang on; none where there are many. */
    givenBelow(): readonly FactRow[] {
        const { program } = this.#database;
        const predicates = [...predicatesBelow(program, this.#goals)].flatMap(key => program.predicates.get(key) ?? []);
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

    /**
     * Whether the fact is derived once all of some remedies are carried out, with some values in the open columns of facts;
     * undefined where nobody knows.
     */
    confirms(remedies: readonly Remedy[]): boolean | undefined {
        const { program } = this.#database;
        const [question] = remedies.flatMap(remedy => (remedy.kind === 'question' ? [remedy.values] : []));
        const { predicate: asked } = this.#asked;
        if (question !== undefined) return asked && hasRow(this.#database.relation(asked), question, this.#steps.pause);
        if (!this.canTry) return undefined;
        const rules = new Map<number, AnalysedRule>();
        for (const remedy of remedies) {
            if (remedy.kind !== 'rule') continue;
            const changed = remedy.change(rules.get(remedy.index) ?? program.rules[remedy.index]!);
            if (changed === undefined) return false;
            rules.set(remedy.index, changed);
        }
        const facts = remedies.flatMap(remedy => (remedy.kind === 'fact' ? [remedy] : []));
        // What is added to a group is a contribution, and not its value.
        if (facts.some(({ fact }) => (program.predicates.get(fact.predicate)?.aggregatedColumns.length ?? 0) > 0)) return undefined;
        const changed = new Set([
            ...facts.map(({ fact }) => fact.predicate),
            ...[...rules.values()].flatMap(({ heads }) => heads.map(({ predicate }) => predicate)),
        ]);
        for (const filled of this.#fillings(facts)) {
            if (!this.#pay(changed)) return undefined;
            if (this.#gives({ rules: [...rules.values()], facts: filled })) return true;
        }
        return false;
    }

    /** Whether a fact is of the form that is asked about. */
    isAsked({ predicate, values }: AbsentFact): boolean {
        const asked = this.#asked;
        return predicate === asked.predicate && asked.values.every((value, column) => value === undefined || value === values[column]);
    }

    /** Whether the fact is derived once a given one goes. */
    confirmsWithout({ predicate, values }: { readonly predicate: PredicateKey; readonly values: readonly ValueId[] }): boolean | undefined {
        if (!this.canTry || !this.#pay(new Set([predicate]))) return undefined;
        return this.#gives({ facts: [{ predicate, insteadOf: values }] });
    }

    #gives(change: Change): boolean {
        const after = trialRun(this.#database, change, this.#goals, this.#steps, this.#retrial);
        return after !== undefined && this.#isThere(after);
    }

    /** The facts with values in their open columns: some that the columns have, and new ones; a variable has one value everywhere. */
    #fillings(facts: readonly FactRemedy[]): ChangedFact[][] {
        const open = new Map<string, { readonly known: readonly ValueId[]; readonly fresh: ValueId }>();
        const nameOf = ({ fact: { values, names }, variables }: FactRemedy, index: number, column: number): string | undefined =>
            values[column] === undefined ? (variables?.[column] ?? names?.[column] ?? `${index} ${column}`) : undefined;
        for (const [index, remedy] of facts.entries()) {
            const rows = this.#database.relation(remedy.fact.predicate);
            for (const column of remedy.fact.values.keys()) {
                const name = nameOf(remedy, index, column);
                if (name !== undefined && !open.has(name))
                    open.set(name, { known: someValues(rows, column), fresh: this.#freshValue(rows, column) });
            }
        }
        let all: ReadonlyMap<string, ValueId>[] = [new Map()];
        for (const [name, { known }] of open)
            all = all.flatMap(one => known.map(value => new Map(one).set(name, value))).slice(0, FILLINGS);
        if (open.size > 0) all.push(new Map([...open].map(([name, { fresh }]) => [name, fresh])));
        return all.map(given =>
            facts.map((remedy, index): ChangedFact => {
                const { fact, insteadOf } = remedy;
                const values = fact.values.map((value, column) => value ?? given.get(nameOf(remedy, index, column)!)!);
                return { predicate: fact.predicate, values, ...(insteadOf === undefined ? {} : { insteadOf }) };
            }),
        );
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

    #isThere(after: Trial): boolean {
        const { predicate, values, names } = this.#asked;
        const wanted = after.translated(values);
        if (wanted === undefined) return false;
        if (predicate === undefined) return wanted[0] === wanted[1];
        const rows = after.facts(predicate);
        if (names === undefined) return hasRow(rows, wanted, this.#steps.pause);
        return patternRows(rows, wanted, this.#steps.pause).some(row => agrees(rows!, row, names));
    }

    #difference(key: PredicateKey, trial: Trial): Difference {
        const [before, after] = [this.#database.relation(key), trial.facts(key)];
        const count = before?.count ?? 0;
        if (this.#retrial === 'partly')
            return { before: count, lost: this.#missingIn(after, before), gained: this.#missingIn(before, after) };
        // Values of their own are compared by what they stand for; what stands for nothing is gone and new.
        const rows = Array.from({ length: count }, (_, row) => trial.translated(before!.columns.map(column => column[row]!)));
        const kept = rows.filter(values => values !== undefined && hasRow(after, values, this.#looks.pause)).length;
        const isUnsure = rows.includes(undefined) ? ({ isUnsure: true } as const) : {};
        return { before: count, lost: count - kept, gained: Math.max(0, (after?.count ?? 0) - kept), ...isUnsure };
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

    /** What a trial of changed predicates takes. */
    #cost(changed: ReadonlySet<PredicateKey>): number {
        const name = this.#retrial === 'wholly' ? '' : [...changed].sort().join();
        let cost = this.#costs.get(name);
        if (cost === undefined) {
            const { program } = this.#database;
            const again = this.#retrial === 'wholly' ? program.predicates.keys() : dependents(program, changed);
            let rows = 0;
            for (const key of again) rows += this.#database.relation(key)?.count ?? 0;
            cost = ROWS_PER_TRIAL + (this.#retrial === 'wholly' ? ROWS_ANEW * rows : rows);
            this.#costs.set(name, cost);
        }
        return cost;
    }

    #pay(changed: ReadonlySet<PredicateKey>): boolean {
        const cost = this.#cost(changed);
        if (cost > this.#rows.left) {
            this.untried++;
            return false;
        }
        this.#rows.left -= cost;
        return true;
    }
}

/** The predicates whose facts may keep others from being derived: they are negated, or aggregated, somewhere on the way. */
function predicatesAgainst(program: AnalysedProgram, below: ReadonlySet<PredicateKey>): ReadonlySet<PredicateKey> {
    const against = program.rules
        .filter(({ heads }) => heads.some(({ predicate }) => below.has(predicate)))
        .flatMap(({ literals, assignments, rule, reads }) => {
            const isWhole = rule.body.kind !== 'items' || assignments.some(({ afterAggregation }) => afterAggregation);
            return [...literals.filter(({ negated }) => negated || isWhole).map(({ predicate }) => predicate), ...(isWhole ? reads : [])];
        });
    return predicatesBelow(program, against);
}

function readByEquality({ rule, literals }: AnalysedRule): PredicateKey[] {
    return rule.head.kind === 'equality' ? literals.map(({ predicate }) => predicate) : [];
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

/** Whether a row has one value in all columns of one name. */
function agrees({ columns }: Rows, row: number, names: OpenNames): boolean {
    return names.every((name, column) => name === undefined || columns[column]![row] === columns[names.indexOf(name)]![row]);
}
