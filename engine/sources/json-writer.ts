import { jsonText } from '../values/text.ts';
import type { OutputRows } from './source.ts';

/** How rows become JSON text. */
export interface JsonOutput {
    /** One array over many lines; otherwise one object per line. */
    readonly multiline: boolean;
    /** The rows follow those of an array whose end was cut off; `first` where it has none. */
    readonly continues?: 'first' | 'further';
    readonly lineEnd?: '\n' | '\r\n';
}

const BUFFER = 1 << 16;
const ROWS_PER_CHECKPOINT = 1024;

const encoder = new TextEncoder();

/** Writes one object per row with the names of the columns, in pieces of about 64 KiB. Nulls are JSON null. */
export function writeJson(
    { dictionary, columns, count, at }: OutputRows,
    { multiline, continues, lineEnd = '\n' }: JsonOutput,
    write: (bytes: Uint8Array) => void,
    checkpoint: () => void,
): void {
    const names = columns.map(({ name }, i) => `${i === 0 ? '{' : ','}${JSON.stringify(name)}:`);
    let text = multiline && continues === undefined ? '[' : '';
    for (let row = 0; row < count; row++) {
        if (row % ROWS_PER_CHECKPOINT === 0) checkpoint();
        if (multiline) text += row === 0 && continues !== 'further' ? lineEnd : `,${lineEnd}`;
        for (const [column, { type }] of columns.entries()) text += `${names[column]}${jsonText(dictionary, at(row, column), type)}`;
        text += columns.length === 0 ? '{}' : '}';
        if (!multiline) text += lineEnd;
        if (text.length < BUFFER) continue;
        write(encoder.encode(text));
        text = '';
    }
    if (multiline) text += count === 0 && continues === undefined ? `]${lineEnd}` : `${lineEnd}]${lineEnd}`;
    write(encoder.encode(text));
    checkpoint();
}
