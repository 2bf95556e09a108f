import { explodedCollection } from '#language/library/exploded-collection.ts';
import type { AnalysedRule, Assignment, Condition, Literal, ResolvedAtom } from '#language/program/analysed-program.ts';
import { variablesOf } from '#language/program/expression-variables.ts';
import type { Expression } from '#language/program/program.ts';
import type { Database } from '../database.ts';
import type { Evaluate, Scope, Test } from '../evaluate/scope.ts';
import type { Rows } from '../relations/rows.ts';
import type { ValueId } from '../values/value-id.ts';
import { decidedByChance } from './decided-by-chance.ts';
import { compileLeniently, testLeniently } from './lenient-expression.ts';
import type { FactRow, HeadPattern } from './match-rule.ts';
import { type BodyTerm, compileHead, compileTerm, type HeadTerm, ruleScope, UNBOUND } from './rule-scope.ts';
import type { Steps } from './steps.ts';

/** A part of a rule that a match has to satisfy. */
export type RuleItem =
    | {
          readonly kind: 'atom' | 'negation';
          readonly literal: Literal;
          readonly rows: Rows | undefined;
          readonly terms: readonly ItemTerm[];
      }
    | { readonly kind: 'condition'; readonly condition: Condition; readonly test: Test; readonly needs: readonly number[] }
    | {
          readonly kind: 'assignment';
          readonly assignment: Assignment;
          readonly slot: number;
          readonly value: Evaluate;
          readonly needs: readonly number[];
          /** The variable gets each element of the collection (D-55). */
          readonly exploded: boolean;
      };

/** A positive or negated literal of a rule. */
export type AtomItem = Extract<RuleItem, { kind: 'atom' | 'negation' }>;

interface ItemTerm {
    readonly term: BodyTerm;
    readonly expression: Expression;
    readonly needs: readonly number[];
}

/**
 * What a match may do without: the smallest weakening of a rule under which it gives an absent fact says what the fact
 * lacks (query refinement: Tran and Chan, "How to ConQueR why-not questions", SIGMOD 2010).
 */
export interface Relaxation {
    /** These items need not hold. */
    readonly skipped?: ReadonlySet<RuleItem>;
    /** This argument of an atom may have any other value; without an item, of the head. */
    readonly opened?: { readonly item?: AtomItem; readonly column: number };
    /** Two arguments of an atom change places; without an item, of the head. */
    readonly exchanged?: { readonly item?: AtomItem; readonly columns: readonly [number, number] };
    /** Registers that have a value before the match. */
    readonly bound?: readonly (readonly [slot: number, value: ValueId])[];
}

/** Rows found through an index for one step, as a power of two. */
const INDEXED = 3;

/** One way in which what is left of a rule holds. */
export interface PartialMatch {
    /** A copy of the registers; `UNBOUND` where nothing gives a variable its value. */
    readonly registers: Int32Array;
    /** The facts of the positive atoms that are not skipped, in body order. */
    readonly facts: ReadonlyMap<AtomItem, FactRow>;
}

/** A rule that can be matched with parts of it left out, over finished relations. */
export interface PartialMatcher {
    readonly items: readonly RuleItem[];
    readonly head: readonly HeadTerm[];
    readonly scope: Scope;
    readonly slots: ReadonlyMap<string, number>;
    /** The matches under a relaxation, until `found` returns false or no steps are left. */
    run(pattern: HeadPattern, relaxation: Relaxation, steps: Steps, found: (match: PartialMatch) => boolean): void;
    /** The value of an argument of an atom, or `UNBOUND`. */
    argument(item: AtomItem, column: number, registers: Int32Array): ValueId;
    /** Facts that an atom matches under these registers, until `found` returns false. */
    matching(item: AtomItem, registers: Int32Array, found: (row: number) => boolean): void;
    /** Whether an item that was skipped holds after all; `undefined` where its variables have no value. */
    holds(item: RuleItem, registers: Int32Array, steps?: Steps): boolean | undefined;
}

/**
 * A rule made ready for matches that leave some of it out. Items that need an aggregate's result are no part of it, and
 * neither is what chance has decided.
 */
