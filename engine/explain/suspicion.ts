import type { AnalysedRule } from '#language/program/analysed-program.ts';
import { variablesOf } from '#language/program/expression-variables.ts';
import { printAtomText, printExpression } from '#language/program/print.ts';
import type { Atom, Expression } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import type { Span } from '#language/program/span.ts';
import { isDerived, premisesOf, type RuleSearch, reasonIn } from './absence.ts';
import { type Cause, nearestReason, type OpenNames, type Reason } from './cause.ts';
import { DISTANCE } from './distances.ts';
import type { FactNode } from './explanation.ts';
import { conditionCause, givens, shortness, valuesOf } from './failed-condition.ts';
import { areOfOneKind } from './kinds-of-columns.ts';
import type { HeadPattern } from './match-rule.ts';
import { furtherGiven, missingReason, oddFact, oddReasons, slipOf, toBeGiven } from './missing-fact.ts';
import { differenceOf } from './near-miss.ts';
import type { PartialMatch, PartialMatcher, Suspect } from './partial-match.ts';
import { hasRow } from './pattern-rows.ts';
import { termOf, withHead, withoutCondition, withoutLiteral, withTerms, withValue } from './remedy.ts';
import type { AtomItem, RuleItem } from './rule-body.ts';
import { UNBOUND } from './rule-scope.ts';
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

