import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { zipBytes } from '#server/sources/excel/zip.ts';
import { folderWith } from '../../../cli/command-line.ts';
import { workbookOf, workbookParts, zipOf } from '../../../support/workbook.ts';
import { bindTo, mixed, rowsIn, saidOf } from './files.ts';

async function saidOfBytes(bytes: Uint8Array | string): Promise<string> {
    const folder = folderWith({});
    writeFileSync(join(folder, 'x.xlsx'), bytes);
    return saidOf(folder, bindTo());
}

const FINE = workbookOf({ S: [['a', 1]] });
const COMPOUND = Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1);

/** A workbook whose sheet has this many letters in one text, packed, and says so or something else. */
function bomb(letters: number, size?: number): Uint8Array {
    const parts = workbookParts({ S: `<x:row><x:c t="str"><x:v>${'x'.repeat(letters)}</x:v></x:c></x:row>` });
    const name = 'book/sheet 0.xml';
    const bytes = Buffer.from(parts[name] ?? '');
    const packed = deflateRawSync(bytes);
    const entry = { name, packed: () => [packed], method: 8, crc: crc32(bytes), size: size ?? bytes.length, packedSize: packed.length };
    const others = Object.entries(parts).filter(([part]) => part !== name);
    return zipBytes([...others.map(([part, text]) => ({ name: part, bytes: Buffer.from(text) })), entry]);
}

function without(part: string): Uint8Array {
    return zipOf(Object.fromEntries(Object.entries(workbookParts({ S: [['a', 1]] })).filter(([name]) => name !== part)));
}

function changed(at: number, value: number): Uint8Array {
    const bytes = Buffer.from(FINE);
    bytes[at] = value;
    return bytes;
}

/** Where the end of the archive stands. */
const END = FINE.length - 22;

describe('files that are no workbooks', () => {
    test.each<[string, Uint8Array | string, string]>([
        ['nothing', '', 'is no Excel workbook (.xlsx), or the end of it is missing'],
        ['text', 'a,b\n1,2\n', 'is no Excel workbook (.xlsx), or the end of it is missing'],
        ['another archive', zipOf({ 'a.txt': 'x' }), 'is no Excel workbook (.xlsx)'],
        [
            'a workbook before 2007',
            Buffer.concat([COMPOUND, Buffer.alloc(600)]),
            'is a workbook of Excel before 2007 (.xls): save it as .xlsx',
        ],
        [
            'one that a password keeps, without its streams',
            Buffer.concat([COMPOUND, Buffer.alloc(600), Buffer.from('EncryptedPackage', 'utf16le')]),
            'is damaged',
        ],
        ['a half', FINE.subarray(0, FINE.length / 2), 'is no Excel workbook (.xlsx), or the end of it is missing'],
        ['one without its beginning', FINE.subarray(100), 'is damaged'],
        ['a directory that is elsewhere', changed(END + 16, 0xff), 'is damaged'],
        ['a directory that is longer', changed(END + 13, 0xff), 'is damaged'],
        ['fewer files than it says', changed(END + 10, 99), 'is damaged'],
        ['a workbook without its sheet', without('book/sheet 0.xml'), "has no part 'book/sheet 0.xml'"],
        ['a workbook without its list of sheets', without('book/w.xml'), "has no part 'book/w.xml'"],
        ['a workbook that names no sheet', without('book/_rels/w.xml.rels'), 'has no sheet'],
        [
            'a workbook in another encoding',
            zipOf({ ...workbookParts({ S: [['a', 1]] }), 'book/w.xml': Uint8Array.of(0xff, 0xfe, 0x3c, 0) }),
            'not in UTF-8',
        ],
    ])('%s', async (_, bytes, said) => {
        expect(await saidOfBytes(bytes)).toContain(`RT064 'x.xlsx' `);
        expect(await saidOfBytes(bytes)).toContain(said);
    });

    test('document types, and what they declare, are refused', async () => {
        const parts = workbookParts({ S: [['a', 1]] });
        const laughs = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('');
        const sheet = `<!DOCTYPE x [<!ENTITY l0 "lol">${laughs}]>${parts['book/sheet 0.xml']}`;
        expect(await saidOfBytes(zipOf({ ...parts, 'book/sheet 0.xml': sheet }))).toContain('declares a document type');
    });
});

