import { relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Severity } from '#language/program/problem.ts';
import type { Notice, NoticePlace } from '#server/notices/notice.ts';
import { type Position, positionAt, type SourceText } from '#server/notices/source-texts.ts';

/** The findings of a check in one file. */
export interface CheckedFile {
    /** As the user named it. */
    readonly file: string;
    readonly notices: readonly Notice[];
    /** Absent where the file cannot be read. */
    readonly source?: SourceText;
    /** Changes that remove a notice, each with what it does. */
    readonly fixesOf: (notice: Notice) => readonly NoticeFix[];
}

/** Edits in the file of a notice, in UTF-16 offsets. */
export interface NoticeFix {
    readonly title: string;
    readonly edits: readonly { readonly start: number; readonly end: number; readonly text: string }[];
}

/** Zero-based lines and UTF-16 columns; the start of the file for a notice without a place. */
export function rangeOf(place: NoticePlace | undefined, source: SourceText | undefined): { start: Position; end: Position } {
    const start = { line: 0, character: 0 };
    if (place === undefined || source === undefined) return { start, end: start };
    return { start: positionAt(source, place.start), end: positionAt(source, place.end) };
}

/** The message with its remedy, as one line. */
export function messageOf({ message, remedy }: Notice): string {
    return remedy === undefined ? message : `${message}; ${remedy}`;
}

const RANKS: Record<Severity, number> = { error: 3, warning: 2, information: 1, hint: 0 };

export function isAtLeast(severity: Severity, level: Severity): boolean {
    return RANKS[severity] >= RANKS[level];
}

/** A file as a reference: relative to the folder where it is inside, else its whole address. */
export function fileReference(file: string, folder: string): { readonly uri: string; readonly isRelative: boolean } {
    const path = resolve(folder, file);
    const below = relative(folder, path);
    const isRelative = below !== '' && !below.startsWith('..') && resolve(folder, below) === path && !/^[a-z]:/iu.test(below);
    if (!isRelative) return { uri: pathToFileURL(path).href, isRelative };
    return { uri: below.split(sep).map(encodeURIComponent).join('/'), isRelative };
}
