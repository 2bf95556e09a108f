import type { Report } from '#engine/reports.ts';
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
}

export interface NoticePlace {
    readonly file: string;
    /** UTF-16 offsets in the file. */
    readonly start: number;
    readonly end: number;
}

export function problemNotice({ code, severity, message, remedy, related, ...location }: Problem): Notice {
    return {
        severity,
        code,
        message,
        ...(remedy === undefined ? {} : { remedy }),
        place: placeOf(location),
        related: (related ?? []).map(other => ({ ...placeOf(other), message: other.message })),
    };
}

export function reportNotice({ code, severity, message, remedy, details, location, source, match }: Report): Notice {
    const isNamed = source === undefined || (source.line === undefined && message.includes(source.file));
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
    };
}

function placeOf({ place, span }: Location): NoticePlace {
    return { file: place.file, start: place.offset + span.start, end: place.offset + span.end };
}
