import { variablesOf } from '#language/program/expression-variables.ts';
import { printAtomText, printExpression } from '#language/program/print.ts';
import type { Atom, Expression } from '#language/program/program.ts';
import { isDerived, premisesOf, type RuleSearch, reasonIn } from './absence.ts';
import type { Cause, Reason } from './cause.ts';
import { DISTANCE } from './distances.ts';
import { valuesOf } from './failed-condition.ts';
import { areOfOneKind } from './kinds-of-columns.ts';
import { oddFact, slipOf } from './missing-fact.ts';
import { differenceOf } from './near-miss.ts';
import type { PartialMatch, PartialMatcher, Suspect } from './partial-match.ts';
import { hasRow } from './pattern-rows.ts';
import { termOf, withHead, withTerms } from './remedy.ts';
import { UNBOUND } from './rule-scope.ts';
import { inRule, placeOf, suspectItem } from './suspect-item.ts';
import { unequalReason } from './unequal-values.ts';

/** What a match under a weakened rule says: a cause with its distance; undefined where the weakening did nothing. */
export function suspicion(search: RuleSearch, suspect: Suspect, match: PartialMatch): Reason | undefined {
    const { absence, rule, matcher } = search;
    const idle = absence.isIdle(search.rule, search.head) ? DISTANCE.idle : 0;
    const near = nearness(matcher, match) * DISTANCE.premises;
    const premises = premisesOf(search, match, 'item' in suspect && suspect.item?.kind === 'atom' ? suspect.item : undefined);
    for (const [item, fact] of match.facts) {
        const odd = isDerived(absence, item) ? undefined : absence.facts.oddRows(fact.predicate).find(({ row }) => row === fact.row);
        if (odd === undefined) continue;
        const reason = oddFact(absence, fact, odd.column);
        search.found.push(inRule(rule, item.literal.atom.span, premises, reason));
    }
    switch (suspect.kind) {
        case 'item':
            return suspectItem(search, suspect.item, match, premises, idle, near);
        case 'argument': {
            const { item, column } = suspect;
            if (item === undefined) return suspectHead(search, column, match, premises, idle + near);
            const wanted = matcher.argument(item, column, match.registers);
            const fact = match.facts.get(item);
            if (fact === undefined || wanted === UNBOUND) return undefined;
            const given = absence.database.relation(fact.predicate)!.columns[column]![fact.row]!;
            if (given === wanted) return undefined;
            const term = item.literal.atom.arguments[column]!;
            const difference = differenceOf(absence.database.dictionary, given, wanted);
            const cause: Cause = {
                kind: 'argument',
                literal: printAtomText(item.literal.atom),
                argument: printExpression(term),
                column,
                wanted: absence.words.valueAt(fact.predicate, column, wanted),
                near: absence.words.near(fact, column, difference),
            };
            const { dictionary } = absence.database;
            if (absence.hasEqualities && dictionary.isNull(given) && dictionary.isNull(wanted))
                return unequalReason(search, [wanted, given], item.literal.atom.span, [...premises, absence.words.row(fact)], idle + near);
            const any: Expression = { kind: 'anonymous', name: '_', span: term.span };
            const remedies = [withTerms(rule, item.literal, item.literal.atom.arguments.with(column, any))];
            if (term.kind === 'variable') {
                const slip = slipOf(absence, wanted, given, column);
                if (slip !== undefined)
                    return {
                        ...reasonIn(rule, slip.cause, item.literal.atom.span, premises, slip.distance + near),
                        ...placeOf(slip),
                        ...(slip.remedies && { remedies: slip.remedies }),
                    };
                const isJoined = matcher.items.some(
                    other =>
                        other !== item &&
                        other.kind === 'atom' &&
                        other.terms.some(one => one.expression.kind === 'variable' && one.expression.name === term.name),
                );
                const base = !isJoined ? DISTANCE.loneVariable : isDerived(absence, item) ? DISTANCE.derivedVariable : DISTANCE.variable;
                const foreign = absence.facts.isForeign(item.rows, column, wanted) ? DISTANCE.foreignVariable : 0;
                return { ...reasonIn(rule, cause, item.literal.atom.span, premises, base + foreign + idle + near), remedies };
            }
            const wantedThere = item.terms.map((_, at) => (at === column ? wanted : undefined));
            const isUsed = hasRow(item.rows, wantedThere, absence.steps.pause);
            const likely = difference !== 'other' ? DISTANCE.slip - DISTANCE.constant : isUsed ? DISTANCE.usedConstant : 0;
            const sole = absence.facts.occurrences().get(given);
            const spelt: Cause =
                difference === 'other' || sole?.count !== 1 ? cause : { ...cause, near: absence.words.near(sole.fact, column, difference) };
            return { ...reasonIn(rule, spelt, item.literal.atom.span, premises, DISTANCE.constant + likely + idle + near), remedies };
        }
        case 'exchange': {
            const { item, columns } = suspect;
            const atom = item?.literal.atom ?? search.head.atom;
            const predicate = absence.database.program.predicates.get(item?.literal.predicate ?? search.head.predicate);
            if (predicate !== undefined && !areOfOneKind(absence.database, predicate, ...columns)) return undefined;
            const [first, second] = columns.map(column =>
                item === undefined ? search.pattern[column] : matcher.argument(item, column, match.registers),
            );
            if (first === second || (first ?? UNBOUND) === (second ?? UNBOUND)) return undefined;
            if (item === undefined && (first === undefined || second === undefined)) return undefined;
            const fact = item === undefined || isDerived(absence, item) ? undefined : match.facts.get(item);
            const exchanged = fact === undefined ? {} : { near: absence.words.near(fact, columns[0], 'exchanged') };
            const names = atom.arguments.flatMap(term => variablesOf(term));
            const cause: Cause = {
                kind: 'exchanged',
                literal: printAtomText(atom),
                to: printAtomText(withExchanged(atom, columns)),
                columns,
                values: valuesOf(absence, names, matcher, match.registers),
                ...exchanged,
            };
            const base =
                item === undefined
                    ? DISTANCE.headExchanged
                    : DISTANCE.exchanged + (isDerived(absence, item) && idle === 0 ? DISTANCE.derivedExchanged : 0);
            const elsewhere = idle < 0 ? idle : DISTANCE.exchangedElsewhere;
            const kinds =
                item === undefined &&
                columns.some(column =>
                    absence.facts.isForeign(absence.database.relation(search.head.predicate), column, search.pattern[column]),
                )
                    ? DISTANCE.exchangedKinds
                    : 0;
            const terms = withExchanged(atom, columns).arguments;
            const remedies = [item === undefined ? withHead(rule, search.head, terms) : withTerms(rule, item.literal, terms)];
            return { ...reasonIn(rule, cause, atom.span, premises, base + near + elsewhere + kinds), remedies };
        }
    }
}

