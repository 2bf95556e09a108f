import type { OutputRows } from '#engine/sources/source.ts';
import type { NullLabel } from '#engine/values/text.ts';
import { apiType } from '#language/program/types.ts';
import { valueJson } from './value-json.ts';

/** Rows of an output. */
export interface NamedRows extends OutputRows {
    readonly name: string;
}

const PIECE = 1 << 16;

/** Writes the answer as one JSON object (12.5). Names come from the program, so no object is built from them. */
export function printJson(listings: readonly NamedRows[], limit: number, label: NullLabel, print: (text: string) => void): void {
    const output = pieces(print);
    output.add('{\n  "resultSet": {');
    for (const [at, listing] of listings.entries()) {
        output.add(`${at === 0 ? '' : ','}\n    ${JSON.stringify(listing.name)}: [`);
        const count = Math.min(listing.count, limit);
        for (let row = 0; row < count; row++) output.add(`${row === 0 ? '' : ','}\n      ${rowJson(listing, row, label)}`);
        output.add(count === 0 ? ']' : '\n    ]');
    }
    output.add(listings.length === 0 ? '},\n' : '\n  },\n');
    output.add(`  "types": ${perOutput(listings, ({ columns }) => columns.map(column => apiType(column.type)))},\n`);
    output.add(`  "columnNames": ${perOutput(listings, ({ columns }) => columns.map(column => column.name))}\n}\n`);
    output.end();
}

/** Writes one JSON object per row, keyed by column name. */
export function printNdjson(listing: NamedRows, limit: number, label: NullLabel, print: (text: string) => void): void {
    const output = pieces(print);
    const names = listing.columns.map(column => JSON.stringify(column.name));
    const count = Math.min(listing.count, limit);
    for (let row = 0; row < count; row++) {
        output.add(
            `{${listing.columns.map(({ type }, at) => `${names[at]}:${valueJson(listing.dictionary, listing.at(row, at), type, label)}`)}}\n`,
        );
    }
    output.end();
}

function rowJson(listing: NamedRows, row: number, label: NullLabel): string {
    return `[${listing.columns.map(({ type }, at) => valueJson(listing.dictionary, listing.at(row, at), type, label))}]`;
}

function perOutput(listings: readonly NamedRows[], list: (listing: NamedRows) => readonly string[]): string {
    if (listings.length === 0) return '{}';
    return `{\n${listings.map(listing => `    ${JSON.stringify(listing.name)}: ${JSON.stringify(list(listing))}`).join(',\n')}\n  }`;
}

/** Gathers small texts into pieces worth a system call. */
function pieces(print: (text: string) => void): { add(text: string): void; end(): void } {
    let gathered = '';
    const end = (): void => {
        if (gathered !== '') print(gathered);
        gathered = '';
    };
    return {
        add: text => {
            gathered += text;
            if (gathered.length >= PIECE) end();
        },
        end,
    };
}
