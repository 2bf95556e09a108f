import { AGGREGATES } from '#language/program/aggregates.ts';
import { countText } from '#language/program/count-text.ts';
import { say, translated } from '#language/program/say.ts';
import type {
    AggregateResult,
    ColumnResult,
    ContributionNode,
    DerivationNode,
    FactNode,
    GroupNode,
    KeptContribution,
    PremiseNode,
} from './explanation.ts';
import { isSentence, type Name, plainStep, type Step } from './explanation-words.ts';

/** Contributions that are told of a group. */
const FEW = 5;

/** How an aggregated fact follows from its group: `cost("P37") is 38.93 = 12 × 0.9 (screws) + 28.13 (wood), because …`. */
export function groupStep(conclusion: FactNode, derivation: DerivationNode, group: GroupNode, absent: readonly string[]): Step {
    const columns = group.results?.columns ?? [];
    const only = onlyContribution(group, columns) ?? onlyValue(columns);
    if (only !== undefined) return plainStep(conclusion, derivation, factsOf(only), [...(only.absent ?? []), ...absent]);
    const { shown, more } = shownOf(group, columns);
    const lacking = [...new Set([...shown.flatMap(one => one.absent ?? []), ...absent])].map(text => say`there is no ${text}`);
    const reasons = (name: Name): string => enumerated([...contributionTexts(shown, name), ...lacking], more);
    const [column, ...others] = columns;
    const isMade = columns.some(({ aggregates }) => aggregates.length > 0);
    const made = column === undefined || !isMade ? '' : others.length > 0 ? columnsWords(columns) : columnWords(column, []);
    const counts = others.length === 0 && column?.formula === undefined && column?.aggregates.every(isCount) === true && made !== '';
    const sentence = (name: Name, number?: number): string => {
        // Its name is taken, whatever it is called here.
        const whole = number === undefined ? name(conclusion) : '';
        const subject = number !== undefined ? `(${number})` : made === '' ? whole : subjectOf(conclusion, group, whole);
        const words = made === '' ? subject : others.length > 0 || subject === whole ? `${subject}: ${made}` : say`${subject} is ${made}`;
        const because = reasons(name);
        if (because === '') return words;
        if (counts) return say`${words}, counting ${because}`;
        const isWhole = made !== '' || (number === undefined && isSentence(conclusion));
        return isWhole ? say`${words}, because ${because}` : say`${words} holds because ${because}`;
    };
    return { conclusion, derivation, premises: [...new Set(shown.flatMap(factsOf))], sentence };
}

/** The one contribution that gives all results as they are. */
function onlyContribution({ contributions }: GroupNode, columns: readonly ColumnResult[]): ContributionNode | undefined {
    if (columns.some(({ formula }) => formula !== undefined)) return undefined;
    const kept = columns.flatMap(({ aggregates }) => aggregates.flatMap(one => one.kept.map(({ contribution }) => contribution)));
    const given = new Set(contributions.length === 1 ? contributions : kept);
    const [first] = given;
    return given.size === 1 && (contributions.length === 1 || columns.every(({ aggregates }) => aggregates.length > 0)) ? first : undefined;
}

/** The one contribution that a result is which is chosen among equal values. */
function onlyValue([column, ...others]: readonly ColumnResult[]): ContributionNode | undefined {
    const [aggregate] = column?.aggregates ?? [];
    if (column?.formula !== undefined || others.length > 0 || aggregate === undefined || !isOneOfThem(aggregate)) return undefined;
    return valuesOf(aggregate).length === 1 ? aggregate.kept.find(({ isResult }) => isResult)?.contribution : undefined;
}

/** What the result is told of: the key alone, where the words of the fact do not tell the result, or tell nothing else. */
function subjectOf(conclusion: FactNode, { results }: GroupNode, whole: string): string {
    const isTold = results === undefined || results.isDescribed || results.columns.length > 1 || conclusion.named !== undefined;
    return isTold ? whole : results.key;
}

function columnsWords(columns: readonly ColumnResult[]): string {
    const names = columns.filter(({ formula }) => formula === undefined).map(({ name }) => name);
    return columns
        .map(column => {
            return say`${column.name} is ${columnWords(column, names)}`;
        })
        .join(say`, and `);
}

