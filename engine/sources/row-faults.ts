import type { Column } from '#language/program/analysed-program.ts';
import { say } from '#language/program/say.ts';
import { printType, type Type } from '#language/program/types.ts';
import { type Report, report } from '../reports/reports.ts';
import type { Dictionary } from '../values/dictionary.ts';
import type { ValueId } from '../values/value-id.ts';

/** Names in the reports about the rows of a source. */
export interface RowSource {
    readonly file: string;
    readonly predicate: string;
}

interface Fault {
    count: number;
    /** Of the first one. */
    file: string;
    line: number;
    example: string;
    /** The type that holds the value, if its own integer type does not. */
    wider: 'long' | 'double' | undefined;
}

const SHOWN = 40;

const noFault = (): Fault => ({ count: 0, file: '', line: 0, example: '', wider: undefined });

/** Counts what is wrong with the rows of a source and reports it once: RT021 per column, RT071. */
export class RowFaults {
    readonly #predicate: string;
    #file: string;
    readonly #columns: readonly Column[];
    readonly #cells: readonly Fault[];
    readonly #few = noFault();
    readonly #many = noFault();

    constructor({ file, predicate }: RowSource, columns: readonly Column[]) {
        this.#predicate = predicate;
        this.#file = file;
        this.#columns = columns;
        this.#cells = columns.map(noFault);
    }

    /** The rows that follow stand in another file. */
    enter(file: string): void {
        this.#file = file;
    }

    /** A value of a column could not be read as the type of the column. */
    unreadable(column: number, line: number, value: () => string): void {
        const fault = this.#cells[column]!;
        if (fault.count === 0) {
            const text = value();
            fault.example = `'${shortened(text)}'`;
            fault.wider = widerType(this.#columns[column]!.type, text.trim());
        }
        this.#count(fault, line);
    }

    padded(line: number): void {
        this.#count(this.#few, line);
    }

    cut(line: number): void {
        this.#count(this.#many, line);
    }

    /** `expected` is the number of cells that a row should have. */
    *reports(expected: number): Iterable<Report> {
        const at = ({ file, line }: Fault) => ({ source: { file, line } });
        if (this.#few.count > 0) yield report('RT071', at(this.#few), this.#few.count, 'few', expected);
        if (this.#many.count > 0) yield report('RT071', at(this.#many), this.#many.count, 'many', expected);
        for (const [column, fault] of this.#cells.entries()) {
            const { type, name } = this.#columns[column]!;
            if (fault.count > 0)
                yield report(
                    'RT021',
                    {
                        ...at(fault),
                        ...(fault.wider && { remedy: remedyOf(fault.wider) }),
                    },
                    fault.count,
                    isAny(type) ? say`a value` : printType(type),
                    name,
                    this.#predicate,
                    fault.example,
                );
        }
    }

    #count(fault: Fault, line: number): void {
        if (fault.count++ > 0) return;
        fault.file = this.#file;
        fault.line = line;
    }
}

/** Returns the type that would hold the text, if the text is a number that the integer type of the column does not hold. */
function widerType({ kind }: Type, text: string): Fault['wider'] {
    if (kind === 'int' && isLong(text)) return 'long';
    return (kind === 'int' || kind === 'long') && FRACTION.test(text) ? 'double' : undefined;
}

function remedyOf(wider: 'long' | 'double'): string {
    return wider === 'long'
        ? say`Say in the model that the column is long: it has integers beyond 32 bits.`
        : say`Say in the model that the column is double: it has numbers with fractions.`;
}

const FRACTION = /^[-+]?\d*\.\d+$/u;

/** An integer of at most 64 bits. */
function isLong(text: string): boolean {
    return /^[-+]?\d{1,19}$/u.test(text) && BigInt.asIntN(64, BigInt(text.replace('+', ''))) === BigInt(text.replace('+', ''));
}

function isAny({ kind }: Type): boolean {
    return kind === 'mixed' || kind === 'unknown';
}

function shortened(text: string): string {
    return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

/** The id of the null that stands in a column: its own for each cell, or one for all. */
export function nullMaker({ file, predicate }: RowSource, sameNull: boolean, dictionary: Dictionary): (column: number) => ValueId {
    if (sameNull) return column => dictionary.labelledNull(`${predicate}[${column}]`, [], false);
    return () => dictionary.freshNull(file);
}
