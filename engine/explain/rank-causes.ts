import type { AnalysedRule } from '#language/program/analysed-program.ts';
import { printAtomText, printExpression, printRuleText } from '#language/program/print.ts';
import type { Atom, Expression } from '#language/program/program.ts';
import type { Database } from '../contracts/database.ts';
import { type Absence, firstOfEach } from './absence.ts';
import { type AbsentFact, type Cause, type Given, isEdit, type Reason, type WhyNot } from './cause.ts';
import { distanceOf, type Evidence } from './evidence.ts';
import type { GivenFacts } from './given-facts.ts';
import { confirmedSlips, confirmedTurns } from './missing-fact.ts';
import type { Repair } from './rule-repairs.ts';
import type { ConfirmedRepair, Trials } from './trials.ts';
import { reasonText } from './why-not-text.ts';

/** Reasons from the fact asked about down to a cause. */
type Path = readonly [Reason, ...Reason[]];

interface Candidate {
    readonly path: Path;
    readonly evidence: Evidence;
    /** A hint, which stands below all causes. */
    readonly isLast?: boolean;
}

/** Ways down to causes that are tried out. */
const TRIED = 24;
/** Other facts that a change of a rule may bring or take away without standing last. */
const HANDFUL = 5;

/**
 * Puts first what explains the absence best: of the causes that the search found those that a trial confirms, or without
 * which their rule cannot do, and the changes of rules that trials confirm. What could not be tried comes last.
 */
export function rankCauses(absence: Absence, answer: WhyNot, trials: Trials): WhyNot {
    const { database, facts: given } = absence;
    const isOfRule = (path: Path): boolean => isEdit(path.at(-1)!.cause);
    const paths = pathsOf(answer);
    const judged = paths
        .filter(path => !isOfRule(path))
        .slice(0, TRIED)
        .map(path => judge(path, trials));
    const slips = confirmedSlips(absence, trials);
    const turns = confirmedTurns(absence, trials);
    const repairs = trials.repairs();
    // Once all changes of rules have been tried, those are known that do.
    const isAllTried = trials.canTry && trials.untried === 0;
    const edits = paths.filter(isOfRule).slice(0, TRIED);
    const candidates = [
        ...repairCandidates(absence, repairs, [...judged, ...edits.map((path): Judged => ({ path, gives: undefined }))]),
        ...slips.map(({ reason, isSure }): Candidate => ({ path: [reason], evidence: { slip: 1, sure: isSure ? 1 : 0 } })),
        ...turns.map(
            (reason, index): Candidate => ({
                path: [reason],
                evidence: { missing: 1, ...(reason.missing && fitOf(database, reason.missing, given)), rank: Math.log(3 + index) },
                ...(reason.cause.kind === 'turned' ? { isLast: true } : {}),
            }),
        ),
        ...foundCandidates(database, judged, repairs, given, isAllTried),
        ...(isAllTried
            ? []
            : foundCandidates(
                  database,
                  edits.map(path => judge(path, trials)),
                  repairs,
                  given,
                  isAllTried,
              )),
    ];
    const ranked = candidates
        .map(({ path, evidence, isLast = false }) => ({ path, distance: distanceOf(evidence), isLast }))
        .sort((left, right) => lateness(left) - lateness(right) || left.distance - right.distance);
    const distinct = firstOfEach(ranked, ({ path }) => leafKey(path));
    const says = ({ path }: (typeof ranked)[number]): boolean => path.at(-1)!.cause.kind !== 'nothing';
    const told = withoutShort(distinct.some(says) ? distinct.filter(says) : distinct);
    const { untriable } = trials;
    const untried = {
        ...(trials.untried === 0 ? {} : { untried: trials.untried }),
        ...(untriable === undefined ? {} : { untriable }),
    };
    const sections = {
        reasons: told.filter(({ path }) => !isEdit(path.at(-1)!.cause)),
        edits: told.filter(({ path }) => isEdit(path.at(-1)!.cause)),
    };
    const chain = (all: typeof told): Reason[] => all.slice(0, TOLD).map(({ path, distance }) => ({ ...chained(path), distance }));
    return { ...answer, ...untried, reasons: chain(sections.reasons.sort(actualFirst)), edits: chain(sections.edits) };
}

