import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FromProcess, ProcessQuestion, ProgramRun } from '#server/protocol/run-process.ts';
import type { Followed, ResultPage, RowView } from '#server/protocol/runs.ts';
import type { WhatIf } from '#server/protocol/what-if.ts';
import { evaluateRun } from '#server/runs/evaluate-run.ts';
import { serveLive } from '#server/runs/live-results.ts';
import { type ServedResults, serveResults } from '#server/runs/serve-results.ts';
import { Picks, randomProgram } from '../../engine/evaluate/random-program.ts';
import { tries } from '../../support/thorough.ts';

const EDITS = tries(200);
const FIRST_SEED = Number(process.env.RANDOM_SEED ?? 41_009);
const NO_PROVIDERS = { find: () => undefined };

let folder: string;
beforeAll(() => {
    folder = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'rulelang-live-')));
    fs.writeFileSync(join(folder, 'edges.csv'), 'from,to\na,b\nb,c\nc,d\n');
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

function runOf(text: string, more: Partial<ProgramRun> = {}): ProgramRun {
    return {
        text,
        file: join(folder, 'program.rulelang'),
        modules: { files: [], includes: [] },
        currentFolder: folder,
        roots: [folder],
        parameters: new Map(),
        limits: { maxMemory: 1 << 28, maxRounds: 60 },
        ...more,
    };
}

interface Served {
    readonly served: ServedResults;
    readonly outputs: readonly string[];
    readonly live: { readonly why?: string | undefined } | undefined;
}

/** What a run process serves, or undefined where the run failed. */
async function opened(run: ProgramRun): Promise<Served | undefined> {
    const sent: FromProcess[] = [];
    const send = (message: FromProcess): void => void sent.push(message);
    const { end, finished } = await evaluateRun(run, NO_PROVIDERS, send);
    if (end.outcome !== 'finished' || finished === undefined) return undefined;
    const { outcome: _, reported: __, live, ...about } = end;
    const served =
        finished.live === undefined ? serveResults(finished, about, send) : serveLive({ ...finished, live: finished.live }, about, send);
    return { served, outputs: end.outputs.map(({ key }) => key), live };
}

async function answer(served: ServedResults, question: unknown): Promise<unknown> {
    const told = await served.answer(0, question as ProcessQuestion);
    if (told.kind !== 'answer') throw new Error(told.kind === 'refused' ? told.message : told.kind);
    return told.result;
}

async function page(served: ServedResults, view: RowView): Promise<ResultPage> {
    return (await answer(served, { method: 'rulelang/page', params: { run: 0, view, offset: 0, limit: 1000 } })) as ResultPage;
}

async function follow(served: ServedResults, text: string, rested = true): Promise<Followed> {
    return (await answer(served, {
        method: 'rulelang/follow',
        params: { text, modules: { files: [], includes: [] }, rested },
    })) as Followed;
}

/** The rows of some outputs, as pages have them. */
async function rowsOf(served: ServedResults, outputs: readonly string[]): Promise<Map<string, unknown>> {
    const rows = new Map<string, unknown>();
    for (const output of outputs) rows.set(output, (await page(served, { output })).cells);
    return rows;
}

/** The rows of a marked view, with a sign before those that came or went. */
async function marked(served: ServedResults, output: string): Promise<string[]> {
    const { cells, marks = [] } = await page(served, { output, marked: true });
    const signs = new Map(marks.map(({ place, mark }) => [place, mark === 'added' ? '+' : '-']));
    return cells.map((row, place) => `${signs.get(place) ?? ' '}${row.join(',')}`);
}

async function live(text: string): Promise<ServedResults> {
    const made = await opened(runOf(text, { live: 'looks' }));
    if (made === undefined) throw new Error('The run failed');
    expect(made.live).toEqual({});
    return made.served;
}

const PATHS = `@output("path").
@bind("edge", "csv useHeaders=true", "", "edges.csv").
path(X, Y) <- edge(X, Y).
path(X, Z) <- path(X, Y), edge(Y, Z).
`;

