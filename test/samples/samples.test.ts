import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
    test('gives the facts that a plain computation gives', () => {
        expect(expectationText(run(name), doubles[name])).toBe(expectationText(computed[name] ?? {}, doubles[name]));
    });

    test('has the expectation beside it (npx vitest run test/samples --update)', async () => {
        await expect(expectationText(computed[name] ?? {}, doubles[name])).toMatchFileSnapshot(
            join(root, 'samples', name, `${name}.expected`),
        );
    });

    test('has no errors and no warnings', () => {
        const { diagnostics } = JSON.parse(rulelang('check', `${name}/${name}.rulelang`, '--format', 'json'));
        expect(diagnostics.filter(({ severity }: { severity: string }) => severity === 'error' || severity === 'warning')).toEqual([]);
    });
});

test('parameters of the samples', () => {
    expect(expectationText(run('control', '--param', 'majority=66'))).toBe(expectationText(control(66)));
    expect(expectationText(run('audit', '--param', 'package=commander'))).toBe(expectationText(audit('commander')));
    expect(expectationText(run('genealogy', '--param', 'founder=Clara'))).toBe(expectationText(genealogy('Clara')));
    expect(expectationText(run('parts', '--param', 'part=Axle', '--param', 'rate=30'))).toBe(expectationText(parts(30, 'Axle')));
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

function run(name: string, ...options: string[]): Record<string, Row[]> {
    return JSON.parse(rulelang('run', `${name}/${name}.rulelang`, '--format', 'json', ...options)).resultSet;
}

function rulelang(...args: string[]): string {
    return execFileSync(process.execPath, [join(root, 'dist/cli.js'), ...args], {
        cwd: folder,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
    });
}
