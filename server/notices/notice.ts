import { argumentsOf as argumentsOfReport, type FailedScript, type Report } from '#engine/reports/reports.ts';
import { argumentsOf } from '#language/problems/catalogue.ts';
import type { Problem, Severity } from '#language/program/problem.ts';
import type { Location } from '#language/program/span.ts';

/** Something to tell at a place of a text: a problem of a program or a report of a run. */
export interface Notice {
    readonly severity: Severity;
    readonly code: string;
    readonly message: string;
    readonly remedy?: string;
    /** Lines to be shown as they are, below the message: facts, derivations. */
    readonly details?: readonly string[];
    readonly place?: NoticePlace;
    /** A place in a data file, one-based line. */
    readonly data?: { readonly file: string; readonly line?: number };
    readonly related: readonly (NoticePlace & { readonly message: string })[];
    /** The input that the run needed. */
    readonly wanted?: Wanted;
    /** The error of a script. */
    readonly script?: FailedScript;
}

/** A parameter without a value, or a predicate without rows. */
export interface Wanted {
    readonly kind: 'parameter' | 'input';
    readonly name: string;
}

export interface NoticePlace {
    readonly file: string;
    /** UTF-16 offsets in the file. */
    readonly start: number;
    readonly end: number;
}

export function problemNotice(problem: Problem): Notice {
    const { code, severity, message, remedy, related } = problem;
    return {
        severity,
        code,
        message,
        ...(remedy === undefined ? {} : { remedy }),
        place: placeOf(problem),
        related: (related ?? []).map(other => ({ ...placeOf(other), message: other.message })),
        ...(code === 'RL8001' && { wanted: { kind: 'parameter', name: argumentsOf(problem, code)[0] } }),
    };
}

export function reportNotice(report: Report): Notice {
    const { code, severity, message, remedy, details, location, source, match, script } = report;
    const isNamed = source === undefined || (source.line === undefined && report.arguments?.includes(source.file) === true);
    const wanted = wantedBy(report);
    return {
        severity,
        code,
        message,
        ...(remedy === undefined ? {} : { remedy }),
        ...(details === undefined ? {} : { details }),
        ...(location === undefined ? {} : { place: placeOf(location) }),
        ...(isNamed ? {} : { data: source }),
        related: (match?.facts ?? []).flatMap(fact =>
            fact.location === undefined ? [] : [{ ...placeOf(fact.location), message: fact.fact }],
        ),
        ...(script !== undefined && { script }),
        ...(wanted !== undefined && { wanted }),
    };
}

function wantedBy(report: Report): Wanted | undefined {
    const [input] = argumentsOfReport(report, 'RT070') ?? [];
    if (input !== undefined) return { kind: 'input', name: input };
    const [parameter, given] = argumentsOfReport(report, 'RT080') ?? [];
    return parameter === undefined || given !== undefined ? undefined : { kind: 'parameter', name: parameter };
}

function placeOf({ place, span }: Location): NoticePlace {
    return { file: place.file, start: place.offset + span.start, end: place.offset + span.end };
}
