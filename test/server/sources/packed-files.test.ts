import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { analyse } from '#language/analysis/analyse.ts';
import type { Bind } from '#language/program/analysed-program.ts';
import { readProgram } from '#language/read-program.ts';
import { NO_GRANTS } from '#server/files/grants.ts';
import type { SourceAccess } from '#server/sources/connector.ts';
import { peekSource, runConnectors } from '#server/sources/connectors.ts';
import { folderWith } from '../../cli/command-line.ts';
import { outputRows, reportOf, rowsOf } from '../../support/describe-source.ts';

function accessTo(folder: string): SourceAccess {
    const grants = { ...NO_GRANTS, readRoots: [folder], writeRoots: [folder] };
    return { grants, programFile: join(folder, 'p.rulelang'), currentFolder: folder, parameters: () => undefined };
}

function bindTo(source: string, file: string): Bind {
    const [bind] = analyse(readProgram(`@bind("p", "${source}", "", "${file}").`, 'p.rulelang').value).binds;
    return bind ?? expect.fail('There is no bind');
}

async function write(bind: Bind, access: SourceAccess, ...row: Parameters<typeof outputRows>): Promise<void> {
    const sink = runConnectors(access).sink(bind);
    await sink?.write(outputRows(...row), () => undefined);
    await sink?.commit();
}

const FILES = [
    ['csv', 'p.csv.gz'],
    ['csv', 'p.csv.zst'],
    ['csv useHeaders=true', 'p.csv.zst'],
    ['csv compression=gzip', 'p.csv'],
    ['csv compression=zstd', 'p.csv'],
    ['csv encoding=UTF-16', 'p.csv.gz'],
    ['json', 'p.json.gz'],
    ['json', 'p.json.zst'],
    ['json', 'p.ndjson.gz'],
    ['json', 'p.jsonl.zst'],
    ['json multiline=false, compression=gzip', 'p.json'],
    ['json', 'p.ndjson'],
] as const;

describe.each(FILES)('%s in %s', (source, file) => {
    test('what is written, replaced and added can be read', async () => {
        const access = accessTo(folderWith({}));
        const bind = bindTo(source, file);
        const adding = bindTo(`${source}${source.includes(' ') ? ', ' : ' '}saveMode=append`, file);
        await write(adding, access, 'ada', 1);
        await write(adding, access, 'bob', 2);
        expect(await rowsOf(bind, access)).toEqual({ rows: ['"ada",1', '"bob",2'], reports: [] });
        await write(bind, access);
        await write(adding, access, 'cyd', 3);
        expect(await rowsOf(bind, access)).toEqual({ rows: ['"eve",5', '"cyd",3'], reports: [] });
    });
});

test('other programs unpack what is written', async () => {
    const folder = folderWith({});
    await write(bindTo('csv', 'p.csv.gz'), accessTo(folder));
    expect(gunzipSync(readFileSync(join(folder, 'p.csv.gz'))).toString()).toBe('eve,5\n');
});

test('the front of a packed file shows its columns', async () => {
    const folder = folderWith({});
    const line = (i: number): string => `${i},${(i * 7919) % 104_729}\n`;
    writeFileSync(
        join(folder, 'p.csv.gz'),
        gzipSync(`name,size\n${Array.from({ length: 50_000 }, (_, i) => line(i)).join('')}`).subarray(0, 5000),
    );
    const schema = await peekSource(bindTo('csv useHeaders=true', 'p.csv.gz'), accessTo(folder), 3);
    expect(schema?.columns.map(({ name }) => name)).toEqual(['name', 'size']);
});

test('a name that says otherwise than the bytes ends the run in words', async () => {
    const folder = folderWith({ 'p.csv.gz': 'ada,1\n' });
    const { message, code } = (await reportOf(() => rowsOf(bindTo('csv', 'p.csv.gz'), accessTo(folder)))) ?? expect.fail('It was read');
    expect([code, message]).toEqual([
        'RT064',
        "'p.csv.gz' cannot be unpacked as gzip: incorrect header check; compression='none' reads a file that is not packed",
    ]);
    expect((await rowsOf(bindTo('csv compression=none', 'p.csv.gz'), accessTo(folder))).rows).toEqual(['"ada",1']);
});

test.each(['csv', 'json'])('%s files are packed as gzip or zstd', async type => {
    const told = await reportOf(() => rowsOf(bindTo(`${type} compression=brotli`, 'p'), accessTo(folderWith({ p: '' }))));
    expect(told?.message).toBe("'p' cannot be used with compression='brotli': write none, gzip or zstd");
});
