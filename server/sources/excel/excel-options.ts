import type { ReportContext } from '#engine/reports/reports.ts';
import { type SourceOptions, sourceOptions } from '#engine/sources/source-options.ts';
import { say } from '#language/program/say.ts';
import { type DataAddress, dataAddress } from './cell-address.ts';

export interface ExcelOptions {
    readonly useHeaders: boolean;
    readonly address: DataAddress;
    readonly password: string | undefined;
    readonly all: SourceOptions;
}

export function excelOptions(options: ReadonlyMap<string, string>, file: string, report: ReportContext): ExcelOptions {
    const all = sourceOptions(options, file, report);
    all.refuseUnsupported('excel');
    const compression = all.text('compression')?.trim().toLowerCase() ?? 'none';
    if (compression !== 'none' && compression !== 'uncompressed') all.refuse('compression', say`workbooks are packed in their own way`);
    const address =
        dataAddress(all.text('dataAddress') ?? 'A1') ?? all.refuse('dataAddress', say`write a sheet, a cell or a range: 'Sheet 1'!A1:C10`);
    return { useHeaders: all.flag('useHeaders', false), address, password: all.text('password'), all };
}
