import { countText } from '#language/program/count-text.ts';
import { printConstant } from '#language/program/print-constant.ts';
import type { Constant } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import { refuse } from '#server/notices/refusal.ts';
import { fileBind } from '#server/sources/file-bind.ts';
import { printBind } from '#server/sources/source-bind.ts';
import { type ParquetColumn, parquetFile } from '../rdf/parquet-file.ts';
import type { Fact } from '../rdf/program.ts';

/** The facts of one predicate as a file. */
export interface DataFile {
    readonly predicate: string;
    readonly name: string;
    /** Reads the file into the predicate that the rule takes its rows from. */
    readonly annotation: string;
    readonly rule: string;
    readonly bytes: Uint8Array;
}

/** Files of one document. */
const MOST_FILES = 1000;

/** A Parquet file for each predicate that has facts. `columns` gives the names of its columns. Refuses a document of too many. */
export function dataFiles(facts: readonly Fact[], columns: (predicate: string) => readonly string[], folder: string): DataFile[] {
    const rows = new Map<string, Map<string, readonly Constant[]>>();
    for (const { predicate, terms } of facts) {
        const own = rows.get(predicate) ?? new Map<string, readonly Constant[]>();
        rows.set(predicate, own.set(terms.map(printConstant).join(), terms));
        if (rows.size > MOST_FILES) {
            const most = countText(MOST_FILES);
            refuse(
                say`its individuals have more than ${most} classes and properties, of which each becomes a file: leave out data_base_path`,
                'document',
            );
        }
    }
    return Array.from(rows, ([predicate, distinct]) => {
        const all = [...distinct.values()];
        const names = columns(predicate);
        const name = `${predicate}.parquet`;
        const source = `${predicate}_source`;
        const variables = ['X', 'Y'].slice(0, names.length).join(',');
        return {
            predicate,
            name,
            annotation: printBind(source, fileBind('parquet', [], folder, name)),
            rule: `${predicate}(${variables}) :- ${source}(${variables}).`,
            bytes: parquetFile(
                names.map((column, i) => ({ name: column, values: columnOf(all.flatMap(row => row[i] ?? [])) })),
                all.length,
            ),
        };
    });
}

/** Values of one kind as such, integers among doubles as these, others as text. */
function columnOf(values: readonly Constant[]): ParquetColumn['values'] {
    const kinds = new Set(values.map(({ kind }) => kind));
    const [kind] = kinds.size === 1 ? kinds : kinds.size === 2 && kinds.has('integer') && kinds.has('double') ? ['double'] : ['mixed'];
    switch (kind) {
        case 'integer':
            return { kind: 'long', all: values.map(value => (value.kind === 'integer' ? BigInt(value.value) : 0n)) };
        case 'double':
            return { kind, all: values.map(value => (value.kind === 'double' || value.kind === 'integer' ? Number(value.value) : 0)) };
        case 'boolean':
            return { kind, all: values.map(value => value.kind === 'boolean' && value.value) };
        case 'date':
            return { kind, all: values.map(value => (value.kind === 'date' ? value.days : 0)) };
        case 'timestamp':
            return { kind, all: values.map(value => (value.kind === 'timestamp' ? value.micros : 0n)) };
        default:
            return { kind: 'string', all: values.map(value => (value.kind === 'string' ? value.value : printConstant(value))) };
    }
}
