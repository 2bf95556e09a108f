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
    inPieces(print, add => writeJson(listings, limit, label, add));
}

function writeJson(listings: readonly NamedRows[], limit: number, label: NullLabel, add: (text: string) => void): void {
    add('{\n  "resultSet": {');
    for (const [at, listing] of listings.entries()) {
        add(`${at === 0 ? '' : ','}\n    ${JSON.stringify(listing.name)}: [`);
        const count = Math.min(listing.count, limit);
        for (let row = 0; row < count; row++) add(`${row === 0 ? '' : ','}\n      ${rowJson(listing, row, label)}`);
        add(count === 0 ? ']' : '\n    ]');
    }
    add(listings.length === 0 ? '},\n' : '\n  },\n');
    add(`  "types": ${perOutput(listings, ({ columns }) => columns.map(column => apiType(column.type)))},\n`);
    add(`  "columnNames": ${perOutput(listings, ({ columns }) => columns.map(column => column.name))}\n}\n`);
}

/** Writes one JSON object per row, keyed by column name. */
export function printNdjson(listing: NamedRows, limit: number, label: NullLabel, print: (text: string) => void): void {
    const names = listing.columns.map(column => JSON.stringify(column.name));
    const count = Math.min(listing.count, limit);
    const line = (row: number): string =>
        `{${listing.columns.map(({ type }, at) => `${names[at]}:${valueJson(listing.dictionary, listing.at(row, at), type, label)}`)}}\n`;
    inPieces(print, add => {
        for (let row = 0; row < count; row++) add(line(row));
    });
}

function rowJson(listing: NamedRows, row: number, label: NullLabel): string {
    return `[${listing.columns.map(({ type }, at) => valueJson(listing.dictionary, listing.at(row, at), type, label))}]`;
}

function perOutput(listings: readonly NamedRows[], list: (listing: NamedRows) => readonly string[]): string {
    if (listings.length === 0) return '{}';
    return `{\n${listings.map(listing => `    ${JSON.stringify(listing.name)}: ${JSON.stringify(list(listing))}`).join(',\n')}\n  }`;
}

/** Has small texts gathered into pieces worth a system call. */
export function inPieces(print: (text: string) => void, write: (add: (text: string) => void) => void): void {
    let gathered = '';
    write(text => {
        gathered += text;
        if (gathered.length < PIECE) return;
        print(gathered);
        gathered = '';
    });
    if (gathered !== '') print(gathered);
}
