import { stop } from '#engine/reports/reports.ts';
import { type ColumnPlan, chosenColumns, columnPlan } from '#engine/sources/column-plan.ts';
import { TextSurvey } from '#engine/sources/column-texts.ts';
import { PlannedRows } from '#engine/sources/planned-rows.ts';
import { nullMaker, RowFaults } from '#engine/sources/row-faults.ts';
import type { RowTarget } from '#engine/sources/source.ts';
import { dateText, timestampText } from '#engine/values/calendar.ts';
import type { Dictionary } from '#engine/values/dictionary.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import { join, type Type, UNKNOWN } from '#language/program/types.ts';
import { type BoundFile, type FileChange, type FileReading, type SurveyedTable, withFile } from '../bound-file.ts';
import { addressText } from './cell-address.ts';
import { type ExcelOptions, excelOptions } from './excel-options.ts';
import { type CellValue, eachRow, type SheetRow } from './sheet-cells.ts';
import { openWorkbook, sheetOf, type Workbook } from './workbook.ts';
import { changedWorkbook, requireWritten } from './write-workbook.ts';
import type { Refuse } from './zip.ts';

/** Sheets of workbooks, which are tables: the first row that has cells may name the columns. */
export const EXCEL_FILES: FileReading & FileChange = {
    verify: file => {
        const options = optionsOf(file);
        const chosen = chosenBy(options);
        if (file.bind.direction === 'output') requireWritten(options, refusing(file));
        else if (!options.useHeaders) chosenColumns(undefined, { file: file.shown, options: chosen, context: file.access.report });
    },
    load: (file, target) =>
        withFile(file, bytes => {
            const checkpoint = (): void => target.checkpoint();
            loadSheet(openWorkbook(bytes, optionsOf(file).password, refusing(file), checkpoint), file, target);
        }),
    peek: (file, records) => {
        const options = optionsOf(file);
        const texts: TextSurvey[] = [];
        const { names, types } = withFile(file, bytes => {
            const workbook = openWorkbook(bytes, options.password, refusing(file), () => undefined);
            const hear = records > 0 ? cellListener(texts, records) : undefined;
            return surveyedSheet(workbook, options, refusing(file), () => undefined, hear);
        });
        if (names.length === 0) return undefined;
        const request = { file: file.shown, options: chosenBy(options), context: file.access.report };
        const chosen = chosenColumns(options.useHeaders ? names : undefined, request) ?? [...names.keys()];
        const hasName = (at: number): boolean => options.useHeaders && names[at] !== undefined;
        return {
            columns: chosen.map(at => ({
                ...(hasName(at) && { name: names[at] }),
                ...(types[at] && { type: types[at] }),
                ...(texts[at] && { texts: texts[at].found }),
            })),
        };
    },
    sheets: file => {
        const { password } = optionsOf(file);
        return withFile(file, bytes => openWorkbook(bytes, password, refusing(file), () => undefined).sheets.map(({ name }) => name));
    },
    survey: ({ withBytes, name, options }, checkpoint) =>
        withBytes(bytes => {
            const refuse = (reason: string): never => stop('RT064', { source: { file: name } }, name, reason);
            const known = excelOptions(options, name, {});
            const workbook = openWorkbook(bytes, known.password, refuse, checkpoint);
            if (known.address.sheet !== undefined) return [surveyedSheet(workbook, known, refuse, checkpoint)];
            return workbook.sheets.map(sheet => {
                const address = { ...known.address, sheet: sheet.name };
                return surveyedSheet(workbook, { ...known, address }, refuse, checkpoint);
            });
        }),
    target: file => {
        const { sheet } = optionsOf(file).address;
        return sheet === undefined ? file.shown : `${file.shown}: ${sheet}`;
    },
    change: (file, old, rows, checkpoint) => changedWorkbook(file, optionsOf(file), { old, rows, checkpoint }, refusing(file)),
};

function optionsOf({ bind, shown, access }: BoundFile): ExcelOptions {
    return excelOptions(bind.options, shown, access.report);
}

function refusing({ shown, access }: BoundFile): Refuse {
    return reason => stop('RT064', { ...access.report, source: { file: shown } }, shown, reason);
}

function chosenBy({ all }: ExcelOptions) {
    const selectedColumns = all.selectedColumns();
    return selectedColumns === undefined ? {} : { selectedColumns };
}

interface RowListener {
    /** Hears of the names of the columns, before any row. */
    readonly header: (names: readonly string[]) => void;
    /** Says whether it wants more. */
    readonly row: (cells: SheetRow, line: number) => boolean;
    readonly checkpoint: () => void;
}

