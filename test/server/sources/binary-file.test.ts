import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Report } from '#engine/reports/reports.ts';
import { analyse } from '#language/analysis/analyse.ts';
import type { Bind, Column } from '#language/program/analysed-program.ts';
import { readProgram } from '#language/read-program.ts';
import { NO_GRANTS } from '#server/files/grants.ts';
import type { SourceAccess } from '#server/sources/connector.ts';
import { peekSource, runConnectors } from '#server/sources/connectors.ts';
import { folderWith, rulelang } from '../../cli/command-line.ts';
import { reportOf, rowsOf } from '../../support/describe-source.ts';
import { pdfOf } from '../../support/pdf.ts';

const REPORT = pdfOf([['Report', 'All is well.'], [], ['The (end) of \\ it', 'Grüße']]);
const FILES = { 'report.pdf': REPORT, 'notes.txt': 'a\n\nb\n', 'old/other.pdf': pdfOf([['Old']]) };

function accessTo(folder: string): SourceAccess {
    const grants = { ...NO_GRANTS, readRoots: [folder], writeRoots: [folder] };
    return { grants, programFile: join(folder, 'p.rulelang'), currentFolder: folder, parameters: () => undefined };
}

function bindTo(inner: string, source = 'binary'): Bind {
    const [bind] = analyse(readProgram(`@bind("p", "${source}", "", "${inner}").`, 'p.rulelang').value).binds;
    return bind ?? expect.fail('There is no bind');
}

const mixed = (count: number): Column[] =>
    Array.from({ length: count }, (_, i) => ({ name: `c${i}`, type: { kind: 'mixed' }, cast: false }));

const read = async (folder: string, bind: Bind, count = 4): Promise<readonly string[]> =>
    (await rowsOf(bind, accessTo(folder), () => undefined, mixed(count))).rows;
const refused = (files: Readonly<Record<string, string | Uint8Array>>, bind: Bind): Promise<Report | undefined> =>
    reportOf(() => read(folderWith(files), bind));

test('the lines of a PDF have their numbers, pages and file', async () => {
    const folder = folderWith(FILES);
    const lines = [
        '"Report",1,1,"report.pdf"',
        '"All is well.",2,1,"report.pdf"',
        '"The (end) of \\\\ it",1,3,"report.pdf"',
        '"Grüße",2,3,"report.pdf"',
    ];
    expect(await read(folder, bindTo('report.pdf'))).toEqual(lines);
    expect(await read(folder, bindTo('report.pdf', 'binaryfile'))).toEqual(lines);
    expect(await read(folder, bindTo('report.pdf', "binary selectedColumns=['page';'text']"), 2)).toEqual([
        '1,"Report"',
        '1,"All is well."',
        '3,"The (end) of \\\\ it"',
        '3,"Grüße"',
    ]);
    expect((await peekSource(bindTo('report.pdf'), accessTo(folder)))?.columns.map(({ name }) => name)).toEqual([
        'text',
        'line',
        'page',
        'file',
    ]);
});

test('many files, and texts', async () => {
    const folder = folderWith(FILES);
    expect(await read(folder, bindTo('**/*.pdf', "binary selectedColumns=['file']"), 1)).toEqual([
        '"old/other.pdf"',
        ...Array(4).fill('"report.pdf"'),
    ]);
    expect(await read(folder, bindTo('old'))).toEqual(['"Old",1,1,"old/other.pdf"']);
    expect(await read(folder, bindTo('notes.txt'))).toEqual(['"a",1,z1,"notes.txt"', '"",2,z2,"notes.txt"', '"b",3,z3,"notes.txt"']);
});

test('a query over the lines of a PDF', async () => {
    const query = bindTo('report.pdf', "binary query='SELECT page, count(*) FROM report GROUP BY page'");
    expect([...(await read(folderWith(FILES), query, 2))].sort()).toEqual(['1,2', '3,2']);
});

test('a program reads a PDF, and says in which line and page a fact stands', async () => {
    const program = '@bind("line", "binary", "", "report.pdf"). word(T, P) <- line(T, N, P), contains(T, "well"). @output("word").';
    const folder = folderWith({ ...FILES, 'p.rulelang': program });
    const found = await rulelang(folder, ['run', 'p.rulelang', '--format', 'csv']);
    expect([found.code, found.stdout]).toEqual([0, 'T,P\nAll is well.,1\n']);
});

describe('is refused:', () => {
    test.each([
        ['a broken file', { 'x.pdf': '%PDF-1.4 nothing' }, 'binary', 'is no PDF that can be read'],
        ['an image', { 'x.pdf': Buffer.from('\x89PNG\r\n\x1a\n', 'latin1') }, 'binary', 'is an image, which has no text'],
        ['something else', { 'x.pdf': Uint8Array.of(80, 75, 0, 1) }, 'binary', 'is neither a PDF nor a text'],
        ['another encoding', { 'x.pdf': Uint8Array.of(0xff, 0x41) }, 'binary', 'is not UTF-8'],
        ['a type of document', { 'x.pdf': 'a' }, "binary documentType='invoice'", "Option 'documentType' of a binary bind"],
    ])('%s', async (_, files, source, said) => {
        expect((await refused(files, bindTo('x.pdf', source)))?.message).toContain(said);
    });

    test('a type of document with a remedy, and any writing', async () => {
        const report = await refused({ 'x.pdf': 'a' }, bindTo('x.pdf', "binary documentType='invoice'"));
        expect(report?.remedy).toBe(
            'A model finds the facts of a document of this type: rulelang data infer FILE --option documentType=invoice.',
        );
        const folder = folderWith({});
        const bind = { ...bindTo('x.pdf'), direction: 'output' } as const;
        const rows = { columns: [], count: 0 } as never;
        expect(
            (
                await reportOf(async () =>
                    runConnectors(accessTo(folder))
                        .sink(bind)
                        ?.write(rows, () => undefined),
                )
            )?.code,
        ).toBe('RT063');
    });
});

test('a run is looked after in a page that never ends', async () => {
    const long = deflateSync(Buffer.from(`BT /F 12 Tf ${'(a) Tj '.repeat(400_000)}ET`));
    const folder = folderWith({ 'x.pdf': pdfOf([{ content: long, filter: 'FlateDecode' }]) });
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    let looks = 0;
    const checkpoint = (): void => {
        looks++;
        throw new Error('late');
    };
    const reading = rowsOf(bindTo('x.pdf'), accessTo(folder), checkpoint, mixed(4));
    const refused = expect(reading).rejects.toThrow('late');
    while (vi.getTimerCount() === 0) await new Promise(setImmediate);
    // It is asked between the pieces of a page, too: this one has not been read yet.
    for (let turns = 0; turns < 5; turns++) await new Promise(setImmediate);
    expect(looks).toBe(0);
    vi.advanceTimersByTime(1000);
    expect(looks).toBeGreaterThan(0);
    await refused;
});
