/** Numbers, dates and codes that a text holds. A value of a proof is read by itself, so that `p(3,4)` has 3 and 4, and neither 34 nor 3.4. */
export interface TextValues {
    /** In one form each: `-1200.5`. */
    readonly numbers: ReadonlySet<string>;
    /** `2031-04-09`. */
    readonly dates: ReadonlySet<string>;
    /** In lower case. */
    readonly text: string;
}

const DATE = /(?<![\p{L}\p{N}_])\d{4}-\d{2}-\d{2}(?![\p{N}_])/gu;
/** Names with digits whose parts are held together by signs: `A1/2`, `ORD-17`. */
const CODE = /(?<![\p{L}\p{N}_])\p{L}[\p{L}\p{N}_]*(?:[/#:][\p{L}\p{N}_]+|-\p{N}[\p{L}\p{N}_]*)+/gu;
/** A sign belongs to a number where nothing stands before it that it could be taken from. */
const NUMBER = /(?<![\p{L}\p{N}_.])(?:(?<![\p{L}\p{N}_)\]"])[-\u2212])?\d+(?:[.,]\d+)*/gu;
const QUOTED = /"(?:[^"\\]|\\.|"")*"/gu;
const MONTHS = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december'];
const MONTH = `(${MONTHS.join('|')})`;
const WRITTEN_DATES = new RegExp(
    `\\b(?:(\\d{1,2})(?:st|nd|rd|th)? (?:of )?${MONTH},? (\\d{4})|${MONTH} (\\d{1,2})(?:st|nd|rd|th)?,? (\\d{4}))\\b`,
    'giu',
);

/** The values of facts and rules; a comma tells values from each other, but within texts in quotes. */
export function valuesOf(proof: string): TextValues {
    const dates = new Set(proof.match(DATE));
    const numbers = new Set(Array.from(dates, date => date.slice(0, 4)));
    const plain = proof.replaceAll(DATE, ' ');
    for (const [quoted] of plain.matchAll(QUOTED))
        for (const [number] of quoted.matchAll(NUMBER)) for (const reading of readings(number)) for (const one of reading) numbers.add(one);
    for (const [number] of plain.matchAll(NUMBER)) {
        const [first = '', ...others] = number.split(',');
        for (const one of [first, ...others]) numbers.add(numberText(one));
    }
    return { numbers, dates, text: proof.toLowerCase() };
}

/** A sentence with its dates as `2031-04-09`. */
export function withPlainDates(sentence: string): string {
    return sentence.replaceAll(WRITTEN_DATES, (_, day, month, year, otherMonth, otherDay, otherYear) => {
        const number = MONTHS.indexOf((month ?? otherMonth).toLowerCase()) + 1;
        return `${year ?? otherYear}-${String(number).padStart(2, '0')}-${(day ?? otherDay).padStart(2, '0')}`;
    });
}

/** Whether a sentence holds no date, code or number but these; a share may be told in percent. */
export function holdsOnly(sentence: string, { numbers, dates, text }: TextValues): boolean {
    if (![...(sentence.match(DATE) ?? [])].every(date => dates.has(date))) return false;
    const withoutDates = sentence.replaceAll(DATE, ' ');
    const codes = withoutDates.match(CODE) ?? [];
    if (!codes.filter(code => /\p{N}/u.test(code)).every(code => standsIn(text, code.toLowerCase()))) return false;
    const plain = withoutDates.replaceAll(CODE, ' ').replaceAll(/\bminus (?=\d)/giu, '-');
    return [...plain.matchAll(NUMBER)].every(({ 0: number, index }) => {
        const isPercent = /^\s?(?:%|percent\b)/iu.test(plain.slice(index + number.length));
        return readings(number).some(reading => reading.every(one => numbers.has(one) || (isPercent && numbers.has(hundredth(one)))));
    });
}

/** Returns the possible readings of digits with commas: thousands, several numbers, or a fraction. */
function readings(number: string): string[][] {
    if (!number.includes(',')) return [[numberText(number)]];
    const parts = number.split(',').map(numberText);
    const isThousands = /^[-\u2212]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/u.test(number);
    const isFraction = /^[-\u2212]?\d+,\d+$/u.test(number);
    return [
        parts,
        ...(isThousands ? [[numberText(number.replaceAll(',', ''))]] : []),
        ...(isFraction ? [[numberText(number.replace(',', '.'))]] : []),
    ];
}

/** One form of a number: `1.50` and `01.5` are `1.5`; integers have all their digits. */
function numberText(number: string): string {
    const isNegative = /^[-\u2212]/u.test(number);
    const [whole = '', fraction = '', ...others] = number.slice(isNegative ? 1 : 0).split('.');
    // Dots between several parts make no number.
    if (others.length > 0) return number;
    const [before, after] = [whole.replace(/^0+(?=\d)/u, ''), withoutZeros(fraction)];
    const text = after === '' ? before : `${before}.${after}`;
    return isNegative && text !== '0' ? `-${text}` : text;
}

function withoutZeros(fraction: string): string {
    let end = fraction.length;
    while (fraction[end - 1] === '0') end--;
    return fraction.slice(0, end);
}

/** `0.6` of `60`. */
function hundredth(number: string): string {
    const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/u.exec(number) ?? [];
    const digits = whole.padStart(3, '0');
    return numberText(`${sign}${digits.slice(0, -2)}.${digits.slice(-2)}${fraction}`);
}

function standsIn(text: string, code: string): boolean {
    for (let at = text.indexOf(code); at >= 0; at = text.indexOf(code, at + 1)) {
        const around = `${text[at - 1] ?? ' '}${text[at + code.length] ?? ' '}`;
        if (!/[\p{L}\p{N}_]/u.test(around)) return true;
    }
    return false;
}
