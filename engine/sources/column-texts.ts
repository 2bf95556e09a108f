import type { ColumnTexts } from '#language/program/analysed-program.ts';
import { DAY_PATTERNS, orderOfDay } from '#language/program/day-patterns.ts';
import type { NumberForm } from '#language/program/number-form.ts';
import { amountOf } from '#language/program/ordered-texts.ts';
import { printString } from '#language/program/print-constant.ts';
import { isNumber, joinedKinds, kindOfText, OTHER_FORMS, type TextKind } from './csv-columns.ts';
import { pointedNumber } from './written-numbers.ts';

/** Longer texts are none that people choose from a list. */
const LONGEST_EXAMPLE = 100;
/**
 * Texts that people write for a missing value. A run reads them as unknown, and reports them, if a model says that the other cells are
 * numbers.
 */
const NO_VALUE = /^(?:n\/a|#n\/a|na|nan|null|none|-+|–|—|\?|\.)$/iu;
/** Numbers of codes, which a number would lose its first digits of. */
const CODE = /^[+-]?0\d/;

/** Looks at the texts of one column, and whether numbers stand beside them. */
export class TextSurvey {
    readonly #form: NumberForm | undefined;
    readonly #examples = new Set<string>();
    #kind: TextKind | undefined;
    #days = DAY_PATTERNS;
    #areDays = true;
    /** The sign that all texts have beside a number; undefined before the first text, and null if they have none in common. */
    #sign: string | null | undefined;
    #forms: readonly NumberForm[];
    #number: string | undefined;
    #numericText: string | undefined;
    #date: string | undefined;
    #dateText: string | undefined;
    #records = 0;
    #empty = 0;

    /** `form` is that in which the bind says that numbers are written. */
    constructor(form?: NumberForm) {
        this.#form = form;
        this.#forms = form === undefined ? OTHER_FORMS : [];
    }

    /** A text that is not an example still counts for the reading of all texts. */
    note(text: string, isExample = true): void {
        this.#records++;
        if (text === '') {
            this.#empty++;
            return;
        }
        if (isExample && text.length <= LONGEST_EXAMPLE) this.#examples.add(text);
        const trimmed = text.trim();
        if (NO_VALUE.test(trimmed)) return;
        if (this.#areDays) {
            const forms = formsOf(trimmed);
            this.#areDays = forms.length > 0;
            this.#days = this.#days.filter(pattern => forms.includes(pattern));
        }
        if (this.#sign !== null) {
            const sign = amountOf(trimmed)?.sign ?? null;
            this.#sign = this.#sign === undefined || this.#sign === sign ? sign : null;
        }
        if (this.#forms.length > 0) this.#forms = this.#forms.filter(form => !CODE.test(trimmed) && isNumber(kindOfText(trimmed, form)));
        if (this.#kind === 'string' && this.#numericText !== undefined) return;
        const kind = CODE.test(trimmed) ? 'string' : kindOfText(trimmed, this.#form);
        if (isNumber(kind)) this.#numericText ??= text;
        if (kind === 'date') this.#dateText ??= text;
        this.#kind = joinedKinds(this.#kind, kind);
    }

    /** A number that stands beside the texts. */
    noteNumber(written: string | number | bigint): void {
        this.#number ??= String(written);
        this.#areDays = false;
        this.#sign = null;
        if (this.#kind !== 'string') this.#kind = joinedKinds(this.#kind, kindOfText(String(written), undefined));
    }

    /** A date that stands beside the texts, as it is written in a program. */
    noteDate(written: string): void {
        this.#date ??= written;
        this.#areDays = false;
        this.#sign = null;
        this.#forms = [];
        if (this.#kind !== 'string') this.#kind = joinedKinds(this.#kind, 'date');
    }

    /** Notes another value than a number or a date beside the texts. */
    noteOther(): void {
        this.#kind = 'string';
        this.#areDays = false;
        this.#sign = null;
        this.#forms = [];
    }

    /** The texts so far are integers. */
    get isWhole(): boolean {
        return this.#kind === 'int' || this.#kind === 'long';
    }

    /** Takes a further text of a column of integers into its type, if the text is a number. */
    widen(text: string): void {
        const kind = kindOfText(text.trim(), this.#form);
        if (this.isWhole && isNumber(kind)) this.#kind = joinedKinds(this.#kind, kind);
    }

    get examples(): readonly string[] {
        return [...this.#examples];
    }

    get found(): ColumnTexts {
        const seems = this.#kind;
        const days = seems === 'string' && this.#areDays ? this.#days : undefined;
        const forms = seems === 'string' && this.#number === undefined ? distinctForms(this.#forms) : [];
        const sign = this.#sign ?? undefined;
        const misordered =
            this.#misorderedNumbers(seems, forms) ??
            (days && this.#misorderedDays(days)) ??
            (sign === undefined ? undefined : this.#misordered(text => amountOf(text)?.number ?? 0));
        const mixed = pairOf(this.#number, this.#numericText) ?? pairOf(this.#date, this.#dateText);
        return {
            records: this.#records,
            empty: this.#empty,
            ...(seems && { seems }),
            ...(forms.length > 0 && { forms }),
            ...(days && { days }),
            ...(sign !== undefined && { sign }),
            ...(misordered && { misordered }),
            ...(isNumber(seems) && this.#numericText !== undefined && { number: this.#numericText }),
            ...(mixed && { mixed }),
        };
    }

    /** Finds two numbers in the wrong order, if they are so in every form. */
    #misorderedNumbers(seems: TextKind | undefined, forms: readonly NumberForm[]): readonly [string, string] | undefined {
        const read = isNumber(seems) ? [this.#form] : forms;
        const found = read.map(form => this.#misordered(text => Number(form === undefined ? text : pointedNumber(text.trim(), form))));
        return found.includes(undefined) ? undefined : found[0];
    }

    /** Finds two days in the wrong order, if they are so by every pattern, or if no pattern is that of all. */
    #misorderedDays(patterns: readonly string[]): readonly [string, string] | undefined {
        if (patterns.length === 0) return this.#differentForms();
        const found = patterns.map(pattern => this.#misordered(text => orderOfDay(text, pattern) ?? 0));
        return found.includes(undefined) ? undefined : found[0];
    }

    /** The first day, and one that no pattern of it fits; of three that fit in pairs alone, the first two. */
    #differentForms(): readonly [string, string] | undefined {
        const [first, ...others] = this.#values();
        if (first === undefined || others[0] === undefined) return undefined;
        const forms = formsOf(first.trim());
        return [first, others.find(text => !formsOf(text.trim()).some(pattern => forms.includes(pattern))) ?? others[0]];
    }

    #values(): string[] {
        return Array.from(this.#examples).filter(text => !NO_VALUE.test(text.trim()));
    }

    /** Two texts, of which the smaller one comes second as a text; undefined where texts have the order of what they stand for. */
    #misordered(valueIn: (text: string) => number): readonly [string, string] | undefined {
        const sorted = this.#values()
            .map(text => ({ text, value: valueIn(text) }))
            .sort((a, b) => a.value - b.value);
        for (const [i, { text, value }] of sorted.entries()) {
            const next = sorted[i + 1];
            if (next !== undefined && value < next.value && text > next.text) return [text, next.text];
        }
        return undefined;
    }
}

/** A value and a text that reads as one, as they are written in a program. */
function pairOf(value: string | undefined, text: string | undefined): readonly [string, string] | undefined {
    return value === undefined || text === undefined ? undefined : [value, printString(text)];
}

/** The patterns that a day is written in. */
function formsOf(text: string): string[] {
    return DAY_PATTERNS.filter(pattern => orderOfDay(text, pattern) !== undefined);
}

/** Without those that have a sign for groups which another one does without. */
function distinctForms(forms: readonly NumberForm[]): readonly NumberForm[] {
    const ungrouped = new Set(forms.flatMap(({ decimal, thousands }) => (thousands === undefined ? [decimal] : [])));
    return forms.filter(({ decimal, thousands }) => thousands === undefined || !ungrouped.has(decimal));
}
