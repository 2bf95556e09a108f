import type { Predicate } from '#language/program/analysed-program.ts';
import type { ValueId } from '../values/dictionary.ts';
import type { Absence } from './absence.ts';
import type { Cause, NearFact, Reason } from './cause.ts';
import { DISTANCE } from './distances.ts';
import type { FactRow, HeadPattern } from './match-rule.ts';
import { differenceOf, nearMisses } from './near-miss.ts';
import type { Trials } from './trials.ts';

/** The reason that no given fact fits a pattern: the facts that nearly do, or the slip of the pen that explains it. */
export function missingReason(absence: Absence, predicate: Predicate, pattern: HeadPattern): Reason {
    const rows = absence.database.relation(predicate.key);
    const misses = nearMisses(absence.database.dictionary, rows, pattern);
    const near = misses.map(
        ({ row, column, difference }): NearFact => absence.words.near({ predicate: predicate.key, row }, column, difference),
    );
    for (const { row, column, difference } of misses) {
        if (difference === 'exchanged') continue;
        const slip = slipOf(absence, pattern[column]!, rows!.columns[column]![row]!, column);
        if (slip !== undefined) return slip;
    }
    const asked = new Set(pattern.filter(value => value !== undefined));
    for (const { row, column } of absence.facts.oddRows(predicate.key)) {
        if (rows!.columns.some(values => asked.has(values[row]!))) return oddFact(absence, { predicate: predicate.key, row }, column);
    }
    const [first] = near;
    const isExchanged = first?.difference === 'exchanged';
    const open = pattern.filter(value => value === undefined).length;
    const taken = pattern.filter(
        (value, column) => value !== undefined && rows !== undefined && absence.facts.isTaken(rows, column, value),
    ).length;
    const foreign = pattern.filter((value, column) => absence.facts.isForeign(rows, column, value)).length;
    const place = isExchanged && first?.origin?.kind === 'clause' ? { place: first.origin } : {};
    return {
        cause: { kind: 'missing', fact: absence.words.pattern(predicate, pattern), derivable: predicate.rules.length > 0, near },
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
export function unknownValues(absence: Absence, pattern: HeadPattern): Reason[] {
    const { dictionary } = absence.database;
    const occurrences = absence.facts.occurrences();
    return pattern.flatMap((asked, column): Reason[] => {
        if (asked === undefined || dictionary.kind(asked) !== 'string' || occurrences.has(asked)) return [];
        for (const [value, { count, fact }] of occurrences) {
            const difference = differenceOf(dictionary, asked, value);
            if (difference === 'other' || count < 2) continue;
            const near = absence.words.near(fact, column, difference);
            return [{ cause: { kind: 'unknown', value: absence.words.term(asked), near }, premises: [], distance: DISTANCE.unknown }];
        }
        return [];
    });
}

/** A given fact with a value of an unusual type. */
export function oddFact(absence: Absence, fact: FactRow, column: number): Reason {
    const origin = absence.words.origin(fact);
    return {
        cause: { kind: 'odd', fact: absence.words.row(fact), column, ...(origin === undefined ? {} : { origin }) },
        premises: [],
        ...(origin?.kind === 'clause' ? { place: origin } : {}),
        distance: DISTANCE.odd,
    };
}

/** A slip of the pen: of two values that look alike, one stands in a single given fact. */
export function slipOf(absence: Absence, wanted: ValueId, given: ValueId, column: number): Reason | undefined {
    const { dictionary } = absence.database;
    const difference = differenceOf(dictionary, wanted, given);
    if (difference === 'other') return undefined;
    const occurrences = absence.facts.occurrences();
    const [ofWanted, ofGiven] = [occurrences.get(wanted), occurrences.get(given)];
    // What the question says is meant.
    const isWanted =
        !absence.asked.has(wanted) && ofWanted !== undefined && (ofWanted.count < (ofGiven?.count ?? 0) || absence.asked.has(given));
    const one = isWanted ? ofWanted : ofGiven;
    if (one === undefined || one.count > 1 || (!isWanted && absence.asked.has(given))) return undefined;
    const twin = isWanted || absence.asked.has(wanted) || ofWanted?.count !== 1 ? undefined : ofWanted;
    const [value, meant] = isWanted ? [wanted, given] : [given, wanted];
    const near = absence.words.near(one.fact, column, difference);
    return {
        cause: {
            kind: 'slip',
            value: absence.words.term(value),
            meant: absence.words.term(meant),
            near,
            ...(twin === undefined ? {} : { other: absence.words.near(twin.fact, column, difference) }),
        },
        premises: [],
        ...(near.origin?.kind === 'clause' ? { place: near.origin } : {}),
        distance: DISTANCE.slip,
    };
}

/** The slips of the pen without which the fact is derived, and whether there is no doubt what was meant. */
export function confirmedSlips(
    { database, facts, asked, words }: Absence,
    trials: Trials,
): { readonly reason: Reason; readonly isSure: boolean }[] {
    return facts.slips().flatMap(({ value, meant, fact, difference }) => {
        if (asked.has(value)) return [];
        const values = database.relation(fact.predicate)!.columns.map(ids => ids[fact.row]!);
        const column = values.indexOf(value);
        if (trials.withFact({ predicate: fact.predicate, values: values.with(column, meant) }) !== true) return [];
        const near = words.near(fact, column, difference);
        const cause: Cause = { kind: 'slip', value: words.term(value), meant: words.term(meant), near };
        const isSure = asked.has(meant) || (facts.occurrences().get(meant)?.count ?? 0) > 1;
        const place = near.origin?.kind === 'clause' ? { place: near.origin } : {};
        return [{ reason: { cause, premises: [], ...place, distance: DISTANCE.slip }, isSure }];
    });
}
