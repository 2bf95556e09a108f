import type { ColumnTexts } from '#language/program/analysed-program.ts';
import { joinedKinds, kindOfText, type TextKind } from './csv-columns.ts';

/** Longer texts are none that people choose from a list. */
const LONGEST_EXAMPLE = 100;
/** Numbers of codes, which a number would lose its first digits of. */
const CODE = /^[+-]?0\d/;
const INT_LIMIT = 2 ** 31;

/** Looks at the texts of one column of a source without types. */
export class TextSurvey {
    readonly #examples = new Set<string>();
    #kind: TextKind | undefined;
    #isWide = false;
    #records = 0;
    #empty = 0;

    note(text: string): void {
        this.#records++;
        if (text === '') {
            this.#empty++;
            return;
        }
        if (text.length <= LONGEST_EXAMPLE) this.#examples.add(text);
        if (this.#kind === 'string') return;
        const trimmed = text.trim();
        const kind = CODE.test(trimmed) ? 'string' : kindOfText(trimmed);
        if (kind === 'int' && (Number(trimmed) >= INT_LIMIT || Number(trimmed) < -INT_LIMIT)) this.#isWide = true;
        this.#kind = joinedKinds(this.#kind, kind);
    }

    get examples(): readonly string[] {
        return [...this.#examples];
    }

    get found(): ColumnTexts {
        const seems = this.#kind === 'int' && this.#isWide ? 'long' : this.#kind;
        const areNumbers = this.#kind === 'int' || this.#kind === 'double';
        const misordered = areNumbers ? misorderedNumbers(this.#examples) : undefined;
        return { records: this.#records, empty: this.#empty, ...(seems && { seems }), ...(misordered && { misordered }) };
    }
}

/** Two numbers, of which the smaller one comes second as a text; undefined where texts have the order of their numbers. */
function misorderedNumbers(texts: Iterable<string>): readonly [string, string] | undefined {
    const sorted = Array.from(texts, text => ({ text, value: Number(text) })).sort((a, b) => a.value - b.value);
    for (const [i, { text, value }] of sorted.entries()) {
        const next = sorted[i + 1];
        if (next !== undefined && value < next.value && text > next.text) return [text, next.text];
    }
    return undefined;
}