/** What is a hint at most stands behind what would change much, and that behind all else; what was not tried stands last. */
function lateness({ path, isLast }: { readonly path: Path; readonly isLast: boolean }): number {
    const { untried, changes = 0 } = path.at(-1)!;
    return untried ? 3 : isLast ? 2 : changes > HANDFUL ? 1 : 0;
}

/** A way down to a cause, as far as it is one. */
interface Judged {
    readonly path: Path;
    /** Whether the fact is derived once the remedies are carried out; undefined where nobody has tried. */
    readonly gives: boolean | undefined;
}

/**
 * How far a way down leads to a cause: one that gives the fact once it is remedied, or else one that its rule needs. Where
 * what lies deepest is neither, a premise above it may be.
 */
function judge(path: Path, trials: Trials): Judged {
    for (let end = path.length; end > 0; end--) {
        const [first, ...rest] = path.slice(0, end) as unknown as Path;
        const leaf = rest.at(-1) ?? first;
        const way: Path = [first, ...rest];
        const isWhole = end === path.length;
        const told = ended(way);
        const isNeeded = way.every(({ needed }) => needed);
        const { remedies } = leaf;
        const beside = way.slice(0, -1).flatMap(reason => reason.beside ?? []);
        const gives = remedies === undefined ? undefined : trials.confirms([...beside, ...remedies]);
        // Left out for all matches a condition may bring facts that stand in the way; here it is about one match.
        const { derives } = leaf;
        if (
            gives === false &&
            derives !== undefined &&
            rest.length > 0 &&
            !trials.isAsked(derives) &&
            trials.confirms([{ kind: 'fact', fact: derives }]) === true
        )
            return { path: told, gives: true };
        if (gives === true || isNeeded) {
            const isStopped = stops(path.slice(end), leaf, { trials, isNeeded });
            return isStopped ? { path: ended(path), gives: true } : { path: told, gives: gives ?? false };
        }
        if (gives === undefined && isWhole) {
            if (givesByResult(way)) return { path: way, gives };
            const untried = { ...leaf, untried: true } as const;
            return { path: [...way.slice(0, -1), untried] as unknown as Path, gives: undefined };
        }
    }
    return { path, gives: false };
}

/** Leaves out what the search thought of below: a change of a rule comes by a trial that confirms it. */
function ended(path: Path): Path {
    const { because: _, ...leaf } = path.at(-1)!;
    return [...path.slice(0, -1), leaf] as unknown as Path;
}

/**
 * Whether a condition or negation alone keeps a missing premise from being there, by a trial of the premise. Another fact of an open premise may be one
 * that the rest of the rule has no use for, so that it counts only if the rule needs some.
 */
function stops(
    [leaf, ...deeper]: readonly Reason[],
    { cause, remedies = [] }: Reason,
    { trials, isNeeded }: { readonly trials: Trials; readonly isNeeded: boolean },
): boolean {
    const [remedy] = remedies;
    if (leaf?.remedies === undefined || deeper.length > 0 || cause.kind !== 'missing' || remedy?.kind !== 'fact') return false;
    if (leaf.cause.kind !== 'condition' && leaf.cause.kind !== 'negation') return false;
    if (!isNeeded && remedy.fact.values.includes(undefined)) return false;
    return trials.of(remedy.fact).confirms(leaf.remedies) === true;
}

/** Whether a way leads through single missing premises to a result that is another one: nothing needs a trial there. */
function givesByResult(way: Path): boolean {
    const leaf = way.at(-1)!;
    return (
        leaf.cause.kind === 'aggregate' &&
        leaf.needed === true &&
        way.slice(0, -1).every(({ cause }) => cause.kind === 'missing' && !cause.further && cause.among === undefined)
    );
}

