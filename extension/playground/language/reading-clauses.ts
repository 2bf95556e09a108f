import { printString } from '#language/program/print-constant.ts';
import { accessContext, openGranted } from '#server/files/open-granted.ts';
import type { FileFormat } from '#server/sources/bound-file.ts';
import { CSV_FILES } from '#server/sources/csv-file.ts';
import { EXCEL_FILES } from '#server/sources/excel/excel-file.ts';
import { modelOf } from '#server/sources/inferred-program.ts';
import { JSON_FILES } from '#server/sources/json-file.ts';
import { PARQUET_FILES } from '#server/sources/parquet-file.ts';
import { predicateName } from '#server/sources/program-names.ts';
import { columnType, type FoundColumn } from '#server/sources/surveys/found-table.ts';
import { TEXT_FILES } from '#server/sources/text-file.ts';
import { editorGrants } from '#server/workspace/editor-grants.ts';

interface Reading {
    readonly type: string;
    readonly format: FileFormat;
    /** Options that most files of the type need. */
    readonly options: ReadonlyMap<string, string>;
}

const NO_OPTIONS: ReadonlyMap<string, string> = new Map();
const JSON_LINES: Reading = { type: 'json', format: JSON_FILES, options: new Map([['multiline', 'false']]) };
/** How files are read, by what their names end with. */
const READINGS: Readonly<Record<string, Reading>> = {
    csv: { type: 'csv', format: CSV_FILES, options: new Map([['useHeaders', 'true']]) },
    json: { type: 'json', format: JSON_FILES, options: NO_OPTIONS },
    ndjson: JSON_LINES,
    jsonl: JSON_LINES,
    xlsx: { type: 'excel', format: EXCEL_FILES, options: new Map([['useHeaders', 'true']]) },
    parquet: { type: 'parquet', format: PARQUET_FILES, options: NO_OPTIONS },
    txt: { type: 'text', format: TEXT_FILES, options: NO_OPTIONS },
};

/** The clauses that read the rows of a file: its bind, and the types of its columns. Nothing for a file that nothing reads. */
export async function readingClauses(path: string): Promise<string | null> {
    const [, folder = '', file = path, name = file, ending = ''] = /^\/(?:(.*)\/)?((.+?)\.(\w+)(?:\.(?:gz|zst))?)$/u.exec(path) ?? [];
    const reading = READINGS[ending.toLowerCase()];
    if (reading === undefined) return null;
    const { type, options } = reading;
    const predicate = predicateName(name);
    const source = [type, ...Array.from(options, ([option, value]) => `${option}=${value}`)].join(' ');
    const bind = `@bind(${[predicate, source, folder, file].map(printString).join(', ')}).`;
    const columns = await columnsOf(path, reading).catch(() => []);
    return columns.length === 0 ? bind : `${bind}\n${modelOf(predicate, columns)}`;
}

/** The columns of the first table of a file. */
async function columnsOf(path: string, { format, options }: Reading): Promise<FoundColumn[]> {
    const context = accessContext(editorGrants({ roots: ['/'] }));
    const withBytes = <T>(use: (bytes: ReturnType<typeof openGranted>) => T): T => {
        const bytes = openGranted({ base: '/', parts: [path], shown: path }, context);
        try {
            return use(bytes);
        } finally {
            bytes.close();
        }
    };
    const [table] = await format.survey({ withBytes, name: path, options }, () => undefined);
    return table?.names.map((name, i) => ({ name, type: columnType(table.types[i]) })) ?? [];
}
