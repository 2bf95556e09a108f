import { editDistance } from '#language/library/nearest-name.ts';
import type { Rows } from '../relations/rows.ts';
import type { Dictionary } from '../values/dictionary.ts';
import type { ValueId } from '../values/value-id.ts';
import type { HeadPattern } from './match-rule.ts';
import type { Steps } from './steps.ts';

/** How one value differs from another that was probably meant; `other` where they have nothing in common. */
export type Difference = 'case' | 'blanks' | 'spelling' | 'type' | 'other';

/** A fact that differs from the one asked about in one column, or has the values of two columns exchanged. */
export interface NearMiss {
    readonly row: number;
    readonly column: number;
    readonly difference: Difference | 'exchanged';
}

/** Rows that are looked through at most where one column alone tells. */
const LOOKED_THROUGH = 200_000;
const SHOWN = 3;

/** How two different values are alike. */
export function differenceOf(dictionary: Dictionary, left: ValueId, right: ValueId): Difference {
    if (dictionary.isNumber(left) && dictionary.isNumber(right)) return 'other';
    const [a, b] = [plainText(dictionary, left), plainText(dictionary, right)];
    if (a === undefined || b === undefined) return 'other';
    if (a === b) return 'type';
    if (dictionary.kind(left) !== 'string' || dictionary.kind(right) !== 'string') return 'other';
    if (a.toLowerCase() === b.toLowerCase()) return 'case';
    if (a.replace(/\s+/gu, '') === b.replace(/\s+/gu, '')) return 'blanks';
    if (isFigure(a) && isFigure(b)) return 'other';
    const longest = Math.max(a.length, b.length);
    // Short words that differ in one letter are often two words: 'belt' and 'bolt'.
    if (longest < 4 || (longest < 6 && a.length === b.length && [...a].sort().join() !== [...b].sort().join())) return 'other';
    const allowed = Math.floor(longest / 4);
    return editDistance(a, b, allowed + 1) <= allowed ? 'spelling' : 'other';
}

/** Whether a text is a number, a date or a time, of which another one is no misspelling. */
function isFigure(text: string): boolean {
    return !/\p{L}/u.test(text.replace(/(?<=\d)[TZ]/gu, ''));
}

function plainText(dictionary: Dictionary, id: ValueId): string | undefined {
    switch (dictionary.kind(id)) {
        case 'string':
            return dictionary.stringOf(id);
        case 'number':
            return String(dictionary.numberOf(id));
        case 'boolean':
            return id === 1 ? 'true' : 'false';
        default:
            return undefined;
    }
}

/** The facts that come nearest to a pattern no fact fits, the likeliest slips first. */
export function nearMisses(dictionary: Dictionary, rows: Rows | undefined, pattern: HeadPattern, steps: Steps): NearMiss[] {
    if (rows === undefined || steps.left < 0) return [];
    const asked = pattern.flatMap((value, column) => (value === undefined ? [] : [column]));
    const found: NearMiss[] = [];
    const rank = ({ difference }: NearMiss): number => (difference === 'other' ? 2 : difference === 'exchanged' ? 1 : 0);
    for (const row of candidates(rows, pattern, asked, steps)) {
        if (!steps.take()) break;
        const different = asked.filter(column => rows.columns[column]![row] !== pattern[column]);
        const [first, second] = different;
        if (first === undefined || different.length > 2) continue;
        const valueAt = (column: number): ValueId => rows.columns[column]![row]!;
        if (second !== undefined) {
            const isExchanged = valueAt(first) === pattern[second] && valueAt(second) === pattern[first];
            // Nobody puts a number in the place of a text by changing columns.
            if (isExchanged && dictionary.kind(valueAt(first)) === dictionary.kind(valueAt(second)))
                found.push({ row, column: first, difference: 'exchanged' });
            continue;
        }
        const difference = differenceOf(dictionary, valueAt(first), pattern[first]!);
        if (difference === 'other' && asked.length === 1) continue;
        if (difference !== 'other' || found.length < SHOWN) found.push({ row, column: first, difference });
        if (found.length > 10 * SHOWN) break;
    }
    return found.sort((left, right) => rank(left) - rank(right)).slice(0, SHOWN);
}

/**
 * Rows that may differ from a pattern in one column or by an exchange, in their order: of three columns such a row agrees
 * in one, and of two in one unless these are exchanged.
 */
function candidates(rows: Rows, pattern: HeadPattern, asked: readonly number[], steps: Steps): Iterable<number> {
    const [first, second] = asked;
    if (first === undefined) return [];
    if (second === undefined) return Array(Math.min(rows.count, LOOKED_THROUGH)).keys();
    const found = new Set<number>();
    const look = (columns: readonly number[], values: readonly ValueId[]): void =>
        rows.match(
            columns,
            values,
            row => {
                if (!steps.take()) return false;
                found.add(row);
                return true;
            },
            steps.pause,
        );
    for (const column of asked.slice(0, 3)) look([column], [pattern[column]!]);
    if (asked.length === 2) look([first, second], [pattern[second]!, pattern[first]!]);
    return [...found].sort((left, right) => left - right);
}
