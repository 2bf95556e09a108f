import type { RunStatistics } from '#engine/contracts/database.ts';
import { counted, countedMatches, countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import { positionAt, type SourceText } from '#server/notices/source-texts.ts';

/** A profile as it is printed; also its JSON form. Times are in milliseconds. */
export interface ProfileReport {
    readonly program: string;
    readonly facts: number;
    readonly rounds: number;
    readonly loading: number;
    readonly evaluating: number;
    /** Time of the evaluation outside all rules: indexes, rounds, finished sums. */
    readonly betweenRules: number;
    readonly peakBytes: number;
    /** Requests to sources that ask for less than all rows. */
    readonly sources: readonly string[];
    /** The slowest first. */
    readonly rules: readonly ReportedRule[];
}

export interface ReportedRule extends Costs {
    readonly rule: string;
    readonly file: string;
    /** One-based. */
    readonly line: number;
    /** One-based; 0 for constraints. */
    readonly stratum: number;
    readonly fills: readonly string[];
    /** It was evaluated before in another stratum, and anew because values that it read were made equal. */
    readonly again: boolean;
    /** It fills a relation that the planner made. */
    readonly internal: boolean;
    /** The ways in which the rule ran, by the relation whose new rows they start from. */
    readonly variants: readonly ReportedVariant[];
}

interface ReportedVariant extends Costs {
    readonly delta?: string;
    readonly execution: string;
    readonly steps: readonly string[];
    /** Matches that each step let go on. */
    readonly matches: readonly (number | undefined)[];
}

interface Costs {
    readonly milliseconds: number;
    readonly tried: number;
    readonly kept?: number;
    readonly runs: number;
    readonly bytes: number;
}

export function profileReport(program: string, statistics: RunStatistics, texts: ReadonlyMap<string, SourceText>): ProfileReport {
    const { facts, rounds, loading, evaluating, peakBytes, rules = [], sources = [] } = statistics;
    const seen = new Set<string>();
    const reported = rules.map(({ rule, location: { place, span }, fills, internal, stratum, variants }) => {
        const text = texts.get(place.file);
        const line = text === undefined ? place.line : positionAt(text, place.offset + span.start).line;
        const key = [rule, place.file, place.offset, span.start, ...fills].join('\n');
        const again = seen.has(key);
        seen.add(key);
        return {
            rule,
            file: place.file,
            line: line + 1,
            stratum,
            fills,
            again,
            internal,
            ...sum(variants),
            variants: variants.map(({ items: _, ...variant }) => variant),
        };
    });
    reported.sort((left, right) => right.milliseconds - left.milliseconds);
    const betweenRules = Math.max(0, evaluating - reported.reduce((total, { milliseconds }) => total + milliseconds, 0));
    return { program, facts, rounds, loading, evaluating, betweenRules, peakBytes, sources, rules: reported };
}

/** Returns the text of a rule, and a mark if it was evaluated before. Relations that the planner made are named, too. */
export function ruleName({ rule, fills, internal, again }: ReportedRule): string {
    const name = internal ? `${rule} [${fills.join(', ')}]` : rule;
    return again ? say`${name} [again]` : name;
}

/** How a rule ran, and how often: its first line, the loops below it. */
export function variantTitle({ delta, execution, runs, tried }: ReportedRule['variants'][number]): string {
    const start = delta === undefined ? say`from everything` : say`for new ${delta}`;
    return say`${start}, ${execution}: ${counted(runs, 'run')}, ${countText(tried)} tried`;
}

/** The loops of a way to run, each with the matches that went on from it. */
export function stepLines({ steps, matches }: ReportedRule['variants'][number]): string[] {
    return steps.map((step, line) => {
        const count = matches[line];
        return count === undefined ? step : `${step} · ${countedMatches(count)}`;
    });
}

/** How much there was: `588 facts in 12 rounds, 0.3 MiB at most`. */
export function amountText({ facts, rounds, peakBytes }: ProfileReport): string {
    return say`${countText(facts)} facts in ${countText(rounds)} rounds, ${mebibytes(peakBytes)} at most`;
}

/** `1,686.2 ms`. */
export function milliseconds(time: number): string {
    const [whole = '0', rest] = time.toFixed(1).split('.');
    return say`${countText(Number(whole))}.${rest} ms`;
}

export function mebibytes(bytes: number): string {
    const text = (bytes / 2 ** 20).toFixed(1);
    return `${text === '-0.0' ? '0.0' : text} MiB`;
}

function sum(variants: readonly Costs[]): Costs {
    const of = (figure: (costs: Costs) => number): number => variants.reduce((total, costs) => total + figure(costs), 0);
    const isKnown = variants.every(({ kept }) => kept !== undefined);
    return {
        milliseconds: of(costs => costs.milliseconds),
        tried: of(costs => costs.tried),
        ...(isKnown ? { kept: of(({ kept = 0 }) => kept) } : {}),
        runs: of(costs => costs.runs),
        bytes: of(costs => costs.bytes),
    };
}