/**
 * Puts the value that there is before what would give another one, and a rule whose head gives another value last.
 * That unknown values are two tells why there is no other value.
 */
function actualFirst({ path: left }: { readonly path: Path }, { path: right }: { readonly path: Path }): number {
    return actuality(left) - actuality(right);
}

function actuality(path: Path): number {
    const [{ cause, untried }] = path;
    if (untried) return 2;
    if (cause.kind === 'unequal') return 0;
    if (cause.kind === 'aggregate' || (path.at(-1)!.decides && givesByResult(path))) return 1;
    return path.length === 1 && cause.kind === 'head' ? 3 : 2;
}

/** The first reason of a path with the others below it, each the first of its fact. */
function chained([first, ...rest]: Path): Reason {
    const [next, ...more] = rest;
    if (next === undefined || first.because === undefined) return first;
    const below = chained([next, ...more]);
    const others = first.because.reasons.filter(reason => reason !== next);
    return { ...first, because: { ...first.because, reasons: [below, ...others] } };
}

const DEEPEST = 9;
/** Reasons that are told. */
const TOLD = 6;

/** The ways down to every cause, the nearest first, each cause once. */
function pathsOf(answer: WhyNot): Path[] {
    const found: { readonly path: Path; readonly distance: number }[] = [];
    const visit = ({ reasons, edits }: WhyNot, above: readonly Reason[], distance: number): void => {
        for (const reason of [...reasons, ...edits]) {
            const path: Path = [...above, reason] as unknown as Path;
            const here =
                distance +
                reason.distance -
                Math.min(reasons[0]?.distance ?? Number.POSITIVE_INFINITY, edits[0]?.distance ?? Number.POSITIVE_INFINITY);
            // Where a premise lacks no data, that it is missing is all that there is to say about data.
            if (reason.because === undefined || reason.because.reasons.length === 0) found.push({ path, distance: here });
            if (reason.because !== undefined && path.length < DEEPEST) visit(reason.because, path, here);
        }
    };
    visit(answer, [], 0);
    found.sort((left, right) => left.distance - right.distance);
    return firstOfEach(
        found.map(({ path }) => path),
        leafKey,
    );
}

/** Leaves out that a premise is missing where another way goes on to why. */
function withoutShort<T extends { readonly path: Path }>(all: readonly T[]): T[] {
    const ways = all.map(({ path }) => path.map(reasonKey).join('\n'));
    const goesOn = (way: string): boolean => ways.some(other => other.startsWith(`${way}\n`));
    return all.filter(({ path }, at) => path.at(-1)!.cause.kind !== 'missing' || !goesOn(ways[at]!));
}

function leafKey(path: Path): string {
    return reasonKey(path.at(-1)!);
}

/** Equal for what reads the same at one place. */
function reasonKey(reason: Reason): string {
    return JSON.stringify([reasonText(reason), placeKey(reason)]);
}

function placeKey({ place }: Reason): string | undefined {
    return place === undefined ? undefined : `${place.place.file}:${place.place.offset + place.span.start}`;
}

function repairKey({ rule, span }: Repair): string {
    return `${rule.rule.place.file}:${rule.rule.place.offset + span.start}`;
}

function repairCandidates(absence: Absence, repairs: readonly ConfirmedRepair[], judged: readonly Judged[]): Candidate[] {
    const { database } = absence;
    return repairs.map(({ repair, lost, changes, kept }): Candidate => {
        const { rule } = repair;
        const own = database.program.rules.find(({ index }) => index === rule.index)!;
        const kind = evidenceOf(own, repair);
        const isExact = kind !== 'loosened' && kind !== 'denied';
        const evidence = {
            [kind]: 1,
            habit: habitOf(database, repair),
            relief: repair.relief,
            lost: Math.log(1 + lost),
            kept,
            ...(isExact && own.heads[0] !== undefined && absence.isIdle(own, own.heads[0]) ? { idle: 1 } : {}),
        };
        const path = repairPath(absence, repair, own, judged);
        const leaf = path.at(-1)!;
        const { cause } = leaf;
        const told: Path =
            isEdit(cause) && changes !== undefined ? ([...path.slice(0, -1), { ...leaf, changes }] as unknown as Path) : path;
        const isSpelt = kind === 'constant' && cause.kind === 'argument' && cause.near.difference !== 'other';
        return { path: told, evidence: isSpelt ? { ...evidence, spelt: 1 } : evidence };
    });
}

