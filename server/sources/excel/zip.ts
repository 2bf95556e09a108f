import { crc32, deflateRawSync } from 'node:zlib';
import { Inflate } from 'pako';
import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import { joinedBytes } from '#server/files/joined-bytes.ts';

/** Ends with words on what is wrong. */
export type Refuse = (reason: string) => never;

/** Bytes that are read at any place. */
export interface ArchiveBytes {
    readonly size: number;
    readAt(into: Uint8Array, position: number): number;
}

/** Bytes that are held in memory. */
export function bytesOfMemory(bytes: Uint8Array): ArchiveBytes {
    return {
        size: bytes.length,
        readAt: (into, position) => {
            const piece = bytes.subarray(position, position + into.length);
            into.set(piece);
            return piece.length;
        },
    };
}

/** A file in a ZIP archive (https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT). */
export interface ZipEntry {
    readonly name: string;
    /** The bytes as they stand in the archive, packed with `method`. */
    readonly packed: () => Iterable<Uint8Array>;
    readonly method: number;
    readonly crc: number;
    readonly size: number;
    readonly packedSize: number;
}

const [END, DIRECTORY, LOCAL] = [0x06054b50, 0x02014b50, 0x04034b50];
const [END_SIZE, DIRECTORY_SIZE, LOCAL_SIZE] = [22, 46, 30];
/** The end of an archive with large numbers, and what says where that is. */
const [END_64, LOCATOR_64, LOCATOR_64_SIZE, END_64_SIZE] = [0x06064b50, 0x07064b50, 20, 56];
const [MOST_16, MOST_32] = [0xffff, 0xffff_ffff];
const MOST_ENTRIES = 10_000;
const [STORED, DEFLATED] = [0, 8];
const [ENCRYPTED, NAMES_ARE_UTF8] = [1, 0x0800];
const PIECE = 1 << 14;
/** How many times its packed size a file may have, once that is more than so many bytes. */
const RATIO_LIMIT = 200;
const RATIO_FROM = 2 ** 24;
/** Gives whatever is there after each piece of input (zlib's `Z_SYNC_FLUSH`). */
const FLUSH = 2;

/** The files of an archive by their names. Whatever is no such archive is refused. */
export function readZip(file: ArchiveBytes, refuse: Refuse): ReadonlyMap<string, ZipEntry> {
    const damaged = (): never => refuse(say`is damaged`);
    const read = (position: number, length: number): Uint8Array => {
        if (position < 0 || position + length > file.size) damaged();
        const bytes = new Uint8Array(length);
        let got = 0;
        for (let more = 1; more > 0 && got < length; got += more) more = file.readAt(bytes.subarray(got), position + got);
        return got === length ? bytes : damaged();
    };
    const { count, length, offset } = endOf(file, read, refuse);
    if (count > MOST_ENTRIES) return refuse(say`holds ${countText(count)} files; at most ${countText(MOST_ENTRIES)} are read`);
    const directory = read(offset, length);
    const view = viewOf(directory);
    const entries = new Map<string, ZipEntry>();
    for (let i = 0, from = 0; i < count; i++) {
        if (from + DIRECTORY_SIZE > length || view.getUint32(from, true) !== DIRECTORY) return damaged();
        const [flags = 0, method = 0] = [8, 10].map(part => view.getUint16(from + part, true));
        const [crc = 0, ...numbers] = [16, 20, 24, 42].map(part => view.getUint32(from + part, true));
        const [nameLength = 0, extraLength = 0, comment = 0] = [28, 30, 32].map(part => view.getUint16(from + part, true));
        const next = from + DIRECTORY_SIZE + nameLength + extraLength;
        if (next > length) return damaged();
        const name = new TextDecoder().decode(directory.subarray(from + DIRECTORY_SIZE, next - extraLength));
        if ((flags & ENCRYPTED) !== 0 || entries.has(name)) return damaged();
        const [packedSize, size, start] = withLarge(numbers, directory.subarray(next - extraLength, next));
        const packed = function* (): Iterable<Uint8Array> {
            const local = viewOf(read(start, LOCAL_SIZE));
            if (local.getUint32(0, true) !== LOCAL) damaged();
            const first = start + LOCAL_SIZE + local.getUint16(26, true) + local.getUint16(28, true);
            for (let at = 0; at < packedSize; at += PIECE) yield read(first + at, Math.min(PIECE, packedSize - at));
        };
        entries.set(name, { name, packed, method, crc, size, packedSize });
        from = next + comment;
    }
    return entries;
}

/** How many files there are, and where their directory is. */
function endOf(file: ArchiveBytes, read: (position: number, length: number) => Uint8Array, refuse: Refuse) {
    // A comment of up to so many bytes may follow.
    const tailAt = Math.max(0, file.size - END_SIZE - MOST_16);
    const tail = viewOf(read(tailAt, file.size - tailAt));
    let at = tail.byteLength - END_SIZE;
    while (at >= 0 && tail.getUint32(at, true) !== END) at--;
    if (at < 0) return refuse(say`is no Excel workbook (.xlsx), or the end of it is missing`);
    const count = tail.getUint16(at + 10, true);
    const [length, offset] = [tail.getUint32(at + 12, true), tail.getUint32(at + 16, true)];
    const locator = at - LOCATOR_64_SIZE;
    const isLarge = count === MOST_16 || length === MOST_32 || offset === MOST_32;
    if (!isLarge || locator < 0 || tail.getUint32(locator, true) !== LOCATOR_64) return { count, length, offset };
    const end = viewOf(read(largeNumber(tail, locator + 8), END_64_SIZE));
    if (end.getUint32(0, true) !== END_64) return refuse(say`is damaged`);
    return { count: largeNumber(end, 32), length: largeNumber(end, 40), offset: largeNumber(end, 48) };
}

