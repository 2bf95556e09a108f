import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Secret } from '#server/secrets/secret.ts';
import { peekSource } from '#server/sources/connectors.ts';
import { compoundStreams } from '#server/sources/excel/compound-file.ts';
import { decryptedWorkbook } from '#server/sources/excel/decrypt-workbook.ts';
import { surveyFile } from '#server/sources/surveys/survey-file.ts';
import { folderWith } from '../../../cli/command-line.ts';
import { reportOf, rowsOf } from '../../../support/describe-source.ts';
import { accessTo, bindTo, mixed, numbers, rowsIn, saidOf, write } from './files.ts';

const WORKBOOKS = join(import.meta.dirname, 'workbooks');
const LOCKED = [
    ['agile', 'locked-agile.xlsx', 'öpen sesame'],
    ['standard', 'locked-standard.xlsx', 'open sesame'],
] as const;
const ENCRYPTION = Buffer.from('EncryptionInfo', 'utf16le');

class Refused extends Error {}
const refuse = (reason: string): never => {
    throw new Refused(reason);
};
const checkpoint = (): void => undefined;

function lockedFolder(file: string, change: (bytes: Buffer) => Buffer = bytes => bytes): string {
    const folder = folderWith({});
    writeFileSync(join(folder, 'x.xlsx'), change(readFileSync(join(WORKBOOKS, file))));
    return folder;
}

describe.each(LOCKED)('%s encryption', (_, file, password) => {
    test('the password of a bind opens the workbook, and no other one does', async () => {
        const folder = lockedFolder(file);
        const bind = bindTo(`useHeaders=true, password='${password}'`);
        expect(
            await rowsIn(
                folder,
                bind,
                ['name', 'age'].map((name, i) => ({ ...mixed(2)[i], name }) as never),
            ),
        ).toEqual(['"Ada",36', '"Bob",41']);
        expect((await peekSource(bind, accessTo(folder)))?.columns.map(({ name }) => name)).toEqual(['name', 'age']);
        expect(await saidOf(folder, bindTo("password='sesame'"))).toBe("RT064 'x.xlsx' is encrypted with another password");
        expect(await saidOf(folder, bindTo())).toBe("RT064 'x.xlsx' is encrypted; give its password");
        expect((await rowsIn(folder, bindTo(`password='${password}', dataAddress=Many`), mixed(2))).length).toBe(400);
    });

    test('a connection opens it, and its bind has no password', async () => {
        const folder = lockedFolder(file);
        const survey = (given: string) =>
            surveyFile(
                {
                    ...{ type: 'excel', counts: true, currentFolder: folder, folders: { read: [folder], write: [], denied: [] } },
                    source: { host: '', databaseName: 'x.xlsx', username: '', password: given },
                },
                'excel',
            );
        const { tables } = await survey(password);
        expect(tables.map(({ name, rows }) => [name, rows])).toEqual([
            ['People', 2],
            ['Many', 399],
        ]);
        expect(JSON.stringify(tables)).not.toContain('sesame');
        expect((await reportOf(() => survey('wrong')))?.message).toBe("'x.xlsx' is encrypted with another password");
    });

    test('whatever is cut off is refused', () => {
        const bytes = readFileSync(join(WORKBOOKS, file));
        for (const length of [8, 511, 512, 1024, bytes.length >> 1, bytes.length - 600])
            expect(() => decryptedWorkbook(bytes.subarray(0, length), password, refuse, checkpoint), `${length}`).toThrow(Refused);
    });
});

