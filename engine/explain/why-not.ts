import { AGGREGATES } from '#language/library/aggregates.ts';
import type { AnalysedRule, Predicate, PredicateKey, ResolvedAtom } from '#language/program/analysed-program.ts';
import { variablesOf } from '#language/program/expression-variables.ts';
import { printAtomText, printExpression, printRuleText } from '#language/program/print.ts';
import type { Expression } from '#language/program/program.ts';
import type { Span } from '#language/program/span.ts';
import { MIXED } from '#language/program/types.ts';
import type { Database } from '../database.ts';
import { compileCondition, compileExpression } from '../evaluate/expression.ts';
import type { ValueId } from '../values/dictionary.ts';
import { type NullLabel, termText } from '../values/text.ts';
import { type AbsentFact, type Cause, firstCause, type Given, type NearFact, type Reason, type WhyNot } from './cause.ts';
import { DISTANCE } from './distances.ts';
import type { Origin } from './explanation.ts';
import { factText } from './fact-text.ts';
import { GivenFacts } from './given-facts.ts';
import { type GroupMatch, groupRegisters } from './group-values.ts';
import type { FactRow, HeadPattern } from './match-rule.ts';
import { type Difference, differenceOf, nearMisses } from './near-miss.ts';
import { originOf } from './origin.ts';
import { type AtomItem, type Budget, type PartialMatch, type PartialMatcher, partialMatcher, type RuleItem } from './partial-match.ts';
import { rankCauses, type SlipReason } from './rank-causes.ts';
import { pairsOfItems, relaxationOf, type Suspect, suspectsOf } from './relaxations.ts';
import { UNBOUND } from './rule-scope.ts';
import { Trials } from './trials.ts';

export interface WhyNotOptions {
    readonly label: NullLabel;
    /** Rows that the search looks at, about. */
    readonly steps?: number;
}

const STEPS = 400_000;
/** Premises of premises that are followed. */
const DEEPEST = 7;
/** Reasons that are kept for a fact. */
const KEPT = 12;
/** Reasons that are farther than the nearest by more are not told. */
const WORTH_TELLING = 2.5;
/** Matches of a weakened rule that are compared, by depth; the last counts for all deeper ones. */
const COMPARED = [8, 5, 3, 2];
/** Contributions that a group is computed from again. */
const CONTRIBUTIONS = 10_000;
/** A nearest cause that is farther has two items looked at together. */
const FAR = 0.9;
/** Steps that may tell whether a rule derives anything at all. */
const FIRING = 4_000;

/**
 * Explains an absence over a finished database. For each rule of the predicate the head is bound to the fact, and the
 * smallest weakening of the rule is looked for under which it gives the fact: an item left out, an argument left open, two
 * arguments exchanged; then two items left out. What was left out is the cause; a premise that rules could derive is
 * followed. Instances of missing facts are why-not provenance in the sense of Herschel and Hernández (VLDB 2010) and of
 * Lee, Köhler, Ludäscher and Glavic (PUG, VLDB Journal 2019); naming the item that stops a derivation goes back to the
 * "picky" operators of Chapman and Jagadish (SIGMOD 2009). The search is bounded in steps and depth.
 */
export function whyNot(database: Database, fact: AbsentFact, options: WhyNotOptions): WhyNot {
    const search = new Search(database, fact, options);
    const answer = search.absent(fact.predicate, fact.values, 0, false)!;
    const trials = new Trials(database, fact);
    return rankCauses(database, answer, fact, search.given, trials, search.slips(trials));
}

interface RuleSearch {
    readonly rule: AnalysedRule;
    readonly head: ResolvedAtom;
    readonly matcher: PartialMatcher;
    readonly pattern: HeadPattern;
    readonly depth: number;
    readonly found: Reason[];
    /** Registers that have a value before the match. */
    readonly bound?: readonly (readonly [slot: number, value: ValueId])[];
}

class Search {
    readonly #database: Database;
    readonly #label: NullLabel;
    readonly #budget: Budget;
    readonly #matchers = new Map<ResolvedAtom, PartialMatcher>();
    readonly #idle = new Map<AnalysedRule, boolean>();
    readonly #known = new Map<string, WhyNot>();
    readonly #open = new Set<string>();
    readonly #facts: GivenFacts;

    readonly #asked: ReadonlySet<ValueId>;

    constructor(database: Database, { values }: AbsentFact, { label, steps = STEPS }: WhyNotOptions) {
        this.#asked = new Set(values.filter(value => value !== undefined));
        this.#database = database;
        this.#facts = new GivenFacts(database);
        this.#label = label;
        this.#budget = { left: steps };
    }

