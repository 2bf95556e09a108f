import type { Column } from '#language/program/analysed-program.ts';
import { say } from '#language/program/say.ts';
import { type ReportContext, stop } from '../reports/reports.ts';
import type { SourceNeeds } from './source.ts';
import type { ColumnChoice } from './source-options.ts';

/** The cell of a record for each column of the predicate. */
export interface ColumnPlan {
    /** By source column: the predicate's column, or -1 for one that is not read. */
    readonly targets: Int32Array;
    /** A source column that several columns of the predicate show: filled column, further column. */
    readonly copies: readonly (readonly [number, number])[];
    /** Columns of the predicate that no source column fills. */
    readonly absent: readonly number[];
    /** The number of cells that a record should have. */
    readonly expected: number;
    /** Records with more cells than expected are worth a report. */
    readonly cutsMore: boolean;
}

export interface ColumnRequest {
    readonly file: string;
    readonly options: { readonly selectedColumns?: readonly ColumnChoice[] };
    readonly context?: ReportContext;
}

/** Columns match by position; `selectedColumns` and, where the source has names, `@mapping` choose others (9.4). */
export function columnPlan(columns: readonly Column[], header: readonly string[] | undefined, request: ColumnRequest): ColumnPlan {
    const chosen = chosenColumns(header, request);
    const isPositional = chosen === undefined && (header === undefined || columns.every(column => column.mapped === undefined));
    const sources = columns.map(({ mapped }, at) => {
        if (mapped !== undefined && header !== undefined) return columnNamed(mapped, header, request);
        return chosen === undefined ? at : (chosen[at] ?? -1);
    });
    const width = Math.max(0, ...sources.map(source => source + 1));
    const targets = new Int32Array(width).fill(-1);
    const copies: [number, number][] = [];
    for (const [at, source] of sources.entries()) {
        if (source < 0) continue;
        const first = targets[source]!;
        if (first < 0) targets[source] = at;
        else copies.push([first, at]);
    }
    return {
        targets,
        copies,
        absent: sources.flatMap((source, at) => (source < 0 ? [at] : [])),
        expected: isPositional ? columns.length : (header?.length ?? width),
        cutsMore: isPositional || header !== undefined,
    };
}

/** Tells which of the columns that source columns fill are read: those that are needed, and those that fill such a one. */
export function readColumns({ copies }: ColumnPlan, needs: SourceNeeds | undefined): (column: number) => boolean {
    if (needs === undefined) return () => true;
    const read = new Set(needs.columns);
    for (const [from, to] of copies) if (read.has(to)) read.add(from);
    return column => read.has(column);
}

/** The source columns that `selectedColumns` names, in its order; undefined where it is not written. */
export function chosenColumns(header: readonly string[] | undefined, request: ColumnRequest): number[] | undefined {
    return request.options.selectedColumns?.flatMap(choice => columnsOf(choice, header, request));
}

function columnsOf(choice: ColumnChoice, header: readonly string[] | undefined, request: ColumnRequest): number[] {
    if (choice.kind === 'name') return [columnNamed(choice.name, header, request)];
    return Array.from({ length: choice.last - choice.first + 1 }, (_, i) => choice.first + i);
}

function columnNamed(name: string, header: readonly string[] | undefined, { file, context = {} }: ColumnRequest): number {
    if (header === undefined)
        stop('RT064', context, file, say`has no header, so that column '${name}' cannot be found; useHeaders=true reads one`);
    if (header.length === 0) stop('RT064', context, file, say`has no columns, so that column '${name}' cannot be found`);
    const exact = header.indexOf(name);
    const at = exact < 0 ? header.indexOf(name.trim()) : exact;
    if (at < 0) stop('RT064', context, file, say`has no column '${name}'; its columns are ${header.map(found => `'${found}'`).join(', ')}`);
    return at;
}
