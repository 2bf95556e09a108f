import { mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { RunStopped } from '#engine/reports.ts';
import type { OutputRows, RowTarget } from '#engine/sources/source.ts';
import { Dictionary } from '#engine/values/dictionary.ts';
import { analyse } from '#language/analysis/analyse.ts';
import type { Bind } from '#language/program/analysed-program.ts';
import { readProgram } from '#language/read-program.ts';
import { NO_GRANTS } from '#server/files/grants.ts';
import { type FileAccess, fileConnectors, missingSource, peekSource } from '#server/sources/file-connectors.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'rulelang-connectors-')));
writeFileSync(join(folder, 'in.csv'), 'a,b\n1,2\n');
writeFileSync(join(folder, 'in.json'), '[{"b": 2, "a": "x"}]');
writeFileSync(join(folder, 'cut.json'), '[{"b": 2, "a": "x"}, {"c"');

const granted: FileAccess = {
    grants: { ...NO_GRANTS, readRoots: [folder], writeRoots: [folder] },
    programFile: join(folder, 'p.rulelang'),
    currentFolder: folder,
    parameters: () => undefined,
};
const refused: FileAccess = { ...granted, grants: NO_GRANTS };

function bindTo(type: string, file: string): Bind {
    const { binds } = analyse(readProgram(`@bind("p", "${type}", "", "${file}").`, 'p.rulelang').value);
    const [bind] = binds;
    if (bind === undefined) throw new Error('There is no bind');
    return bind;
}

const target = (rows: number[][]): RowTarget => ({
    dictionary: new Dictionary(),
    columns: ['a', 'b'].map(name => ({ name, type: { kind: 'mixed' }, cast: false })),
    add: row => rows.push([...row]),
    checkpoint: () => undefined,
    report: () => undefined,
});

const noRows: OutputRows = { dictionary: new Dictionary(), columns: [], count: 0, at: () => 0 };

async function codeOf(action: () => unknown): Promise<string> {
    try {
        await action();
        return 'fine';
    } catch (error) {
        if (error instanceof RunStopped) return error.report.code;
        throw error;
    }
}

describe.each(['csv', 'json'])('%s', type => {
    const bind = bindTo(type, `in.${type}`);

    test('reads and peeks where that is granted', async () => {
        const rows: number[][] = [];
        await fileConnectors(granted).source(bind)?.load(target(rows));
        expect(rows.length).toBeGreaterThan(0);
        expect(peekSource(bind, granted)?.columns.length).toBe(2);
    });

    test('does nothing without grants', async () => {
        const connectors = fileConnectors(refused);
        const rows: number[][] = [];
        expect(await codeOf(() => connectors.source(bind)?.load(target(rows)))).toBe('RT063');
        expect(await codeOf(() => connectors.sink(bind)?.write(noRows, () => undefined))).toBe('RT063');
        expect(await codeOf(() => connectors.tryTarget(bind))).toBe('RT063');
        expect(peekSource(bind, refused)).toBeUndefined();
        expect(rows).toEqual([]);
    });

    test('a file that is not there', async () => {
        const missing = bindTo(type, `none.${type}`);
        expect(await codeOf(() => fileConnectors(granted).source(missing)?.load(target([])))).toBe('RT064');
        expect(peekSource(missing, granted)).toBeUndefined();
        expect(missingSource(bindTo(type, `inn.${type}`), granted)).toEqual({ nearest: `in.${type}` });
        expect(missingSource(bindTo(type, `quite-another.${type}`), granted)).toEqual({});
        expect(missingSource(bind, granted)).toBeUndefined();
        expect(missingSource(missing, refused)).toBeUndefined();
    });

    test('two binds with one target', async () => {
        const connectors = fileConnectors(granted);
        const [first, second] = [connectors.sink(bindTo(type, 'out.csv')), connectors.sink(bindTo(type, 'out.csv'))];
        expect(await codeOf(() => first?.write(noRows, () => undefined))).toBe('fine');
        expect(await codeOf(() => second?.write(noRows, () => undefined))).toBe('RT064');
        await first?.discard();
    });
});

test('JSON shows its columns only as a whole: those of a front say nothing about their order', () => {
    expect(peekSource(bindTo('json', 'in.json'), granted)?.columns).toEqual([
        { name: 'a', type: { kind: 'string' } },
        { name: 'b', type: { kind: 'int' } },
    ]);
    expect(peekSource(bindTo('json', 'cut.json'), granted)).toBeUndefined();
});

test.each(['postgresql', 'http_csv', 'parquet', 'api', 'rdf'])('there is no connector for %s', type => {
    const bind = bindTo(type, 'x');
    expect(fileConnectors(granted).source(bind)).toBeUndefined();
    expect(fileConnectors(granted).sink(bind)).toBeUndefined();
});