function suspectHead(
    search: RuleSearch,
    column: number,
    { registers }: PartialMatch,
    premises: readonly string[],
    extra: number,
): Reason | undefined {
    const { absence, rule, head, matcher, pattern } = search;
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
    const constant = termOf(absence.database.dictionary, wanted, written.span);
    const remedies = constant === undefined ? {} : { remedies: [withHead(rule, head, head.atom.arguments.with(column, constant))] };
    const cause: Cause = {
        kind: 'head',
        head: printAtomText(head.atom),
        column,
        wanted: absence.words.valueAt(head.predicate, column, wanted),
        given: absence.words.valueAt(head.predicate, column, given),
    };
    if (written.kind === 'variable') {
        const slip = slipOf(absence, wanted, given, column);
        if (slip !== undefined)
            return {
                ...reasonIn(rule, slip.cause, head.atom.span, premises, slip.distance),
                ...placeOf(slip),
                ...(slip.remedies && { remedies: slip.remedies }),
            };
        return { ...reasonIn(rule, cause, head.atom.span, premises, DISTANCE.headVariable + extra), ...remedies };
    }
    const likely = differenceOf(absence.database.dictionary, wanted, given) === 'other' ? 0 : DISTANCE.slip - DISTANCE.head;
    return { ...reasonIn(rule, cause, head.atom.span, premises, DISTANCE.head + likely + extra), ...remedies };
}

/** The share of a rule's atoms that are matched. */
function nearness({ items }: PartialMatcher, { facts }: PartialMatch): number {
    const atoms = items.filter(({ kind }) => kind === 'atom').length;
    return atoms === 0 ? 0 : facts.size / atoms;
}

function withExchanged(atom: Atom, [first, second]: readonly [number, number]): Atom {
    const terms = atom.arguments;
    return { ...atom, arguments: terms.with(first, terms[second]!).with(second, terms[first]!) };
}
