import fs from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { NO_PROVIDERS } from '#engine/contracts/providers.ts';
import { type Report, RunStopped, stop } from '#engine/reports/reports.ts';
import type { OutputRows, RowTarget } from '#engine/sources/source.ts';
import { Dictionary } from '#engine/values/dictionary.ts';
import { termText } from '#engine/values/text.ts';
import { analyse } from '#language/analysis/analyse.ts';
import type { Bind, Column } from '#language/program/analysed-program.ts';
import { readProgram } from '#language/read-program.ts';
import { type Grants, NO_GRANTS } from '#server/files/grants.ts';
import { loadProgram } from '#server/runs/load-program.ts';
import { prepareRun } from '#server/runs/prepare-run.ts';
import { resultsOf } from '#server/runs/results.ts';
import type { SourceAccess } from '#server/sources/connector.ts';
import { missingSource, peekSource, runConnectors, stampOfSource } from '#server/sources/connectors.ts';
import { folderWith } from '../cli/command-line.ts';

/** A source type as its suite needs it: how rows come to be in a source without its connector, and what its binds say. */
export interface DescribedSource {
    readonly type: string;
    /** Options of its binds. */
    readonly options?: string;
    /** Puts rows of text and whole number, called `name` and `size`, into the source that a bind with this fourth argument reads. */
    readonly put: (folder: string, inner: string, rows: readonly (readonly [string, number | string])[]) => void | Promise<void>;
    /** The third argument of its binds, where that is not the folder itself. */
    readonly outer?: string;
    /** The fourth argument of binds to a source, by a word for it. */
    readonly inner: (word: string) => string;
    /** The source tells where in it a value stands. */
    readonly hasLines: boolean;
    /** Its rows are lines, and their second column is their number. */
    readonly numbersLines?: true;
    /** Nothing that is cheap to ask tells whether rows have changed. */
    readonly hidesChanges?: true;
    /** What its binds may reach besides files. */
    readonly grants?: Pick<Grants, 'hosts'>;
    /** Removes what earlier tests have left, where that is not in their folders. */
    readonly clear?: () => void;
    /** What is there, in the folder or elsewhere. */
    readonly listing?: () => readonly string[];
}

const ROWS = [
    ['ada', 1],
    ['bob', 2],
    ['cyd', 3],
] as const;

const STRING: Column = { name: 'name', type: { kind: 'string' }, cast: true };
const INT: Column = { name: 'size', type: { kind: 'int' }, cast: true };