describe('files that are made to fill memory', () => {
    test('a part that unpacks to very much', async () => {
        expect(await saidOfBytes(bomb(40_000_000))).toMatch(
            /holds 'book\/sheet 0\.xml', whose [\d,]+ bytes unpack to 40,000,\d{3}: more than 200 times as many/u,
        );
    });

    test('a part that unpacks to more than it says', async () => {
        expect(await saidOfBytes(bomb(40_000_000, 1000))).toContain("holds 'book/sheet 0.xml', which is damaged");
    });

    test('a text that is longer than any', async () => {
        const noise = Buffer.from(Array.from({ length: 200_000 }, (_, i) => (i * 2_654_435_761).toString(36)).join(''));
        const text = Buffer.concat(Array.from({ length: 12 }, () => noise)).toString();
        const parts = workbookParts({ S: `<x:row><x:c t="str"><x:v>${text}</x:v></x:c></x:row>` });
        expect(await saidOfBytes(zipOf(parts))).toContain("holds 'book/sheet 0.xml', which has a text of more than 16 MiB");
    });

    test('one file too many', async () => {
        const files = Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`f${i}`, '']));
        expect(await saidOfBytes(zipOf({ ...workbookParts({ S: [['a', 1]] }), ...files }))).toMatch(
            /holds 10,\d{3} files; at most 10,000 are read/u,
        );
    });
});

test('whatever byte is another, the workbook is read or refused in words', async () => {
    const bytes = readFileSync(join(import.meta.dirname, 'workbooks/people.xlsx'));
    const folder = folderWith({});
    let refused = 0;
    for (let at = 0; at < bytes.length; at += 61) {
        const copy = Buffer.from(bytes);
        copy[at] = (copy[at] ?? 0) ^ (1 << (at % 8));
        writeFileSync(join(folder, 'x.xlsx'), copy);
        const said = await saidOf(folder, bindTo(), mixed(9));
        if (said.startsWith('RT064')) refused++;
        else expect(said).toBe('fine ');
    }
    expect(refused).toBeGreaterThan(10);
});

test('large numbers stand behind the names of files', async () => {
    // As programs write archives whose size they do not know beforehand.
    const folder = folderWith({});
    writeFileSync(join(folder, 'x.xlsx'), withLargeNumbers(workbookOf({ S: [['a', 1]] })));
    expect(await rowsIn(folder, bindTo(), mixed(2))).toEqual(['"a",1']);
});

/** The archive with its sizes and places in extra fields of 64 bits, and the place of its directory likewise. */
function withLargeNumbers(bytes: Uint8Array): Uint8Array {
    const old = Buffer.from(bytes);
    const end = old.length - 22;
    const [count, start] = [old.readUInt16LE(end + 10), old.readUInt32LE(end + 16)];
    const pieces: Buffer[] = [old.subarray(0, start)];
    for (let i = 0, at = start; i < count; i++) {
        const nameLength = old.readUInt16LE(at + 28);
        const entry = Buffer.from(old.subarray(at, at + 46 + nameLength));
        const extra = Buffer.alloc(28);
        extra.writeUInt16LE(1, 0);
        extra.writeUInt16LE(24, 2);
        for (const [i, from] of [24, 20, 42].entries()) {
            extra.writeBigUInt64LE(BigInt(entry.readUInt32LE(from)), 4 + 8 * i);
            entry.writeUInt32LE(0xffff_ffff, from);
        }
        entry.writeUInt16LE(28, 30);
        pieces.push(entry, extra);
        at += 46 + nameLength;
    }
    const length = Buffer.concat(pieces).length - start;
    const large = Buffer.alloc(56);
    large.writeUInt32LE(0x06064b50, 0);
    large.writeBigUInt64LE(44n, 4);
    for (const [at, value] of [
        [24, count],
        [32, count],
        [40, length],
        [48, start],
    ] as const)
        large.writeBigUInt64LE(BigInt(value), at);
    const locator = Buffer.alloc(20);
    locator.writeUInt32LE(0x07064b50, 0);
    locator.writeBigUInt64LE(BigInt(start + length), 8);
    const last = Buffer.from(old.subarray(end));
    last.fill(0xff, 8, 20);
    return Buffer.concat([...pieces, large, locator, last]);
}
