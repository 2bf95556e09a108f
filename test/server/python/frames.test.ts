import { expect, test } from 'vitest';
import { FrameReader, frameOf, NoFrame } from '#server/python/frames.ts';

function heard(pieces: readonly Buffer[]): unknown[] {
    const values: unknown[] = [];
    const reader = new FrameReader(value => values.push(value));
    for (const piece of pieces) reader.add(piece);
    return values;
}

const VALUES = [[['a', 1, null]], { end: { rows: 1 } }, 'ä'.repeat(1000)];
const BYTES = Buffer.concat(VALUES.map(frameOf));

test.each([1, 2, 3, 5, 1000, BYTES.length])('frames come whole from pieces of %i bytes', size => {
    const pieces = Array.from({ length: Math.ceil(BYTES.length / size) }, (_, i) => BYTES.subarray(i * size, (i + 1) * size));
    expect(heard(pieces)).toEqual(VALUES);
});

test('a frame that is not whole is not heard', () => {
    expect(heard([BYTES.subarray(0, -1)])).toEqual(VALUES.slice(0, 2));
});

test('other bytes are no frames', () => {
    expect(() => heard([Buffer.from('hello')])).toThrow(NoFrame);
    expect(() => heard([Buffer.from([0, 0, 0, 1, 0x7b])])).toThrow(NoFrame);
});
