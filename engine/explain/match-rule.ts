import type { AnalysedRule, PredicateKey, ResolvedAtom } from '#language/program/analysed-program.ts';
import type { Database } from '../contracts/database.ts';
import type { Scope } from '../evaluate/scope.ts';
import { withNamedTerms } from '../plan/inventions.ts';
import type { ValueId } from '../values/value-id.ts';
import { leastMatch, type SearchedCheck } from './least-match.ts';
import { compileLeniently } from './lenient-expression.ts';
import { areAlike, type InventedNull, inventedNulls, madeNull } from './made-nulls.ts';
import { type AtomItem, atomsOf, isBound, matchingRows, type RuleItem, ruleBody, slotsOf } from './rule-body.ts';
import { bindHead, compileHead, type HeadCheck, UNBOUND } from './rule-scope.ts';
import { Steps } from './steps.ts';
import { walkBody } from './walk-body.ts';

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

const matchers = new WeakMap<Database, Map<AnalysedRule, ReturnType<typeof compileMatcher>>>();

function matcherOf(database: Database, rule: AnalysedRule): ReturnType<typeof compileMatcher> {
    const compiled = matchers.get(database) ?? new Map<AnalysedRule, ReturnType<typeof compileMatcher>>();
    matchers.set(database, compiled);
    const matcher = compiled.get(rule) ?? compileMatcher(database, rule);
    compiled.set(rule, matcher);
    return matcher;
}

