import { explodedCollection } from '#language/library/exploded-collection.ts';
import { AGGREGATES } from '#language/program/aggregates.ts';
import type { AnalysedRule, Predicate, ResolvedAtom } from '#language/program/analysed-program.ts';
import { printExpression } from '#language/program/print.ts';
import type { Aggregate, Expression } from '#language/program/program.ts';
import { withParts } from '#language/program/subexpressions.ts';
import type { Database } from '../contracts/database.ts';
import type { Scope } from '../evaluate/scope.ts';
import { aggregateSignature } from '../plan/aggregate-signature.ts';
import { castValue } from '../values/cast.ts';
import { factText, filledDescription } from '../values/fact-text.ts';
import { type NullLabel, termText } from '../values/text.ts';
import type { ValueId } from '../values/value-id.ts';
import { type GroupedMatch, groupsOf } from './contributions.ts';
import { decidedByChance } from './decided-by-chance.ts';
import type { AggregateResult, ColumnResult, ContributionNode, GroupResults, KeptContribution } from './explanation.ts';
import { combine, groupRegisters, type KeptValue, keptValues, siteOf } from './group-values.ts';
import { labelsOf } from './match-labels.ts';
import { matchScope } from './match-rule.ts';
import { compileHead } from './rule-scope.ts';
import { valueTerms } from './value-terms.ts';

/** A contribution to a group: a match, or a fact of the aggregated predicate itself with its values. */
export type Contributed = { readonly node: ContributionNode } & (
    | { readonly match: GroupedMatch }
    | { readonly match?: undefined; readonly values: readonly ValueId[] }
);

type NodedMatch = GroupedMatch & { readonly node: ContributionNode };

/** The contributions of one rule by one of its heads. */
interface Part {
    readonly rule: AnalysedRule;
    readonly head: ResolvedAtom;
    readonly scope: Scope;
    readonly matches: NodedMatch[];
}

/**
 * What was made of the contributions to a fact. A result is told only where it comes out again, so that the words about
 * it are true: groups of a recursion that is not monotone keep values whose reasons have changed (D-37).
 */
export function groupResults(
    database: Database,
    predicate: Predicate,
    values: readonly ValueId[],
    contributed: readonly Contributed[],
    label: NullLabel,
): GroupResults {
    const { dictionary } = database;
    const parts = partsOf(database, contributed);
    const isWhole = parts.every(({ matches }) => groupsOf(database, matches).length === 1);
    const columns = predicate.aggregatedColumns.map((column): ColumnResult => {
        const { name, type } = predicate.columns[column]!;
        const value = termText(dictionary, values[column]!, type, label);
        const told = isWhole
            ? (plainResult(database, predicate, values, column, parts, contributed, label) ??
              computedResult(database, values, column, parts, contributed, label))
            : undefined;
        return { name, value, ...(told ?? { aggregates: [] }) };
    });
    return { key: keyText(database, predicate, values, label), isDescribed: isDescribed(predicate), columns };
}

/** The result of one aggregate, to which several rules and facts may contribute. */
function plainResult(
    database: Database,
    predicate: Predicate,
    values: readonly ValueId[],
    column: number,
    parts: readonly Part[],
    contributed: readonly Contributed[],
    label: NullLabel,
): Pick<ColumnResult, 'aggregates'> | undefined {
    const { dictionary } = database;
    const { type, cast } = predicate.columns[column]!;
    const uses = parts.flatMap(part => {
        const aggregate = aggregateSignature(part.rule, part.head).columns.get(column);
        return aggregate === undefined || isByChance(database, part.rule, aggregate) ? [] : [{ part, aggregate }];
    });
    const [first] = uses;
    if (first === undefined || uses.length < parts.length) return undefined;
    const site = siteOf(first.part.rule, first.aggregate);
    const { family } = site;
    if (uses.some(({ aggregate }) => AGGREGATES[aggregate.name].family !== family)) return undefined;
    const matched = uses.map(({ part, aggregate }) => ({
        part,
        aggregate,
        kept: keptValues(database, part.rule, part.scope, aggregate, part.matches),
    }));
    const given = contributed.flatMap(({ node, ...one }) => {
        const value = 'values' in one ? one.values[column]! : undefined;
        return value === undefined || dictionary.isNull(value) ? [] : [{ node, value }];
    });
    const all = [...matched.flatMap(({ kept }) => kept.map(({ value }) => value)), ...given.map(({ value }) => value)];
    if (all.length === 0) return undefined;
    const total = combine(dictionary, site, all);
    if (!isSame(database, cast ? castValue(dictionary, total, type, site.type) : total, values[column]!)) return undefined;
    const kept = [
        ...matched.flatMap(({ part, aggregate, kept }) => keptContributions(database, part, aggregate, kept, total, label)),
        ...given.map(({ node, value }) => ({
            contribution: node,
            terms: termText(dictionary, value, type, label),
            isResult: value === total,
        })),
    ];
    const value = termText(dictionary, values[column]!, type, label);
    return { aggregates: [{ name: predicate.columns[column]!.name, value, family, kept }] };
}

