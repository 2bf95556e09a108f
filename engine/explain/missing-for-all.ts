import type { ValueId } from '../values/value-id.ts';
import { isDerived, premisesOf, type RuleSearch, reasonIn } from './absence.ts';
import { type AbsentFact, type Among, type Cause, nearestReason, type Reason } from './cause.ts';
import { DISTANCE } from './distances.ts';
import { patternOf } from './item-pattern.ts';
import type { HeadPattern } from './match-rule.ts';
import { missingReason } from './missing-fact.ts';
import type { PartialMatch, Suspect } from './partial-match.ts';
import { hasRow } from './pattern-rows.ts';
import type { AtomItem } from './rule-body.ts';

/** Matches of the rest of a rule that are looked at; where there are more, nothing is said of all of them. */
const MOST = 1_000;
/** Values that are told. */
const TOLD = 4;
/** Matches whose facts are told. */
const SHOWN = 3;

/**
 * Says of one premise that it is missing for all matches of the rest of the rule, where there are several: that nothing
 * fits what they have in common, or else for which values it is missing. `nearest` is the reason for one of them.
 */
export function missingForAll(search: RuleSearch, suspect: Suspect, nearest: Reason): Reason | undefined {
    if (suspect.kind !== 'item' || suspect.item.kind !== 'atom' || search.further || nearest.missing === undefined) return undefined;
    const { item } = suspect;
    const { absence, matcher, rule } = search;
    const predicate = absence.database.program.predicates.get(item.literal.predicate);
    if (predicate === undefined) return undefined;
    const matches = new Map<string, { readonly match: PartialMatch; readonly values: HeadPattern }>();
    let looked = 0;
    let isNamed = false;
    const look = (match: PartialMatch): boolean => {
        const { values, names } = patternOf(matcher, item, match.registers, predicate.arity);
        isNamed ||= names !== undefined;
        if (!matches.has(values.join())) matches.set(values.join(), { match, values });
        return ++looked <= MOST;
    };
    matcher.run(search.pattern, [suspect], absence.steps, look, search.bound);
    const patterns = [...matches.values()].map(({ values }) => values);
    const [first] = patterns;
    if (first === undefined || looked > MOST || absence.isSpent() || isNamed) return undefined;
    const varying = first.flatMap((_, column) => (patterns.some(values => values[column] !== first[column]) ? [column] : []));
    const isAsked = (value: ValueId | undefined): boolean => value !== undefined && absence.asked.has(value);
    // Of a single fact only what the question says counts: that its value has nothing at all says more.
    const common = first.map((value, column) =>
        varying.includes(column) || (patterns.length === 1 && !isAsked(value)) ? undefined : value,
    );
    if (common.every((value, column) => value === first[column])) return undefined;
    const has = (pattern: HeadPattern): boolean => hasRow(item.rows, pattern, absence.steps.pause);
    if (common.some(value => value !== undefined) && !has(common)) {
        const { cause, missing } = missingReason(absence, predicate, common);
        const reason = reasonIn(rule, cause, item.literal.atom.span, [], nearest.distance + DISTANCE.all);
        if (missing === undefined) return undefined;
        const remedies = nearest.remedies ?? [{ kind: 'fact', fact: missing } as const];
        return explained(search, item, { ...reason, missing, remedies, forAll: true });
    }
    if (patterns.length === 1) return undefined;
    const terms = item.literal.atom.arguments;
    const variables = varying.flatMap(column => {
        const term = terms[column];
        return term?.kind === 'variable' ? [term.name] : [];
    });
    if (variables.length < varying.length || patterns.some(has)) return undefined;
    const others = first.flatMap((value, column) => (value === undefined || varying.includes(column) ? [] : [column]));
    // That the values have nothing at all says more than that they lack this.
    const isBare = others.length > 0 && !patterns.some(values => has(opened(values, others)));
    const shown = isBare ? opened(first, others) : first;
    // A variable that stands in several columns is told once.
    const telling = varying.filter((_, at) => variables.indexOf(variables[at]!) === at);
    const text = (values: HeadPattern): string =>
        tuple(telling.map(column => absence.words.valueAt(predicate.key, column, values[column] as ValueId)));
    const among: Among = { variables: [...new Set(variables)], values: patterns.slice(0, TOLD).map(text), count: patterns.length };
    const names = terms.map((term, column) => (varying.includes(column) && term.kind === 'variable' ? term.name : undefined));
    const cause: Cause = {
        kind: 'missing',
        fact: absence.words.pattern(predicate, opened(shown, varying), names),
        derivable: isDerived(absence, item),
        near: nearest.cause.kind === 'missing' ? nearest.cause.near.filter(({ difference }) => difference !== 'other') : [],
        among,
    };
    const premises = [...matches.values()].slice(0, SHOWN).flatMap(({ match }) => premisesOf(search, match));
    return {
        ...reasonIn(rule, cause, item.literal.atom.span, [...new Set(premises)], nearest.distance + DISTANCE.all),
        missing: nearest.missing,
        ...(nearest.remedies && { remedies: nearest.remedies }),
        forAll: true,
        ...(nearest.because === undefined ? {} : { because: nearest.because }),
    };
}

/** The reason of a derived premise says why it is not derived. */
function explained({ absence, depth }: RuleSearch, item: AtomItem, reason: Reason & { missing: AbsentFact }): Reason | undefined {
    if (!isDerived(absence, item)) return reason;
    const { predicate, values } = reason.missing;
    const because = absence.absent(predicate, values, depth + 1, false);
    return because === undefined || nearestReason(because) === undefined ? undefined : { ...reason, because };
}

function opened(values: HeadPattern, columns: readonly number[]): HeadPattern {
    return values.map((value, column) => (columns.includes(column) ? undefined : value));
}

function tuple(values: readonly string[]): string {
    return values.length === 1 ? values.join() : `(${values.join(',')})`;
}
