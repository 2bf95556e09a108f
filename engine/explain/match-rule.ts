import { explodedCollection } from '#language/library/exploded-collection.ts';
import type { AnalysedRule, Literal, PredicateKey, ResolvedAtom } from '#language/program/analysed-program.ts';
import { variablesOf } from '#language/program/expression-variables.ts';
import type { Database } from '../database.ts';
import type { Evaluate, Scope, Test } from '../evaluate/scope.ts';
import { inventionsOf, withNamedTerms } from '../plan/inventions.ts';
import type { Rows } from '../relations/rows.ts';
import type { Dictionary } from '../values/dictionary.ts';
import type { NullSourceId } from '../values/null-store.ts';
import type { ValueId } from '../values/value-id.ts';
import { decidedByChance } from './decided-by-chance.ts';
import { leastMatch, type SearchedCheck } from './least-match.ts';
import { compileLeniently, testLeniently } from './lenient-expression.ts';
import { type BodyTerm, compileHead, compileTerm, ruleScope, UNBOUND } from './rule-scope.ts';

/** The facts that the positive atoms of a rule match, in body order. */
export type RuleMatch = readonly FactRow[];

/** A fact by the number of its row. */
export interface FactRow {
    readonly predicate: PredicateKey;
    readonly row: number;
}

/** The null that an existential variable gets in a match, and the value that took its place. */
export type ReplacedNull = readonly [made: ValueId, value: ValueId];

/** What a match tells: its facts, the nulls that were replaced since, and the values of the rule's variables while it is told. */
export type FoundMatch = (match: RuleMatch, replaced: readonly ReplacedNull[], registers: Int32Array) => void;

/** How much of a head must be equal to the fact asked about; `undefined` leaves a column open. */
export type HeadPattern = readonly (ValueId | undefined)[];

/**
 * Enumerates the matches of a rule's body, over finished relations, that give its head the values of the pattern, each
 * with the nulls that it makes and that were replaced since.
 * Conditions and assignments that need an aggregate's result are left out: the pattern leaves their columns open. So are
 * conditions on what chance has decided. With `earlier`, only the positive atoms count: conditions and negations may have
 * held for values that equality heads have replaced since.
 */
export function matchRule(
    database: Database,
    rule: AnalysedRule,
    head: ResolvedAtom,
    pattern: HeadPattern,
    found: FoundMatch,
    options: MatchOptions = {},
): void {
    matcherOf(database, rule).run(head, pattern, found, options);
}

export interface MatchOptions {
    readonly earlier?: boolean;
    /** Asks for the match that comes first; others are told as well where it cannot be found without them. */
    readonly first?: MatchOrder;
    /** Ends the search by an error once it has taken too long. */
    readonly checkpoint?: () => void;
}

/** Which match of a rule comes first. */
export interface MatchOrder {
    /** Whether a fact can be a premise at all. */
    readonly admits: (premise: FactRow) => boolean;
    /** What a match is judged by, the most important first: the greatest cost of its facts, which is to be small. */
    readonly costs: readonly ((premise: FactRow) => number)[];
    /** Which of two facts of a literal stands first, where costs do not decide; literals count in the order of the body. */
    readonly compare: (left: FactRow, right: FactRow) => number;
}

/** Where a rule has more literals than this, its matches are looked at one after the other. */
const MOST_LITERALS = 256;

/** The scope that names the registers of a rule's matches. */
export function matchScope(database: Database, rule: AnalysedRule): Scope {
    return matcherOf(database, rule).scope;
}

/** Rows that a search may look at between two checkpoints. */
const BATCH = 1024;

interface CompiledLiteral {
    readonly literal: Literal;
    readonly rows: Rows | undefined;
    /** Per written argument: a register, a computed constant, or nothing for an anonymous term. */
    readonly terms: readonly BodyTerm[];
}

const matchers = new WeakMap<Database, Map<AnalysedRule, ReturnType<typeof compileMatcher>>>();