test('a secret of the user may be the password, and nothing else of a bind', async () => {
    const folder = lockedFolder('locked-standard.xlsx');
    const secrets = new Map([['BOOK', new Secret('open sesame')]]);
    const access = accessTo(folder);
    const granted = { ...access, grants: { ...access.grants, secrets } };
    const name = ['$', '{BOOK}'].join('');
    const bind = bindTo(`password='${name}'`);
    expect((await rowsOf(bind, granted, () => undefined, mixed(2))).rows.length).toBe(3);
    expect(await saidOf(folder, bind)).toContain('RT063');
    const elsewhere = [bindTo('', `${name}.xlsx`), bindTo(`password='open sesame', dataAddress='${name}'`)];
    for (const other of elsewhere)
        expect((await reportOf(() => rowsOf(other, granted, () => undefined, mixed(2))))?.message).toContain('secrets do not belong');
});

test('a locked workbook is not written, neither with its password nor over it', async () => {
    const folder = lockedFolder('locked-agile.xlsx');
    const said = async (options: string): Promise<string | undefined> =>
        (await reportOf(() => write(folder, [bindTo(options), numbers(1)])))?.message;
    expect(await said("password='öpen sesame'")).toContain("cannot be written with option 'password'");
    expect(await said('')).toContain('is kept by a password, and such workbooks are not written');
    expect(readFileSync(join(folder, 'x.xlsx'))).toEqual(readFileSync(join(WORKBOOKS, 'locked-agile.xlsx')));
});

describe('hostile containers', () => {
    const agile = readFileSync(join(WORKBOOKS, 'locked-agile.xlsx'));
    const with_ = (from: string, to: string): Buffer => Buffer.from(agile.toString('latin1').replaceAll(from, to), 'latin1');

    test.each([
        ['more rounds than anybody needs', 'spinCount="100000"', 'spinCount="1e0009"', 'more than 1000000 rounds'],
        ['rounds that are none', 'spinCount="100000"', 'spinCount="-10000"', 'is damaged'],
        ['another hash', 'hashAlgorithm="SHA512"', 'hashAlgorithm="MD9999"', 'encrypted in a way that is not read'],
        ['another cipher', 'cipherAlgorithm="AES"', 'cipherAlgorithm="RC4"', 'encrypted in a way that is not read'],
        ['a version that is not known', '\x04\0\x04\0\x40\0\0\0', '\x04\0\x05\0\x40\0\0\0', 'encrypted in a way that is not read'],
    ])('%s', (_, from, to, said) => {
        expect(agile.toString('latin1')).toContain(from);
        expect(() => decryptedWorkbook(with_(from, to), 'öpen sesame', refuse, checkpoint)).toThrow(said);
    });

    test('chains of sectors without an end, and damage anywhere, end in a stream or a refusal', () => {
        // A linear congruential generator: the same places in every run.
        let state = 7;
        const next = (below: number): number => {
            state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
            return state % below;
        };
        const structures = [...Array(512).keys()].concat([...Array(2048).keys()].map(at => agile.length - 2048 + at));
        let refused = 0;
        for (let round = 0; round < 3000; round++) {
            const bytes = Buffer.from(agile);
            for (let i = 0; i < 4; i++) bytes[structures[next(structures.length)] ?? 0] = next(256);
            try {
                const streamOf = compoundStreams(bytes, refuse);
                for (const name of ['EncryptionInfo', 'EncryptedPackage'])
                    expect(streamOf(name)?.length ?? 0).toBeLessThanOrEqual(bytes.length);
            } catch (error) {
                if (!(error instanceof Refused)) throw error;
                refused++;
            }
        }
        expect(refused).toBeGreaterThan(100);
    });

    test('a workbook that has lost what opens it', async () => {
        const named = lockedFolder('locked-agile.xlsx', bytes => {
            const at = bytes.indexOf(ENCRYPTION);
            bytes.write('X', at, 'utf16le');
            return bytes;
        });
        expect(await saidOf(named, bindTo("password='öpen sesame'"))).toBe("RT064 'x.xlsx' is damaged");
        copyFileSync(join(WORKBOOKS, 'people.xlsx'), join(named, 'x.xlsx'));
        expect((await rowsIn(named, bindTo("useHeaders=false, password='unused'"), mixed(9))).length).toBeGreaterThan(0);
    });
});
