import type { Predicate } from '#language/program/analysed-program.ts';
import { queryParameters } from '#language/program/query-parameters.ts';
import type { ValueId } from '../values/value-id.ts';
import type { Absence } from './absence.ts';
import type { AbsentFact, Cause, NearFact, OpenNames, Reason } from './cause.ts';
import { DISTANCE } from './distances.ts';
import { areOfOneKind } from './kinds-of-columns.ts';
import type { FactRow, HeadPattern } from './match-rule.ts';
import { differenceOf } from './near-miss.ts';
import { hasRow } from './pattern-rows.ts';
import type { Remedy } from './remedy.ts';
import type { Trials } from './trials.ts';

/** The reason that no given fact fits a pattern: the facts that nearly do, or the slip of the pen that explains it. */
export function missingReason(absence: Absence, predicate: Predicate, pattern: HeadPattern, names?: OpenNames): Reason {
    const rows = absence.database.relation(predicate.key);
    const misses = absence.facts.near(predicate.key, pattern);
    const near = misses.map(
        ({ row, column, difference }): NearFact => absence.words.near({ predicate: predicate.key, row }, column, difference),
    );
    for (const { row, column, difference } of misses) {
        if (difference === 'exchanged') continue;
        const slip = slipOf(absence, pattern[column]!, rows!.columns[column]![row]!, column);
        if (slip !== undefined) return slip;
    }
    const [first] = near;
    const isExchanged = first?.difference === 'exchanged';
    const open = pattern.filter(value => value === undefined).length;
    const taken = pattern.filter(
        (value, column) => value !== undefined && rows !== undefined && absence.facts.isTaken(rows, column, value),
    ).length;
    const foreign = pattern.filter((value, column) => absence.facts.isForeign(rows, column, value)).length;
    const place = isExchanged && first?.origin?.kind === 'clause' ? { place: first.origin } : {};
    const query = predicate.inputBinds.find(bind => queryParameters(bind).length > 0)?.inner;
    const fact = absence.words.pattern(predicate, pattern, names);
    return {
        cause: { kind: 'missing', fact, derivable: predicate.rules.length > 0, near, ...(query !== undefined && { query }) },
        premises: [],
        ...toBeGiven({ predicate: predicate.key, values: pattern, ...(names === undefined ? {} : { names }) }),
        ...place,
        distance:
            (isExchanged ? DISTANCE.missingExchanged : DISTANCE.missing) +
            open * DISTANCE.open +
            taken * DISTANCE.missingKey +
            foreign * DISTANCE.missingForeign,
    };
}

/** The reason that no given fact beyond those that fit does; undefined where a pattern leaves nothing open. */
export function furtherGiven({ words }: Absence, predicate: Predicate, pattern: HeadPattern, names?: OpenNames): Reason | undefined {
    if (!pattern.includes(undefined)) return undefined;
    return {
        cause: { kind: 'missing', fact: words.pattern(predicate, pattern, names), derivable: false, near: [], further: true },
        premises: [],
        ...toBeGiven({ predicate: predicate.key, values: pattern, ...(names === undefined ? {} : { names }) }),
        distance: DISTANCE.missing + DISTANCE.further,
    };
}

/** What a reason says of a fact that would have to be there; `variables` names its open columns. */
export function toBeGiven(fact: AbsentFact, variables?: readonly (string | undefined)[]): Pick<Reason, 'missing' | 'remedies'> {
    return { missing: fact, remedies: [{ kind: 'fact', fact, ...(variables === undefined ? {} : { variables }) }] };
}

/** The given facts with an odd value that have another value of a pattern. */
export function oddReasons(absence: Absence, { key }: Predicate, pattern: HeadPattern): Reason[] {
    const { columns = [] } = absence.database.relation(key) ?? {};
    const asked = new Set(pattern.filter(value => value !== undefined));
    return absence.facts
        .oddRows(key)
        .filter(({ row }) => columns.some(values => asked.has(values[row]!)))
        .map(({ row, column }) => oddFact(absence, { predicate: key, row }, column));
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
            const remedies = [{ kind: 'question', values: pattern.with(column, value) }] as const;
            return [
                { cause: { kind: 'unknown', value: absence.words.term(asked), near }, premises: [], remedies, distance: DISTANCE.unknown },
            ];
        }
        return [];
    });
}

