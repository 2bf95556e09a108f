import { columnPlan } from '#engine/sources/column-plan.ts';
import { PlannedRows } from '#engine/sources/planned-rows.ts';
import { nullMaker, RowFaults } from '#engine/sources/row-faults.ts';
import type { RowTarget } from '#engine/sources/source.ts';
import type { ColumnChoice } from '#engine/sources/source-options.ts';
import { partFill, partPlan, type TableColumns, tableColumns } from '#engine/sources/table-part.ts';
import type { SourceSchema } from '#language/program/analysed-program.ts';
import type { Type } from '#language/program/types.ts';
import { type BoundFile, withFile } from './bound-file.ts';
import { chosenSchema, type FileEndings, type FilePart, fileParts, partsReading } from './file-parts.ts';

/** The columns of files whose rows are lines; the last one is the name of the file. */
export interface LineTable {
    readonly names: readonly string[];
    readonly types: readonly Type[];
    readonly endings: FileEndings;
}

interface LineOptions {
    /** One null per column instead of one per cell. */
    readonly sameNull: boolean;
    readonly selectedColumns?: readonly ColumnChoice[];
}

/** One of the files that a bind names. */
interface LineFile {
    readonly file: BoundFile;
    /** Begins with its rows; gives what adds one, by the columns but for the last, from a line of the file. */
    begin(): (values: readonly (string | number | undefined)[], line: number) => void;
}

/** Puts the lines of a file, or of many, into a target. */
export function lineRows(file: BoundFile, table: LineTable, options: LineOptions, target: RowTarget) {
    const { dictionary, columns } = target;
    const { shown, access, bind } = file;
    const request = { file: shown, options, context: access.report };
    const origin = { file: shown, predicate: bind.predicate };
    const nulls = nullMaker(origin, options.sameNull, dictionary);
    const parts = fileParts(file, table.endings);

    const adder = (rows: PlannedRows, faults: RowFaults, width: number, name: string) => {
        const nameOf = table.names.length - 1;
        return (values: readonly (string | number | undefined)[], line: number): void => {
            if (columns.length > width) faults.padded(line);
            rows.fill(source => {
                const value = source === nameOf ? name : values[source];
                return typeof value === 'string' ? dictionary.string(value) : value === undefined ? undefined : dictionary.number(value);
            }, line);
            rows.add(line);
        };
    };
    if (parts === undefined) {
        const plan = columnPlan(columns, table.names, request);
        const faults = new RowFaults(origin, columns);
        const only: LineFile = {
            file,
            begin: () => adder(new PlannedRows(target, { plan, faults, nullFor: nulls }), faults, table.names.length, nameOf(file)),
        };
        const end = (): void => {
            for (const fault of faults.reports(columns.length)) target.report(fault);
            target.checkpoint();
        };
        return { files: [only], end };
    }
    const whole = tableOf(table, parts);
    const reading = partsReading(file, whole, options, target);
    const files = parts.map(
        (part): LineFile => ({
            file: part.file,
            begin: () => {
                const own = reading.partOf(part);
                const layout = { plan: partPlan(own, undefined, request), faults: reading.faults, nullFor: partFill(own, target, nulls) };
                return adder(new PlannedRows(target, layout), reading.faults, whole.names.length, nameOf(part.file));
            },
        }),
    );
    return { files, end: () => reading.end() };
}

/** The columns that a bind shows. */
export function lineSchema(file: BoundFile, table: LineTable, options: LineOptions): SourceSchema | undefined {
    const parts = fileParts(file, table.endings) ?? withFile(file, () => [{ file, folders: new Map() }]);
    return chosenSchema(file, tableOf(table, parts), options);
}

function tableOf({ names, types }: LineTable, parts: readonly FilePart[]): TableColumns {
    return tableColumns(
        parts.map(({ folders }) => ({ names, types, folders })),
        { ofAll: false, areTexts: true },
    );
}

/** Below the folder of the bind, with `/` between folders. */
function nameOf({ path }: BoundFile): string {
    return path.parts
        .slice(1)
        .flatMap(part => part.split(/[\\/]/u))
        .filter(part => part !== '')
        .join('/');
}
