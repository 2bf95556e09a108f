import type { RunStatistics } from '#engine/database.ts';
import { positionAt, type SourceText } from '../source-texts.ts';

/** A profile as it is printed; also its JSON form. Times are in milliseconds. */
export interface ProfileReport {
    readonly program: string;
    readonly facts: number;
    readonly rounds: number;
    readonly loading: number;
    readonly evaluating: number;
    /** What of the evaluation is no rule's: indexes, rounds, sums that are finished. */
    readonly betweenRules: number;
    readonly peakBytes: number;
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
    /** What it fills is a relation that the planner made. */
    readonly internal: boolean;
    /** The ways in which the rule ran, by the relation whose new rows they start from. */
    readonly variants: readonly (Costs & { readonly delta?: string; readonly steps: readonly string[] })[];
}

interface Costs {
    readonly milliseconds: number;
    readonly tried: number;
    readonly kept?: number;
    readonly runs: number;
    readonly bytes: number;
}

export function profileReport(program: string, statistics: RunStatistics, texts: ReadonlyMap<string, SourceText>): ProfileReport {
    const { facts, rounds, loading, evaluating, peakBytes, rules = [] } = statistics;
    const reported = rules.map(({ rule, location: { place, span }, fills, internal, stratum, variants }) => {
        const text = texts.get(place.file);
        const line = text === undefined ? place.line : positionAt(text, place.offset + span.start).line;
        return { rule, file: place.file, line: line + 1, stratum, fills, internal, ...sum(variants), variants };
    });
    reported.sort((left, right) => right.milliseconds - left.milliseconds);
    const betweenRules = Math.max(0, evaluating - reported.reduce((total, { milliseconds }) => total + milliseconds, 0));
    return { program, facts, rounds, loading, evaluating, betweenRules, peakBytes, rules: reported };
}

/** The text of a rule, and what it fills where that is no predicate of the program. */
export function ruleName({ rule, fills, internal }: ReportedRule): string {
    return internal ? `${rule} [${fills.join(', ')}]` : rule;
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
