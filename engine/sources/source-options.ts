import { say } from '#language/program/say.ts';
import { type ReportContext, stop } from '../reports/reports.ts';
import { type Packing, packingOf } from './packing.ts';

/** A column of the source by name, or a range of columns by zero-based number, ends included. */
export type ColumnChoice =
    | { readonly kind: 'name'; readonly name: string }
    | { readonly kind: 'range'; readonly first: number; readonly last: number };

/** The options of a bind to a file. A value that cannot be used ends the run with RT064. */
export interface SourceOptions {
    text(key: string): string | undefined;
    flag(key: string, otherwise: boolean): boolean;
    refuse(key: string, wanted: string): never;
    /** `nullGenerationMode`: one null per column instead of one per cell. */
    sameNull(): boolean;
    /** `selectedColumns`: the source columns that are read, in this order; undefined for all. */
    selectedColumns(): readonly ColumnChoice[] | undefined;
    /** `compression`, else what the name of the file says. */
    packing(): Packing | undefined;
    /** RT065 for options of such binds that this evaluator does not carry out. */
    refuseUnsupported(type: string): void;
}

/** `file` is named in the reports. */
export function sourceOptions(options: ReadonlyMap<string, string>, file: string, context: ReportContext): SourceOptions {
    const text = (key: string): string | undefined => options.get(key);
    const refuse = (key: string, wanted: string): never =>
        stop('RT064', context, file, say`cannot be used with ${key}='${options.get(key)}': ${wanted}`);
    return {
        text,
        refuse,
        flag: (key, otherwise) => {
            const word = text(key)?.trim().toLowerCase() ?? String(otherwise);
            return word === 'true' || (word === 'false' ? false : refuse(key, say`write true or false`));
        },
        sameNull: () => {
            const mode = text('nullGenerationMode')?.trim().toUpperCase() ?? 'NEW_NULL';
            return mode === 'SAME_NULL' || (mode === 'NEW_NULL' ? false : refuse('nullGenerationMode', say`write NEW_NULL or SAME_NULL`));
        },
        selectedColumns: () => {
            const selected = text('selectedColumns');
            if (selected === undefined) return undefined;
            return columnChoices(selected) ?? refuse('selectedColumns', say`write numbers, ranges and names: [0:2; 4; 'Name']`);
        },
        packing: () => packingOf(text('compression'), file, () => refuse('compression', say`write none, gzip or zstd`)),
        refuseUnsupported: type => {
            if (options.has('query')) stop('RT065', context, say`Option 'query' of a ${type} bind`);
        },
    };
}

function columnChoices(text: string): ColumnChoice[] | undefined {
    const inside = /^\s*\[(.*)\]\s*$/s.exec(text)?.[1];
    if (inside === undefined) return undefined;
    const choices: ColumnChoice[] = [];
    for (const item of inside.split(';').map(part => part.trim())) {
        const range = /^(\d+)(?:\s*:\s*(\d+))?$/.exec(item);
        const name = /^'(.*)'$|^"(.*)"$/s.exec(item);
        if (range) {
            const first = Number(range[1]);
            const last = Number(range[2] ?? range[1]);
            if (last < first) return undefined;
            choices.push({ kind: 'range', first, last });
        } else if (name) {
            choices.push({ kind: 'name', name: name[1] ?? name[2] ?? '' });
        } else {
            return undefined;
        }
    }
    return choices;
}