/** A given fact with a value of an unusual type. */
export function oddFact(absence: Absence, fact: FactRow, column: number): Reason {
    const origin = absence.words.origin(fact);
    const meant = absence.facts.meantByOdd(fact, column);
    return {
        cause: { kind: 'odd', fact: absence.words.row(fact), column, ...(origin === undefined ? {} : { origin }) },
        premises: [],
        ...(meant === undefined ? {} : { remedies: [replacing(absence, fact, meant)] }),
        ...(origin?.kind === 'clause' ? { place: origin } : {}),
        distance: DISTANCE.odd,
    };
}

/** Other values in place of those of a given fact. */
function replacing(absence: Absence, fact: FactRow, values: readonly ValueId[]): Remedy {
    return { kind: 'fact', fact: { predicate: fact.predicate, values }, insteadOf: valuesOf(absence, fact) };
}

function valuesOf({ database }: Absence, { predicate, row }: FactRow): ValueId[] {
    return database.relation(predicate)!.columns.map(ids => ids[row]!);
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
    const written = valuesOf(absence, one.fact);
    const [slipped, right] = isWanted ? [wanted, given] : [given, wanted];
    return {
        remedies: [
            replacing(
                absence,
                one.fact,
                written.map(id => (id === slipped ? right : id)),
            ),
        ],
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

/** The given facts that are missing with two values exchanged, where the fact is derived without the exchange. */
export function confirmedTurns(absence: Absence, trials: Trials): Reason[] {
    const { database, words } = absence;
    return trials.givenBelow().flatMap((fact): Reason[] => {
        const values = valuesOf(absence, fact);
        const predicate = database.program.predicates.get(fact.predicate)!;
        // No text gives a fact the unknown value that another one has.
        if (values.some(value => database.dictionary.isNull(value))) return [];
        return values.flatMap((first, column) =>
            values.slice(column + 1).flatMap((second, more): Reason[] => {
                const turned = values.with(column, second).with(column + 1 + more, first);
                const missing = { predicate: fact.predicate, values: turned };
                // What is given already needs no exchange, however well the fact would do without the one that goes.
                const isGiven = hasRow(database.relation(fact.predicate)!, turned, absence.steps.pause);
                if (first === second || isGiven || !areOfOneKind(database, predicate, column, column + 1 + more)) return [];
                if (trials.confirms([replacing(absence, fact, turned)]) !== true) return [];
                const near = words.near(fact, column, 'exchanged');
                // That the fact as it is goes may be all that helps: then the other one is not missed.
                if (trials.confirms([{ kind: 'fact', fact: missing }]) !== true) {
                    if (trials.confirmsWithout({ predicate: fact.predicate, values }) !== false) return [];
                    const origin = near.origin === undefined ? {} : { origin: near.origin };
                    const cause: Cause = { kind: 'turned', fact: near.fact, meant: words.pattern(predicate, turned), ...origin };
                    const place = near.origin?.kind === 'clause' ? { place: near.origin } : {};
                    return [
                        {
                            cause,
                            premises: [],
                            remedies: [replacing(absence, fact, turned)],
                            ...place,
                            distance: DISTANCE.missingExchanged,
                        },
                    ];
                }
                const cause: Cause = {
                    kind: 'missing',
                    fact: words.pattern(predicate, turned),
                    derivable: predicate.rules.length > 0,
                    near: [near],
                };
                const place = near.origin?.kind === 'clause' ? { place: near.origin } : {};
                return [{ cause, premises: [], ...toBeGiven(missing), ...place, distance: DISTANCE.missingExchanged }];
            }),
        );
    });
}

/** The slips of the pen without which the fact is derived, and whether there is no doubt what was meant. */
export function confirmedSlips(absence: Absence, trials: Trials): { readonly reason: Reason; readonly isSure: boolean }[] {
    const { facts, asked, words } = absence;
    return facts.slips().flatMap(({ value, meant, fact, difference }) => {
        if (asked.has(value)) return [];
        const values = valuesOf(absence, fact);
        const column = values.indexOf(value);
        const remedies = [replacing(absence, fact, values.with(column, meant))];
        if (trials.confirms(remedies) !== true) return [];
        const near = words.near(fact, column, difference);
        const other = facts.occurrences().get(meant);
        const twin = asked.has(meant) || other?.count !== 1 ? {} : { other: words.near(other.fact, column, difference) };
        const cause: Cause = { kind: 'slip', value: words.term(value), meant: words.term(meant), near, ...twin };
        const isSure = asked.has(meant) || (facts.occurrences().get(meant)?.count ?? 0) > 1;
        const place = near.origin?.kind === 'clause' ? { place: near.origin } : {};
        return [{ reason: { cause, premises: [], remedies, ...place, distance: DISTANCE.slip }, isSure }];
    });
}