function compileMatcher(database: Database, rule: AnalysedRule) {
    const { dictionary } = database;
    const body = ruleBody(database, rule);
    const { scope, items, byChance, constants } = body;
    const positives = atomsOf(items);
    const assignments = items.filter(item => item.kind === 'assignment');
    const named = withNamedTerms(rule);
    const heads = named.heads.map(head => compileHead(head, rule, database, scope, byChance));
    const inventions = inventedNulls(named, scope);
    const skolems = assignments.flatMap(({ assignment: { value }, byChance: isChance }) =>
        value.kind === 'skolem' && !isChance ? [madeNull({ invented: true, name: `#${value.name}` }, value.arguments, scope)] : [],
    );
    /** What a match gives to each aggregate; unknown values are skipped (5.1), and what chance decided is not looked at. */
    const contributed = rule.assignments
        .flatMap(({ aggregates }) => aggregates.map(({ arguments: [value] }) => value))
        .map(value => (value === undefined || byChance(value) ? undefined : compileLeniently(value, scope)));
    const registers = new Int32Array(body.slots.size);
    const hasMerges = (database.merges?.all.length ?? 0) > 0;
    /** The existential variables whose nulls the head gives. */
    const given = new Set<number>();

    const same = (left: ValueId, right: ValueId): boolean => areAlike(dictionary, left, right);
    const isKnown = (index: number): boolean => registers[index] === UNBOUND || !dictionary.isNull(registers[index]!);
    const premiseOf = (item: AtomItem, row: number): FactRow => ({ predicate: item.literal.predicate, row });

    /** Gives an existential variable its null; what the head gives one has to be that null, replaced or, where a clash stopped the run, not yet. */
    const invent = (invention: InventedNull): boolean => {
        const made = invention.make(registers);
        const value = dictionary.resolve(made);
        if (!given.has(invention.slot)) registers[invention.slot] = value;
        return registers[invention.slot] === value || registers[invention.slot] === made;
    };

    const replacedNulls = (): readonly ReplacedNull[] => {
        if (!hasMerges) return [];
        const invented = inventions.filter(one => given.has(one.slot) && registers[one.slot] !== one.make(registers));
        return [...invented, ...skolems.filter(({ needs }) => isBound(needs, registers))].flatMap((one): ReplacedNull[] => {
            const made = one.make(registers);
            const value = dictionary.resolve(made);
            return made === value ? [] : [[made, value]];
        });
    };

    const isComplete = (checks: readonly HeadCheck[]): boolean =>
        constants.every(isKnown) &&
        (contributed.length === 0 || contributed.some(value => value === undefined || !dictionary.isNull(value(registers)))) &&
        inventions.every(invent) &&
        checks.every(({ expected, value }) => same(value(registers), expected));

    const enumerate = (checks: readonly HeadCheck[], earlier: boolean, steps: Steps, found: FoundMatch): void =>
        walkBody({
            body,
            items: earlier ? [...positives, ...assignments] : items,
            dictionary,
            registers,
            termsOf: ({ terms }) => terms,
            agrees: (item, before, value) => !item.exploded && (earlier || item.byChance || same(value, before)),
            steps,
            found: rows => {
                if (earlier || isComplete(checks)) {
                    const match = positives.map(item => premiseOf(item, rows.get(item)!));
                    found(match, earlier ? [] : replacedNulls(), registers);
                }
                return true;
            },
        });

    /** Whether the match that comes first can be found by searching parts of the body apart. */
    const isSearched = (): boolean =>
        !hasMerges &&
        contributed.length === 0 &&
        positives.length <= MOST_LITERALS &&
        !assignments.some(({ exploded }) => exploded) &&
        inventions.every(invention => given.has(invention.slot));

    const search = (headChecks: readonly HeadCheck[], order: MatchOrder, checkpoint: () => void, found: FoundMatch): void => {
        const bindable = new Set([
            ...[...registers.keys()].filter(index => registers[index] !== UNBOUND),
            ...positives.flatMap(({ terms }) => slotsOf(terms)),
            ...assignments.map(one => one.slot),
        ]);
        const checkOf = (item: RuleItem): SearchedCheck[] => {
            switch (item.kind) {
                case 'atom':
                    return [];
                case 'negation': {
                    const needs = slotsOf(item.terms).filter(index => bindable.has(index));
                    return [{ needs, holds: () => isAbsent(item, registers) }];
                }
                case 'condition':
                    return [{ needs: item.needs, holds: () => item.test(registers) }];
                case 'assignment': {
                    const { needs, slot: target, value } = item;
                    const assign = (): void => {
                        registers[target] = value(registers);
                    };
                    return [{ needs, target, assign, holds: () => item.byChance || same(value(registers), registers[target]!) }];
                }
            }
        };
        const rows = leastMatch({
            atoms: positives,
            checks: [
                ...items.flatMap(checkOf),
                ...constants.filter(index => bindable.has(index)).map(index => ({ needs: [index], holds: () => isKnown(index) })),
                ...inventions.map(one => ({ needs: [...one.needs, one.slot], holds: () => invent(one) })),
                ...headChecks.map(({ expected, value, needs }) => ({ needs, holds: () => same(value(registers), expected) })),
            ],
            registers,
            admits: (item, row) => body.admits(item.rows!, row) && order.admits(premiseOf(item, row)),
            costs: order.costs.map(cost => (item, row) => cost(premiseOf(item, row))),
            compare: (item, left, right) => order.compare(premiseOf(item, left), premiseOf(item, right)),
            checkpoint,
        });
        if (rows === undefined) return;
        const match = positives.map(item => premiseOf(item, rows.get(item)!));
        found(match, [], registers);
    };

    return {
        scope,
        run(head: ResolvedAtom, pattern: HeadPattern, found: FoundMatch, options: MatchOptions): void {
            const { earlier = false, first, checkpoint = () => undefined } = options;
            registers.fill(UNBOUND);
            const checks = bindHead(heads[rule.heads.indexOf(head)] ?? [], pattern, registers);
            if (checks === undefined) return;
            given.clear();
            for (const { slot } of inventions) if (registers[slot] !== UNBOUND) given.add(slot);
            // A null that equality heads made of several has the frontiers of all of them.
            if (!hasMerges && !inventions.every(one => one.readFrontier(registers))) return;
            if (first !== undefined && !earlier && isSearched()) search(checks, first, checkpoint, found);
            else enumerate(checks, earlier, new Steps(Number.POSITIVE_INFINITY, checkpoint), found);
        },
    };
}

function isAbsent({ rows, terms }: AtomItem, registers: Int32Array): boolean {
    const [any] = matchingRows(rows, terms, registers);
    return any === undefined;
}
