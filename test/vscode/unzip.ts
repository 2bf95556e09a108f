import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inflateRawSync } from 'node:zlib';

const END = 0x06054b50;
const DEFLATED = 8;

/** Unpacks the files of an archive below a prefix into a folder. Reads what vsce writes, not every archive. */
export function unzip(archive: string, prefix: string, folder: string): void {
    const bytes = readFileSync(archive);
    let end = bytes.length - 22;
    while (end >= 0 && bytes.readUInt32LE(end) !== END) end--;
    let at = bytes.readUInt32LE(end + 16);
    for (let entries = bytes.readUInt16LE(end + 10); entries > 0; entries--) {
        const [method, packed, local] = [bytes.readUInt16LE(at + 10), bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 42)];
        const [nameLength, extra, comment] = [bytes.readUInt16LE(at + 28), bytes.readUInt16LE(at + 30), bytes.readUInt16LE(at + 32)];
        const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
        at += 46 + nameLength + extra + comment;
        if (!name.startsWith(prefix) || name.endsWith('/')) continue;
        const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
        const content = bytes.subarray(start, start + packed);
        const target = join(folder, name.slice(prefix.length));
        mkdirSync(dirname(target), { recursive: true });
        writeFileSync(target, method === DEFLATED ? inflateRawSync(content) : content);
    }
}