describe('what would be if something were otherwise', () => {
    const changes = (more: object) => ({ without: [], with: [], set: {}, ...more });
    const whatIf = async (served: ServedResults, more: object) => {
        const { outputs } = (await answer(served, { method: 'rulelang/whatIf', params: { run: 0, changes: changes(more) } })) as WhatIf;
        return outputs.flatMap(({ changed }) => changed.map(({ fate, text }) => `${fate} ${text}`));
    };
    const finished = async (text: string): Promise<ServedResults> => {
        const made = await opened(runOf(text));
        if (made === undefined) throw new Error('The run failed');
        return made.served;
    };

    test.each([
        ['held', live],
        ['finished', finished],
    ])('is told of a %s run, whose rows stay what they are', async (_, open) => {
        const served = await open(`${PATHS}edge("d","e").\n@param("most", 9).\n`);
        const before = await rowsOf(served, ['path/2']);
        expect(await whatIf(served, { without: ['edge("c", "d")'], with: ['edge("a", "f")'] })).toEqual([
            'goes path("a","d")',
            'goes path("a","e")',
            'comes path("a","f")',
            'goes path("b","d")',
            'goes path("b","e")',
            'goes path("c","d")',
            'goes path("c","e")',
        ]);
        const rule = 'path(X, Z) <- path(X, Y), edge(Y, Z)';
        expect(await whatIf(served, { without: [rule], with: ['path(X, X) <- edge(X, _)', 'edge("x", "y")'] })).toEqual([
            'comes path("a","a")',
            'goes path("a","c")',
            'goes path("a","d")',
            'goes path("a","e")',
            'comes path("b","b")',
            'goes path("b","d")',
            'goes path("b","e")',
            'comes path("c","c")',
            'goes path("c","e")',
            'comes path("d","d")',
            'comes path("x","x")',
            'comes path("x","y")',
        ]);
        expect(await whatIf(served, { without: ['path("a", "b")'] })).toEqual([
            'goes path("a","b")',
            'goes path("a","c")',
            'goes path("a","d")',
            'goes path("a","e")',
        ]);
        expect(await whatIf(served, { set: { most: 3 } })).toEqual([]);
        expect(await rowsOf(served, ['path/2'])).toEqual(before);
    });

    test('does not stand in the way of edits', async () => {
        const served = await live(`${PATHS}edge("c","d").\n`);
        // Both the file and the program give this one.
        expect(await whatIf(served, { without: ['edge("c", "d")'] })).toHaveLength(3);
        await follow(served, PATHS);
        expect(await marked(served, 'path/2')).toEqual([' a,b', ' a,c', ' a,d', ' b,c', ' b,d', ' c,d']);
        expect(await whatIf(served, { with: ['path(X, Y) <- edge(Y, X)'] })).toHaveLength(6);
        await follow(served, `${PATHS}edge("d","e").\n`);
        expect(await marked(served, 'path/2')).toEqual([' a,b', ' a,c', ' a,d', '+a,e', ' b,c', ' b,d', '+b,e', ' c,d', '+c,e', '+d,e']);
    });

    test.each([
        [{ with: ['edge("a", X)'] }, `'edge("a", X)' leaves a value open; a fact that is added has all`],
        [{ without: ['edge("a", "z")'] }, `No fact fits 'edge("a", "z")'`],
        [{ with: ['path(X, Y) <- edge(X, Y), Z > 3'] }, 'The changed program has an error: '],
        [{ with: ['path(X, X) <- edge(X, _), @edge'] }, `'path(X, X) <- edge(X, _), @edge' is neither a fact nor a rule`],
    ])('refuses %j', async (more, words) => {
        const served = await finished(PATHS);
        await expect(whatIf(served, more)).rejects.toThrow(words);
    });

    test('opens no connection', async () => {
        const served = await finished(`@output("p").\np("a").\nq(X) <- r(X).\n@bind("r", "postgresql", "db", "r").\n`);
        await expect(whatIf(served, { without: ['p("a")'] })).rejects.toThrow(`'r' has rows from a connection`);
    });
});