export function partialMatcher(database: Database, rule: AnalysedRule, head: ResolvedAtom): PartialMatcher {
    const { scope, slots } = ruleScope(database, rule);
    const { slot } = scope;
    const byChance = decidedByChance(rule, database.program.libraryPrefixes);
    const items = ruleItems(database, rule, scope, byChance);
    const made = new Set(rule.existential);
    for (const { variable, value } of rule.assignments) if (value.kind === 'skolem') made.add(variable.name);
    const headTerms = compileHead(head, rule, database, scope, term => byChance(term) || variablesOf(term).some(name => made.has(name)));
    const needsOfHead = head.atom.arguments.map(term => variablesOf(term).map(slot));

    /** `dom(*)` shuts out matches with unknown values, in columns without a variable too. */
    const isKnown = ({ predicate, row }: FactRow): boolean =>
        database.relation(predicate)!.columns.every(column => !database.dictionary.isNull(column[row]!));
    const constants = rule.constantsOnly ? [...rule.bound].map(slot) : [];

    const isBound = (needs: readonly number[], registers: Int32Array): boolean => needs.every(index => registers[index] !== UNBOUND);

    const valueAt = ({ term, needs }: ItemTerm, registers: Int32Array): ValueId => {
        if (term === undefined) return UNBOUND;
        if ('slot' in term) return registers[term.slot]!;
        return isBound(needs, registers) ? term.constant(registers) : UNBOUND;
    };

    const rowsMatching = (
        rows: Rows | undefined,
        terms: readonly (ItemTerm | undefined)[],
        registers: Int32Array,
        steps: Steps | undefined,
    ): Iterable<number> => {
        if (rows === undefined) return [];
        const columns: number[] = [];
        const values: ValueId[] = [];
        terms.forEach((term, column) => {
            const value = term === undefined ? UNBOUND : valueAt(term, registers);
            if (value === UNBOUND) return;
            columns.push(column);
            values.push(value);
        });
        if (columns.length === 0) return allRows(rows);
        const matched: number[] = [];
        rows.match(columns, values, row => matched.push(row), steps?.pause);
        // Walking an index is quick beside looking at what it finds.
        steps?.take(matched.length >> INDEXED);
        return matched;
    };

    /** Gives the variables of an atom the values of a row, where they agree; tells which it set. */
    const bindRow = (rows: Rows, terms: readonly (ItemTerm | undefined)[], row: number, registers: Int32Array): number[] | undefined => {
        const set: number[] = [];
        for (const [column, one] of terms.entries()) {
            if (one?.term === undefined || !('slot' in one.term)) continue;
            const value = rows.columns[column]![row]!;
            const index = one.term.slot;
            if (registers[index] === UNBOUND) {
                registers[index] = value;
                set.push(index);
            } else if (registers[index] !== value) {
                for (const one of set) registers[one] = UNBOUND;
                return undefined;
            }
        }
        return set;
    };

    const holds = (item: RuleItem, registers: Int32Array, steps?: Steps): boolean | undefined => {
        switch (item.kind) {
            case 'atom':
            case 'negation': {
                let any = false;
                for (const row of rowsMatching(item.rows, item.terms, registers, steps)) {
                    const set = bindRow(item.rows!, item.terms, row, registers);
                    for (const index of set ?? []) registers[index] = UNBOUND;
                    any = set !== undefined;
                    if (any || steps?.take() === false) break;
                }
                return any === (item.kind === 'atom');
            }
            case 'condition':
                return isBound(item.needs, registers) ? item.test(registers) : undefined;
            case 'assignment':
                if (!isBound([...item.needs, item.slot], registers)) return undefined;
                return item.exploded
                    ? elementsOf(database, item.value(registers)).includes(registers[item.slot]!)
                    : item.value(registers) === registers[item.slot];
        }
    };

    return {
        items,
        head: headTerms,
        scope,
        slots,
        holds,
        argument: (item, column, registers) => valueAt(item.terms[column]!, registers),
        matching(item, registers, found) {
            for (const row of rowsMatching(item.rows, item.terms, registers, undefined)) {
                const set = bindRow(item.rows!, item.terms, row, registers);
                for (const index of set ?? []) registers[index] = UNBOUND;
                if (set !== undefined && !found(row)) return;
            }
        },
        run(pattern, { skipped = new Set(), opened, exchanged, bound = [] }, steps, found) {
            const registers = new Int32Array(slots.size).fill(UNBOUND);
            for (const [slot, value] of bound) registers[slot] = value;
            const facts = new Map<AtomItem, FactRow>();
            const checks: { readonly expected: ValueId; readonly value: Evaluate; readonly needs: readonly number[] }[] = [];
            const order =
                exchanged !== undefined && exchanged.item === undefined ? exchangedColumns(pattern.length, exchanged.columns) : undefined;
            for (const [column, term] of headTerms.entries()) {
                const expected = pattern[order?.[column] ?? column];
                if (expected === undefined || term === undefined) continue;
                if (opened !== undefined && opened.item === undefined && opened.column === column) continue;
                if (!('slot' in term)) checks.push({ expected, value: term.value, needs: needsOfHead[column]! });
                else if (registers[term.slot] === UNBOUND) registers[term.slot] = expected;
                else if (registers[term.slot] !== expected) return;
            }
            const termsOf = (item: AtomItem): readonly (ItemTerm | undefined)[] => {
                if (opened?.item === item) return item.terms.map((term, column) => (column === opened.column ? undefined : term));
                if (exchanged?.item !== item) return item.terms;
                const places = exchangedColumns(item.terms.length, exchanged.columns);
                return item.terms.map((_, column) => item.terms[places[column]!]);
            };
            const wanted = items.filter(item => !skipped.has(item));
            let stopped = false;

            const complete = (): boolean =>
                constants.every(index => registers[index] === UNBOUND || !database.dictionary.isNull(registers[index]!)) &&
                (!rule.constantsOnly || [...facts.values()].every(isKnown)) &&
                checks.every(({ expected, value, needs }) => !isBound(needs, registers) || value(registers) === expected);

            /** Goes on with the items that are left: first those that only test or compute, then the atom with most arguments bound. */
            const extend = (left: readonly RuleItem[]): void => {
                if (stopped || !steps.take()) return;
                const next = nextItem(left, registers, isBound, valueAt);
                if (next === undefined) {
                    if (complete() && !found({ registers: registers.slice(), facts: new Map(facts) })) stopped = true;
                    return;
                }
                const rest = left.filter(item => item !== next);
                switch (next.kind) {
                    case 'condition':
                    case 'negation':
                        if (next.kind === 'condition' && !isBound(next.needs, registers)) {
                            extend(rest);
                            return;
                        }
                        if (next.kind === 'negation' && exchanged?.item === next) {
                            const [any] = rowsMatching(next.rows, termsOf(next), registers, steps);
                            if (any === undefined) extend(rest);
                            return;
                        }
                        if (holds(next, registers, steps) === true) extend(rest);
                        return;
                    case 'assignment': {
                        if (!isBound(next.needs, registers)) {
                            extend(rest);
                            return;
                        }
                        const given = registers[next.slot]!;
                        const value = next.value(registers);
                        for (const one of next.exploded ? elementsOf(database, value) : [value]) {
                            if (given !== UNBOUND && given !== one) continue;
                            registers[next.slot] = one;
                            extend(rest);
                        }
                        registers[next.slot] = given;
                        return;
                    }
                    case 'atom': {
                        const terms = termsOf(next);
                        for (const row of rowsMatching(next.rows, terms, registers, steps)) {
                            if (stopped || steps.left < 0) return;
                            const set = bindRow(next.rows!, terms, row, registers);
                            if (set === undefined) {
                                steps.take();
                                continue;
                            }
                            facts.set(next, { predicate: next.literal.predicate, row });
                            extend(rest);
                            facts.delete(next);
                            for (const index of set) registers[index] = UNBOUND;
                        }
                    }
                }
            };
            extend(wanted);
        },
    };
}

