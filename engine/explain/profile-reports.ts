import type { PredicateKey } from '#language/program/analysed-program.ts';
import { theMatches } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import type { Location } from '#language/program/span.ts';
import type { ItemProfile, RuleProfile, VariantProfile } from '../contracts/run-statistics.ts';
import { type Report, report } from '../reports/reports.ts';

/** A join that makes so many matches of each has a condition missing, as a rule. */
const MANY = 1000;
/** What has one match alone reads a relation once, however many rows that has. */
const FEWEST = 2;

/** What an atom did in all ways in which its rule ran. */
export interface AtomProfile {
    readonly text: string;
    readonly location: Location;
    /** Rows that it began with, where a rule begins with it. */
    readonly read?: number;
    /** Matches that came to it from what stands before, and those that went on. */
    readonly from?: number;
    readonly to?: number;
}

/** What the atoms of a program did, each once, in the order in which their rules were planned. */
export function atomProfiles(rules: readonly RuleProfile[]): AtomProfile[] {
    const atoms = new Map<string, AtomProfile>();
    for (const { kind, text, location, from, to } of rules.flatMap(({ variants }) => variants.flatMap(({ items }) => items))) {
        if (kind === 'condition' || location === undefined || (kind === 'negation' && from === undefined)) continue;
        const key = keyOf(location);
        const known = atoms.get(key) ?? { text, location };
        const { read = 0, from: before = 0, to: after = 0 } = known;
        atoms.set(key, from === undefined ? { ...known, read: read + to } : { ...known, from: before + from, to: after + to });
    }
    return [...atoms.values()];
}

/** What a profile shows to be suspicious: joins that multiply, atoms that nothing meets, rules that never fire. */
export function profileReports(rules: readonly RuleProfile[], rowsOf: (relation: PredicateKey) => number | undefined): Report[] {
    const multiplied = atomProfiles(rules).flatMap(({ text, location, from = 0, to = 0 }) =>
        from >= FEWEST && to >= from * MANY ? [report('RT100', { location }, text, from, to)] : [],
    );
    return [...multiplied, ...neverFired(rules, rowsOf)];
}

function* neverFired(rules: readonly RuleProfile[], rowsOf: (relation: PredicateKey) => number | undefined): Iterable<Report> {
    const tried = new Map<string, number>();
    const keyOfRule = ({ location, fills }: RuleProfile): string => [keyOf(location), ...fills].join('\n');
    for (const rule of rules) tried.set(keyOfRule(rule), (tried.get(keyOfRule(rule)) ?? 0) + triedBy(rule));
    const derived = new Set(rules.flatMap(({ fills }) => fills));
    const told = new Set<string>();
    for (const rule of rules) {
        const { location, head, internal, fills } = rule;
        const key = keyOfRule(rule);
        if (head === undefined || internal || fills.length === 0 || tried.get(key) !== 0 || told.has(key)) continue;
        told.add(key);
        const stop = stopOf(rule, rules, new Set());
        const rows = stop?.kind === 'atom' && stop.relation !== undefined ? rowsOf(stop.relation) : undefined;
        yield report('RT102', { location: { place: location.place, span: head } }, stop && stopWords(stop, rows));
        // What has no rows itself is told at the rules that give it none.
        const isElsewhere = rows === 0 && stop?.relation !== undefined && derived.has(stop.relation);
        if (stop?.kind === 'atom' && stop.location !== undefined && !isElsewhere)
            yield report('RT101', { location: stop.location }, stop.text, stop.from, rows);
    }
}

function triedBy({ variants }: RuleProfile): number {
    return variants.reduce((sum, variant) => sum + variant.tried, 0);
}

/** The item that no match of a rule has passed: the one that the way which came furthest ended at. */
function stopOf(rule: RuleProfile, rules: readonly RuleProfile[], seen: Set<RuleProfile>): ItemProfile | undefined {
    seen.add(rule);
    let furthest: { readonly passed: number; readonly item: ItemProfile } | undefined;
    for (const variant of rule.variants) {
        const at = endOf(variant);
        const item = variant.items[at];
        // What refused its matches is no item of the text.
        if (item?.from === 0 && variant.runs > 0) continue;
        if (item !== undefined && (furthest === undefined || at > furthest.passed)) furthest = { passed: at, item };
    }
    const item = furthest?.item;
    if (item?.kind !== 'atom' || item.location !== undefined) return item;
    // The planner made this one of other atoms of the rule: they stand in the rules that fill it.
    const maker = rules.find(other => !seen.has(other) && other.fills.includes(item.relation!) && triedBy(other) === 0);
    return maker === undefined ? undefined : stopOf(maker, rules, seen);
}

function endOf({ items }: VariantProfile): number {
    return items.findIndex(({ to }) => to === 0);
}

function stopWords({ kind, text, from }: ItemProfile, rows: number | undefined): string {
    if (kind === 'atom' && rows === 0) return say`${text} has no rows`;
    if (from === undefined) {
        if (kind === 'atom') return say`no row meets ${text}`;
        return kind === 'negation' ? say`${text} has rows` : say`${text} does not hold`;
    }
    const matches = theMatches(from);
    switch (kind) {
        case 'atom':
            return say`no row meets ${text} beside ${matches} before it`;
        case 'negation':
            return say`rows of ${text} refuse ${matches} before it`;
        case 'condition':
            return say`${text} holds for none of ${matches} before it`;
    }
}

function keyOf({ place, span }: Location): string {
    return `${place.file}\n${place.offset + span.start}`;
}
