import { readXml } from './xml.ts';
import type { Refuse } from './zip.ts';

/** What numbers stand for in cells of a style: themselves, a day, a moment, a time of day, or a length of time. */
export type CellKind = 'number' | 'date' | 'timestamp' | 'time' | 'duration';

/** The formats that all workbooks know by number (ECMA-376, 18.8.30). */
const DATES: ReadonlySet<number> = new Set([14, 15, 16, 17, ...range(27, 31), 36, ...range(50, 54), 57, 58]);
const TIMES: ReadonlySet<number> = new Set([18, 19, 20, 21, ...range(32, 35), 45, 47, 55, 56]);
const [TIMESTAMP, DURATION] = [22, 46];

function range(first: number, last: number): number[] {
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

/** What cells hold, by their styles. */
export function cellKinds(pieces: Iterable<Uint8Array>, path: string, refuse: Refuse): readonly CellKind[] {
    const formats = new Map<number, string>();
    const kinds: CellKind[] = [];
    let isCells = false;
    readXml(pieces, path, refuse, {
        open: (name, { numFmtId, formatCode }) => {
            if (name === 'numFmt') formats.set(Number(numFmtId), formatCode ?? '');
            if (name === 'cellXfs') isCells = true;
            if (name === 'xf' && isCells) kinds.push(kindOfFormat(Number(numFmtId), formats));
        },
        close: name => {
            if (name === 'cellXfs') isCells = false;
        },
    });
    return kinds;
}

function kindOfFormat(number: number, formats: ReadonlyMap<number, string>): CellKind {
    const code = formats.get(number);
    if (code !== undefined) return kindOfCode(code);
    if (number === TIMESTAMP) return 'timestamp';
    if (number === DURATION) return 'duration';
    return DATES.has(number) ? 'date' : TIMES.has(number) ? 'time' : 'number';
}

/** What a format such as `yyyy-mm-dd hh:mm` shows (ECMA-376, 18.8.31): its first section counts, which is that of positive numbers. */
export function kindOfCode(code: string): CellKind {
    // Texts, and signs that stand for themselves or for room, are no part of a date.
    const [plain = ''] = code.replace(/"[^"]*"|\\.|_.|\*./gsu, '').split(';');
    if (/\[(?:h+|m+|s+)\]/iu.test(plain)) return 'duration';
    // Nor are colours, conditions, currencies and languages.
    const signs = plain.replace(/\[[^\]]*\]/gu, '');
    if (/General|Standard/iu.test(signs)) return 'number';
    const isTime = /[hs]|A\/P/iu.test(signs.replace(/AM\/PM/iu, 'h'));
    const isDay = /[dy]/iu.test(signs) || (!isTime && /m/iu.test(signs));
    return isDay ? (isTime ? 'timestamp' : 'date') : isTime ? 'time' : 'number';
}
