import type { OutputColumn } from '#server/protocol/runs.ts';
import { l10n } from '../l10n.ts';

/** A fact about a value, in words, beside its text. */
export type CellFact = readonly [term: string, what: string];

const TIME = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}:\d{2}(?:\.\d+)?))?$/u;

/**
 * Facts that help to read a value: a day with its weekday, a moment in the zone of the reader, the digits of a long number, the length of a
 * text.
 */
export function cellFacts(text: string, { type, shape }: OutputColumn, language: string, zone?: string): readonly CellFact[] {
    const facts: CellFact[] = [[l10n.t('Type'), type]];
    const [, day, time] = shape === 'time' ? (TIME.exec(text) ?? []) : [];
    if (day !== undefined && time === undefined) facts.push([l10n.t('Day'), dayText(day, language)]);
    if (day !== undefined && time !== undefined) {
        facts.push([l10n.t('In UTC'), momentText(`${day}T${time}Z`, language, 'UTC')]);
        facts.push([l10n.t('Here'), momentText(`${day}T${time}Z`, language, zone)]);
    }
    if (shape === 'number' && /^-?\d{4,}$/u.test(text))
        facts.push([l10n.t('Grouped'), new Intl.NumberFormat(language).format(BigInt(text))]);
    if (shape === 'text' || shape === 'collection') {
        const length = [...text].length;
        const lines = text.split('\n').length;
        facts.push([l10n.t('Length'), length === 1 ? l10n.t('1 character') : l10n.t('{0} characters', length)]);
        if (lines > 1) facts.push([l10n.t('Lines'), String(lines)]);
    }
    return facts;
}

function dayText(day: string, language: string): string {
    return new Intl.DateTimeFormat(language, { dateStyle: 'full', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`));
}

function momentText(iso: string, language: string, zone: string | undefined): string {
    const options = { dateStyle: 'full', timeStyle: 'long', ...(zone !== undefined && { timeZone: zone }) } as const;
    return new Intl.DateTimeFormat(language, options).format(new Date(iso));
}

/** The text laid out over lines where it is JSON with members; undefined elsewhere. Numbers keep their digits. */
export function prettyJson(text: string): string | undefined {
    if (!/^\s*[[{]/u.test(text)) return undefined;
    try {
        JSON.parse(text);
    } catch {
        return undefined;
    }
    let depth = 0;
    const line = (): string => `\n${'  '.repeat(depth)}`;
    // Every piece is a string, an empty collection, a sign of the syntax, or what stands between.
    const pretty = text.replace(/"(?:[^"\\]|\\.)*"|[[{]\s*[\]}]|[[\]{},:]|\s+/gu, piece => {
        if (piece.startsWith('"')) return piece;
        if (/^[[{]\s*[\]}]$/u.test(piece)) return piece.replace(/\s+/u, '');
        if (piece === '[' || piece === '{') {
            depth++;
            return piece + line();
        }
        if (piece === ']' || piece === '}') {
            depth--;
            return line() + piece;
        }
        if (piece === ',') return piece + line();
        return piece === ':' ? ': ' : '';
    });
    return pretty === text ? undefined : pretty;
}