function matcherOf(database: Database, rule: AnalysedRule): ReturnType<typeof compileMatcher> {
    const compiled = matchers.get(database) ?? new Map<AnalysedRule, ReturnType<typeof compileMatcher>>();
    matchers.set(database, compiled);
    const matcher = compiled.get(rule) ?? compileMatcher(database, rule);
    compiled.set(rule, matcher);
    return matcher;
}

function compileMatcher(database: Database, rule: AnalysedRule) {
    const { scope, slots } = ruleScope(database, rule);
    const { slot } = scope;
    const { dictionary } = database;
    /** Equal, or two unknown values that were not invented: one that a rule makes anew is never met again. */
    const same = (left: ValueId, right: ValueId): boolean => {
        if (left === right) return true;
        if (!dictionary.isNull(left) || !dictionary.isNull(right)) return false;
        if (!dictionary.isInvented(left) && !dictionary.isInvented(right)) return true;
        const [a, b] = [dictionary.nullOf(left), dictionary.nullOf(right)];
        return a.source === b.source && a.arguments.every((argument, i) => same(argument, b.arguments[i]!));
    };
    const literals = rule.literals.map(
        (literal): CompiledLiteral => ({
            literal,
            rows: database.relation(literal.predicate),
            terms: literal.atom.arguments.map(term => compileTerm(term, scope)),
        }),
    );
    const byChance = decidedByChance(rule, database.program.libraryPrefixes);
    const computed = rule.assignments
        .filter(assignment => !assignment.afterAggregation)
        .map(({ variable, value }) => {
            const collection = explodedCollection(value, scope.libraryPrefixes);
            return {
                slot: slot(variable.name),
                value: compileLeniently(collection ?? value, scope),
                needs: variablesOf(value).map(slot),
                byChance: byChance(value),
                exploded: collection !== undefined,
            };
        });
    const assignments = computed.filter(one => !one.exploded);
    const explosions = computed.filter(one => one.exploded);
    const conditions = rule.conditions
        .filter(condition => !condition.afterAggregation && !byChance(condition.expression))
        .map(({ expression }) => ({ test: testLeniently(expression, scope), needs: variablesOf(expression).map(slot) }));
    const named = withNamedTerms(rule);
    /** What a match gives to each aggregate; unknown values are skipped (5.1), and what chance decided is not looked at. */
    const contributed = rule.assignments
        .flatMap(({ aggregates }) => aggregates.map(({ arguments: [value] }) => value))
        .map(value => (value === undefined || byChance(value) ? undefined : compileLeniently(value, scope)));
    const heads = named.heads.map(head => {
        const terms = compileHead(head, rule, database, scope, byChance);
        return terms.map((term, column) => term && { ...term, needs: variablesOf(head.atom.arguments[column]!).map(slot) });
    });
    const inventions = inventionsOf(named).map(({ variable, source, frontier }) => ({
        slot: slot(variable),
        source: dictionary.nullSource(source),
        frontier: frontier.map(term => compileLeniently(term, scope)),
        needs: frontier.flatMap(variablesOf).map(slot),
        /** Where the values of the frontier are registers. */
        slots: frontier.map(term => (term.kind === 'variable' ? slot(term.name) : undefined)),
    }));
    const skolems = rule.assignments.flatMap(({ value, afterAggregation }) => {
        if (value.kind !== 'skolem' || afterAggregation || byChance(value)) return [];
        const source = dictionary.nullSource({ invented: true, name: `#${value.name}` });
        return [{ source, needs: variablesOf(value).map(slot), frontier: value.arguments.map(term => compileLeniently(term, scope)) }];
    });
    const registers = new Int32Array(slots.size);
    let isEarlier = false;
    let looked = 0;
    let check: () => void = () => undefined;
    const hasMerges = (database.merges?.all.length ?? 0) > 0;
    /** The existential variables whose nulls the head gives. */
    const given = new Set<number>();

    const bound = (needs: readonly number[]): boolean => needs.every(index => registers[index] !== UNBOUND);

    /** Runs the assignments that have become possible and notes their registers. */
    const assign = (trail: number[]): void => {
        for (let progress = true; progress; ) {
            progress = false;
            for (const { slot: target, value, needs } of assignments) {
                if (registers[target] !== UNBOUND || !bound(needs)) continue;
                registers[target] = value(registers);
                trail.push(target);
                progress = true;
            }
        }
    };

    const holds = (compiled: CompiledLiteral): boolean => {
        let any = false;
        match(compiled, row => {
            any ||= agreesWithItself(compiled, row);
        });
        return any;
    };

    const match = (compiled: CompiledLiteral, matched: (row: number) => void): void => {
        const columns: number[] = [];
        const values: ValueId[] = [];
        compiled.terms.forEach((term, column) => {
            const value = term === undefined ? UNBOUND : 'slot' in term ? registers[term.slot]! : term.constant(registers);
            if (value === UNBOUND) return;
            columns.push(column);
            values.push(value);
        });
        compiled.rows?.match(columns, values, matched);
    };

    const positives = literals.filter(({ literal }) => !literal.negated);
    const negatives = literals.filter(({ literal }) => literal.negated && !literal.afterAggregation);

    const madeBy = ({ source, frontier }: { readonly source: NullSourceId; readonly frontier: readonly Evaluate[] }): ValueId =>
        dictionary.unresolvedNull(
            source,
            frontier.map(value => value(registers)),
        );

    /** Gives existential variables their nulls; what the head gives one has to be that null, replaced or, where a clash stopped the run, not yet. */
    const invent = (): boolean =>
        inventions.every(invention => {
            const made = madeBy(invention);
            const value = dictionary.resolve(made);
            if (given.has(invention.slot)) return registers[invention.slot] === value || registers[invention.slot] === made;
            registers[invention.slot] = value;
            return true;
        });

    const replacedNulls = (): readonly ReplacedNull[] => {
        if (!hasMerges || isEarlier) return [];
        const invented = inventions.filter(one => given.has(one.slot) && registers[one.slot] !== madeBy(one));
        const made = [...invented, ...skolems.filter(({ needs }) => bound(needs))].map(madeBy);
        return made.flatMap((one): ReplacedNull[] => {
            const value = dictionary.resolve(one);
            return one === value ? [] : [[one, value]];
        });
    };

    /** The nulls in the head give away the frontier. Returns whether it agrees with what the head gives. */
    const readFrontiers = (): boolean =>
        inventions.every(({ slot: target, source, slots: targets }) => {
            const labelled = registers[target]!;
            if (labelled === UNBOUND || !dictionary.isInvented(labelled)) return true;
            const origin = dictionary.nullOf(labelled);
            if (dictionary.nullSource(origin.source) !== source) return true;
            return targets.every((index, i) => {
                if (index === undefined) return true;
                if (registers[index] === UNBOUND) registers[index] = origin.arguments[i]!;
                return registers[index] === origin.arguments[i];
            });
        });

    /** `dom(*)` shuts out matches with unknown values, in columns without a variable too. */
    const isKnown = ({ columns }: Rows, row: number): boolean => columns.every(column => !dictionary.isNull(column[row]!));
    const constants = rule.constantsOnly ? [...rule.bound].map(slot) : [];
    const complete = (checks: readonly HeadCheck[]): boolean =>
        constants.every(index => registers[index] === UNBOUND || !dictionary.isNull(registers[index]!)) &&
        assignments.every(one => bound(one.needs) && (one.byChance || same(one.value(registers), registers[one.slot]!))) &&
        (contributed.length === 0 || contributed.some(value => value === undefined || !dictionary.isNull(value(registers)))) &&
        conditions.every(({ test, needs }) => bound(needs) && (test as Test)(registers)) &&
        negatives.every(negative => !holds(negative)) &&
        invent() &&
        checks.every(({ expected, value }) => same(value(registers), expected));

    /** Gives exploded variables each of their elements in turn, equal ones too (D-55); what the head gives one has to be an element. */
    const explode = (open: typeof explosions, done: () => void): void => {
        const trail: number[] = [];
        assign(trail);
        const next = open.find(({ needs }) => bound(needs));
        if (next === undefined) {
            if (open.length === 0) done();
        } else {
            const rest = open.filter(one => one !== next);
            const elements = elementsOf(dictionary, next.value(registers));
            const given = registers[next.slot]!;
            for (const element of given === UNBOUND ? elements : elements.filter(one => one === given)) {
                registers[next.slot] = element;
                explode(rest, done);
            }
            registers[next.slot] = given;
        }
        for (const index of trail) registers[index] = UNBOUND;
    };

    const extend = (
        remaining: readonly CompiledLiteral[],
        rows: Map<CompiledLiteral, number>,
        checks: readonly HeadCheck[],
        found: FoundMatch,
    ): void => {
        const trail: number[] = [];
        assign(trail);
        const next = mostBound(remaining, registers);
        if (next === undefined) {
            explode(explosions, () => {
                if (!isEarlier && !complete(checks)) return;
                const match = positives.map(positive => ({ predicate: positive.literal.predicate, row: rows.get(positive)! }));
                found(match, replacedNulls(), registers);
            });
        } else {
            const rest = remaining.filter(literal => literal !== next);
            const matched: number[] = [];
            match(next, row => matched.push(row));
            for (const row of matched) {
                if (++looked % BATCH === 0) check();
                const set: number[] = [];
                if (rule.constantsOnly && !isKnown(next.rows!, row)) continue;
                const agrees = next.terms.every((term, column) => {
                    if (term === undefined || !('slot' in term)) return true;
                    const value = next.rows!.columns[column]![row]!;
                    if (registers[term.slot] !== UNBOUND) return registers[term.slot] === value;
                    registers[term.slot] = value;
                    set.push(term.slot);
                    return true;
                });
                rows.set(next, row);
                if (agrees) extend(rest, rows, checks, found);
                for (const index of set) registers[index] = UNBOUND;
            }
        }
        for (const index of trail) registers[index] = UNBOUND;
    };

    /** Whether the match that comes first can be found by searching parts of the body apart. */
    const isSearched = (): boolean =>
        !hasMerges &&
        !isEarlier &&
        explosions.length === 0 &&
        contributed.length === 0 &&
        positives.length <= MOST_LITERALS &&
        inventions.every(invention => given.has(invention.slot));

    const search = (headChecks: readonly HeadCheck[], order: MatchOrder, found: FoundMatch): void => {
        const start = registers.slice();
        const premiseOf = (literal: number, row: number): FactRow => ({ predicate: positives[literal]!.literal.predicate, row });
        const bindable = new Set([
            ...[...registers.keys()].filter(index => registers[index] !== UNBOUND),
            ...positives.flatMap(slotsOf),
            ...assignments.map(one => one.slot),
        ]);
        const checks: SearchedCheck[] = [
            ...assignments.map(
                ({ slot: target, value, needs, byChance: isChance }): SearchedCheck => ({
                    needs,
                    target,
                    assign: () => {
                        registers[target] = value(registers);
                        return true;
                    },
                    holds: () => isChance || same(value(registers), registers[target]!),
                }),
            ),
            ...conditions.map(({ test, needs }) => ({ needs, holds: () => (test as Test)(registers) })),
            ...negatives.map(negative => ({
                needs: slotsOf(negative).filter(index => bindable.has(index)),
                holds: () => !holds(negative),
            })),
            ...constants
                .filter(index => bindable.has(index))
                .map(index => ({ needs: [index], holds: () => !dictionary.isNull(registers[index]!) })),
            ...inventions.map(invention => ({
                needs: [...invention.needs, invention.slot],
                holds: () => {
                    const made = madeBy(invention);
                    return [made, dictionary.resolve(made)].includes(registers[invention.slot]!);
                },
            })),
            ...headChecks.map(({ expected, value, needs }) => ({ needs, holds: () => same(value(registers), expected) })),
        ];
        const admits = (literal: number, row: number): boolean =>
            (!rule.constantsOnly || isKnown(positives[literal]!.rows!, row)) && order.admits(premiseOf(literal, row));
        const rows = leastMatch(
            {
                literals: positives,
                checks,
                registers,
                admits,
                costs: order.costs.map(cost => (literal, row) => cost(premiseOf(literal, row))),
                compare: (literal, left, right) => order.compare(premiseOf(literal, left), premiseOf(literal, right)),
                checkpoint: check,
            },
            UNBOUND,
        );
        if (rows === undefined) return;
        registers.set(start);
        for (const [literal, { terms, rows: relation }] of positives.entries()) {
            for (const [column, term] of terms.entries()) {
                if (term !== undefined && 'slot' in term) registers[term.slot] = relation!.columns[column]![rows[literal]!]!;
            }
        }
        assign([]);
        found(
            rows.map((row, literal) => premiseOf(literal, row)),
            [],
            registers,
        );
    };

    return {
        scope,
        run(head: ResolvedAtom, pattern: HeadPattern, found: FoundMatch, options: MatchOptions): void {
            const { earlier = false, first, checkpoint = () => undefined } = options;
            isEarlier = earlier;
            check = checkpoint;
            registers.fill(UNBOUND);
            const terms = heads[rule.heads.indexOf(head)] ?? [];
            const checks: HeadCheck[] = [];
            for (const [column, term] of terms.entries()) {
                const expected = pattern[column];
                if (expected === undefined || term === undefined) continue;
                if (!('slot' in term)) checks.push({ expected, ...term });
                else if (registers[term.slot] === UNBOUND) registers[term.slot] = expected;
                else if (registers[term.slot] !== expected) return;
            }
            given.clear();
            for (const { slot: target } of inventions) if (registers[target] !== UNBOUND) given.add(target);
            // A null that equality heads made of several has the frontiers of all of them.
            if (!hasMerges && !readFrontiers()) return;
            if (first !== undefined && isSearched()) search(checks, first, found);
            else extend(positives, new Map(), checks, found);
        },
    };
}

