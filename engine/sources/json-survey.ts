import type { ColumnTexts } from '#language/program/analysed-program.ts';
import type { Type } from '#language/program/types.ts';
import { TextSurvey } from './column-texts.ts';
import { TYPE_MAKER } from './json-makers.ts';
import type { JsonMaker } from './json-text.ts';

/** Longer texts are not meant as numbers. */
const LONGEST_NUMBER = 40;
const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });

/** Looks at the texts and numbers in the columns of JSON files: at all of the first rows, later only at what reads as a number. */
export class JsonSurvey {
    readonly #records: number;
    readonly #columns = new Map<string, TextSurvey>();
    #rows = 0;
    #written: string | number | undefined;

    /** `records` says how many rows are the first. */
    constructor(records: number) {
        this.#records = records;
    }

    /** Makes the types of values, and keeps how the last one is written. */
    readonly maker: JsonMaker<Type> = {
        ...TYPE_MAKER,
        integer: value => {
            this.#written = value;
            return TYPE_MAKER.integer(value);
        },
        number: text => {
            this.#written = text;
            return TYPE_MAKER.number(text);
        },
        string: text => {
            this.#written = text;
            return TYPE_MAKER.string(text);
        },
        utf8: (bytes, from, to) => {
            const isWanted = this.#rows <= this.#records || (to - from <= LONGEST_NUMBER && beginsNumber(bytes[from]));
            this.#written = isWanted ? decoder.decode(bytes.subarray(from, to)) : undefined;
            return TYPE_MAKER.utf8(bytes, from, to);
        },
    };

    enterRow(): void {
        this.#rows++;
    }

    /** Notes the value that was made last, which is a cell of the column. */
    note(column: string, type: Type): void {
        if (type.kind === 'unknown') return;
        let texts = this.#columns.get(column);
        if (texts === undefined) {
            texts = new TextSurvey();
            this.#columns.set(column, texts);
        }
        if (type.kind === 'int' || type.kind === 'long' || type.kind === 'double') texts.noteNumber(this.#written ?? '');
        else if (type.kind !== 'string') texts.noteOther();
        else if (typeof this.#written === 'string') texts.note(this.#written, this.#rows <= this.#records);
    }

    textsOf(column: string): ColumnTexts | undefined {
        return this.#columns.get(column)?.found;
    }
}

/** A digit, a sign, a point or a blank. */
function beginsNumber(byte = 0): boolean {
    return (byte >= 0x30 && byte <= 0x39) || byte === 0x2b || byte === 0x2d || byte === 0x2e || byte === 0x20;
}