/** Goes over the rows of the sheet, without the one that names the columns; where none does, there are as many as the first row has. */
function sheetRows(
    workbook: Workbook,
    { useHeaders, address }: ExcelOptions,
    refuse: Refuse,
    { header, row, checkpoint }: RowListener,
): void {
    const width = address.last && address.last.column - address.first.column + 1;
    let isFirst = true;
    const take = (cells: SheetRow, line: number): boolean => {
        if (!isFirst) return row(cells, line);
        isFirst = false;
        const length = width ?? cells.length;
        header(Array.from({ length }, (_, i) => (useHeaders ? headerText(cells[i]) : `c${i}`)));
        return useHeaders || row(cells, line);
    };
    eachRow(workbook, sheetOf(workbook, address.sheet, refuse), address, refuse, take, checkpoint);
}

function headerText(cell: CellValue | undefined): string {
    switch (cell?.kind) {
        case undefined:
            return '';
        case 'string':
        case 'error':
            return cell.text;
        case 'number':
        case 'boolean':
            return String(cell.value);
        case 'date':
            return dateText(cell.days);
        case 'timestamp':
            return timestampText(cell.micros);
    }
}

function loadSheet(workbook: Workbook, file: BoundFile, target: RowTarget): void {
    const { bind, shown, access } = file;
    const { dictionary, columns } = target;
    const options = optionsOf(file);
    const request = { file: shown, options: chosenBy(options), context: access.report };
    const origin = { file: shown, predicate: bind.predicate };
    const nullFor = nullMaker(origin, options.all.sameNull(), dictionary);
    const faults = new RowFaults(origin, columns);
    let plan: ColumnPlan | undefined;
    let rows: PlannedRows | undefined;
    sheetRows(workbook, options, refusing(file), {
        header: names => {
            plan = columnPlan(columns, options.useHeaders ? names : undefined, request);
            rows = new PlannedRows(target, { plan, faults, nullFor });
        },
        row: (cells, line) => {
            if (plan === undefined || rows === undefined) return false;
            rows.fill(source => cells[source] && cellId(dictionary, cells[source]), line);
            if (cells.length > plan.expected && plan.cutsMore) faults.cut(line);
            rows.add(line);
            return true;
        },
        checkpoint: () => target.checkpoint(),
    });
    for (const fault of faults.reports(plan?.expected ?? 0)) target.report(fault);
    target.checkpoint();
}

function cellId(dictionary: Dictionary, cell: CellValue): ValueId | string {
    switch (cell.kind) {
        case 'error':
            return cell.text;
        case 'number':
            return dictionary.number(cell.value);
        case 'string':
            return dictionary.string(cell.text);
        case 'boolean':
            return dictionary.boolean(cell.value);
        case 'date':
            return dictionary.date(cell.days);
        case 'timestamp':
            return dictionary.timestamp(cell.micros);
    }
}

/** Looks at the texts and numbers in the columns of a sheet; texts are examples in so many of its rows. */
function cellListener(texts: TextSurvey[], records: number): CellListener {
    return (cell, at, row) => {
        texts[at] ??= new TextSurvey();
        if (cell.kind === 'number') texts[at].noteNumber(cell.value);
        else if (cell.kind === 'string') texts[at].note(cell.text, row <= records);
        else if (cell.kind === 'date') texts[at].noteDate(dateText(cell.days));
        else texts[at].noteOther();
    };
}

type Cell = Exclude<CellValue, { kind: 'error' }>;

/** Hears of a cell, its column from zero on and its row from one on. */
type CellListener = (cell: Cell, column: number, row: number) => void;

function surveyedSheet(
    workbook: Workbook,
    options: ExcelOptions,
    refuse: Refuse,
    checkpoint: () => void,
    hear?: CellListener,
): SurveyedTable {
    const { address } = options;
    let names: readonly string[] = [];
    const types: Type[] = [];
    let rows = 0;
    const header = (found: readonly string[]): void => {
        names = found;
    };
    const look = (cells: SheetRow): boolean => {
        rows++;
        for (let at = Math.min(names.length, cells.length) - 1; at >= 0; at--) {
            const cell = cells[at];
            if (cell === undefined || cell.kind === 'error') continue;
            types[at] = join(types[at] ?? UNKNOWN, typeOf(cell));
            hear?.(cell, at, rows);
        }
        return true;
    };
    sheetRows(workbook, options, refuse, { header, row: look, checkpoint });
    const sheet = address.sheet ?? '';
    return { names, types: names.map((_, at) => types[at] ?? UNKNOWN), rows, sheet, options: [['dataAddress', addressText(address)]] };
}

function typeOf(cell: Cell): Type {
    if (cell.kind !== 'number') return { kind: cell.kind };
    const { value } = cell;
    return { kind: (value | 0) === value ? 'int' : Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63 ? 'long' : 'double' };
}