describe('a live run', () => {
    test('has the rows of the text as it is, with what an edit has made of them', async () => {
        const served = await live(PATHS);
        expect(await follow(served, `${PATHS}edge("c","a").\n`)).toMatchObject({
            kind: 'rows',
            outputs: [{ key: 'path/2', rows: 12, changes: { added: 6, removed: 0 } }],
        });
        expect(await marked(served, 'path/2')).toEqual([
            '+a,a',
            ' a,b',
            ' a,c',
            ' a,d',
            '+b,a',
            '+b,b',
            ' b,c',
            ' b,d',
            '+c,a',
            '+c,b',
            '+c,c',
            ' c,d',
        ]);
        await follow(served, PATHS);
        expect(await marked(served, 'path/2')).toEqual([
            '-a,a',
            ' a,b',
            ' a,c',
            ' a,d',
            '-b,a',
            '-b,b',
            ' b,c',
            ' b,d',
            '-c,a',
            '-c,b',
            '-c,c',
            ' c,d',
        ]);
        expect(await page(served, { output: 'path/2' })).toMatchObject({ rows: 6, matching: 6 });
        const searched = await page(served, { output: 'path/2', marked: true, filters: [{ column: 0, operator: 'equals', value: 'c' }] });
        expect(searched.marks).toEqual([0, 1, 2].map(place => ({ place, mark: 'removed' })));
    });

    test('keeps its marks until typing has rested and a row changes', async () => {
        const served = await live('@output("p").\np(1).\n');
        await follow(served, '@output("p").\np(1). p(2).\n');
        await follow(served, '@output("p").\np(1). p(23).\n', false);
        expect(await marked(served, 'p/1')).toEqual([' 1', '+23']);
        await follow(served, '@output("p").\np(1). p(23).\n% note\n');
        expect(await marked(served, 'p/1')).toEqual([' 1', '+23']);
        await follow(served, '@output("p").\np(23).\n', false);
        expect(await marked(served, 'p/1')).toEqual(['-1', ' 23']);
    });

    test('keeps the rows of before where the program has errors, or a run would end at one', async () => {
        const served = await live('@output("p").\np(1).\n');
        expect(await follow(served, '@output("p").\np(1). p(\n')).toMatchObject({
            kind: 'error',
            notices: [{ range: { start: { line: 1 } } }],
        });
        expect((await page(served, { output: 'p/1' })).cells).toEqual([['1']]);
        expect(await follow(served, '@output("p").\np(1). p(2).\n#F <- p(2).\n')).toMatchObject({
            kind: 'error',
            notices: [{ code: 'RT041' }],
        });
        expect(await follow(served, '@output("p").\np(1). p(3).\n#F <- p(2).\n')).toMatchObject({ kind: 'rows' });
        expect(await marked(served, 'p/1')).toEqual([' 1', '+3']);
    });

    test('reads no source again, and no other', async () => {
        const served = await live(PATHS);
        const before = fs.readFileSync(join(folder, 'edges.csv'));
        fs.appendFileSync(join(folder, 'edges.csv'), 'd,e\n');
        try {
            await follow(served, PATHS.replace('path(X, Y) <- edge(X, Y)', 'path(X, Y) <- edge(X, Y), X != "a"'));
            expect((await page(served, { output: 'path/2' })).cells.map(row => row.join())).toEqual(['b,c', 'b,d', 'c,d']);
            // A constraint has all evaluated again.
            await follow(served, `${PATHS}#F <- path("a","d").\n`);
            await follow(served, `${PATHS}#F <- path("a","z").\n`);
            expect((await page(served, { output: 'path/2' })).rows).toBe(6);
            expect(await follow(served, PATHS.replace('edges.csv', 'others.csv'))).toMatchObject({ kind: 'held', needs: 'sources' });
            expect((await page(served, { output: 'path/2' })).rows).toBe(6);
        } finally {
            fs.writeFileSync(join(folder, 'edges.csv'), before);
        }
    });

    test('writes nothing, and says what only a run can tell', async () => {
        const text = '@output("p").\n@bind("p", "csv", "", "p.csv").\np(X) <- q(X).\nq(1).\n';
        const served = await live(text);
        expect(await follow(served, `${text}X = Y <- q(X), r(X, Y).\nr(1, Z) <- q(1).\n`)).toEqual({
            kind: 'held',
            needs: 'run',
            why: 'Rules make values equal',
        });
        expect(fs.existsSync(join(folder, 'p.csv'))).toBe(false);
        const other = await opened(
            runOf('@output("p").\np(X) <- q(X).\nq(1).\nX = Y <- q(X), r(X, Y).\nr(1, Z) <- q(1).\n', { live: 'looks' }),
        );
        expect(other?.live).toEqual({ why: 'Rules make values equal' });
    });

    test(`has the rows of a fresh run after random edits, from seed ${FIRST_SEED}`, async () => {
        let compared = 0;
        for (let seed = FIRST_SEED; compared < EDITS; seed++) {
            const picks = new Picks(seed);
            let lines = randomProgram(seed).split('\n');
            const spare = randomProgram(seed + 1_000_000).split('\n');
            const first = await opened(runOf(lines.join('\n'), { live: 'looks' }));
            if (first === undefined || first.live?.why !== undefined) continue;
            for (let edit = 0; edit < 20; edit++) {
                const at = picks.below(lines.length);
                const next = picks.one([
                    () => lines.filter((_, index) => index !== at),
                    () => [...lines, picks.one(spare)],
                    () => lines.map((line, index) => (index === at ? picks.one(spare) : line)),
                ])();
                const text = next.join('\n');
                const fresh = await opened(runOf(text));
                const told = await follow(first.served, text, picks.chance(0.5));
                const place = {
                    seed,
                    edit,
                    removed: lines.filter(line => !next.includes(line)),
                    added: next.filter(line => !lines.includes(line)),
                };
                if (told.kind === 'held') continue;
                expect({ ...place, kind: told.kind }).toEqual({ ...place, kind: fresh === undefined ? 'error' : 'rows' });
                if (fresh === undefined) continue;
                lines = next;
                compared++;
                const rows = await rowsOf(first.served, fresh.outputs);
                expect({ ...place, rows }).toEqual({ ...place, rows: await rowsOf(fresh.served, fresh.outputs) });
                for (const output of fresh.outputs) {
                    const kept = (await marked(first.served, output)).filter(row => !row.startsWith('-')).map(row => row.slice(1));
                    expect({ ...place, kept }).toEqual({
                        ...place,
                        kept: ((rows.get(output) ?? []) as unknown[][]).map(row => row.join(',')),
                    });
                }
            }
        }
    });
});
