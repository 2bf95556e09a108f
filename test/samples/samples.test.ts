import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { evaluate } from '#engine/engine.ts';
import { listPredicate, nullLabels } from '#engine/results/listing.ts';
import { allProblems } from '#language/modules/all-problems.ts';
import { readProgram } from '#language/read-program.ts';
import { printJson } from '#server/terminal/print-json.ts';
import { check, FILE, runOptions } from '../support/conformance.ts';
import { access } from './access.ts';
import { audit } from './audit.ts';
import { control } from './control.ts';
import { customers } from './customers.ts';
import { genealogy } from './genealogy.ts';
import { news } from './news.ts';
import { PARTS_DOUBLES, parts } from './parts.ts';
import { reachability } from './reachability.ts';
import { type DoubleColumns, expectationText, type Facts, type Row } from './tables.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const computed: Record<string, Facts> = {
    access: access(),
    audit: audit(),
    control: control(),
    customers: customers(),
    genealogy: genealogy(),
    news: news(),
    parts: parts(),
    reachability: reachability(),
};
const samples = Object.keys(computed);
const doubles: Record<string, DoubleColumns> = { parts: PARTS_DOUBLES };

/** A copy of the samples, so that what they write stays out of the working tree. */
let folder: string;
beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'rulelang-samples-'));
    cpSync(join(root, 'samples'), folder, { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true }));

test('every sample has an independent computation', () => {
    const folders = readdirSync(join(root, 'samples'), { withFileTypes: true }).filter(entry => entry.isDirectory());
    expect(folders.map(entry => entry.name).sort()).toEqual(samples);
});

describe.each(samples)('%s', name => {
    test('gives the facts that a plain computation gives', async () => {
        expect(expectationText(await rowsOf(name), doubles[name])).toBe(expectationText(computed[name] ?? {}, doubles[name]));
    });

    test('has the expectation beside it (npx vitest run test/samples --update)', async () => {
        await expect(expectationText(computed[name] ?? {}, doubles[name])).toMatchFileSnapshot(
            join(root, 'samples', name, `${name}.expected`),
        );
    });

    test('has no errors and no warnings', () => {
        const { program } = programOf(name);
        const problems = allProblems(program, readProgram(textOf(name), FILE).problems);
        expect(problems.filter(({ severity }) => severity === 'error' || severity === 'warning')).toEqual([]);
    });
});

test('parameters of the samples', async () => {
    expect(expectationText(await rowsOf('control', { majority: 66 }))).toBe(expectationText(control(66)));
    expect(expectationText(await rowsOf('audit', { package: 'commander' }))).toBe(expectationText(audit('commander')));
    expect(expectationText(await rowsOf('genealogy', { founder: 'Clara' }))).toBe(expectationText(genealogy('Clara')));
    expect(expectationText(await rowsOf('parts', { part: 'Axle', rate: 30 }))).toBe(expectationText(parts(30, 'Axle')));
});

test('parts writes its purchase list', () => {
    const { purchase = [] } = run('parts');
    const [header, ...lines] = readFileSync(join(folder, 'parts/out/purchase.csv'), 'utf8').trimEnd().split('\n');
    expect(header).toBe('supplier,part,pieces,amount');
    expect(lines.map(line => line.split(',').slice(0, 3))).toEqual(purchase.map(row => row.slice(0, 3).map(String)));
});

test('the generated data is what scripts/generate-samples.mjs writes', () => {
    const target = mkdtempSync(join(tmpdir(), 'rulelang-data-'));
    execFileSync(process.execPath, [join(root, 'scripts/generate-samples.mjs'), target]);
    for (const name of readdirSync(target)) {
        for (const file of readdirSync(join(target, name, 'data'))) {
            const generated = readFileSync(join(target, name, 'data', file), 'utf8');
            expect(generated, `${name}/data/${file}: run node scripts/generate-samples.mjs`).toBe(
                readFileSync(join(root, 'samples', name, 'data', file), 'utf8'),
            );
        }
    }
    rmSync(target, { recursive: true });
});

function textOf(name: string): string {
    return readFileSync(join(root, 'samples', name, `${name}.rulelang`), 'utf8');
}

function programOf(name: string, parameters: Readonly<Record<string, unknown>> = {}): ReturnType<typeof check> {
    return check(textOf(name), new Map(Object.entries(parameters)), join(root, 'samples', name));
}

/** The rows of a sample as JSON has them. */
async function rowsOf(name: string, parameters: Readonly<Record<string, unknown>> = {}): Promise<Record<string, Row[]>> {
    const { program } = programOf(name, parameters);
    const outcome = await evaluate(program, runOptions(join(root, 'samples', name), new Map(Object.entries(parameters)), program.program));
    if (!outcome.ok) throw new Error(outcome.reports.map(({ message }) => message).join('\n'));
    const { database } = outcome;
    let json = '';
    const print = (piece: string): void => {
        json += piece;
    };
    const listings = database.program.outputs.map(predicate => listPredicate(database, predicate));
    printJson(listings, 100_000, nullLabels(database.dictionary), print);
    return JSON.parse(json).resultSet;
}

/** The rows of a sample as the command line prints them. */
function run(name: string): Record<string, Row[]> {
    const args = [join(root, 'dist/cli.js'), 'run', `${name}/${name}.rulelang`, '--format', 'json'];
    return JSON.parse(execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })).resultSet;
}
