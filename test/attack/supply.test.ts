import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PERMISSIVE = new Set([
    'Apache-2.0',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'BlueOak-1.0.0',
    'ISC',
    'MIT',
    'Unlicense',
    '0BSD',
    '(MIT AND Zlib)',
]);

test('the bill of materials names the packages of licences.txt, whose licences are permissive', () => {
    execFileSync(process.execPath, ['scripts/bill-of-materials.mjs'], { cwd: ROOT });
    const listed = fs.readFileSync(`${ROOT}licences.txt`, 'utf8').trim().split('\n');
    for (const line of listed) expect([line, PERMISSIVE.has(line.split(' ').slice(2).join(' '))]).toEqual([line, true]);
    const { version } = JSON.parse(fs.readFileSync(`${ROOT}package.json`, 'utf8'));
    const bill = JSON.parse(fs.readFileSync(`${ROOT}dist/rulelang-${version}.cdx.json`, 'utf8'));
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'rulelang', version } } });
    expect(bill.components).toHaveLength(listed.length);
    const names: string[] = bill.components.map(({ group, name }: { group?: string; name: string }) => (group ? `${group}/${name}` : name));
    for (const name of ['@duckdb/node-api', 'langium', 'fastify', 'vscode-languageclient']) expect(names).toContain(name);
    for (const name of ['vitest', 'esbuild', 'playwright-core']) expect(names).not.toContain(name);
});