function ruleItems(database: Database, rule: AnalysedRule, scope: Scope, byChance: (term: Expression) => boolean): RuleItem[] {
    const needs = (expression: Expression): number[] => variablesOf(expression).map(name => scope.slot(name));
    const literals = rule.literals
        .filter(({ afterAggregation }) => !afterAggregation)
        .map(
            (literal): RuleItem => ({
                kind: literal.negated ? 'negation' : 'atom',
                literal,
                rows: database.relation(literal.predicate),
                terms: literal.atom.arguments.map(expression => ({
                    term: compileTerm(expression, scope),
                    expression,
                    needs: needs(expression),
                })),
            }),
        );
    const conditions = rule.conditions
        .filter(({ afterAggregation, expression }) => !afterAggregation && !byChance(expression))
        .map((condition): RuleItem => {
            const { expression } = condition;
            return { kind: 'condition', condition, test: testLeniently(expression, scope), needs: needs(expression) };
        });
    const assignments = rule.assignments
        .filter(({ afterAggregation, value }) => !afterAggregation && value.kind !== 'skolem' && !byChance(value))
        .map((assignment): RuleItem => {
            const collection = explodedCollection(assignment.value, scope.libraryPrefixes);
            return {
                kind: 'assignment',
                assignment,
                slot: scope.slot(assignment.variable.name),
                value: compileLeniently(collection ?? assignment.value, scope),
                needs: needs(assignment.value),
                exploded: collection !== undefined,
            };
        });
    return [...literals, ...conditions, ...assignments];
}

/** Tests and assignments as soon as they can be made, then the atom with most bound arguments, then what cannot be decided. */
function nextItem(
    left: readonly RuleItem[],
    registers: Int32Array,
    isBound: (needs: readonly number[], registers: Int32Array) => boolean,
    valueAt: (term: ItemTerm, registers: Int32Array) => ValueId,
): RuleItem | undefined {
    const ready = left.find(item => (item.kind === 'condition' || item.kind === 'assignment') && isBound(item.needs, registers));
    if (ready !== undefined) return ready;
    let best: AtomItem | undefined;
    let most = -1;
    for (const item of left) {
        if (item.kind !== 'atom') continue;
        const bound = item.terms.filter(term => valueAt(term, registers) !== UNBOUND).length / Math.max(1, item.terms.length);
        if (bound > most || (bound === most && (item.rows?.count ?? 0) < (best?.rows?.count ?? 0))) {
            best = item;
            most = bound;
        }
    }
    return best ?? left[0];
}

function* allRows({ count }: Rows): Iterable<number> {
    for (let row = 0; row < count; row++) yield row;
}

function exchangedColumns(count: number, [first, second]: readonly [number, number]): number[] {
    return Array.from({ length: count }, (_, column) => (column === first ? second : column === second ? first : column));
}

function elementsOf({ dictionary }: Database, collection: ValueId): readonly ValueId[] {
    const kind = dictionary.kind(collection);
    return kind === 'list' || kind === 'set' ? [...new Set(dictionary.membersOf(collection))] : [];
}