function evidenceOf({ literals, heads }: AnalysedRule, { kind, span }: Repair): keyof Evidence {
    const literal = literals.find(({ atom }) => atom.span === span);
    switch (kind) {
        case 'exchanged':
            return heads.some(({ atom }) => atom.span === span) ? 'headExchanged' : 'exchanged';
        case 'variable':
        case 'constant':
        case 'comparison':
            return kind;
        case 'negation':
            return literal?.negated ? 'denied' : 'loosened';
        case 'dropped':
            return literal === undefined ? 'condition' : literal.negated ? 'denied' : 'loosened';
    }
}

/** The way to the place of a repair that the search found, or the repair alone. */
function repairPath(absence: Absence, repair: Repair, own: AnalysedRule, judged: readonly Judged[]): Path {
    const key = repairKey(repair);
    const there = judged.filter(({ path }) => placeKey(path.at(-1)!) === key);
    const isSame = ({ cause }: Reason): boolean =>
        cause.kind === 'exchanged' && repair.kind === 'exchanged' && cause.columns.join() === repair.columns.join();
    const { path: known, gives } = there.find(({ path }) => isSame(path.at(-1)!)) ?? there[0] ?? { path: undefined, gives: undefined };
    const { place } = own.rule;
    const alone: Reason = {
        cause: repairCause(
            repair,
            own.literals.some(({ atom, negated }) => negated && atom.span === repair.span),
            absence.bindings(repair.rule),
        ),
        rule: { text: printRuleText(own.rule), place, span: own.rule.span },
        place: { kind: 'clause', place, span: repair.span },
        premises: [],
        distance: 0,
    };
    if (known === undefined) return [alone];
    const leaf = known.at(-1)!;
    // What a trial confirmed is not what the search merely thought of at the same place.
    const isOfPlace = leaf.cause.kind === 'condition' || leaf.cause.kind === 'negation' ? gives === true : leaf.cause.kind === 'argument';
    const isToldAlone = repair.kind === 'exchanged' || repair.kind === 'variable' || !isOfPlace;
    return isToldAlone && !isSame(leaf)
        ? ([...known.slice(0, -1), { ...leaf, cause: alone.cause, place: alone.place, premises: [] }] as unknown as Path)
        : known;
}

function repairCause({ kind, from, to, columns }: Repair, isNegated: boolean, values: readonly Given[]): Cause {
    const [first, second] = columns;
    if (kind === 'exchanged' && to !== undefined && first !== undefined && second !== undefined)
        return { kind: 'exchanged', literal: printed(from), to: printed(to), columns: [first, second], values };
    const not = isNegated ? 'not ' : '';
    const negates = (kind === 'negation') !== isNegated ? 'not ' : '';
    const instead = to === undefined ? {} : { to: `${negates}${printed(to)}` };
    return { kind: 'repair', from: `${not}${printed(from)}`, ...instead, values };
}

function printed(part: Atom | Expression): string {
    return 'predicate' in part ? printAtomText(part) : printExpression(part);
}

