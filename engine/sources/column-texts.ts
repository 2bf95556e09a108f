import type { ColumnTexts } from '#language/program/analysed-program.ts';
import { isNumber, joinedKinds, kindOfText, type TextKind } from './csv-columns.ts';
import { type NumberForm, pointedNumber } from './written-numbers.ts';

/** Longer texts are none that people choose from a list. */
const LONGEST_EXAMPLE = 100;
/** Numbers of codes, which a number would lose its first digits of. */
const CODE = /^[+-]?0\d/;

/** Looks at the texts of one column of a source without types. */
export class TextSurvey {
    readonly #form: NumberForm | undefined;
    readonly #examples = new Set<string>();
    #kind: TextKind | undefined;
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
        if (this.#kind === 'string') return;
        const trimmed = text.trim();
        const kind = CODE.test(trimmed) ? 'string' : kindOfText(trimmed, this.#form);
        this.#kind = joinedKinds(this.#kind, kind);
    }

    get examples(): readonly string[] {
        return [...this.#examples];
    }

    get found(): ColumnTexts {
        const seems = this.#kind;
        const misordered = isNumber(seems) ? misorderedNumbers(this.#examples, this.#form) : undefined;
        return { records: this.#records, empty: this.#empty, ...(seems && { seems }), ...(misordered && { misordered }) };
    }
}

/** Two numbers, of which the smaller one comes second as a text; undefined where texts have the order of their numbers. */
function misorderedNumbers(texts: Iterable<string>, form: NumberForm | undefined): readonly [string, string] | undefined {
    const numberIn = (text: string): number => Number(form === undefined ? text : pointedNumber(text.trim(), form));
    const sorted = Array.from(texts, text => ({ text, value: numberIn(text) })).sort((a, b) => a.value - b.value);
    for (const [i, { text, value }] of sorted.entries()) {
        const next = sorted[i + 1];
        if (next !== undefined && value < next.value && text > next.text) return [text, next.text];
    }
    return undefined;
}