/** What every source type must do, whatever it reads. */
export function describeSource(described: DescribedSource): void {
    const { type, options = '', put, outer = '', inner, hasLines, numbersLines, hidesChanges, clear, grants: reached } = described;
    const [there, absent] = [inner('people'), inner('nobody')];
    const source = options === '' ? type : `${type} ${options}`;
    let folder: string;
    let granted: SourceAccess;
    let refused: SourceAccess;
    const bind = (name: string, more = ''): Bind => {
        const text = `@bind("p", "${more === '' ? source : `${source}${options === '' ? ' ' : ', '}${more}`}", "${outer}", "${name}").`;
        const [found] = analyse(readProgram(text, 'p.rulelang').value).binds;
        return found ?? expect.fail(`no bind: ${text}`);
    };

    /** Runs a program as a service or an editor does, and lets it write. */
    const run = async (text: string): Promise<{ codes: string[]; rows: number; sentences: readonly string[] }> => {
        const { grants, currentFolder } = granted;
        const parameters = new Map<string, unknown>();
        const loaded = await loadProgram({
            file: join(folder, 'p.rulelang'),
            text,
            linked: program => program,
            grants,
            currentFolder,
            parameters,
        });
        const shown = loaded.program.outputs;
        const host = { clock: () => 0, cancelled: () => undefined, send: () => undefined };
        const limits = { maxFacts: 1e6, maxMemory: 2 ** 28 };
        const prepared = await prepareRun(loaded, { shown, writes: true, limits, providers: NO_PROVIDERS }, host);
        const outcome = await prepared.evaluate();
        if (!outcome.ok) throw new Error(JSON.stringify(outcome.reports));
        const results = resultsOf(outcome.database, shown);
        const { sentences } = await prepared.write(results);
        const codes = loaded.problems.filter(({ severity }) => severity === 'error').map(({ code }) => code);
        return { codes, rows: results.listings.reduce((count, listing) => count + listing.count, 0), sentences };
    };

    describe(`the source type ${type}`, () => {
        beforeEach(async () => {
            folder = folderWith({});
            clear?.();
            await put(folder, there, ROWS);
            const grants = { ...NO_GRANTS, ...reached, readRoots: [folder], writeRoots: [folder] };
            granted = { grants, programFile: join(folder, 'p.rulelang'), currentFolder: folder, parameters: () => undefined };
            refused = { ...granted, grants: NO_GRANTS };
        });

        test('reads the rows, cast to the columns of the predicate', async () => {
            expect(await rowsOf(bind(there), granted)).toEqual({ rows: ['"ada",1', '"bob",2', '"cyd",3'], reports: [] });
        });

        test('shows its columns before it is read', async () => {
            const schema = await peekSource(bind(there), granted);
            expect(schema?.columns.map(({ name }) => name)).toEqual(numbersLines ? ['text', 'line', 'file'] : ['name', 'size']);
        });

        test.skipIf(numbersLines)(
            'a value that has not the type of its column becomes unknown, and is told with its number and place',
            async () => {
                await put(folder, inner('odd'), [
                    ['ada', 1],
                    ['bob', 'many'],
                    ['cyd', 2.5],
                ]);
                const { rows, reports } = await rowsOf(bind(inner('odd')), granted);
                expect(rows).toEqual(['"ada",1', '"bob",z1', '"cyd",z2']);
                expect(reports.map(({ code, message }) => [code, message.slice(0, 35)])).toEqual([
                    ['RT021', "2 values of column 'size' of 'p' co"],
                ]);
                if (hasLines)
                    expect(reports[0]?.source).toMatchObject({ file: expect.stringContaining(inner('odd')), line: expect.any(Number) });
            },
        );

        test('without a grant nothing is read, written or shown', async () => {
            const connectors = runConnectors(refused);
            expect(await codeOf(() => rowsOf(bind(there), refused))).toBe('RT063');
            expect(await codeOf(() => connectors.sink(bind(there))?.write(outputRows(), () => undefined))).toBe('RT063');
            expect(await codeOf(() => connectors.sink(bind(there))?.try())).toBe('RT063');
            expect(await peekSource(bind(there), refused)).toBeUndefined();
            expect(await missingSource(bind(absent), refused)).toBeUndefined();
            expect(await stampOfSource(bind(there), refused)).toBeUndefined();
        });

        test('what is not there ends the run, and is known beforehand with the name that is meant', async () => {
            expect(await codeOf(() => rowsOf(bind(absent), granted))).toBe('RT064');
            expect(await peekSource(bind(absent), granted)).toBeUndefined();
            expect(await missingSource(bind(absent), granted)).toEqual({});
            expect(await missingSource(bind(inner('poeple')), granted)).toEqual({ nearest: there });
            expect(await missingSource(bind(there), granted)).toBeUndefined();
        });

        test.skipIf(hidesChanges)('a change shows', async () => {
            const before = await stampOfSource(bind(there), granted);
            expect(await stampOfSource(bind(there), granted)).toBe(before);
            await put(folder, there, [...ROWS, ['dan', 4]]);
            expect(await stampOfSource(bind(there), granted)).not.toBe(before);
        });

        test('a run that is stopped while it reads ends', async () => {
            const stopped = (): never => stop('RT032', {}, 'you');
            expect(await codeOf(() => rowsOf(bind(there), granted, stopped))).toBe('RT032');
        });

        test('names and reports hold no secret', async () => {
            const secret = bind(absent, "password='hunter2'");
            const told = await reportOf(() => rowsOf(secret, granted));
            expect(JSON.stringify([runConnectors(granted).source(secret)?.name, told?.message, told?.details])).not.toContain('hunter2');
        });

        test('what is written can be read, once it is committed', async () => {
            const target = bind(inner('written'));
            const sink = runConnectors(granted).sink(target);
            await sink?.try();
            await sink?.write(outputRows(), () => undefined);
            expect(await codeOf(() => rowsOf(target, granted))).toBe('RT064');
            await sink?.commit();
            expect((await rowsOf(target, granted)).rows).toEqual([numbersLines ? '"eve",1' : '"eve",5']);
        });

        test('an output that nothing fills reads its bind, and a run leaves what is there', async () => {
            const model = numbersLines ? '' : `@model("p", "['name:string', 'size:int']").`;
            const ran = await run(`@bind("p", "${source}", "${outer}", "${there}"). ${model} @output("p").`);
            expect(ran).toEqual({ codes: [], rows: 3, sentences: [] });
            expect((await rowsOf(bind(there), granted)).rows).toHaveLength(3);
        });

        test('what nothing fills but itself is never written', async () => {
            const text = `@bind("p", "${source}", "${outer}", "${there}"). @output("p"). p(X, Y) <- p(X, Y), Y != 1.`;
            expect(analyse(readProgram(text, 'p.rulelang').value).problems.map(({ code }) => code)).toContain('RL6093');
            expect(await codeOf(() => run(`@module("m"). ${text}`))).toBe('RT066');
            expect((await rowsOf(bind(there), granted)).rows).toHaveLength(3);
        });

        test('what the user has is replaced where the bind says so, or where it looks as if a run had written it', async () => {
            const kept = { ...granted, grants: { ...granted.grants, keepsTargets: true } } as const;
            const write = async (to: Bind, connectors = runConnectors(kept), rows = outputRows()): Promise<void> => {
                const sink = connectors.sink(to);
                await sink?.try();
                await sink?.write(rows, () => undefined);
                await sink?.commit();
            };
            const others = { ...outputRows(), columns: [{ ...STRING, name: 'who' }, INT] };
            if (!numbersLines) expect(await codeOf(() => write(bind(there), runConnectors(kept), others))).toBe('RT067');
            const reading = (): ReturnType<typeof runConnectors> => {
                const connectors = runConnectors(kept);
                connectors.source(bind(there));
                return connectors;
            };
            expect(await codeOf(() => write(bind(there), reading()))).toBe('RT067');
            expect((await rowsOf(bind(there), granted)).rows).toHaveLength(3);
            await write(bind(there, 'saveMode=overwrite'), reading());
            expect((await rowsOf(bind(there), granted)).rows).toEqual([numbersLines ? '"eve",1' : '"eve",5']);
            await write(bind(inner('written')));
        });

        test('what is discarded leaves no trace', async () => {
            const listing = described.listing ?? (() => fs.readdirSync(folder));
            const before = listing();
            const sink = runConnectors(granted).sink(bind(inner('written')));
            await sink?.write(outputRows(), () => undefined);
            await sink?.discard();
            expect(listing()).toEqual(before);
        });

        test('two binds of a run with one target are refused', async () => {
            const connectors = runConnectors(granted);
            const [first, second] = [connectors.sink(bind(inner('written'))), connectors.sink(bind(inner('written')))];
            await first?.write(outputRows(), () => undefined);
            expect(await codeOf(() => second?.write(outputRows(), () => undefined))).toBe('RT064');
            await first?.discard();
        });
    });
}

