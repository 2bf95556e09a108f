import { counted } from '#language/program/count-text.ts';
import type { Severity } from '#language/program/problem.ts';
import { say } from '#language/program/say.ts';
import type { Notice, NoticePlace } from '#server/notices/notice.ts';
import { lineAt, positionAt, type SourceText } from '#server/notices/source-texts.ts';
import { cutToWidth, textWidth, visible } from '#server/notices/visible-text.ts';
import type { Colour } from './colour.ts';

/** The width that words are made for, whatever the terminal has. */
export const TEXT_WIDTH = 80;

export interface NoticeStyle {
    readonly colour: Colour;
    readonly width: number;
    /** The texts that excerpts are taken from; a place in another file is named without one. */
    readonly sources: ReadonlyMap<string, SourceText>;
}

/**
 * A notice as a person reads it: what and where, with the line it is about and what helps; related places follow in
 * the same form. Ends with a line break.
 */
export function noticeText(notice: Notice, style: NoticeStyle): string {
    const { colour, width, sources } = style;
    const title = notice.code === '' ? say`note` : `${severityText(notice.severity)} ${notice.code}`;
    const head = wrapped(`${title}: ${visible(notice.message)}`, width, '  ');
    const lines = [severityColour(notice.severity, colour)(head.slice(0, title.length)) + head.slice(title.length)];
    const places = notice.place === undefined ? notice.related : [notice.place, ...notice.related];
    const gutter = Math.max(1, ...places.map(place => lineNumber(place, sources).length));
    const indent = ' '.repeat(gutter + 1);
    if (notice.data !== undefined) {
        const line = notice.data.line === undefined ? '' : `:${notice.data.line}`;
        lines.push(`${colour.quiet(`${indent}┌─`)} ${visible(notice.data.file)}${line}`);
    }
    let untold = notice.remedy;
    if (notice.place !== undefined) {
        const shown = excerpt(notice.place, notice.remedy, gutter, style);
        lines.push(...shown.lines);
        if (shown.labelled) untold = undefined;
    }
    for (const detail of notice.details ?? []) lines.push(`${indent}  ${visible(detail)}`);
    if (untold !== undefined) lines.push(`${colour.quiet(`${indent}=`)} ${wrapped(visible(untold), width - gutter - 3, `${indent}  `)}`);
    for (const related of notice.related) {
        const shown = excerpt(related, related.message, gutter, style);
        lines.push(...shown.lines);
        if (!shown.labelled)
            lines.push(`${colour.quiet(`${indent}=`)} ${wrapped(visible(related.message), width - gutter - 3, `${indent}  `)}`);
    }
    return `${lines.join('\n')}\n`;
}

/** How severe a problem or report is, in a word. */
export function severityText(severity: Severity): string {
    switch (severity) {
        case 'error':
            return say`error`;
        case 'warning':
            return say`warning`;
        case 'information':
            return say`information`;
        case 'hint':
            return say`hint`;
    }
}

/** `1 error, 2 warnings`; empty where there is nothing to count. */
export function countsText(notices: readonly Notice[]): string {
    const count = (wanted: Severity): number => notices.filter(({ severity }) => severity === wanted).length;
    const [errors, warnings, notes, hints] = [count('error'), count('warning'), count('information'), count('hint')];
    return [
        ...(errors > 0 ? [counted(errors, 'error')] : []),
        ...(warnings > 0 ? [counted(warnings, 'warning')] : []),
        ...(notes > 0 ? [counted(notes, 'note')] : []),
        ...(hints > 0 ? [counted(hints, 'hint')] : []),
    ].join(', ');
}

/** Words broken at blanks so that each line fits; a longer word stands alone. */
export function wrapped(text: string, width: number, indent: string): string {
    const lines: string[] = [];
    let line = '';
    for (const word of text.split(' ')) {
        const room = width - (lines.length === 0 ? 0 : indent.length);
        if (line !== '' && textWidth(line) + 1 + textWidth(word) > room) {
            lines.push(line);
            line = word;
        } else {
            line = line === '' ? word : `${line} ${word}`;
        }
    }
    return [...lines, line].join(`\n${indent}`);
}

function excerpt(
    place: NoticePlace,
    label: string | undefined,
    gutter: number,
    { colour, width, sources }: NoticeStyle,
): { lines: string[]; labelled: boolean } {
    const source = sources.get(place.file);
    const indent = ' '.repeat(gutter + 1);
    if (source === undefined) return { lines: [`${colour.quiet(`${indent}┌─`)} ${visible(place.file)}`], labelled: false };
    const start = positionAt(source, place.start);
    const text = lineAt(source, start.line);
    const end = Math.min(text.length, start.character + Math.max(1, place.end - place.start));
    const room = width - gutter - 3;
    const { line, before, marked } = fitted(text, start.character, end, room);
    const marks = '^'.repeat(marked);
    const labelled = label !== undefined && before + marked + 1 + textWidth(visible(label)) <= room;
    const underline = `${' '.repeat(before)}${colour.error(marks)}${labelled ? ` ${visible(label)}` : ''}`;
    return {
        lines: [
            `${colour.quiet(`${indent}┌─`)} ${visible(place.file)}:${start.line + 1}:${start.character + 1}`,
            `${colour.quiet(`${String(start.line + 1).padStart(gutter)} │`)} ${line}`,
            `${colour.quiet(`${indent}│`)} ${underline}`,
        ],
        labelled,
    };
}

/** The part of a line around its marked range that fits, and where the marks stand in it. */
function fitted(text: string, start: number, end: number, room: number): { line: string; before: number; marked: number } {
    // Characters may have no width, or become several: this many hold what can be seen. Lines may have a million.
    const near = 4 * room;
    let head = shown(text.slice(Math.max(0, start - near), start));
    const middle = shown(text.slice(start, Math.min(end, start + near)));
    const middleWidth = Math.max(1, textWidth(middle));
    const wanted = Math.min(middleWidth, Math.max(1, room >> 1));
    if (start > near || textWidth(head) + wanted > room)
        head = `…${lastOfWidth(head, Math.max(0, Math.min(room - wanted, room >> 1) - 1))}`;
    const before = textWidth(head);
    const line = cutToWidth(`${head}${middle}${shown(text.slice(end, end + near))}`, room);
    return { line, before, marked: Math.max(1, Math.min(middleWidth, room - before)) };
}

function lastOfWidth(text: string, width: number): string {
    const characters = [...text];
    let kept = '';
    while (characters.length > 0) {
        const next = `${characters.pop()}${kept}`;
        if (textWidth(next) > width) break;
        kept = next;
    }
    return kept;
}

function shown(text: string): string {
    return visible(text.replaceAll('\t', '    '));
}

function lineNumber(place: NoticePlace, sources: ReadonlyMap<string, SourceText>): string {
    const source = sources.get(place.file);
    return source === undefined ? '' : String(positionAt(source, place.start).line + 1);
}

function severityColour(severity: Severity, colour: Colour): (text: string) => string {
    switch (severity) {
        case 'error':
            return colour.error;
        case 'warning':
            return colour.warning;
        case 'information':
        case 'hint':
            return colour.information;
    }
}