/** Whether a row has one value wherever the atom repeats a variable. */
function agreesWithItself({ terms, rows }: CompiledLiteral, row: number): boolean {
    const seen = new Map<number, ValueId>();
    return terms.every((term, column) => {
        if (term === undefined || !('slot' in term)) return true;
        const value = rows!.columns[column]![row]!;
        const first = seen.get(term.slot) ?? value;
        seen.set(term.slot, first);
        return first === value;
    });
}

function slotsOf({ terms }: CompiledLiteral): number[] {
    return terms.flatMap(term => (term !== undefined && 'slot' in term ? [term.slot] : []));
}

function elementsOf(dictionary: Dictionary, collection: ValueId): readonly ValueId[] {
    const kind = dictionary.kind(collection);
    return kind === 'list' || kind === 'set' ? dictionary.membersOf(collection) : [];
}

interface HeadCheck {
    readonly expected: ValueId;
    readonly value: Evaluate;
    readonly needs: readonly number[];
}

/** The literal with the largest share of bound arguments; among equals the one with fewer facts. */
function mostBound(literals: readonly CompiledLiteral[], registers: Int32Array): CompiledLiteral | undefined {
    const boundTerms = ({ terms }: CompiledLiteral): number =>
        terms.filter(term => term !== undefined && (!('slot' in term) || registers[term.slot] !== UNBOUND)).length;
    let best: CompiledLiteral | undefined;
    for (const literal of literals) {
        if (best === undefined) best = literal;
        else {
            const difference = boundTerms(literal) - boundTerms(best);
            if (difference > 0 || (difference === 0 && (literal.rows?.count ?? 0) < (best.rows?.count ?? 0))) best = literal;
        }
    }
    return best;
}
