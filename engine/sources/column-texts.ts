import type { ColumnTexts } from '#language/program/analysed-program.ts';
import { DAY_PATTERNS, orderOfDay } from '#language/program/day-patterns.ts';
import { isNumber, joinedKinds, kindOfText, type TextKind } from './csv-columns.ts';
import { type NumberForm, pointedNumber } from './written-numbers.ts';

/** Longer texts are none that people choose from a list. */
const LONGEST_EXAMPLE = 100;
/**
 * Texts that people write for a missing value. A run reads them as unknown, and reports them, if a model says that the other cells are
 * numbers.
 */
const NO_VALUE = /^(?:n\/a|#n\/a|na|nan|null|none|-+|–|—|\?|\.)$/iu;
/** Numbers of codes, which a number would lose its first digits of. */
const CODE = /^[+-]?0\d/;

/** Looks at the texts of one column of a source without types. */
export class TextSurvey {
    readonly #form: NumberForm | undefined;
    readonly #examples = new Set<string>();
    #kind: TextKind | undefined;
    #days = DAY_PATTERNS;
    #records = 0;
    #empty = 0;

    /** `form` is that in which the bind says that numbers are written. */
    constructor(form: NumberForm | undefined) {
        this.#form = form;
    }

    note(text: string): void {
        this.#records++;
        if (text === '') {
            this.#empty++;
            return;
        }
        if (text.length <= LONGEST_EXAMPLE) this.#examples.add(text);
        const trimmed = text.trim();
        if (NO_VALUE.test(trimmed)) return;
        if (this.#days.length > 0) this.#days = this.#days.filter(pattern => orderOfDay(trimmed, pattern) !== undefined);
        if (this.#kind === 'string') return;
        const kind = CODE.test(trimmed) ? 'string' : kindOfText(trimmed, this.#form);
        this.#kind = joinedKinds(this.#kind, kind);
    }

    get examples(): readonly string[] {
        return [...this.#examples];
    }

    get found(): ColumnTexts {
        const seems = this.#kind;
        const days = seems === 'string' && this.#days.length > 0 ? this.#days : undefined;
        const misordered = isNumber(seems) ? this.#misordered(text => this.#numberIn(text)) : days && this.#misorderedDays(days);
        return {
            records: this.#records,
            empty: this.#empty,
            ...(seems && { seems }),
            ...(days && { days }),
            ...(misordered && { misordered }),
        };
    }

    #numberIn(text: string): number {
        return Number(this.#form === undefined ? text : pointedNumber(text.trim(), this.#form));
    }

    /** Finds two days in the wrong order, if they are so by every pattern. */
    #misorderedDays(patterns: readonly string[]): readonly [string, string] | undefined {
        const found = patterns.map(pattern => this.#misordered(text => orderOfDay(text, pattern) ?? 0));
        return found.includes(undefined) ? undefined : found[0];
    }

    /** Two texts, of which the smaller one comes second as a text; undefined where texts have the order of what they stand for. */
    #misordered(valueIn: (text: string) => number): readonly [string, string] | undefined {
        const values = Array.from(this.#examples).filter(text => !NO_VALUE.test(text.trim()));
        const sorted = values.map(text => ({ text, value: valueIn(text) })).sort((a, b) => a.value - b.value);
        for (const [i, { text, value }] of sorted.entries()) {
            const next = sorted[i + 1];
            if (next !== undefined && value < next.value && text > next.text) return [text, next.text];
        }
        return undefined;
    }
}
