import { say } from '#language/program/say.ts';
import { joinedBytes } from '#server/files/joined-bytes.ts';
import type { Refuse } from './zip.ts';

const HEADER = 512;
const ENTRY = 128;
const MOST_ENTRIES = 10_000;
const STREAM = 2;
const ROOT = 5;
/** Numbers from here on name no sector. */
const FIRST_SPECIAL = 0xffff_fffa;
const OWN_TABLES = 109;

/** Reads streams of a compound file by their names ([MS-CFB]): Excel before 2007, and the container of encrypted workbooks. */
export function compoundStreams(bytes: Uint8Array, refuse: Refuse): (name: string) => Uint8Array | undefined {
    const damaged = (): never => refuse(say`is damaged`);
    if (bytes.length < HEADER) return damaged();
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const header = (at: number): number => view.getUint32(at, true);
    const [shift, smallShift] = [view.getUint16(30, true), view.getUint16(32, true)];
    if ((shift !== 9 && shift !== 12) || smallShift !== 6) return damaged();
    const size = 1 << shift;
    const most = Math.ceil(bytes.length / size);
    const sector = (number: number): Uint8Array => {
        const from = (number + 1) * size;
        return from < bytes.length ? bytes.subarray(from, from + size) : damaged();
    };
    /** Follows a chain of sectors, which is never longer than the file. */
    const chain = (first: number, next: (number: number) => number | undefined, longest = most): number[] => {
        const numbers: number[] = [];
        for (let at: number | undefined = first; at !== undefined && at < FIRST_SPECIAL; at = next(at))
            if (numbers.push(at) > longest) return damaged();
        return numbers;
    };
    const numbersIn = (sectors: readonly Uint8Array[]): Uint32Array => {
        const all = joinedBytes([...sectors]);
        const read = new DataView(all.buffer, all.byteOffset, all.byteLength);
        return Uint32Array.from({ length: all.length >> 2 }, (_, at) => read.getUint32(at * 4, true));
    };
    const tables: number[] = Array.from({ length: OWN_TABLES }, (_, at) => header(76 + at * 4));
    const moreTables = chain(header(68), number => numbersIn([sector(number)]).at(-1));
    for (const number of moreTables) {
        tables.push(...numbersIn([sector(number)]).slice(0, -1));
        if (tables.length > most + OWN_TABLES + size) return damaged();
    }
    const table = numbersIn(tables.filter(number => number < FIRST_SPECIAL).map(sector));
    const sectorsFrom = (first: number): Uint8Array[] => chain(first, number => table[number]).map(sector);
    const directory = joinedBytes(sectorsFrom(header(48)));
    const entries = entriesOf(directory.subarray(0, MOST_ENTRIES * ENTRY), size);
    const root = entries.find(({ kind }) => kind === ROOT);
    return name => {
        const found = entries.find(entry => entry.kind === STREAM && entry.name === name);
        if (found === undefined || root === undefined) return undefined;
        if (found.size > bytes.length) return damaged();
        const isSmall = found.size < header(56);
        const pieces = isSmall ? smallPieces(found.first) : sectorsFrom(found.first);
        const whole = joinedBytes(pieces);
        return whole.length < found.size ? damaged() : whole.subarray(0, found.size);
    };

    function smallPieces(first: number): Uint8Array[] {
        const smallTable = numbersIn(sectorsFrom(header(60)));
        const store = joinedBytes(sectorsFrom(root?.first ?? FIRST_SPECIAL));
        const length = 1 << smallShift;
        return chain(first, number => smallTable[number], most * (size >> smallShift)).map(number =>
            store.subarray(number * length, (number + 1) * length),
        );
    }
}

interface Entry {
    readonly name: string;
    readonly kind: number;
    readonly first: number;
    readonly size: number;
}

function entriesOf(directory: Uint8Array, sectorSize: number): Entry[] {
    const view = new DataView(directory.buffer, directory.byteOffset, directory.byteLength);
    return Array.from({ length: Math.floor(directory.length / ENTRY) }, (_, at) => {
        const from = at * ENTRY;
        const letters = Math.min(Math.max(view.getUint16(from + 64, true) - 2, 0), 62);
        const name = new TextDecoder('utf-16le').decode(directory.subarray(from, from + letters));
        // Small sectors leave the upper half of a size undefined.
        const upper = sectorSize === HEADER ? 0 : view.getUint32(from + 124, true);
        return {
            name,
            kind: view.getUint8(from + 66),
            first: view.getUint32(from + 116, true),
            size: upper * 2 ** 32 + view.getUint32(from + 120, true),
        };
    });
}
