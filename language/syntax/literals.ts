import type { Constant } from '#language/program/program.ts';
import type { Span } from '#language/program/span.ts';
import { clauseProblem } from './clause-problem.ts';
import type { ClauseProblem } from './parsed-clause.ts';

export type Report = (problem: ClauseProblem) => void;

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '"': '"', '\\': '\\' };
const ESCAPE = /\\u([0-9A-Fa-f]{4})|\\([\ud800-\udbff][\udc00-\udfff]|[\s\S])|""|''/g;

/** The string that a literal with its quotes stands for (1.5). */
export function stringConstant(text: string, span: Span, report: Report): Constant {
    const quote = text.charAt(0);
    if (quote === "'") report(clauseProblem('RL0021', span));
    const value = text
        .slice(1, -1)
        .replace(ESCAPE, (whole: string, unit: string | undefined, character: string | undefined, at: number) => {
            if (unit !== undefined) return String.fromCharCode(Number.parseInt(unit, 16));
            if (character === undefined) return whole.startsWith(quote) ? quote : whole;
            const known = character === quote ? quote : ESCAPES[character];
            if (known !== undefined) return known;
            const start = span.start + 1 + at;
            report(clauseProblem('RL0022', { start, end: start + whole.length }, character));
            return whole;
        });
    return { kind: 'string', value, span };
}

const MAX_LONG = 2n ** 63n - 1n;

/** The number of a literal, with its sign when it has one in front (1.3). */
export function numberConstant(text: string, negative: boolean, span: Span, report: Report): Constant {
    if (/[.eE]/.test(text)) {
        const value = Number(text);
        if (!Number.isFinite(value)) report(clauseProblem('RL0012', span, text));
        return { kind: 'double', value: negative ? -value : value, span };
    }
    const value = text.length <= 15 ? Number(text) : BigInt(text);
    if (typeof value === 'number') return { kind: 'integer', value: negative && value !== 0 ? -value : value, span };
    if (value > (negative ? MAX_LONG + 1n : MAX_LONG)) report(clauseProblem('RL0014', span, negative ? `-${text}` : text));
    return { kind: 'integer', value: smallest(negative ? -value : value), span };
}

function smallest(value: bigint): number | bigint {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
}

const TIME = /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d):(\d\d)(?:\.(\d+))?)?$/;
const MICROS_PER_DAY = 86_400_000_000n;

/** The date or timestamp of a literal; RL0013 when the calendar or the clock does not have it. */
export function timeConstant(text: string, span: Span, report: Report): Constant {
    const fields = TIME.exec(text) ?? [];
    const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = fields.slice(1, 7).map(field => Number(field ?? 0));
    const fraction = fields[7] ?? '';
    const days = daysSinceEpoch(year, month, day);
    if (days === undefined || hour > 23 || minute > 59 || second > 59 || fraction.length > 9) report(clauseProblem('RL0013', span, text));
    if (fields[4] === undefined) return { kind: 'date', days: days ?? 0, span };
    const seconds = BigInt(hour * 3600 + minute * 60 + second);
    const micros = BigInt(days ?? 0) * MICROS_PER_DAY + seconds * 1_000_000n + BigInt(fraction.slice(0, 6).padEnd(6, '0'));
    return { kind: 'timestamp', micros, span };
}

function daysSinceEpoch(year: number, month: number, day: number): number | undefined {
    const date = new Date(0);
    date.setUTCFullYear(year, month - 1, day);
    const exists = year > 0 && date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
    return exists ? date.getTime() / 86_400_000 : undefined;
}
