// Keeps a store of the present version in test/stores/, which every later version must be able to read. Needs a fresh dist/.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const version = readFileSync(`${ROOT}server/store/migrations.ts`, 'utf8')
    .match(/const MIGRATIONS: readonly string\[\] = \[([^\]]+)\]/u)[1]
    .split(',')
    .filter(name => name.trim() !== '').length;
const data = join(mkdtempSync(join(tmpdir(), 'rulelang-golden-')), 'data');
const args = ['serve', '--data-dir', data, '--port', '0', '--engine-port', '0', '--chat-port', '0'];
const server = spawn(process.execPath, [`${ROOT}dist/cli.js`, ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
await new Promise(resolve => server.stdout.once('data', resolve));
const { base_url: base } = JSON.parse(readFileSync(join(data, 'endpoints.json'), 'utf8'));
const authorization = `Bearer ${readFileSync(join(data, 'auth/token'), 'utf8').trim()}`;

async function post(path, body) {
    const headers = { authorization, 'content-type': 'application/json' };
    const response = await fetch(`${base}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
}

await post('/projects/save', { project: { id: 'cities', name: 'Cities', description: 'é', metadata: { k: [1, null] } } });
await post('/projects/save', { project: { id: 'shared', name: 'Shared', scope: 'organization' } });
const definition =
    'city("Rome", 2800000). city("Bern", 130000). big(C, P) :- city(C, P), P > ?least. @param("least", 1000000). @output("big").';
await post('/concepts/cities/save', { definition, description: 'd', group: 'g', position: { x: 1 }, compute: { backend: 'local' } });
await post('/concepts/cities/save', { concept_type: 'sql', concept_name: 'names', definition: 'SELECT C FROM big' });
await post('/concepts/cities/save', { definition: 'w(A) :- python:run("f").', python_scripts: { f: 'def main(): return []' } });
await post('/concepts/cities/run/big', {});
await post('/dashboards/cities/save', { dashboard: { name: 'One', definition: { tiles: [{ z: 1, a: null }] } } });
server.kill('SIGTERM');
await new Promise(resolve => server.once('close', resolve));
writeFileSync(`${ROOT}test/stores/version-${version}.duckdb.gz`, gzipSync(readFileSync(join(data, 'store/rulelang.duckdb')), { level: 9 }));