/** A literal, condition or assignment that was left out of a match, as a cause; undefined where it holds. */
export function suspectItem(
    search: RuleSearch,
    item: RuleItem,
    match: PartialMatch,
    premises: readonly string[],
    idle: number,
    near: number,
): Reason | undefined {
    const { absence, rule, matcher, depth } = search;
    const { registers } = match;
    const holds = matcher.holds(item, registers);
    switch (item.kind) {
        case 'condition': {
            if (holds !== false) return undefined;
            const { expression } = item.condition;
            const distance = DISTANCE.condition + idle + near + shortness(absence, expression, matcher, registers);
            const reason = reasonIn(rule, conditionCause(absence, expression, matcher, registers), expression.span, premises, distance);
            return { ...reason, remedies: [withoutCondition(rule, item.condition)], ...derived(search, match) };
        }
        case 'assignment': {
            if (holds !== false) return undefined;
            const { variable, value } = item.assignment;
            const condition = `${variable.name}=${printExpression(value)}`;
            const values = [
                { name: variable.name, value: absence.words.term(registers[item.slot]!) },
                ...givens(absence, value, matcher, registers),
            ];
            const off = item.exploded ? undefined : say`the right side is ${absence.words.term(item.value(registers))}`;
            const cause: Cause = { kind: 'condition', condition, values, ...(off === undefined ? {} : { off }) };
            const term = termOf(absence.database.dictionary, registers[item.slot]!, value.span);
            const remedies = term === undefined || item.exploded ? {} : { remedies: [withValue(rule, item.assignment, term)] };
            return { ...reasonIn(rule, cause, value.span, premises, DISTANCE.computed + idle + near), ...remedies };
        }
        case 'negation': {
            if (holds !== false) return undefined;
            const [row] = matcher.matching(item, registers);
            if (row === undefined) return undefined;
            const fact = { predicate: item.literal.predicate, row };
            const origin = absence.words.origin(fact);
            const proof = isDerived(absence, item) ? absence.proof(fact) : undefined;
            const because = proof === undefined ? [] : premiseTexts(proof);
            const cause: Cause = {
                kind: 'negation',
                literal: printAtomText(item.literal.atom),
                fact: absence.words.row(fact),
                ...(origin === undefined ? {} : { origin }),
                ...(because.length === 0 ? {} : { because }),
            };
            const reason: Reason = {
                ...reasonIn(rule, cause, item.literal.atom.span, premises, DISTANCE.negation + idle + near),
                remedies: [withoutLiteral(rule, item.literal)],
                ...derived(search, match),
                ...(proof === undefined ? {} : { proof }),
            };
            const present = absence.present(fact, depth + 1);
            const deeper = present && nearestReason(present);
            if (present !== undefined && deeper !== undefined) {
                const distance = deeper.distance + DISTANCE.step + near / 3 + (idle < 0 ? DISTANCE.idlePremise : 0);
                search.found.push({ ...reason, because: present, distance });
            }
            return reason;
        }
        case 'atom': {
            const predicate = absence.database.program.predicates.get(item.literal.predicate);
            if (predicate === undefined) return undefined;
            const { values: pattern, names, variables } = patternOf(matcher, item, registers, predicate.arity);
            const given = toBeGiven({ predicate: predicate.key, values: pattern, ...(names === undefined ? {} : { names }) }, variables);
            const { span } = item.literal.atom;
            if (!isDerived(absence, item)) {
                if (holds === true) {
                    const further = search.further ? furtherGiven(absence, predicate, pattern, names) : undefined;
                    return further && inRule(rule, span, premises, further);
                }
                search.found.push(...oddReasons(absence, predicate, pattern).map(reason => inRule(rule, span, premises, reason)));
                const missing = missingReason(absence, predicate, pattern, names);
                const data = idle < 0 ? DISTANCE.idleData : 0;
                const reason = reasonIn(rule, missing.cause, span, premises, missing.distance + near + data);
                const isSlip = missing.cause.kind !== 'missing' && missing.remedies !== undefined;
                return { ...reason, ...placeOf(missing), ...(isSlip ? { remedies: missing.remedies } : given) };
            }
            const fitting = hasRow(item.rows, pattern, absence.steps.pause);
            const because = absence.absent(predicate.key, pattern, depth + 1, fitting);
            const first = because && nearestReason(because);
            if (because === undefined || first === undefined) return undefined;
            const further = holds === true ? ({ further: true } as const) : {};
            const fact = absence.words.pattern(predicate, pattern, names);
            const cause: Cause = { kind: 'missing', fact, derivable: true, near: [], ...further };
            const distance =
                first.distance + DISTANCE.step + (holds === true ? DISTANCE.further : 0) + near / 3 + (idle < 0 ? DISTANCE.idlePremise : 0);
            return { ...reasonIn(rule, cause, span, premises, distance), ...(given.remedies && { remedies: given.remedies }), because };
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

/** The fact that a match gives; none for a rule whose groups need all of their matches. */
function derived({ rule, head, matcher }: RuleSearch, { registers }: PartialMatch): Pick<Reason, 'derives'> {
    if (rule.assignments.some(({ afterAggregation }) => afterAggregation)) return {};
    const values = matcher.head.map(term => (term === undefined || !('slot' in term) ? UNBOUND : registers[term.slot]!));
    return values.includes(UNBOUND) ? {} : { derives: { predicate: head.predicate, values } };
}

/** The share of a rule's atoms that are matched. */
function nearness({ items }: PartialMatcher, { facts }: PartialMatch): number {
    const atoms = items.filter(({ kind }) => kind === 'atom').length;
    return atoms === 0 ? 0 : facts.size / atoms;
}

function placeOf({ place }: Reason): Pick<Reason, 'place'> {
    return place === undefined ? {} : { place };
}

/** What an atom asks for under the values that a match has given. */
export function patternOf(
    matcher: PartialMatcher,
    item: AtomItem,
    registers: Int32Array,
    arity: number,
): { readonly values: HeadPattern; readonly names?: OpenNames; readonly variables: readonly (string | undefined)[] } {
    const terms = item.literal.atom.arguments;
    const values = Array.from({ length: arity }, (_, column) => {
        const value = column < terms.length ? matcher.argument(item, column, registers) : UNBOUND;
        return value === UNBOUND ? undefined : value;
    });
    const open = terms.map((term, column) => (term.kind === 'variable' && values[column] === undefined ? term.name : undefined));
    const names = open.map((name, column) =>
        name !== undefined && open.some((other, at) => at !== column && other === name) ? name : undefined,
    );
    return names.some(name => name !== undefined) ? { values, names, variables: open } : { values, variables: open };
}

function withExchanged(atom: Atom, [first, second]: readonly [number, number]): Atom {
    const terms = atom.arguments;
    return { ...atom, arguments: terms.with(first, terms[second]!).with(second, terms[first]!) };
}

/** What is said about given facts, told where a rule reads them. */
function inRule(
    rule: AnalysedRule,
    span: Span,
    premises: readonly string[],
    { cause, distance, place, remedies, missing }: Reason,
): Reason {
    const told = reasonIn(rule, cause, span, premises, distance);
    return {
        ...told,
        ...(place === undefined ? {} : { place }),
        ...(remedies === undefined ? {} : { remedies }),
        ...(missing === undefined ? {} : { missing }),
    };
}

/** The facts that a fact rests on by its first derivation. */
function premiseTexts(proof: FactNode): string[] {
    const [derivation] = proof.derivations;
    return derivation?.premises.map(({ fact }) => fact) ?? [];
}
