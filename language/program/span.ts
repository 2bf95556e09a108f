/** A range of UTF-16 units relative to the start of its clause; `start` inclusive, `end` exclusive. */
export interface Span {
    readonly start: number;
    readonly end: number;
}

/**
 * The current place of a clause in its file, the only mutable object of a program. `syntax/` owns it and moves it when text before the
 * clause changes. So spans, problems and summaries of an unchanged clause stay valid.
 */
export interface ClausePlace {
    /** Name of the file as the host gave it. */
    readonly file: string;
    /** UTF-16 offset of the clause's first character in the file. */
    offset: number;
    /** Zero-based line of the clause's first character. */
    line: number;
    /** Zero-based UTF-16 column of the clause's first character. */
    column: number;
}

/** A span together with the clause it is relative to. */
export interface Location {
    readonly place: ClausePlace;
    readonly span: Span;
}

export function spanning(first: Span, last: Span): Span {
    return { start: first.start, end: last.end };
}

/** Text order inside a file; places of different files stand in the order of their names. */
export function comparePlaces(a: ClausePlace, b: ClausePlace): number {
    if (a.file === b.file) return a.offset - b.offset;
    return a.file < b.file ? -1 : 1;
}

/** The same for locations. */
export function compareLocations(a: Location, b: Location): number {
    return comparePlaces(a.place, b.place) || a.span.start - b.span.start || a.span.end - b.span.end;
}