/** Causes of the search: facts that are missing or odd, and places in rules of which no repair is known. */
function foundCandidates(
    database: Database,
    judged: readonly Judged[],
    repairs: readonly ConfirmedRepair[],
    given: GivenFacts,
    isAllTried: boolean,
): Candidate[] {
    const repaired = new Set(repairs.map(({ repair }) => repairKey(repair)));
    return judged.flatMap(({ path, gives }, rank): Candidate[] => {
        const leaf = path.at(-1)!;
        const { cause, missing } = leaf;
        if (gives === false && !path.every(({ needed }) => needed)) return [];
        if ((missing !== undefined && cause.kind !== 'several') || cause.kind === 'apart') {
            return [
                {
                    path,
                    ...(hasUnknown(database, leaf) && { isLast: true }),
                    evidence: {
                        [gives === false ? 'refuted' : 'missing']: 1,
                        ...(missing && fitOf(database, missing, given)),
                        ...(cause.kind === 'missing' && cause.further ? { further: 1, open: 0 } : {}),
                        ...(path[0].forAll ? { all: 1 } : {}),
                        rank: Math.log(1 + rank),
                    },
                },
            ];
        }
        if (cause.kind === 'slip' || cause.kind === 'odd' || cause.kind === 'unknown') return [{ path, evidence: { [cause.kind]: 1 } }];
        const key = placeKey(leaf);
        const isRefused = gives !== true && isAllTried && cause.kind !== 'aggregate';
        return key !== undefined && repaired.has(key) && isEdit(cause)
            ? []
            : [{ path, evidence: { [unconfirmedAs(cause)]: 1, unconfirmedRank: Math.log(1 + rank), refused: isRefused ? 1 : 0 } }];
    });
}

/** Whether a given fact would need an unknown value that another fact has, which no text can give it. */
function hasUnknown({ dictionary }: Database, { cause, missing }: Reason): boolean {
    if (cause.kind !== 'missing' || cause.derivable) return false;
    return missing?.values.some(value => value !== undefined && dictionary.isNull(value)) === true;
}

function unconfirmedAs({ kind }: Cause): keyof Evidence {
    if (kind === 'aggregate') return 'restated';
    return kind === 'several' || kind === 'unbound' || kind === 'holds' ? kind : 'unconfirmed';
}

/** How well a missing fact would go with those that are given. */
function fitOf(database: Database, { predicate, values }: AbsentFact, given: GivenFacts): Evidence {
    const rows = database.relation(predicate);
    const homes = values.map((value, column) => (value === undefined ? undefined : given.isAtHome(predicate, column, value)));
    const evidence: Evidence = {
        open: values.filter(value => value === undefined).length,
        home: homes.filter(home => home === 'home').length,
        away: homes.filter(home => home === 'away').length,
        fresh: homes.filter(home => home === 'unknown').length,
        taken: values.filter((value, column) => value !== undefined && rows !== undefined && given.isTaken(rows, column, value)).length,
    };
    const [near] = given.near(predicate, values);
    if (near === undefined || near.difference !== 'exchanged') return evidence;
    const nearHomes = rows!.columns.map((ids, column) => given.isAtHome(predicate, column, ids[near.row]!, near.row));
    return {
        ...evidence,
        turned: 1,
        turnedAway: nearHomes.filter(home => home === 'away').length,
    };
}

/**
 * How many more of the other atoms of the predicate have the same variables in the changed columns, as a share: people
 * give what belongs together one name (Pradel and Gross, "Detecting anomalies in the order of equally-typed method
 * arguments", ISSTA 2011).
 */
function habitOf({ program }: Database, { from, to, columns }: Repair): number {
    if (to === undefined || !('predicate' in from) || !('predicate' in to)) return 0;
    const atoms = program.rules.flatMap(({ heads, literals }) => [...heads, ...literals].map(({ atom }) => atom));
    const others = atoms.filter(
        atom => atom !== from && atom.predicate === from.predicate && atom.arguments.length === from.arguments.length,
    );
    const agreeing = ({ arguments: terms }: Atom): number =>
        columns.reduce((sum, column) => {
            const name = nameOf(terms[column]);
            return name === undefined ? sum : sum + others.filter(other => nameOf(other.arguments[column]) === name).length;
        }, 0);
    return (agreeing(to) - agreeing(from)) / Math.max(1, others.length);
}

function nameOf(term: Expression | undefined): string | undefined {
    return term?.kind === 'variable' ? term.name : undefined;
}