/** The packed size, the size and the place of a file: those that 32 bits do not hold stand in its extra field. */
function withLarge(numbers: readonly number[], extra: Uint8Array): readonly [number, number, number] {
    const view = viewOf(extra);
    const large: number[] = [];
    for (let at = 0; at + 4 <= extra.length; at += 4 + view.getUint16(at + 2, true)) {
        if (view.getUint16(at, true) !== 1) continue;
        const end = Math.min(extra.length, at + 4 + view.getUint16(at + 2, true));
        for (let part = at + 4; part + 8 <= end; part += 8) large.push(largeNumber(view, part));
    }
    // They stand in another order there: the size comes first.
    const [packed = 0, whole = 0, start = 0] = numbers;
    const size = whole === MOST_32 ? (large.shift() ?? whole) : whole;
    const packedSize = packed === MOST_32 ? (large.shift() ?? packed) : packed;
    return [packedSize, size, start === MOST_32 ? (large.shift() ?? start) : start];
}

function largeNumber(view: DataView, at: number): number {
    return Number(view.getBigUint64(at, true));
}

/** The bytes of a file of an archive, piece by piece; what is damaged, or made to fill memory, is refused. */
export function* piecesOf({ name, method, size, packedSize, crc, packed }: ZipEntry, refuse: Refuse): Iterable<Uint8Array> {
    const damaged = (): never => refuse(say`holds '${name}', which is damaged`);
    if (size > RATIO_FROM && size > packedSize * RATIO_LIMIT) {
        const sizes = say`${countText(packedSize)} bytes unpack to ${countText(size)}`;
        const reason = say`holds '${name}', whose ${sizes}: more than ${RATIO_LIMIT} times as many, as in files that are made to fill memory`;
        return refuse(reason);
    }
    if (method !== STORED && method !== DEFLATED) return refuse(say`holds '${name}', which is packed in a way that is not read`);
    const unpacked: Uint8Array[] = [];
    const inflate = method === DEFLATED ? new Inflate({ raw: true }) : undefined;
    if (inflate) {
        inflate.onData = piece => void unpacked.push(piece);
        inflate.onEnd = () => undefined;
    }
    let given = 0;
    let sum = 0;
    for (const bytes of packed()) {
        if (inflate) inflate.push(bytes, FLUSH);
        else unpacked.push(bytes);
        if (inflate && inflate.err !== 0) return damaged();
        for (const piece of unpacked.splice(0)) {
            given += piece.length;
            // What is longer than the directory says ends here.
            if (given > size) return damaged();
            sum = crc32(piece, sum);
            yield piece;
        }
    }
    if (given !== size || sum !== crc) damaged();
}

/** All bytes of a small file of an archive. */
export function wholeFile(entry: ZipEntry, most: number, refuse: Refuse): Uint8Array {
    if (entry.size > most) {
        const reason = say`holds '${entry.name}', which has ${countText(entry.size)} bytes; at most ${countText(most)} are read`;
        return refuse(reason);
    }
    return joinedBytes([...piecesOf(entry, refuse)]);
}

/** A file that stands in an archive as it does in another, or one with other bytes. */
export type WrittenEntry = ZipEntry | { readonly name: string; readonly bytes: Uint8Array };

/** The bytes of an archive with these files. */
export function zipBytes(entries: Iterable<WrittenEntry>): Uint8Array {
    const pieces: Uint8Array[] = [];
    const directory: Uint8Array[] = [];
    let offset = 0;
    const put = (bytes: Uint8Array): void => {
        pieces.push(bytes);
        offset += bytes.length;
    };
    for (const entry of entries) {
        const { name, method, crc, size, packed } =
            'bytes' in entry ? deflated(entry) : { ...entry, packed: joinedBytes([...entry.packed()]) };
        const title = new TextEncoder().encode(name);
        const header = new DataView(new ArrayBuffer(DIRECTORY_SIZE));
        for (const [at, value] of [
            [0, DIRECTORY],
            [16, crc],
            [20, packed.length],
            [24, size],
            [42, offset],
        ] as const)
            header.setUint32(at, value, true);
        // Version 2.0, at the first moment that the format knows.
        for (const [at, value] of [
            [4, 20],
            [6, 20],
            [8, NAMES_ARE_UTF8],
            [10, method],
            [14, 0x21],
            [28, title.length],
        ] as const)
            header.setUint16(at, value, true);
        const local = new Uint8Array(LOCAL_SIZE);
        new DataView(local.buffer).setUint32(0, LOCAL, true);
        local.set(new Uint8Array(header.buffer, 6, 24), 4);
        put(local);
        put(title);
        put(packed);
        directory.push(new Uint8Array(header.buffer), title);
    }
    const start = offset;
    for (const part of directory) put(part);
    const end = new DataView(new ArrayBuffer(END_SIZE));
    end.setUint32(0, END, true);
    end.setUint16(8, directory.length / 2, true);
    end.setUint16(10, directory.length / 2, true);
    end.setUint32(12, offset - start, true);
    end.setUint32(16, start, true);
    put(new Uint8Array(end.buffer));
    return joinedBytes(pieces);
}

function deflated({ name, bytes }: { readonly name: string; readonly bytes: Uint8Array }) {
    return { name, method: DEFLATED, crc: crc32(bytes), size: bytes.length, packed: deflateRawSync(bytes, { level: 6 }) };
}

function viewOf(bytes: Uint8Array): DataView {
    return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
