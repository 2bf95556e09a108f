import { expect, test } from 'vitest';
import { StringStore, TEXT_SEED, textHash, textHashStep } from '#engine/values/string-store.ts';
import { fc } from '../../support/fast-check.ts';

function store(): StringStore {
    let count = 0;
    return new StringStore(() => count++);
}

/** Looks up all texts at once, as a reader does that has computed their hashes by words. */
function internAll(strings: StringStore, texts: readonly string[]): number[] {
    const encoded = texts.map(text => Buffer.from(text));
    const bytes = new Uint8Array(Buffer.concat([...encoded, new Uint8Array(4)]));
    const view = new DataView(bytes.buffer);
    const [starts, ids, hashes] = [new Int32Array(texts.length), new Int32Array(texts.length), new Int32Array(texts.length)];
    let start = 0;
    for (const [i, { length }] of encoded.entries()) {
        let hash = TEXT_SEED;
        for (let at = 0; at < length; at += 4) {
            let word = 0;
            for (let k = Math.min(3, length - at - 1); k >= 0; k--) word = (word << 8) | (bytes[start + at + k] ?? 0);
            hash = textHashStep(hash, word);
        }
        starts[i] = start;
        ids[i] = length;
        hashes[i] = textHash(hash, length);
        start += length;
    }
    strings.internAll(bytes, view, starts, ids, hashes, 0, texts.length);
    return Array.from(ids);
}

const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom('', '\0', '\0\0', 'a', 'a\0', 'abcd', 'abcd\0', 'abcdefgh', 'abcdefgi'),
);

test('texts looked up at once have the values of texts looked up one by one', () => {
    fc.assert(
        fc.property(fc.array(fc.array(text, { maxLength: 40 }), { maxLength: 8 }), groups => {
            const strings = store();
            const known = new Map<string, number>();
            for (const [i, group] of groups.entries()) {
                const ids =
                    i % 2 === 0
                        ? internAll(strings, group)
                        : group.map(one => strings.intern(Buffer.from(one), 0, Buffer.from(one).length));
                for (const [k, id] of ids.entries()) {
                    const one = group[k] ?? '';
                    expect(id).toBe(known.get(one) ?? known.size);
                    known.set(one, id);
                }
            }
        }),
    );
});

test('strings are found again through growth, and large ones too', () => {
    const strings = store();
    const texts = Array.from({ length: 60_000 }, (_, i) => (i % 1000 === 999 ? `${i} `.repeat(3000) : `string ${i * 7}`));
    for (let i = 0; i < texts.length; i += 500) {
        expect(internAll(strings, texts.slice(i, i + 500))).toEqual(Array.from({ length: 500 }, (_, k) => i + k));
    }
    for (const [i, one] of texts.entries()) {
        const bytes = Buffer.from(one);
        if (strings.intern(bytes, 0, bytes.length) !== i) expect.unreachable(one);
    }
});

test('an entry without start stays as it is', () => {
    const ids = Int32Array.of(77, 1);
    store().internAll(new Uint8Array(8), new DataView(new ArrayBuffer(8)), Int32Array.of(-1, 0), ids, new Int32Array(2), 0, 2);
    expect(Array.from(ids)).toEqual([77, 0]);
});
