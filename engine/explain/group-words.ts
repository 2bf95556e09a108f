import { AGGREGATES } from '#language/program/aggregates.ts';
import { countText } from '#language/program/count-text.ts';
import { say, translated } from '#language/program/say.ts';
import type { AggregateResult, ColumnResult, ContributionNode, FactNode, GroupNode, KeptContribution, PremiseNode } from './explanation.ts';
import type { Step } from './explanation-words.ts';

/** Contributions that are told of a group. */
const FEW = 5;

/** How an aggregated fact follows from its group: `cost("P37") is 38.93, the sum of 12 × 0.9 (screws) and 28.13 (wood)`. */
export function groupStep(conclusion: FactNode, group: GroupNode, absent: readonly string[]): Step {
    const columns = group.results?.columns ?? [];
    const told = (words: string, result: Step['result'], ...contributions: readonly ContributionNode[]): Step => ({
        conclusion,
        premises: [...new Set(contributions.flatMap(factsOf))],
        absent: [...contributions.flatMap(one => one.absent ?? []), ...absent],
        words,
        ...(result === undefined ? {} : { result }),
    });
    const only = onlyContribution(group, columns);
    if (only !== undefined) return told(conclusion.verbalization, undefined, only);
    const subject = subjectOf(conclusion, group);
    const [column, ...others] = columns;
    const [aggregate] = column?.aggregates ?? [];
    if (column?.formula === undefined && others.length === 0 && aggregate !== undefined && isOneOfThem(aggregate)) {
        const [result] = shownOf(aggregate);
        const values = valuesOf(aggregate);
        if (result !== undefined)
            return values.length === 1
                ? told(conclusion.verbalization, undefined, result.contribution)
                : told(`${subject}, ${madeOf(aggregate)}`, 'since', result.contribution);
    }
    const shown = columns.flatMap(one => one.aggregates.flatMap(shownOf)).map(({ contribution }) => contribution);
    if (column === undefined || shown.length === 0)
        return told(
            say`${subject}, from ${enumerated(group.contributions.map(factsText), group.more)}`,
            'from',
            ...few(group.contributions),
        );
    const words = others.length === 0 ? `${subject}, ${columnWords(column, [])}` : `${subject}: ${columnsWords(columns)}`;
    return told(words, 'from', ...shown);
}

/** The one contribution that gives all results as they are. */
function onlyContribution({ contributions }: GroupNode, columns: readonly ColumnResult[]): ContributionNode | undefined {
    if (columns.some(({ formula }) => formula !== undefined)) return undefined;
    const kept = columns.flatMap(({ aggregates }) => aggregates.flatMap(one => one.kept.map(({ contribution }) => contribution)));
    const given = new Set(contributions.length === 1 ? contributions : kept);
    const [first] = given;
    return given.size === 1 && (contributions.length === 1 || columns.every(({ aggregates }) => aggregates.length > 0)) ? first : undefined;
}

/** The fact with its results, in the words of its model where they tell them. */
function subjectOf(conclusion: FactNode, { results }: GroupNode): string {
    const [column, ...others] = results?.columns ?? [];
    return results === undefined || results.isDescribed || column === undefined || others.length > 0
        ? conclusion.verbalization
        : say`${results.key} is ${column.value}`;
}

function columnsWords(columns: readonly ColumnResult[]): string {
    const names = columns.filter(({ formula }) => formula === undefined).map(({ name }) => name);
    return columns
        .map(column => {
            const words = columnWords(column, names);
            return say`${column.name} is ${column.value}${words === '' ? '' : `, ${words}`}`;
        })
        .join(say`, and `);
}

/** How a result was computed; of the results that it uses those that have no column of their own. */
function columnWords({ formula, aggregates }: ColumnResult, columns: readonly string[]): string {
    if (formula === undefined) return aggregates.map(madeOf).join();
    const used = aggregates.filter(({ name }) => !columns.includes(name));
    const parts = used.map(one => say`${one.name} is ${one.value}, ${madeOf(one)}`);
    return say`by ${formula}${parts.length === 0 ? '' : say`, where ${parts.join(say`, and `)}`}`;
}

function madeOf(aggregate: AggregateResult): string {
    return `${translated(AGGREGATES[aggregate.family].words)} ${enumerated(valuesOf(aggregate))}`;
}

/** The result is one of the contributions, and rests on that alone. */
function isOneOfThem({ family }: AggregateResult): boolean {
    return AGGREGATES[family].chooses === 'one';
}

/** What is said of each contribution. Of those whose result is one of them, equal ones are said once. */
function valuesOf(aggregate: AggregateResult): string[] {
    const { domain, idempotent } = AGGREGATES[aggregate.family];
    const isCount = domain === 'rows';
    const values = ordered(aggregate).map(({ contribution, terms, label }) => {
        const value = isCount ? (label ?? factsText(contribution)) : label === undefined ? terms : `${terms} (${label})`;
        return isLater(contribution) ? say`later ${value}` : value;
    });
    return idempotent ? [...new Set(values)] : values;
}

function shownOf(aggregate: AggregateResult): readonly KeptContribution[] {
    return few(ordered(aggregate));
}

/** A contribution that is itself the result stands first, and what came after the conclusion last. */
function ordered(aggregate: AggregateResult): KeptContribution[] {
    const rank = ({ contribution, isResult }: KeptContribution): number =>
        (isOneOfThem(aggregate) && isResult ? 0 : 2) + (isLater(contribution) ? 1 : 0);
    return [...aggregate.kept].sort((left, right) => rank(left) - rank(right));
}

/** Some of the texts, and how many there are besides. */
function enumerated(texts: readonly string[], more = 0): string {
    const told = more === 0 ? few(texts) : texts.slice(0, FEW);
    const left = texts.length - told.length + more;
    const shown = left === 0 ? told : [...told, say`${countText(left)} more`];
    return shown.length < 2 ? shown.join() : say`${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

/** Those that are told. One more takes no more room than its number. */
function few<T>(all: readonly T[]): readonly T[] {
    return all.length <= FEW + 1 ? all : all.slice(0, FEW);
}

function factsText(contribution: ContributionNode): string {
    return factsOf(contribution)
        .map(({ verbalization }) => verbalization)
        .join(' with ');
}

function factsOf({ premises }: ContributionNode): FactNode[] {
    return premises.filter((premise: PremiseNode): premise is FactNode => premise.kind === 'fact');
}

function isLater(contribution: ContributionNode): boolean {
    return factsOf(contribution).some(({ deferred }) => deferred);
}