/** What a rule computes from results of its aggregates. */
function computedResult(
    database: Database,
    values: readonly ValueId[],
    column: number,
    parts: readonly Part[],
    contributed: readonly Contributed[],
    label: NullLabel,
): Pick<ColumnResult, 'aggregates' | 'formula'> | undefined {
    const [part] = parts;
    if (part === undefined || parts.length > 1 || part.matches.length < contributed.length) return undefined;
    const { rule, head, scope, matches } = part;
    const { libraryPrefixes } = database.program;
    if (rule.assignments.some(one => one.afterAggregation && explodedCollection(one.value, libraryPrefixes))) return undefined;
    const registers = groupRegisters(database, rule, scope, matches);
    const byChance = decidedByChance(rule, libraryPrefixes);
    const written = head.atom.arguments[column];
    const term = compileHead(head, rule, database, scope, byChance)[column];
    if (registers === undefined || written === undefined || term === undefined || byChance(written)) return undefined;
    if (!isSame(database, 'slot' in term ? registers[term.slot] : term.value(registers), values[column]!)) return undefined;
    const aggregates = new Map<string, Aggregate>();
    const formula = printExpression(writtenOut(written, rule, aggregates));
    const results = [...aggregates].map(([name, aggregate]): AggregateResult => {
        const kept = keptValues(database, rule, scope, aggregate, matches);
        const site = siteOf(rule, aggregate);
        const total = combine(
            database.dictionary,
            site,
            kept.map(({ value }) => value),
        );
        const value = termText(database.dictionary, total, site.type, label);
        return { name, value, family: site.family, kept: keptContributions(database, part, aggregate, kept, total, label) };
    });
    return { formula, aggregates: results };
}

/** A term of a head without variables that are computed from others; collects the aggregates that it uses by what they are called. */
function writtenOut(term: Expression, rule: AnalysedRule, aggregates: Map<string, Aggregate>): Expression {
    if (term.kind === 'aggregate') {
        aggregates.set(printExpression(term), term);
        return term;
    }
    if (term.kind !== 'variable') return withParts(term, part => writtenOut(part, rule, aggregates));
    const definition = rule.assignments.find(({ variable, afterAggregation }) => afterAggregation && variable.name === term.name)?.value;
    if (definition === undefined) return term;
    if (definition.kind !== 'aggregate') return writtenOut(definition, rule, aggregates);
    aggregates.set(term.name, definition);
    return term;
}

function keptContributions(
    database: Database,
    { rule, scope }: Part,
    aggregate: Aggregate,
    kept: readonly KeptValue<NodedMatch>[],
    total: ValueId,
    label: NullLabel,
): KeptContribution[] {
    const [argument] = aggregate.arguments;
    const { argument: type } = siteOf(rule, aggregate);
    const terms = argument === undefined ? () => undefined : valueTerms(argument, rule, scope);
    const registers = kept.map(({ match }) => match.registers);
    const labels = labelsOf(database, rule, scope, aggregate, registers, label);
    return kept.map(({ match, value }): KeptContribution => {
        const told = labels(match.registers);
        return {
            contribution: match.node,
            terms: terms(match.registers) ?? termText(database.dictionary, value, type, label),
            ...(told === undefined ? {} : { label: told }),
            isResult: value === total,
        };
    });
}

function partsOf(database: Database, contributed: readonly Contributed[]): Part[] {
    const parts = new Map<ResolvedAtom, Part>();
    for (const { node, match } of contributed) {
        if (match === undefined) continue;
        const { rule, head } = match;
        const part = parts.get(head) ?? { rule, head, scope: matchScope(database, rule), matches: [] };
        part.matches.push({ ...match, node });
        parts.set(head, part);
    }
    return [...parts.values()];
}

function isByChance({ program }: Database, rule: AnalysedRule, aggregate: Aggregate): boolean {
    return [...aggregate.arguments, ...(aggregate.contributors ?? [])].some(decidedByChance(rule, program.libraryPrefixes));
}

function keyText({ dictionary }: Database, predicate: Predicate, values: readonly ValueId[], label: NullLabel): string {
    const isKey = (_: unknown, column: number): boolean => !predicate.aggregatedColumns.includes(column);
    const columns = predicate.columns.filter(isKey);
    return columns.length === 0 ? predicate.name : factText(dictionary, { ...predicate, columns }, values.filter(isKey), label);
}

function isDescribed({ model, aggregatedColumns }: Predicate): boolean {
    const named = new Set<number>();
    const words = filledDescription(model, column => {
        named.add(column);
        return '';
    });
    return words !== undefined && aggregatedColumns.every(column => named.has(column));
}

/** Equal, or doubles that another order of multiplying has made a little different. */
function isSame({ dictionary }: Database, left: ValueId | undefined, right: ValueId): boolean {
    if (left === right || left === undefined) return left !== undefined;
    if (![left, right].every(id => dictionary.isNumber(id) && !dictionary.isInteger(id))) return false;
    const [a, b] = [dictionary.numberOf(left), dictionary.numberOf(right)];
    return Math.abs(a - b) <= 1e-12 * Math.max(Math.abs(a), Math.abs(b));
}