/** A result, and how it was computed; of the results that it uses those that have no column of their own. */
function columnWords({ formula, value, aggregates }: ColumnResult, columns: readonly string[]): string {
    const [aggregate] = aggregates;
    if (formula === undefined) return aggregate === undefined ? value : madeOf(aggregate);
    const used = aggregates.filter(({ name }) => !columns.includes(name));
    const parts = used.map(one => say`${one.name} is ${madeOf(one)}`);
    return say`${value} = ${formula}${parts.length === 0 ? '' : say`, where ${parts.join(say`, and `)}`}`;
}

/** `14 = 12 + 2` and `12, the largest of 12 and 2`; of a count that alone. */
function madeOf(aggregate: AggregateResult): string {
    const { family, value } = aggregate;
    if (isCount(aggregate)) return value;
    const values = valuesOf(aggregate);
    if (family !== 'msum')
        return `${value}, ${translated(AGGREGATES[family].words)} ${enumerated(few(values), values.length - few(values).length)}`;
    const summands = few(values);
    const left = values.length - summands.length;
    return `${value} = ${[...summands, ...(left > 0 ? [say`${countText(left)} more`] : [])].join(' + ').replaceAll('+ -', '- ')}`;
}

/** The result is one of the contributions, and rests on that alone. */
function isOneOfThem({ family }: AggregateResult): boolean {
    return AGGREGATES[family].chooses === 'one';
}

function isCount({ family }: AggregateResult): boolean {
    return AGGREGATES[family].domain === 'rows';
}

/** What is said of each contribution. Of those whose result is one of them, equal ones are said once. */
function valuesOf(aggregate: AggregateResult): string[] {
    const values = ordered(aggregate).map(({ contribution, terms, label }) => {
        const value = label === undefined ? terms : `${terms} (${label})`;
        return isLater(contribution) ? say`later ${value}` : value;
    });
    return AGGREGATES[aggregate.family].idempotent ? [...new Set(values)] : values;
}

/**
 * The contributions whose facts are named: those of which the results are made, as far as they are told, and of one that is chosen that
 * alone. With the number of others.
 */
function shownOf(
    group: GroupNode,
    columns: readonly ColumnResult[],
): { readonly shown: readonly ContributionNode[]; readonly more: number } {
    const aggregates = columns.flatMap(column => column.aggregates);
    if (aggregates.length === 0) {
        const shown = group.more === undefined ? few(group.contributions) : group.contributions.slice(0, FEW);
        return { shown, more: group.contributions.length - shown.length + (group.more ?? 0) };
    }
    const kept = aggregates.map(one => ordered(one).slice(0, isOneOfThem(one) ? 1 : undefined));
    const all = new Set(kept.flat().map(({ contribution }) => contribution));
    const shown = new Set(kept.flatMap(few).map(({ contribution }) => contribution));
    return { shown: [...shown], more: all.size - shown.size };
}

/** A contribution that is itself the result stands first, and what came after the conclusion last. */
function ordered(aggregate: AggregateResult): KeptContribution[] {
    const rank = ({ contribution, isResult }: KeptContribution): number =>
        (isOneOfThem(aggregate) && isResult ? 0 : 2) + (isLater(contribution) ? 1 : 0);
    return [...aggregate.kept].sort((left, right) => rank(left) - rank(right));
}

/** Some of the texts, and how many there are besides. */
export function enumerated(texts: readonly string[], more = 0): string {
    const shown = more === 0 ? texts : [...texts, say`${countText(more)} more`];
    return shown.length < 2 ? shown.join() : say`${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

/** Those that are told. One more takes no more room than its number. */
function few<T>(all: readonly T[]): readonly T[] {
    return all.length <= FEW + 1 ? all : all.slice(0, FEW);
}

/** The facts of each contribution; one with several is told from the next by a semicolon. */
function contributionTexts(contributions: readonly ContributionNode[], name: Name): string[] {
    const texts = contributions.map(one => factsOf(one).map(fact => (fact.deferred ? say`later ${name(fact)}` : name(fact))));
    if (texts.every(({ length }) => length < 2)) return texts.flat();
    const told = texts.filter(({ length }) => length > 0).map(facts => enumerated(facts));
    return told.length === 0 ? [] : [told.join('; ')];
}

function factsOf({ premises }: ContributionNode): FactNode[] {
    return premises.filter((premise: PremiseNode): premise is FactNode => premise.kind === 'fact');
}

function isLater(contribution: ContributionNode): boolean {
    return factsOf(contribution).some(({ deferred }) => deferred);
}
