import { gzipSync } from 'node:zlib';
import { Zstd } from '@hpcc-js/wasm-zstd';
import { beforeAll, describe, expect, test } from 'vitest';
import { RunStopped } from '#engine/reports/reports.ts';
import { type Packing, packingOf } from '#engine/sources/packing.ts';
import { unpackedBytes } from '#engine/sources/unpacked-bytes.ts';
import { fc } from '../../support/fast-check.ts';

let zstd: Zstd;
beforeAll(async () => {
    zstd = await Zstd.load();
});

const PACK: Readonly<Record<Packing, (bytes: Uint8Array) => Uint8Array>> = {
    gzip: bytes => gzipSync(bytes),
    zstd: bytes => zstd.compress(bytes),
};

/** What `packed` unpacks to, read in pieces of `size` bytes; or why it does not. */
function unpacked(packed: Uint8Array, packing: Packing, { size = 1 << 16, isFront = false, most = 2 ** 32 } = {}): Uint8Array | string {
    let at = 0;
    const bytes = {
        read: (into: Uint8Array): number => {
            const taken = packed.subarray(at, at + into.length);
            into.set(taken);
            at += taken.length;
            return taken.length;
        },
    };
    try {
        const reader = unpackedBytes(bytes, packing, { file: 'x', context: {}, isFront });
        const pieces: Uint8Array[] = [];
        let length = 0;
        const into = new Uint8Array(size);
        for (let got = reader.read(into); got > 0; got = reader.read(into)) {
            length += got;
            if (length <= most) pieces.push(into.slice(0, got));
        }
        return Buffer.concat(pieces);
    } catch (error) {
        if (error instanceof RunStopped) return error.message;
        throw error;
    }
}

const joined = (...parts: readonly Uint8Array[]): Uint8Array => Buffer.concat(parts);
const text = (words: string): Uint8Array => new TextEncoder().encode(words);

describe.each(['gzip', 'zstd'] as const)('%s', packing => {
    const pack = (bytes: Uint8Array): Uint8Array => PACK[packing](bytes);

    test('gives the bytes that were packed, in whatever pieces, however they are read', () => {
        const pieces = fc.array(fc.uint8Array({ maxLength: 3000 }), { minLength: 1, maxLength: 5 });
        fc.assert(
            fc.property(pieces, fc.integer({ min: 1, max: 4000 }), (parts, size) => {
                const found = unpacked(joined(...parts.map(pack)), packing, { size });
                expect(Buffer.compare(Buffer.from(found), joined(...parts))).toBe(0);
            }),
            { numRuns: 60 },
        );
    });

    test('many pieces whose ends fall anywhere in what is read at a time', () => {
        const lines = Array.from({ length: 3000 }, (_, i) => text(`line ${i} ${'x'.repeat(i % 97)}\n`));
        const found = unpacked(joined(...lines.map(pack)), packing);
        expect(Buffer.from(found).toString()).toBe(joined(...lines).toString());
    });

    test('large texts', () => {
        const long = text(Array.from({ length: 60_000 }, (_, i) => `${i},${(i * 7919) % 104_729}\n`).join(''));
        expect(Buffer.compare(Buffer.from(unpacked(pack(long), packing)), long)).toBe(0);
    });

    test('wherever a file is cut off, that is told, but not of a front', () => {
        const whole = text(Array.from({ length: 500 }, (_, i) => `${i},${(i * 7919) % 104_729}\n`).join(''));
        const packed = pack(whole);
        for (let length = 1; length < packed.length; length += 13) {
            expect(unpacked(packed.subarray(0, length), packing)).toBe(
                `'x' ends within its ${packing} data: a part of the file is missing`,
            );
            const front = unpacked(packed.subarray(0, length), packing, { isFront: true });
            expect(joined(whole).toString().startsWith(Buffer.from(front).toString())).toBe(true);
        }
    });

    test('what is not packed, or packed otherwise, is told with a way out', () => {
        const remedy = /^'x' cannot be unpacked as \w+: .*; compression='none' reads a file that is not packed$/u;
        expect(unpacked(text('a,b\n1,2\n'.repeat(100)), packing)).toMatch(remedy);
        expect(unpacked(PACK[packing === 'gzip' ? 'zstd' : 'gzip'](text('a,b\n'.repeat(100))), packing)).toMatch(remedy);
    });

    test('any byte that is another one ends in words or in bytes, never otherwise', () => {
        const packed = pack(text(Array.from({ length: 300 }, (_, i) => `${i},${(i * 7919) % 104_729}\n`).join('')));
        for (let at = 0; at < packed.length; at++) {
            const other = packed.slice();
            other[at] = (other[at] ?? 0) ^ (1 << (at % 8));
            const found = unpacked(other, packing);
            if (typeof found === 'string') expect(found).toMatch(/^'x' (?:cannot be unpacked|ends within)/u);
        }
    });

    test('a file that is made to fill memory ends soon', () => {
        const bomb = pack(new Uint8Array(2 ** 25));
        expect(unpacked(bomb, packing, { most: 0 })).toMatch(/^'x' holds more than 200 times its size/u);
    });

    test('a small file may be packed as tightly as it likes', () => {
        expect(unpacked(pack(new Uint8Array(2 ** 23)), packing)).toHaveLength(2 ** 23);
    });
});

test('zeros may fill the end of a gzip file', () => {
    expect(Buffer.from(unpacked(joined(gzipSync('a'), new Uint8Array(40_000)), 'gzip')).toString()).toBe('a');
});

test.each([
    [undefined, 'a.csv', undefined],
    [undefined, 'a.csv.gz', 'gzip'],
    [undefined, 'A.CSV.GZ', 'gzip'],
    [undefined, 'a.csv.zst', 'zstd'],
    ['none', 'a.csv.gz', undefined],
    [' GZIP ', 'a.csv', 'gzip'],
    ['zstd', 'a.csv.gz', 'zstd'],
])('compression=%s of %s is %s', (word, file, packing) => {
    expect(packingOf(word, file, () => expect.fail('known'))).toBe(packing);
});

test('another word is refused', () => {
    expect(() =>
        packingOf('brotli', 'a.csv', () => {
            throw new Error('unknown');
        }),
    ).toThrow('unknown');
});