    /** Undefined for a fact that is being explained already, or is too deep. */
    absent(key: PredicateKey, pattern: HeadPattern, depth: number, further: boolean): WhyNot | undefined {
        const name = `${key}:${pattern.join()}:${further}`;
        const known = this.#known.get(name);
        if (known !== undefined) return known;
        const predicate = this.#database.program.predicates.get(key);
        if (depth > DEEPEST || this.#open.has(name) || predicate === undefined) return undefined;
        this.#open.add(name);
        const found: Reason[] = [];
        for (const index of predicate.rules) {
            const rule = this.#database.program.rules[index];
            for (const head of rule?.heads ?? []) {
                if (rule !== undefined && head.predicate === key) this.#tryRule(rule, head, pattern, depth, found);
            }
        }
        const isGiven = predicate.rules.length === 0 || predicate.facts.length > 0 || predicate.inputBinds.length > 0;
        if (isGiven) found.push(this.#missing(predicate, pattern));
        if (depth === 0) found.push(...this.#unknownValues(pattern));
        this.#open.delete(name);
        found.sort((left, right) => left.distance - right.distance);
        const farthest = (found[0]?.distance ?? 0) + WORTH_TELLING;
        const told = distinct(found).filter(({ distance }) => distance <= farthest);
        const answer: WhyNot = {
            fact: this.#text(predicate, pattern),
            further,
            reasons: told.slice(0, KEPT),
            cutShort: this.#budget.left < 0,
        };
        if (depth === 0 || this.#open.size === 0 || !this.#budgetSpent()) this.#known.set(name, answer);
        return answer;
    }

    get given(): GivenFacts {
        return this.#facts;
    }

    /** The slips of the pen without which the fact is derived. */
    slips(trials: Trials): SlipReason[] {
        return this.#facts.slips().flatMap(({ value, meant, fact, difference }): SlipReason[] => {
            if (this.#asked.has(value)) return [];
            const values = this.#database.relation(fact.predicate)!.columns.map(ids => ids[fact.row]!);
            const column = values.indexOf(value);
            if (trials.withFact({ predicate: fact.predicate, values: values.with(column, meant) }) !== true) return [];
            const near = this.#nearFact(fact, column, difference);
            const cause: Cause = { kind: 'slip', value: this.#term(value), meant: this.#term(meant), near };
            const isSure = this.#asked.has(meant) || (this.#facts.occurrences().get(meant)?.count ?? 0) > 1;
            const place = near.origin?.kind === 'clause' ? { place: near.origin } : {};
            return [{ reason: { cause, premises: [], ...place, distance: DISTANCE.slip }, isSure }];
        });
    }

    #budgetSpent(): boolean {
        return this.#budget.left < 0;
    }

    #missing(predicate: Predicate, pattern: HeadPattern): Reason {
        const rows = this.#database.relation(predicate.key);
        const misses = nearMisses(this.#database.dictionary, rows, pattern);
        const near = misses.map(
            ({ row, column, difference }): NearFact => this.#nearFact({ predicate: predicate.key, row }, column, difference),
        );
        for (const { row, column, difference } of misses) {
            if (difference === 'exchanged') continue;
            const slip = this.#slip(pattern[column]!, rows!.columns[column]![row]!, column);
            if (slip !== undefined) return slip;
        }
        const asked = new Set(pattern.filter(value => value !== undefined));
        for (const { row, column } of this.#facts.oddRows(predicate.key)) {
            if (rows!.columns.some(values => asked.has(values[row]!))) return this.#oddFact({ predicate: predicate.key, row }, column);
        }
        const [first] = near;
        const isExchanged = first?.difference === 'exchanged';
        const open = pattern.filter(value => value === undefined).length;
        const taken = pattern.filter(
            (value, column) => value !== undefined && rows !== undefined && this.#facts.isTaken(rows, column, value),
        ).length;
        const foreign = pattern.filter((value, column) => this.#facts.isForeign(rows, column, value)).length;
        const place = isExchanged && first?.origin?.kind === 'clause' ? { place: first.origin } : {};
        return {
            cause: { kind: 'missing', fact: this.#text(predicate, pattern), derivable: predicate.rules.length > 0, near },
            premises: [],
            missing: { predicate: predicate.key, values: pattern },
            ...place,
            distance:
                (isExchanged ? DISTANCE.missingExchanged : DISTANCE.missing) +
                open * DISTANCE.open +
                taken * DISTANCE.missingKey +
                foreign * DISTANCE.missingForeign,
        };
    }

    /** Values of the question that no fact has, though one like it is there. */
    #unknownValues(pattern: HeadPattern): Reason[] {
        const { dictionary } = this.#database;
        const occurrences = this.#facts.occurrences();
        return pattern.flatMap((asked, column): Reason[] => {
            if (asked === undefined || dictionary.kind(asked) !== 'string' || occurrences.has(asked)) return [];
            for (const [value, { count, fact }] of occurrences) {
                const difference = differenceOf(dictionary, asked, value);
                if (difference === 'other' || count < 2) continue;
                const near = this.#nearFact(fact, column, difference);
                return [{ cause: { kind: 'unknown', value: this.#term(asked), near }, premises: [], distance: DISTANCE.unknown }];
            }
            return [];
        });
    }

    #oddFact(fact: FactRow, column: number): Reason {
        const origin = this.#originOf(fact);
        return {
            cause: { kind: 'odd', fact: this.#rowText(fact), column, ...(origin === undefined ? {} : { origin }) },
            premises: [],
            ...(origin?.kind === 'clause' ? { place: origin } : {}),
            distance: DISTANCE.odd,
        };
    }

    /** A slip of the pen: of two values that look alike, one stands in a single given fact. */
    #slip(wanted: ValueId, given: ValueId, column: number): Reason | undefined {
        const { dictionary } = this.#database;
        const difference = differenceOf(dictionary, wanted, given);
        if (difference === 'other') return undefined;
        const occurrences = this.#facts.occurrences();
        const [ofWanted, ofGiven] = [occurrences.get(wanted), occurrences.get(given)];
        // What the question says is meant.
        const isWanted =
            !this.#asked.has(wanted) && ofWanted !== undefined && (ofWanted.count < (ofGiven?.count ?? 0) || this.#asked.has(given));
        const one = isWanted ? ofWanted : ofGiven;
        if (one === undefined || one.count > 1 || (!isWanted && this.#asked.has(given))) return undefined;
        const twin = isWanted || this.#asked.has(wanted) || ofWanted?.count !== 1 ? undefined : ofWanted;
        const [value, meant] = isWanted ? [wanted, given] : [given, wanted];
        const near = this.#nearFact(one.fact, column, difference);
        return {
            cause: {
                kind: 'slip',
                value: this.#term(value),
                meant: this.#term(meant),
                near,
                ...(twin === undefined ? {} : { other: this.#nearFact(twin.fact, column, difference) }),
            },
            premises: [],
            ...(near.origin?.kind === 'clause' ? { place: near.origin } : {}),
            distance: DISTANCE.slip,
        };
    }

    #tryRule(rule: AnalysedRule, head: ResolvedAtom, asked: HeadPattern, depth: number, found: Reason[]): void {
        if (rule.relation !== undefined || rule.rule.body.kind !== 'items') {
            found.push(this.#reason(rule, { kind: 'function' }, rule.rule.body.span, [], DISTANCE.function));
            return;
        }
        const { dictionary } = this.#database;
        const invented = head.atom.arguments.findIndex((term, column) => {
            const value = asked[column];
            const isMade = term.kind === 'anonymous' || (term.kind === 'variable' && rule.existential.includes(term.name));
            return isMade && value !== undefined && !dictionary.isNull(value);
        });
        if (invented >= 0) {
            const cause: Cause = {
                kind: 'invented',
                head: printAtomText(head.atom),
                column: invented,
                wanted: this.#term(asked[invented]!),
            };
            found.push(this.#reason(rule, cause, head.atom.span, [], DISTANCE.invented));
            const pattern = asked.map((value, column) => (column === invented ? undefined : value));
            this.#tryColumns({ rule, head, matcher: this.#matcher(rule, head), pattern, depth, found }, asked[invented]!, invented);
            return;
        }
        const matcher = this.#matcher(rule, head);
        const aggregating = rule.assignments.some(({ aggregates }) => aggregates.length > 0);
        const dependent = new Set(rule.assignments.filter(one => one.afterAggregation).map(({ variable }) => variable.name));
        const isDependent = (expression: Expression): boolean => variablesOf(expression).some(name => dependent.has(name));
        const pattern = aggregating ? asked.map((value, column) => (isDependent(head.atom.arguments[column]!) ? undefined : value)) : asked;
        const search: RuleSearch = { rule, head, matcher, pattern, depth, found };
        const contributions = aggregating ? this.#matches(search, [], CONTRIBUTIONS) : [];
        if (contributions.length > 0) {
            this.#tryGroup(search, asked, contributions);
            return;
        }
        const before = found.length;
        for (const suspect of suspectsOf(
            matcher,
            pattern.map(value => value !== undefined),
        ))
            this.#trySuspect(search, suspect);
        if (rule.constantsOnly && found.length === before)
            found.push(this.#reason(rule, { kind: 'domain' }, rule.rule.body.span, [], DISTANCE.domain));
        const nearest = Math.min(...found.slice(before).map(({ distance }) => distance));
        if (nearest > FAR) this.#tryPairs(search);
        if (nearest > FAR) this.#tryFailing(search);
        if (found.length === before) this.#tryNothing(search);
    }

    /** The arguments of the body that would give the head a value that nothing gives it. */
    #tryColumns(search: RuleSearch, wanted: ValueId, headColumn: number): void {
        const { matcher, rule, head, found } = search;
        for (const suspect of suspectsOf(matcher, [])) {
            if (suspect.kind !== 'argument' || suspect.item === undefined || suspect.item.kind !== 'atom') continue;
            const { item, column } = suspect;
            this.#run(search, suspect, match => {
                const fact = match.facts.get(item);
                if (fact === undefined || this.#database.relation(fact.predicate)!.columns[column]![fact.row] !== wanted) return true;
                const { atom } = item.literal;
                const cause: Cause = {
                    kind: 'unbound',
                    literal: printAtomText(atom),
                    column,
                    variable: printExpression(head.atom.arguments[headColumn]!),
                    wanted: this.#term(wanted),
                };
                found.push(this.#reason(rule, cause, atom.span, this.#premisesOf(matcher, match), DISTANCE.inventedColumn));
                return false;
            });
        }
    }

    #run({ matcher, pattern }: RuleSearch, suspect: Suspect, found: (match: PartialMatch) => boolean): void {
        matcher.run(pattern, relaxationOf(suspect), this.#budget, found);
    }

    /** What stops a group that has contributions: its value, or a condition on it. */
    #tryGroup(search: RuleSearch, asked: HeadPattern, contributions: readonly PartialMatch[]): void {
        const { rule, matcher, found } = search;
        const registers = contributions.map(groupMatch);
        const known = new Set(registers.map(match => match.registers.join()));
        const failing = this.#groupFailure(search, asked, registers);
        if (failing === undefined) return;
        found.push(this.#reason(rule, failing.cause, failing.span, [], failing.distance));
        for (const suspect of suspectsOf(matcher, [])) {
            if (suspect.kind === 'exchange' && suspect.item === undefined) continue;
            const more = this.#matches(search, [suspect], CONTRIBUTIONS).map(groupMatch);
            const bound = more.filter(match => !known.has(match.registers.join()) && contributionsAreBound(rule, matcher, match.registers));
            if (bound.length === 0 || this.#groupFailure(search, asked, [...registers, ...bound]) !== undefined) continue;
            this.#trySuspect(search, suspect, 2 * DISTANCE.idle);
        }
        for (const bound of this.#neededContributions(search, asked, registers)) {
            for (const suspect of suspectsOf(
                matcher,
                search.pattern.map(value => value !== undefined),
            ))
                this.#trySuspect({ ...search, bound }, suspect, DISTANCE.contribution);
        }
        for (const item of matcher.items) {
            if (item.kind === 'atom') this.#trySuspect(search, { kind: 'item', item }, DISTANCE.contribution);
        }
    }

    /** The value that a further contribution would need: the wanted one of a minimum or maximum, the difference of a sum. */
    #neededContributions(
        { rule, head, matcher }: RuleSearch,
        asked: HeadPattern,
        matches: readonly GroupMatch[],
    ): NonNullable<RuleSearch['bound']>[] {
        const { dictionary } = this.#database;
        return rule.assignments.flatMap(({ variable, value }) => {
            const column = head.atom.arguments.findIndex(term => term.kind === 'variable' && term.name === variable.name);
            const wanted = asked[column];
            if (wanted === undefined || value.kind !== 'aggregate') return [];
            const [argument] = value.arguments;
            if (argument?.kind !== 'variable' || !dictionary.isNumber(wanted)) return [];
            const slot = matcher.scope.slot(argument.name);
            switch (AGGREGATES[value.name].family) {
                case 'mmin':
                case 'min':
                case 'mmax':
                case 'max':
                    return [[[slot, wanted]] as const];
                case 'msum':
                case 'sum': {
                    const given = groupRegisters(this.#database, rule, matcher.scope, matches)?.[matcher.scope.slot(variable.name)];
                    if (given === undefined || !dictionary.isNumber(given)) return [];
                    const difference = Number((dictionary.numberOf(wanted) - dictionary.numberOf(given)).toPrecision(12));
                    return difference > 0 ? [[[slot, dictionary.number(difference)]] as const] : [];
                }
                default:
                    return [];
            }
        });
    }

    #groupFailure(
        { rule, head, matcher }: RuleSearch,
        asked: HeadPattern,
        matches: readonly GroupMatch[],
    ): { readonly cause: Cause; readonly span: Span; readonly distance: number } | undefined {
        const { scope } = matcher;
        let registers: Int32Array | undefined;
        try {
            registers = groupRegisters(this.#database, rule, scope, matches);
        } catch {
            registers = undefined;
        }
        if (registers === undefined) {
            const [assigned] = rule.assignments.filter(({ aggregates }) => aggregates.length > 0);
            const column = asked.findIndex((_, at) => variablesOf(head.atom.arguments[at]!).includes(assigned?.variable.name ?? ''));
            const wanted = asked[column];
            if (assigned === undefined || wanted === undefined) return undefined;
            const cause: Cause = {
                kind: 'aggregate',
                aggregate: printExpression(assigned.value),
                wanted: this.#term(wanted),
                given: 'another value',
                contributions: matches.length,
            };
            return { cause, span: assigned.value.span, distance: DISTANCE.aggregate };
        }
        const values = registers;
        for (const { expression, afterAggregation } of rule.conditions) {
            if (!afterAggregation || compileCondition(expression, scope)(values)) continue;
            const distance = DISTANCE.condition + this.#shortness(expression, matcher, values);
            return { cause: this.#conditionCause(expression, matcher, values), span: expression.span, distance };
        }
        for (const [column, term] of head.atom.arguments.entries()) {
            const wanted = asked[column];
            if (wanted === undefined || term.kind === 'anonymous') continue;
            const given = compileExpression(term, scope)(values);
            if (given === wanted || given === UNBOUND) continue;
            const cause: Cause = {
                kind: 'aggregate',
                aggregate: printExpression(term),
                wanted: this.#term(wanted),
                given: this.#term(given),
                contributions: matches.length,
            };
            const assigned = rule.assignments.find(({ variable }) => term.kind === 'variable' && variable.name === term.name);
            return { cause, span: assigned?.value.span ?? term.span, distance: DISTANCE.aggregate };
        }
        return undefined;
    }

    #matches({ matcher, pattern }: RuleSearch, suspects: readonly Suspect[], most: number): PartialMatch[] {
        const matches: PartialMatch[] = [];
        matcher.run(pattern, relaxationOf(...suspects), this.#budget, match => {
            matches.push(match);
            return matches.length < most;
        });
        return matches;
    }

    /** Weakens a rule by one suspect, and keeps the nearest of the ways in which it then gives the fact. */
    #trySuspect(search: RuleSearch, suspect: Suspect, extra = 0): void {
        if (this.#budgetSpent()) return;
        const compared = COMPARED[Math.min(search.depth, COMPARED.length - 1)]!;
        const candidates = new Map<string, Reason>();
        let looked = 0;
        search.matcher.run(search.pattern, { ...relaxationOf(suspect), bound: search.bound ?? [] }, this.#budget, match => {
            const reason = this.#givesMore(search, match) ? this.#suspicion(search, suspect, match) : undefined;
            if (reason !== undefined) {
                const key = JSON.stringify(reason.cause);
                if ((candidates.get(key)?.distance ?? Number.POSITIVE_INFINITY) > reason.distance) candidates.set(key, reason);
            }
            looked++;
            return candidates.size < compared && looked < 20 * compared;
        });
        const nearest = [...candidates.values()].sort((left, right) => left.distance - right.distance).slice(0, 2);
        for (const reason of nearest) search.found.push({ ...reason, distance: reason.distance + extra });
    }

    /** Whether the head of a match is no fact that is there already. */
    #givesMore({ head, matcher, pattern }: RuleSearch, { registers }: PartialMatch): boolean {
        const rows = this.#database.relation(head.predicate);
        const values = matcher.head.map((term, column) => {
            if (pattern[column] !== undefined) return pattern[column];
            return term !== undefined && 'slot' in term ? registers[term.slot]! : UNBOUND;
        });
        return rows === undefined || values.includes(UNBOUND) || rows.find(values) < 0;
    }

    #suspicion(search: RuleSearch, suspect: Suspect, match: PartialMatch): Reason | undefined {
        const { rule, matcher } = search;
        const idle = this.#isIdle(search) ? DISTANCE.idle : 0;
        const near = this.#nearness(matcher, match) * DISTANCE.premises;
        const premises = this.#premisesOf(matcher, match);
        for (const [item, fact] of match.facts) {
            const odd = this.#isDerived(item) ? undefined : this.#facts.oddRows(fact.predicate).find(({ row }) => row === fact.row);
            if (odd === undefined) continue;
            const reason = this.#oddFact(fact, odd.column);
            return { ...this.#reason(rule, reason.cause, item.literal.atom.span, premises, reason.distance), ...placeOf(reason) };
        }
        switch (suspect.kind) {
            case 'item':
                return this.#suspectItem(search, suspect.item, match, premises, idle, near);
            case 'argument': {
                const { item, column } = suspect;
                if (item === undefined) return this.#suspectHead(search, column, match, premises, idle + near);
                const wanted = matcher.argument(item, column, match.registers);
                const fact = match.facts.get(item);
                if (fact === undefined || wanted === UNBOUND) return undefined;
                const given = this.#database.relation(fact.predicate)!.columns[column]![fact.row]!;
                if (given === wanted) return undefined;
                const term = item.literal.atom.arguments[column]!;
                const difference = differenceOf(this.#database.dictionary, given, wanted);
                const cause: Cause = {
                    kind: 'argument',
                    literal: printAtomText(item.literal.atom),
                    argument: printExpression(term),
                    column,
                    wanted: this.#term(wanted),
                    near: this.#nearFact(fact, column, difference),
                };
                if (term.kind === 'variable') {
                    const slip = this.#slip(wanted, given, column);
                    if (slip !== undefined)
                        return {
                            ...this.#reason(rule, slip.cause, item.literal.atom.span, premises, slip.distance + near),
                            ...placeOf(slip),
                        };
                    const isJoined = matcher.items.some(
                        other =>
                            other !== item &&
                            other.kind === 'atom' &&
                            other.terms.some(one => one.expression.kind === 'variable' && one.expression.name === term.name),
                    );
                    const base = !isJoined ? DISTANCE.loneVariable : this.#isDerived(item) ? DISTANCE.derivedVariable : DISTANCE.variable;
                    const foreign = this.#facts.isForeign(item.rows, column, wanted) ? DISTANCE.foreignVariable : 0;
                    return this.#reason(rule, cause, item.literal.atom.span, premises, base + foreign + idle + near);
                }
                const isUsed = item.rows?.columns[column]?.subarray(0, item.rows.count).includes(wanted) === true;
                const likely = difference !== 'other' ? DISTANCE.slip - DISTANCE.constant : isUsed ? DISTANCE.usedConstant : 0;
                const sole = this.#facts.occurrences().get(given);
                const spelt: Cause =
                    difference === 'other' || sole?.count !== 1 ? cause : { ...cause, near: this.#nearFact(sole.fact, column, difference) };
                return this.#reason(rule, spelt, item.literal.atom.span, premises, DISTANCE.constant + likely + idle + near);
            }
            case 'exchange': {
                const { item, columns } = suspect;
                const atom = item?.literal.atom ?? search.head.atom;
                const [first, second] = columns.map(column =>
                    item === undefined ? search.pattern[column] : matcher.argument(item, column, match.registers),
                );
                if (first === second || (first ?? UNBOUND) === (second ?? UNBOUND)) return undefined;
                if (item === undefined && (first === undefined || second === undefined)) return undefined;
                const fact = item === undefined || this.#isDerived(item) ? undefined : match.facts.get(item);
                const exchanged = fact === undefined ? {} : { near: this.#nearFact(fact, columns[0], 'exchanged') };
                const cause: Cause = { kind: 'exchanged', literal: printAtomText(atom), columns, ...exchanged };
                const base =
                    item === undefined
                        ? DISTANCE.headExchanged
                        : DISTANCE.exchanged + (this.#isDerived(item) && idle === 0 ? DISTANCE.derivedExchanged : 0);
                const elsewhere = idle < 0 ? idle : DISTANCE.exchangedElsewhere;
                const kinds =
                    item === undefined &&
                    columns.some(column =>
                        this.#facts.isForeign(this.#database.relation(search.head.predicate), column, search.pattern[column]),
                    )
                        ? DISTANCE.exchangedKinds
                        : 0;
                return this.#reason(rule, cause, atom.span, premises, base + near + elsewhere + kinds);
            }
        }
    }

    #suspectItem(
        search: RuleSearch,
        item: RuleItem,
        match: PartialMatch,
        premises: readonly string[],
        idle: number,
        near: number,
    ): Reason | undefined {
        const { rule, matcher, depth } = search;
        const { registers } = match;
        const holds = matcher.holds(item, registers);
        switch (item.kind) {
            case 'condition': {
                if (holds !== false) return undefined;
                const { expression } = item.condition;
                const distance = DISTANCE.condition + idle + near + this.#shortness(expression, matcher, registers);
                return this.#reason(rule, this.#conditionCause(expression, matcher, registers), expression.span, premises, distance);
            }
            case 'assignment': {
                if (holds !== false) return undefined;
                const { variable, value } = item.assignment;
                const condition = `${variable.name}=${printExpression(value)}`;
                const values = [
                    { name: variable.name, value: this.#term(registers[item.slot]!) },
                    ...this.#givens(value, matcher, registers),
                ];
                const off = item.exploded ? undefined : `the right side is ${this.#term(item.value(registers))}`;
                const cause: Cause = { kind: 'condition', condition, values, ...(off === undefined ? {} : { off }) };
                return this.#reason(rule, cause, value.span, premises, DISTANCE.computed + idle + near);
            }
            case 'negation': {
                if (holds !== false) return undefined;
                let fact: FactRow | undefined;
                matcher.matching(item, registers, row => {
                    fact = { predicate: item.literal.predicate, row };
                    return false;
                });
                if (fact === undefined) return undefined;
                const origin = this.#originOf(fact);
                const cause: Cause = {
                    kind: 'negation',
                    literal: printAtomText(item.literal.atom),
                    fact: this.#rowText(fact),
                    ...(origin === undefined ? {} : { origin }),
                };
                const reason = this.#reason(rule, cause, item.literal.atom.span, premises, DISTANCE.negation + idle + near);
                const because = this.#present(fact, depth + 1);
                const [deeper] = because?.reasons ?? [];
                if (because !== undefined && deeper !== undefined) {
                    const distance = deeper.distance + DISTANCE.step + near / 3 + (idle < 0 ? DISTANCE.idlePremise : 0);
                    search.found.push({ ...reason, because, distance });
                }
                return reason;
            }
            case 'atom': {
                const pattern = item.literal.atom.arguments.map((_, column) => {
                    const value = matcher.argument(item, column, registers);
                    return value === UNBOUND ? undefined : value;
                });
                const predicate = this.#database.program.predicates.get(item.literal.predicate);
                if (predicate === undefined) return undefined;
                while (pattern.length < predicate.arity) pattern.push(undefined);
                const { span } = item.literal.atom;
                if (!this.#isDerived(item)) {
                    if (holds === true) return undefined;
                    const missing = this.#missing(predicate, pattern);
                    const data = idle < 0 ? DISTANCE.idleData : 0;
                    const reason = this.#reason(rule, missing.cause, span, premises, missing.distance + near + data);
                    return { ...reason, ...placeOf(missing), ...(missing.missing === undefined ? {} : { missing: missing.missing }) };
                }
                const because = this.absent(predicate.key, pattern, depth + 1, holds === true);
                const [first] = because?.reasons ?? [];
                if (because === undefined || first === undefined) return undefined;
                const further = holds === true ? ({ further: true } as const) : {};
                const cause: Cause = { kind: 'missing', fact: because.fact, derivable: true, near: [], ...further };
                const distance =
                    first.distance +
                    DISTANCE.step +
                    (holds === true ? DISTANCE.further : 0) +
                    near / 3 +
                    (idle < 0 ? DISTANCE.idlePremise : 0);
                return { ...this.#reason(rule, cause, span, premises, distance), because };
            }
        }
    }

    #suspectHead(
        search: RuleSearch,
        column: number,
        { registers }: PartialMatch,
        premises: readonly string[],
        extra: number,
    ): Reason | undefined {
        const { rule, head, matcher, pattern } = search;
        const wanted = pattern[column];
        const term = matcher.head[column];
        if (wanted === undefined || term === undefined) return undefined;
        let given = UNBOUND;
        try {
            given = 'slot' in term ? registers[term.slot]! : term.value(registers);
        } catch {
            return undefined;
        }
        if (given === UNBOUND || given === wanted) return undefined;
        const written = head.atom.arguments[column]!;
        const cause: Cause = { kind: 'head', head: printAtomText(head.atom), column, wanted: this.#term(wanted), given: this.#term(given) };
        if (written.kind === 'variable') {
            const slip = this.#slip(wanted, given, column);
            if (slip !== undefined) return { ...this.#reason(rule, slip.cause, head.atom.span, premises, slip.distance), ...placeOf(slip) };
            return this.#reason(rule, cause, head.atom.span, premises, DISTANCE.headVariable + extra);
        }
        const likely = differenceOf(this.#database.dictionary, wanted, given) === 'other' ? 0 : DISTANCE.slip - DISTANCE.head;
        return this.#reason(rule, cause, head.atom.span, premises, DISTANCE.head + likely + extra);
    }

    /** Why a fact is there that a negation does not want: a negation of its own rules, a condition, a premise. */
    #present(fact: FactRow, depth: number): WhyNot | undefined {
        const predicate = this.#database.program.predicates.get(fact.predicate);
        const values = this.#database.relation(fact.predicate)?.columns.map(column => column[fact.row]!) ?? [];
        const name = `present ${fact.predicate}:${values.join()}`;
        const known = this.#known.get(name);
        if (known !== undefined) return known;
        if (predicate === undefined || depth > DEEPEST || this.#open.has(name)) return undefined;
        this.#open.add(name);
        const found: Reason[] = [];
        for (const index of predicate.rules) {
            const rule = this.#database.program.rules[index];
            for (const head of rule?.heads ?? []) {
                if (rule === undefined || head.predicate !== predicate.key || rule.rule.body.kind !== 'items') continue;
                const matcher = this.#matcher(rule, head);
                const [match] = this.#matches({ rule, head, matcher, pattern: values, depth, found }, [], 1);
                if (match !== undefined) this.#presentBy(rule, matcher, match, fact, depth, found);
            }
        }
        this.#open.delete(name);
        found.sort((left, right) => left.distance - right.distance);
        const answer: WhyNot = {
            fact: this.#rowText(fact),
            present: true,
            further: false,
            reasons: distinct(found).slice(0, KEPT),
            cutShort: this.#budgetSpent(),
        };
        this.#known.set(name, answer);
        return answer;
    }

    #presentBy(rule: AnalysedRule, matcher: PartialMatcher, match: PartialMatch, fact: FactRow, depth: number, found: Reason[]): void {
        const premises = this.#premisesOf(matcher, match);
        for (const item of matcher.items) {
            switch (item.kind) {
                case 'condition': {
                    const { expression } = item.condition;
                    const values = this.#givens(expression, matcher, match.registers);
                    const cause: Cause = { kind: 'holds', condition: printExpression(expression), values, fact: this.#rowText(fact) };
                    found.push(this.#reason(rule, cause, expression.span, premises, DISTANCE.holds));
                    break;
                }
                case 'negation': {
                    const pattern = item.literal.atom.arguments.map((_, column) => {
                        const value = matcher.argument(item, column, match.registers);
                        return value === UNBOUND ? undefined : value;
                    });
                    const predicate = this.#database.program.predicates.get(item.literal.predicate);
                    if (predicate === undefined || pattern.length < predicate.arity) break;
                    const because = this.absent(predicate.key, pattern, depth + 1, false);
                    const [first] = because?.reasons ?? [];
                    if (because === undefined || first === undefined) break;
                    const cause: Cause = { kind: 'missing', fact: because.fact, derivable: predicate.rules.length > 0, near: [] };
                    found.push({ ...this.#reason(rule, cause, item.literal.atom.span, premises, first.distance + DISTANCE.step), because });
                    break;
                }
                case 'atom': {
                    const premise = match.facts.get(item);
                    const because = premise === undefined || !this.#isDerived(item) ? undefined : this.#present(premise, depth + 1);
                    const [first] = because?.reasons ?? [];
                    if (because === undefined || first === undefined) break;
                    const cause: Cause = { kind: 'negation', literal: printAtomText(item.literal.atom), fact: this.#rowText(premise!) };
                    found.push({ ...this.#reason(rule, cause, item.literal.atom.span, premises, first.distance + DISTANCE.step), because });
                    break;
                }
                case 'assignment':
                    break;
            }
        }
    }

    /** Two items that the rule lacks. */
    #tryPairs(search: RuleSearch): void {
        for (const [first, second] of pairsOfItems(search.matcher)) {
            if (this.#budgetSpent()) return;
            let looked = 0;
            const suspects = [first, second].map((item): Suspect => ({ kind: 'item', item }));
            const before = search.found.length;
            search.matcher.run(search.pattern, relaxationOf(...suspects), this.#budget, match => {
                const premises = this.#premisesOf(search.matcher, match);
                const parts = [first, second].map(item => this.#suspectItem(search, item, match, premises, 0, 0));
                this.#together(
                    search,
                    parts.filter(part => part !== undefined),
                    2,
                );
                return ++looked < 2;
            });
            if (search.found.length > before + KEPT) return;
        }
    }

    /** All items that fail on their own once the head is bound. */
    #tryFailing(search: RuleSearch): void {
        const { items } = search.matcher;
        const alone = (item: RuleItem): boolean => {
            const skipped = items.filter(other => other !== item).map((other): Suspect => ({ kind: 'item', item: other }));
            return this.#matches(search, skipped, 1).length > 0;
        };
        const failing = items.filter(item => !alone(item));
        if (failing.length < 3) return;
        const [match] = this.#matches(
            search,
            failing.map((item): Suspect => ({ kind: 'item', item })),
            1,
        );
        if (match === undefined) return;
        const premises = this.#premisesOf(search.matcher, match);
        const parts = failing.map(item => this.#suspectItem(search, item, match, premises, 0, 0));
        this.#together(
            search,
            parts.filter(part => part !== undefined),
            failing.length,
        );
    }

    /** Several items that fail: where one cause stops all of them they count once. */
    #together(search: RuleSearch, parts: readonly Reason[], items: number): void {
        const [nearest, ...others] = [...parts].sort((left, right) => left.distance - right.distance);
        if (nearest === undefined) return;
        const idle = this.#isIdle(search) ? DISTANCE.idlePremise : 0;
        const root = rootOf(nearest);
        const apart = others.filter(part => !isSameRoot(rootOf(part), root));
        const sum = (all: readonly Reason[]): number => all.reduce((total, part) => total + part.distance, 0);
        const distance =
            nearest.distance + sum(apart) + (parts.length - 1 - apart.length) * DISTANCE.together + (items - parts.length) + idle;
        const cause: Cause =
            others.length === 0 || apart.length === 0
                ? nearest.cause
                : { kind: 'several', causes: [nearest, ...others].map(part => part.cause) };
        search.found.push({ ...nearest, cause, distance });
    }

    /** Nothing of the rule fits together: its first item that fails on its own is named. */
    #tryNothing(search: RuleSearch): void {
        const { matcher, rule, head } = search;
        const everything = matcher.items.map((item): Suspect => ({ kind: 'item', item }));
        const [match] = this.#matches(search, everything, 1);
        if (match === undefined) {
            const columns = search.pattern.flatMap((value, column) => (value === undefined ? [] : [column]));
            const column = columns.find(one => !isFreeVariable(head, one)) ?? columns[0] ?? 0;
            const wanted = search.pattern[column];
            const given = printExpression(head.atom.arguments[column]!);
            const cause: Cause = {
                kind: 'head',
                head: printAtomText(head.atom),
                column,
                wanted: wanted === undefined ? '_' : this.#term(wanted),
                given,
            };
            search.found.push(this.#reason(rule, cause, head.atom.span, [], 3));
            return;
        }
        for (const item of matcher.items) {
            const reason = this.#suspectItem(search, item, match, [], 0, 0);
            if (reason !== undefined) search.found.push({ ...reason, distance: reason.distance + 2 });
        }
    }

    #isDerived({ literal }: AtomItem): boolean {
        return (this.#database.program.predicates.get(literal.predicate)?.rules.length ?? 0) > 0;
    }

    #isIdle({ rule, matcher, pattern }: RuleSearch): boolean {
        let idle = this.#idle.get(rule);
        if (idle === undefined) {
            const budget: Budget = { left: FIRING };
            let fires = false;
            matcher.run(
                pattern.map(() => undefined),
                {},
                budget,
                () => {
                    fires = true;
                    return false;
                },
            );
            idle = !fires && budget.left >= 0;
            this.#idle.set(rule, idle);
        }
        return idle;
    }

    /** The share of a rule's atoms that are matched. */
    #nearness({ items }: PartialMatcher, { facts }: PartialMatch): number {
        const atoms = items.filter(({ kind }) => kind === 'atom').length;
        return atoms === 0 ? 0 : facts.size / atoms;
    }

    #premisesOf({ items }: PartialMatcher, { facts }: PartialMatch): string[] {
        return items.flatMap(item => {
            const fact = item.kind === 'atom' ? facts.get(item) : undefined;
            return fact === undefined ? [] : [this.#rowText(fact)];
        });
    }

    /** How far numbers of a comparison are apart, as a small part of a distance. */
    #shortness(expression: Expression, matcher: PartialMatcher, registers: Int32Array): number {
        const sides = this.#numbers(expression, matcher, registers);
        if (sides === undefined) return this.#comparesKinds(expression, matcher, registers) ? DISTANCE.kinds : 0;
        const [left, right] = sides;
        const largest = Math.max(Math.abs(left), Math.abs(right));
        return largest === 0 ? 0 : DISTANCE.shortness * Math.min(1, Math.abs(left - right) / largest);
    }

    #comparesKinds(expression: Expression, { scope }: PartialMatcher, registers: Int32Array): boolean {
        if (expression.kind !== 'binary' || !['<', '<=', '>', '>='].includes(expression.operator)) return false;
        const { dictionary } = this.#database;
        const [left, right] = [expression.left, expression.right].map(side => dictionary.kind(compileExpression(side, scope)(registers)));
        return left !== right;
    }

    #numbers(expression: Expression, { scope }: PartialMatcher, registers: Int32Array): [number, number] | undefined {
        if (expression.kind !== 'binary' || !['<', '<=', '>', '>=', '==', '='].includes(expression.operator)) return undefined;
        const { dictionary } = this.#database;
        const [left, right] = [expression.left, expression.right].map(side => compileExpression(side, scope)(registers));
        if (left === undefined || right === undefined || !dictionary.isNumber(left) || !dictionary.isNumber(right)) return undefined;
        return [dictionary.numberOf(left), dictionary.numberOf(right)];
    }

    #conditionCause(expression: Expression, matcher: PartialMatcher, registers: Int32Array): Cause {
        const sides = this.#numbers(expression, matcher, registers);
        const apart = sides === undefined ? 0 : Math.abs(sides[0] - sides[1]);
        const isStrict = expression.kind === 'binary' && (expression.operator === '<' || expression.operator === '>');
        const off =
            sides === undefined ? undefined : apart === 0 && isStrict ? 'both sides are equal' : `off by ${Number(apart.toPrecision(12))}`;
        const values = this.#givens(expression, matcher, registers);
        return { kind: 'condition', condition: printExpression(expression), values, ...(off === undefined ? {} : { off }) };
    }

    #givens(expression: Expression, { scope }: PartialMatcher, registers: Int32Array): Given[] {
        return [...new Set(variablesOf(expression))].flatMap(name => {
            const value = registers[scope.slot(name)] ?? UNBOUND;
            return value === UNBOUND ? [] : [{ name, value: this.#term(value) }];
        });
    }

    #reason(rule: AnalysedRule, cause: Cause, span: Span, premises: readonly string[], distance: number): Reason {
        const { place } = rule.rule;
        const text = { text: printRuleText(rule.rule), place, span: rule.rule.span };
        return { cause, rule: text, place: { kind: 'clause', place, span }, premises, distance };
    }

    #matcher(rule: AnalysedRule, head: ResolvedAtom): PartialMatcher {
        const matcher = this.#matchers.get(head) ?? partialMatcher(this.#database, rule, head);
        this.#matchers.set(head, matcher);
        return matcher;
    }

    #originOf({ predicate: key, row }: FactRow): Origin | undefined {
        const predicate = this.#database.program.predicates.get(key);
        const rows = this.#database.relation(key);
        return predicate === undefined || rows === undefined ? undefined : originOf(predicate, rows, row);
    }

    #nearFact(fact: FactRow, column: number, difference: Difference | 'exchanged'): NearFact {
        const origin = this.#originOf(fact);
        return { fact: this.#rowText(fact), column, difference, ...(origin === undefined ? {} : { origin }) };
    }

    #rowText({ predicate: key, row }: FactRow): string {
        const predicate = this.#database.program.predicates.get(key)!;
        const values = this.#database.relation(key)!.columns.map(column => column[row]!);
        return factText(this.#database.dictionary, predicate, values, this.#label);
    }

    #text(predicate: Predicate, pattern: HeadPattern): string {
        const terms = predicate.columns.map(({ type }, column) => {
            const value = pattern[column];
            return value === undefined ? '_' : termText(this.#database.dictionary, value, type, this.#label);
        });
        return `${predicate.name}(${terms.join(',')})`;
    }

    #term(value: ValueId): string {
        return termText(this.#database.dictionary, value, MIXED, this.#label);
    }
}

/** What stops a premise in the end. */
function rootOf(reason: Reason): Reason {
    const first = reason.because === undefined ? undefined : firstCause(reason.because);
    return first === undefined ? reason : first;
}

/** Whether one change would mend both. */
function isSameRoot(left: Reason, right: Reason): boolean {
    const [a, b] = [left.missing, right.missing];
    if (a !== undefined && b !== undefined) {
        const agrees = (value: ValueId | undefined, column: number): boolean =>
            value === undefined || b.values[column] === undefined || b.values[column] === value;
        return a.predicate === b.predicate && a.values.every(agrees);
    }
    const [from, to] = [left.place, right.place];
    return from !== undefined && to !== undefined && from.place === to.place && from.span.start === to.span.start;
}

function placeOf({ place }: Reason): Pick<Reason, 'place'> {
    return place === undefined ? {} : { place };
}

function isFreeVariable(head: ResolvedAtom, column: number): boolean {
    const term = head.atom.arguments[column];
    return term?.kind === 'variable' && head.atom.arguments.filter(one => one.kind === 'variable' && one.name === term.name).length === 1;
}

function groupMatch({ registers, facts }: PartialMatch): GroupMatch {
    return {
        registers,
        facts: [...facts.values()]
            .map(({ predicate, row }) => `${predicate}:${row}`)
            .sort()
            .join(),
    };
}

/** Whether a match gives each aggregate of its rule a value. */
function contributionsAreBound(rule: AnalysedRule, { scope }: PartialMatcher, registers: Int32Array): boolean {
    const needs = rule.assignments.flatMap(({ aggregates }) =>
        aggregates.flatMap(({ arguments: args, contributors = [] }) => [
            ...args.flatMap(argument => variablesOf(argument)),
            ...contributors.map(({ name }) => name),
        ]),
    );
    return needs.every(name => (registers[scope.slot(name)] ?? UNBOUND) !== UNBOUND);
}

function distinct(reasons: readonly Reason[]): Reason[] {
    const seen = new Set<string>();
    return reasons.filter(({ cause, rule }) => {
        const key = JSON.stringify([cause, rule?.text]);
        const { size } = seen;
        return seen.add(key).size > size;
    });
}