/** The rows that a bind gives, as text. */
export async function rowsOf(
    bind: Bind,
    access: SourceAccess,
    checkpoint = (): void => undefined,
    columns: readonly Column[] = [STRING, INT],
) {
    const dictionary = new Dictionary();
    const rows: string[] = [];
    const reports: Report[] = [];
    const labels: number[] = [];
    const label = (id: number): string => `z${(labels.includes(id) ? labels.indexOf(id) : labels.push(id) - 1) + 1}`;
    const target: RowTarget = {
        dictionary,
        columns,
        add: row => void rows.push(columns.map(({ type }, i) => termText(dictionary, row[i] ?? 0, type, label)).join(',')),
        checkpoint,
        report: one => void reports.push(one),
    };
    await runConnectors(access).source(bind)?.load(target);
    return { rows, reports };
}

/** One row, of a text and a number. */
export function outputRows(name = 'eve', size = 5): OutputRows {
    const dictionary = new Dictionary();
    const row = [dictionary.string(name), dictionary.number(size)];
    return { dictionary, columns: [STRING, INT], count: 1, at: (_, column) => row[column] ?? expect.fail('no such column') };
}

export async function reportOf(action: () => unknown): Promise<Report | undefined> {
    try {
        await action();
        return undefined;
    } catch (error) {
        if (error instanceof RunStopped) return error.report;
        throw error;
    }
}

async function codeOf(action: () => unknown): Promise<string> {
    return (await reportOf(action))?.code ?? 'fine';
}
