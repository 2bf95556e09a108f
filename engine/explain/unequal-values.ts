import type { AnalysedProgram, AnalysedRule, PredicateKey, ResolvedAtom } from '#language/program/analysed-program.ts';
import type { Span } from '#language/program/span.ts';
import type { ValueId } from '../values/value-id.ts';
import { type Absence, distinct, inSections, KEPT, premisesOf, type RuleSearch, reasonIn } from './absence.ts';
import type { Cause, Reason, WhyNot } from './cause.ts';
import { DISTANCE } from './distances.ts';
import { patternOf } from './item-pattern.ts';
import type { PartialMatch } from './partial-match.ts';
import type { AtomItem } from './rule-body.ts';
import { UNBOUND } from './rule-scope.ts';
import { tryFailing, tryPairs } from './several-items.ts';
import { itemSuspect, pairsOf } from './suspects.ts';
import { trySuspect } from './try-suspect.ts';
import { matchesOf } from './weakened-matches.ts';

/** That a rule has two unknown values where it needs one, and why they are not made equal. */
export function unequalReason(
    { absence, rule, depth }: RuleSearch,
    values: readonly [ValueId, ValueId],
    span: Span,
    premises: readonly string[],
    extra: number,
): Reason | undefined {
    const because = absence.unequal(...values, depth + 1);
    if (because === undefined) return undefined;
    const [left, right] = inOrder(absence, values);
    const first = because.reasons[0]?.distance ?? DISTANCE.variable;
    return { ...reasonIn(rule, { kind: 'unequal', left, right }, span, premises, first + DISTANCE.step + extra), because };
}

/** What the equality heads of a program lack to make two unknown values equal. */
export function whyUnequal(absence: Absence, left: ValueId, right: ValueId, depth: number): WhyNot | undefined {
    const words = inOrder(absence, [left, right]);
    return absence.once(`equal ${[left, right].sort((a, b) => a - b).join()}`, depth, () => {
        const found: Reason[] = [];
        for (const rule of absence.database.program.rules) {
            const head = equalityHead(rule);
            if (head === undefined) continue;
            const matcher = absence.matcher(rule, head);
            for (const pattern of [
                [left, right],
                [right, left],
            ]) {
                const search: RuleSearch = { absence, rule, head, matcher, pattern, depth, found };
                const before = found.length;
                tryApart(search);
                for (const item of matcher.items) trySuspect(search, itemSuspect(item));
                if (found.length > before) continue;
                tryPairs(search);
                if (found.length === before) tryFailing(search);
            }
        }
        found.sort((one, other) => one.distance - other.distance);
        return {
            fact: `${words[0]} = ${words[1]}`,
            further: false,
            ...inSections([...distinct(found).slice(0, KEPT), ...(depth === 0 ? noMatches(absence.database.program) : [])]),
            cutShort: absence.isSpent(),
        };
    });
}

/** What is left to say of equality heads where trials refute all else. */
function noMatches({ rules }: AnalysedProgram): Reason[] {
    return rules
        .filter(rule => equalityHead(rule) !== undefined)
        .map(rule => ({ ...reasonIn(rule, { kind: 'nothing' }, rule.rule.body.span, [], Number.MAX_SAFE_INTEGER), needed: true }));
}

const heads = new WeakMap<AnalysedRule, ResolvedAtom>();

/** The two sides of an equality head as the columns of an atom; undefined for other rules. */
function equalityHead(rule: AnalysedRule): ResolvedAtom | undefined {
    const { head } = rule.rule;
    if (head.kind !== 'equality') return undefined;
    const { left, right, span } = head;
    const made = heads.get(rule) ?? {
        predicate: `equality ${rule.index}` as PredicateKey,
        atom: { predicate: '=', arguments: [left, right], nameSpan: span, span },
    };
    heads.set(rule, made);
    return made;
}

function inOrder({ words }: Absence, values: readonly [ValueId, ValueId]): [string, string] {
    return values.map(value => words.term(value)).sort((a, b) => a.length - b.length || (a < b ? -1 : 1)) as [string, string];
}

/** Two atoms that have facts, though with no value in common. */
function tryApart(search: RuleSearch): void {
    const atoms = search.matcher.items.filter((item): item is AtomItem => item.kind === 'atom');
    for (const pair of pairsOf(atoms)) {
        if (search.absence.isSpent()) return;
        const [match] = matchesOf(search, pair.map(itemSuspect), 1);
        const reason = match && apartReason(search, pair, match);
        if (reason !== undefined) search.found.push(reason);
    }
}

function apartReason(search: RuleSearch, [first, second]: readonly [AtomItem, AtomItem], match: PartialMatch): Reason | undefined {
    const { absence, rule, matcher } = search;
    const { registers } = match;
    const variables = variablesIn(first).filter(
        name => variablesIn(second).includes(name) && (registers[matcher.scope.slot(name)] ?? UNBOUND) === UNBOUND,
    );
    if (variables.length === 0) return undefined;
    const [left] = matcher.matching(first, registers);
    const [right] = matcher.matching(second, registers);
    if (left === undefined || right === undefined) return undefined;
    const { program } = absence.database;
    const patterns = [first, second].map(item => {
        const predicate = program.predicates.get(item.literal.predicate)!;
        const { values } = patternOf(matcher, item, registers, predicate.arity);
        const terms = item.literal.atom.arguments;
        const names = values.map((_, column) => {
            const term = terms[column];
            return term?.kind === 'variable' && variables.includes(term.name) ? term.name : undefined;
        });
        return { predicate, values, names, text: absence.words.pattern(predicate, values, names) };
    }) as unknown as readonly [Pattern, Pattern];
    // The unknown values are where they are: nobody asks what else they would have to be beside.
    const { dictionary } = absence.database;
    if (patterns.some(({ values }) => values.some(value => value !== undefined && dictionary.isNull(value)))) return undefined;
    // The second atom would have to have what the first one has in the variables that they share.
    const { columns } = absence.database.relation(first.literal.predicate)!;
    const shared = new Map(
        patterns[0].names.flatMap((name, column) => (name === undefined ? [] : [[name, columns[column]![left]!] as const])),
    );
    const values = patterns[1].values.map((value, column) => value ?? shared.get(patterns[1].names[column] ?? ''));
    const [one, other] = patterns.map(({ text }) => text).sort() as [string, string];
    const cause: Cause = { kind: 'apart', variables, atoms: [one, other] };
    const facts = [
        { predicate: first.literal.predicate, row: left },
        { predicate: second.literal.predicate, row: right },
    ].map(fact => absence.words.row(fact));
    const premises = [...new Set([...premisesOf(search, match), ...facts])];
    return {
        ...reasonIn(rule, cause, second.literal.atom.span, premises, DISTANCE.missing - DISTANCE.step),
        remedies: [{ kind: 'fact', fact: { predicate: second.literal.predicate, values } }],
    };
}

interface Pattern {
    readonly values: readonly (ValueId | undefined)[];
    readonly names: readonly (string | undefined)[];
    readonly text: string;
}

function variablesIn({ literal }: AtomItem): string[] {
    return literal.atom.arguments.flatMap(term => (term.kind === 'variable' ? [term.name] : []));
}
