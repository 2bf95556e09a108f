import { describe, expect, test } from 'vitest';
import { nullNames, OrderedWriter, orderedValueJson } from '#server/store/ordered-value.ts';
import { fc } from '../../support/fast-check.ts';

type Value =
    | { readonly kind: 'boolean'; readonly value: boolean }
    | { readonly kind: 'integer'; readonly value: bigint }
    | { readonly kind: 'double'; readonly value: number }
    | { readonly kind: 'date'; readonly value: number }
    | { readonly kind: 'timestamp'; readonly value: bigint }
    | { readonly kind: 'string'; readonly value: string }
    | { readonly kind: 'list' | 'set' | 'struct'; readonly members: readonly Value[] }
    | { readonly kind: 'null'; readonly value: number }
    | { readonly kind: 'missing' };

function write(value: Value, writer: OrderedWriter): void {
    if ('members' in value) {
        writer.begin(value.kind);
        for (const member of value.members) write(member, writer);
        writer.end();
    } else if (value.kind === 'boolean') writer.boolean(value.value);
    else if (value.kind === 'integer') writer.integer(value.value);
    else if (value.kind === 'double') writer.double(value.value);
    else if (value.kind === 'date') writer.date(value.value);
    else if (value.kind === 'timestamp') writer.timestamp(value.value);
    else if (value.kind === 'string') writer.string(new TextEncoder().encode(value.value));
    else if (value.kind === 'null') writer.null(value.value);
    else writer.missing();
}

function bytesOf(value: Value): Uint8Array {
    const writer = new OrderedWriter();
    write(value, writer);
    return writer.taken();
}

const json = (value: Value): string => orderedValueJson(bytesOf(value), nullNames());
const compare = (a: Value, b: Value): number => Math.sign(Buffer.compare(bytesOf(a), bytesOf(b)));

const text = fc.string({ unit: 'binary', maxLength: 8 });
const integer = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const scalar: fc.Arbitrary<Value> = fc.oneof(
    fc.boolean().map(value => ({ kind: 'boolean', value }) as const),
    fc.oneof(integer, fc.bigInt({ min: -5n, max: 5n })).map(value => ({ kind: 'integer', value }) as const),
    fc.date({ noInvalidDate: true }).map(date => ({ kind: 'timestamp', value: BigInt(date.getTime()) * 1000n + 1n }) as const),
    text.map(value => ({ kind: 'string', value }) as const),
    fc.nat(3).map(value => ({ kind: 'null', value }) as const),
    fc.constant({ kind: 'missing' } as const),
);
const value: fc.Arbitrary<Value> = fc.oneof(
    scalar,
    fc.record({ kind: fc.constantFrom('list', 'set'), members: fc.array(scalar, { maxLength: 4 }) }) as fc.Arbitrary<Value>,
);

const RANKS = ['boolean', 'number', 'time', 'string', 'list', 'set', 'struct', 'null', 'missing'];

function rank({ kind }: Value): number {
    const group = kind === 'integer' || kind === 'double' ? 'number' : kind === 'date' || kind === 'timestamp' ? 'time' : kind;
    return RANKS.indexOf(group);
}

/** The order of values, said again. */
function order(a: Value, b: Value): number {
    if (rank(a) !== rank(b)) return Math.sign(rank(a) - rank(b));
    if ('members' in a && 'members' in b) {
        for (const [i, member] of a.members.entries()) {
            const other = b.members[i];
            if (other === undefined) return 1;
            const found = order(member, other);
            if (found !== 0) return found;
        }
        return a.members.length < b.members.length ? -1 : 0;
    }
    if (a.kind === 'string' && b.kind === 'string') {
        const [left, right] = [[...a.value].map(codePoint), [...b.value].map(codePoint)];
        const at = left.findIndex((point, i) => point !== right[i]);
        if (at < 0) return left.length < right.length ? -1 : 0;
        return right[at] === undefined || (left[at] ?? 0) > right[at] ? 1 : -1;
    }
    if (!('value' in a) || !('value' in b)) return 0;
    return a.value < b.value ? -1 : a.value > b.value ? 1 : 0;
}

const codePoint = (character: string): number => character.codePointAt(0) ?? 0;

describe('bytes of values', () => {
    test('are ordered as the values are', () => {
        fc.assert(fc.property(value, value, (a, b) => compare(a, b) === order(a, b)));
    });

    test('order integers and doubles by what they are', () => {
        const double = fc.double({ noNaN: true });
        fc.assert(
            fc.property(integer, double, (a, b) => {
                const found = compare({ kind: 'integer', value: a }, { kind: 'double', value: b });
                return a === (Number.isInteger(b) ? BigInt(b) : undefined) ? true : found === (a < b ? -1 : 1);
            }),
        );
        fc.assert(
            fc.property(
                double,
                double,
                (a, b) => compare({ kind: 'double', value: a }, { kind: 'double', value: b }) === (a < b ? -1 : a > b ? 1 : 0),
            ),
        );
    });

    test('hold every text', () => {
        fc.assert(fc.property(text, one => JSON.parse(json({ kind: 'string', value: one })) === one));
        const withZeros = fc.array(fc.constantFrom('\0', '\u00ff', 'a'), { maxLength: 6 }).map(parts => parts.join(''));
        fc.assert(fc.property(withZeros, one => JSON.parse(json({ kind: 'list', members: [{ kind: 'string', value: one }] }))[0] === one));
    });

    test('hold every integer, beyond 2^53 - 1 as text', () => {
        fc.assert(fc.property(integer, one => BigInt(JSON.parse(json({ kind: 'integer', value: one }))) === one));
        expect(json({ kind: 'integer', value: 2n ** 53n - 1n })).toBe('9007199254740991');
        expect(json({ kind: 'integer', value: 2n ** 53n })).toBe('"9007199254740992"');
        expect(json({ kind: 'integer', value: -(2n ** 63n) })).toBe('"-9223372036854775808"');
    });

    test('hold every double', () => {
        fc.assert(
            fc.property(
                fc.double({ noNaN: true, noDefaultInfinity: true }),
                one => JSON.parse(json({ kind: 'double', value: one })) === one + 0,
            ),
        );
        expect([Number.NaN, Infinity, -Infinity, 0.1, 3].map(one => json({ kind: 'double', value: one }))).toEqual([
            '"NaN"',
            '"Infinity"',
            '"-Infinity"',
            '0.1',
            '3.0',
        ]);
    });

    test('hold times, collections and nulls', () => {
        const values: Value[] = [
            { kind: 'date', value: 19_844 },
            { kind: 'date', value: -1 },
            { kind: 'timestamp', value: 36_000_000_000n },
            { kind: 'timestamp', value: -1n },
            { kind: 'missing' },
            { kind: 'null', value: 7 },
            {
                kind: 'struct',
                members: [
                    { kind: 'string', value: 'a' },
                    {
                        kind: 'list',
                        members: [
                            { kind: 'null', value: 9 },
                            { kind: 'null', value: 7 },
                            { kind: 'set', members: [] },
                        ],
                    },
                ],
            },
        ];
        const name = nullNames();
        expect(values.map(one => orderedValueJson(bytesOf(one), name))).toEqual([
            '"2024-05-01"',
            '"1969-12-31"',
            '"1970-01-01T10:00:00"',
            '"1969-12-31T23:59:59.999999"',
            'null',
            '"_:n1"',
            '{"a":["_:n2","_:n1",[]]}',
        ]);
    });
});
