import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { withBind } from '#extension/playground/page/data-bind.ts';
import { createProgramFiles } from '#extension/playground/page/program-files.ts';
import { fragmentOf, sharedIn } from '#extension/playground/page/shared-link.ts';
import { fc } from '../support/fast-check.ts';

const linkOf = (shared: unknown): string => `#code=${deflateRawSync(JSON.stringify(shared)).toString('base64url')}`;

describe('links', () => {
    test('have all of a program', async () => {
        const texts = fc.dictionary(fc.stringMatching(/^\/[a-z]{1,8}\.(?:csv|rulelang)$/u), fc.string({ unit: 'binary' }), { maxKeys: 3 });
        await fc.assert(
            fc.asyncProperty(texts, fc.string(), async (files, text) => {
                const shared = { program: '/main.rulelang', files: { ...files, '/main.rulelang': text } };
                const fragment = await fragmentOf(shared);
                expect(fragment).toMatch(/^#code=[\w-]*$/u);
                expect(await sharedIn(fragment)).toEqual(shared);
            }),
            { numRuns: 20 },
        );
    });

    test.each(['', '#', '#sample=news', '#other'])('there is none in %j', async fragment => {
        expect(await sharedIn(fragment)).toBeUndefined();
    });

    test.each([
        ['letters that are none', '#code=%%'],
        ['letters that unpack to nothing', '#code=abcd'],
        ['something else', linkOf([1])],
        ['a program that is not among the files', linkOf({ program: '/a.rulelang', files: {} })],
        ['a file that leads elsewhere', linkOf({ program: '/../a.rulelang', files: { '/../a.rulelang': '' } })],
        ['a file without a slash', linkOf({ program: 'a.rulelang', files: { 'a.rulelang': '' } })],
        ['more than there is', linkOf({ program: '/a.rulelang', files: { '/a.rulelang': '' }, run: true })],
        ['too much', linkOf({ program: '/a.rulelang', files: { '/a.rulelang': ' '.repeat(2 ** 24) } })],
    ])('refuse %s', async (_, fragment) => {
        await expect(sharedIn(fragment)).rejects.toThrow();
    });
});

test.each([
    ['', '@bind.\n'],
    ['p(1).', '@bind.\np(1).'],
    ['% About it.\n\np(1).\n', '% About it.\n\n@bind.\np(1).\n'],
    ['@bind("q").\np(1).\n@bind("r").\ns(1).', '@bind("q").\np(1).\n@bind("r").\n@bind.\ns(1).'],
])('a bind has its place in %j', (text, expected) => {
    expect(withBind(text, '@bind.')).toBe(expected);
});

test('files are texts as long as they are some, and programs come first', () => {
    const files = createProgramFiles();
    files.put('/a.csv', new TextEncoder().encode('é'));
    files.put('/b.rulelang', 'p(1).');
    files.put('/c.bin', Uint8Array.of(0xff, 0xfe));
    files.put('/d.txt', new Uint8Array(2 ** 20 + 1).fill(0x20));
    expect(files.paths()).toEqual(['/b.rulelang', '/a.csv', '/c.bin', '/d.txt']);
    expect(files.paths().map(files.text)).toEqual(['p(1).', 'é', undefined, undefined]);
    files.remove('/a.csv');
    expect(files.has('/a.csv')).toBe(false);
});
