import { describe, expect, test, vi } from 'vitest';
import { grownDoubles, grownInts, grownLength, Memory, unlimitedMemory } from '#engine/values/memory.ts';

const LARGE = 1 << 17;

function counted(): Memory {
    return new Memory(
        1 << 30,
        () => 0,
        () => {
            throw new Error('full');
        },
    );
}

describe('an array that grows', () => {
    test.each([10, LARGE])('keeps its %i entries and has zeros behind them', length => {
        const memory = unlimitedMemory();
        const before = Int32Array.from({ length }, (_, i) => i - 5);
        const ints = grownInts(memory, before, length + 70_000);
        expect(ints).toHaveLength(length + 70_000);
        expect(Buffer.compare(new Uint8Array(ints.buffer, ints.byteOffset, 4 * length), new Uint8Array(before.buffer))).toBe(0);
        expect(ints.subarray(length).every(entry => entry === 0)).toBe(true);
        const doubles = grownDoubles(
            memory,
            Float64Array.from(before, entry => entry / 4),
            length + 70_000,
        );
        expect([doubles[0], doubles[length - 1], doubles[length]]).toEqual([-1.25, (length - 6) / 4, 0]);
    });

    test('stays where it is once it is large, and can be read by its earlier views', () => {
        const memory = unlimitedMemory();
        const first = grownInts(memory, Int32Array.of(1, 2, 3), LARGE);
        const second = grownInts(memory, first, 3 * LARGE);
        second[LARGE - 1] = 7;
        second[3 * LARGE - 1] = 8;
        expect([first.length, first[2], first[LARGE - 1]]).toEqual([LARGE, 3, 7]);
        const third = grownInts(memory, second, 3 * LARGE + 1);
        expect([third[0], third[3 * LARGE - 1], third[3 * LARGE]]).toEqual([1, 8, 0]);
    });

    test('is counted with what it holds, and twice only where it is copied', () => {
        const memory = counted();
        memory.reserve(40);
        const small = grownInts(memory, new Int32Array(10), 20);
        expect([memory.held, memory.peak]).toEqual([80, 120]);
        const large = grownInts(memory, small, LARGE);
        expect([memory.held, memory.peak]).toEqual([4 * LARGE, 4 * LARGE + 80]);
        const larger = grownInts(memory, large, 2 * LARGE);
        expect([memory.held, memory.peak]).toEqual([8 * LARGE, 8 * LARGE]);
        memory.release(larger.byteLength);
        expect(memory.held).toBe(0);
    });

    test('does not grow beyond the limit', () => {
        const memory = counted();
        expect(() => grownInts(memory, new Int32Array(0), 1 << 28)).not.toThrow();
        expect(() => grownInts(memory, new Int32Array(0), 1)).toThrow('full');
    });

    test('doubles while it is copied, and then grows by a quarter', () => {
        const memory = unlimitedMemory();
        expect(grownLength(memory, 1000, 4)).toBe(2000);
        expect(grownLength(memory, LARGE, 4)).toBe(LARGE + LARGE / 4 + 1);
    });
});

test('arrays grow where the system grants no address space', async () => {
    class Refused {
        constructor() {
            throw new RangeError('could not allocate memory');
        }
    }
    vi.stubGlobal('WebAssembly', { Memory: Refused });
    vi.resetModules();
    const memories = await import('#engine/values/memory.ts');
    vi.unstubAllGlobals();
    const memory = memories.unlimitedMemory();
    const ints = memories.grownInts(memory, Int32Array.of(1, 2, 3), LARGE);
    const longer = memories.grownInts(memory, ints, memories.grownLength(memory, ints.length, 4));
    expect([ints.length, longer.length, longer[2], longer[LARGE]]).toEqual([LARGE, 2 * LARGE, 3, 0]);
    expect(longer.buffer).toBeInstanceOf(ArrayBuffer);
    expect(memory.held).toBe(8 * LARGE - 12);
});
