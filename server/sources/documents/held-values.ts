import { printConstant } from '#language/program/print-constant.ts';
import type { Constant } from '#language/program/program.ts';
import type { DocumentLine } from './document.ts';

/** Whether lines hold one of the values: a text or one of its words, whatever the letter case, the digits of a number, the year of a date. */
export function areHeld(values: readonly Constant[], lines: readonly DocumentLine[]): boolean {
    const text = folded(lines.map(line => line.text).join(' '));
    const words = new Set(text.match(WORDS));
    const numbers = new Set((text.match(NUMBERS) ?? []).map(digitsOf));
    const isHeld = (constant: Constant): boolean => {
        switch (constant.kind) {
            case 'string': {
                const own = folded(constant.value);
                return text.includes(own) || (own.match(WORDS) ?? []).some(word => word.length > 2 && words.has(word));
            }
            case 'integer':
            case 'double':
                return numbers.has(digitsOf(String(constant.value)));
            case 'date':
            case 'timestamp': {
                const year = printConstant(constant).slice(0, 4);
                return text.includes(year) || numbers.has(digitsOf(year.slice(2)));
            }
            case 'boolean':
                return values.every(({ kind }) => kind === 'boolean' || kind === 'null');
            case 'null':
                return false;
        }
    };
    return values.some(isHeld);
}

const WORDS = /[\p{L}\p{N}]+/gu;
const NUMBERS = /\d(?:[.,'\u2019\u00a0]?\d)*/gu;

/** Digits without signs between them and zeros around them: `1,200.50` and `1200.5` have the same. */
function digitsOf(number: string): string {
    return number.replaceAll(/\D/gu, '').replace(/^0+|0+$/gu, '');
}

function folded(text: string): string {
    return text.normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, ' ').trim();
}
