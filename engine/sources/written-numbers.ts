import type { NumberForm } from '#language/program/number-form.ts';

/** Returns the number with a point and without groups; undefined for a text that is not a number of this form. */
export function pointedNumber(text: string, { decimal, thousands }: NumberForm): string | undefined {
    const sign = /^[+-]/u.exec(text)?.[0] ?? '';
    const power = text.search(/[eE]/u);
    const digits = text.slice(sign.length, power < 0 ? text.length : power);
    const [written = '', fraction, ...more] = digits.split(decimal);
    const groups = thousands === undefined ? [written] : written.split(thousands);
    const areGroups = groups.length === 1 || groups.every(({ length }, i) => length === 3 || (i === 0 && length > 0 && length < 3));
    const whole = groups.join('');
    if (more.length > 0 || !areGroups || !isDigits(whole) || !isDigits(fraction ?? '')) return undefined;
    return `${sign}${whole}${fraction === undefined ? '' : `.${fraction}`}${power < 0 ? '' : text.slice(power)}`;
}

/** The same for a number with a point. */
export function writtenNumber(text: string, { decimal }: NumberForm): string {
    return text.replace('.', decimal);
}

function isDigits(text: string): boolean {
    return /^\d*$/u.test(text);
}
