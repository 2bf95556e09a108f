import type { Constant } from './program.ts';

/** A constant as a term of the language: `"a"`, `3`, `3.0`, `#T`, `2031-04-09 10:15:00` (3.7). */
export function printConstant(constant: Constant): string {
    switch (constant.kind) {
        case 'string':
            return printString(constant.value);
        case 'integer':
            return String(constant.value);
        case 'double':
            return printDouble(constant.value);
        case 'boolean':
            return constant.value ? '#T' : '#F';
        case 'date':
            return printDate(constant.days);
        case 'timestamp':
            return printTimestamp(constant.micros);
        case 'null':
            return 'null';
    }
}

/** A string in double quotes, on one line. */
export function printString(value: string): string {
    const inside = value.replace(/["\\\n\r\t]/g, character => STRING_ESCAPES[character] ?? character);
    return `"${inside}"`;
}

const STRING_ESCAPES: Readonly<Record<string, string>> = { '"': '""', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** The shortest digits that read back to the same value, always with a point. */
function printDouble(value: number): string {
    const [digits = '', exponent] = (Object.is(value, -0) ? '-0' : String(value)).split('e');
    const pointed = digits.includes('.') ? digits : `${digits}.0`;
    return exponent === undefined ? pointed : `${pointed}E${exponent.replace('+', '')}`;
}

const MICROS_PER_DAY = 86_400_000_000n;

function printDate(days: number): string {
    return new Date(days * 86_400_000).toISOString().slice(0, 10);
}

function printTimestamp(micros: bigint): string {
    const inDay = ((micros % MICROS_PER_DAY) + MICROS_PER_DAY) % MICROS_PER_DAY;
    const days = Number((micros - inDay) / MICROS_PER_DAY);
    const time = new Date(Number(inDay / 1000n)).toISOString().slice(11, 19);
    const fraction = String(inDay % 1_000_000n)
        .padStart(6, '0')
        .replace(/0+$/, '');
    return `${printDate(days)} ${time}${fraction === '' ? '' : `.${fraction}`}`;
}
