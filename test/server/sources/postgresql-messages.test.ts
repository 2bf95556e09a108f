import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { rowTexts } from '#server/sources/databases/data-rows.ts';
import { ServerMessages } from '#server/sources/databases/postgresql-messages.ts';
import { fc } from '../../support/fast-check.ts';

type Row = readonly (string | null)[];

function message(sign: string, body: Uint8Array): Buffer {
    const bytes = Buffer.alloc(5 + body.length);
    bytes.write(sign);
    bytes.writeUInt32BE(body.length + 4, 1);
    bytes.set(body, 5);
    return bytes;
}

function rowMessage(row: Row): Buffer {
    const cells = row.map(text => {
        const bytes = Buffer.from(text ?? '');
        const length = Buffer.alloc(4);
        length.writeInt32BE(text === null ? -1 : bytes.length);
        return Buffer.concat([length, bytes]);
    });
    return message('D', Buffer.concat([Buffer.from([row.length >> 8, row.length & 0xff]), ...cells]));
}

/** A driver, and what stands before it. */
function attached() {
    const stream = new PassThrough();
    const driver: Buffer[] = [];
    stream.on('data', (bytes: Uint8Array) => driver.push(Buffer.from(bytes)));
    const messages = new ServerMessages();
    messages.attach(stream);
    const end = new Promise<unknown>(resolve => stream.on('error', resolve).on('end', () => resolve(undefined)));
    return { stream, driver, messages, end };
}

const rows = fc.array(
    fc.option(
        fc.oneof(
            fc.string({ unit: 'binary' }),
            fc.nat(400_000).map(length => 'x'.repeat(length)),
        ),
    ),
    { maxLength: 5 },
);
const others = fc.tuple(fc.constantFrom('C', 'N', 'S', 'Z', '2'), fc.uint8Array({ maxLength: 3000 }));

test('rows and other messages arrive whole, however they were cut on the way', async () => {
    await fc.assert(
        fc.asyncProperty(
            fc.array(fc.oneof(rows, others)),
            fc.array(fc.nat(70_000), { minLength: 1 }),
            fc.boolean(),
            async (sent, cuts, areRead) => {
                const isRow = (part: Row | readonly [string, Uint8Array]): part is Row => !(part[1] instanceof Uint8Array);
                const parts = sent.map(part => ({ part, bytes: isRow(part) ? rowMessage(part) : message(...part) }));
                const { stream, driver, messages, end } = attached();
                const read: Row[] = [];
                if (areRead) messages.rows = rowTexts(row => read.push(row));
                const all = Buffer.concat(parts.map(({ bytes }) => bytes));
                for (let at = 0, i = 0; at < all.length; i++) {
                    const next = at + 1 + (cuts[i % cuts.length] ?? 0);
                    stream.write(all.subarray(at, next));
                    at = next;
                }
                stream.end();
                expect(await end).toBeUndefined();
                const given = areRead ? parts.filter(({ part }) => !isRow(part)) : parts;
                expect(Buffer.concat(driver).equals(Buffer.concat(given.map(({ bytes }) => bytes)))).toBe(true);
                expect(read).toEqual(areRead ? sent.filter(isRow) : []);
            },
        ),
        { numRuns: 60 },
    );
});

test.each([
    ['a message of no length', Buffer.from([0x43, 0, 0, 0, 3, 0]), false],
    ['a row that ends before its cells', message('D', Buffer.from([0, 2, 0, 0, 0, 1, 0x61])), true],
    ['a cell that is longer than its row', message('D', Buffer.from([0, 1, 0x7f, 0xff, 0xff, 0xff])), true],
])('%s breaks the connection off', async (_, bytes, areRead) => {
    const { stream, messages, end } = attached();
    if (areRead) messages.rows = rowTexts(() => undefined);
    stream.write(bytes);
    expect(await end).toBeInstanceOf(SyntaxError);
});
