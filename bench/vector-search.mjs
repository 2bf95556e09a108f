// Measures a search among vectors, as calls of `ask` make it in a predicate of the program, beside numpy: a product of matrix and vector, and
// the best of that by argpartition. Both find the same rows. Each side is a process of its own; they take turns.
// Usage: npm run bench:vectors [-- --rows 100000 --dimensions 1024 --rounds 9 --python python3]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const NEAREST = 10;

const { values } = parseArgs({
    options: {
        rows: { type: 'string', default: '100000' },
        dimensions: { type: 'string', default: '1024' },
        rounds: { type: 'string', default: '9' },
        python: { type: 'string', default: 'python3' },
        /** What this process is: a side with its file, or the one that asks both. */
        side: { type: 'string' },
    },
});
const [rows, dimensions, rounds] = [values.rows, values.dimensions, values.rounds].map(Number);

if (values.side !== undefined) await answer(values.side);
else await compare();

async function compare() {
    const folder = mkdtempSync(join(tmpdir(), 'rulelang-vectors-'));
    const processes = [];
    try {
        const vectors = join(folder, 'vectors');
        await write(vectors);
        const bundle = join(folder, 'index.mjs');
        const entry = fileURLToPath(new URL('../engine/search/flat-index.ts', import.meta.url));
        await build({ entryPoints: [entry], outfile: bundle, bundle: true, format: 'esm', logLevel: 'error' });
        const own = [fileURLToPath(import.meta.url), '--side', folder, '--rows', rows, '--dimensions', dimensions];
        const peer = [fileURLToPath(new URL('peers/vector-search.py', import.meta.url)), vectors, dimensions, NEAREST];
        const sides = new Map();
        for (const [name, file, args] of [
            ['rulelang', process.execPath, own],
            ['numpy', values.python, peer],
        ]) {
            const child = spawn(file, args.map(String), { stdio: ['pipe', 'pipe', 'inherit'] });
            processes.push(child);
            const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
            const { done } = await lines.next();
            if (done) throw new Error(`${name} did not start; numpy is needed, for the Python that --python names`);
            sides.set(name, { child, lines, took: [] });
        }
        for (let round = 0; round < rounds; round++) {
            const found = [];
            for (const { child, lines, took } of sides.values()) {
                child.stdin.write(`${(round * 7919) % rows}\n`);
                const { milliseconds, nearest } = JSON.parse((await lines.next()).value);
                took.push(milliseconds);
                found.push(nearest.join());
            }
            if (new Set(found).size > 1) throw new Error(`the sides found other rows: ${found.join(' | ')}`);
        }
        console.log(`${rows} vectors of ${dimensions} numbers, the ${NEAREST} nearest; milliseconds of ${rounds} searches`);
        for (const [name, { took }] of sides) {
            const sorted = took.sort((a, b) => a - b);
            console.log(
                `${name.padEnd(10)} median ${sorted[rounds >> 1].toFixed(0)}, least ${sorted[0].toFixed(0)}, most ${sorted.at(-1).toFixed(0)}`,
            );
        }
    } finally {
        for (const child of processes) child.kill();
        rmSync(folder, { recursive: true });
    }
}

/** Numbers between -1 and 1 from a fixed seed (xorshift, Marsaglia 2003), 32 bits each. */
async function write(path) {
    const file = createWriteStream(path);
    let state = 2463534242;
    const row = new Float32Array(dimensions);
    for (let i = 0; i < rows; i++) {
        for (let j = 0; j < dimensions; j++) {
            state ^= state << 13;
            state ^= state >>> 17;
            state ^= state << 5;
            row[j] = state / 2 ** 31;
        }
        if (!file.write(Buffer.from(row.buffer.slice(0)))) await once(file, 'drain');
    }
    file.end();
    await once(file, 'close');
}

/** Loads the vectors, and searches for the one of each row that a line names. */
async function answer(folder) {
    const { FlatIndex } = await import(pathToFileURL(join(folder, 'index.mjs')).href);
    const bytes = readFileSync(join(folder, 'vectors'));
    const all = new Float32Array(bytes.buffer, bytes.byteOffset, rows * dimensions);
    const vectorOf = row => all.subarray(row * dimensions, (row + 1) * dimensions);
    const index = new FlatIndex(rows, dimensions, vectorOf);
    console.log('ready');
    for await (const line of createInterface({ input: process.stdin })) {
        const began = performance.now();
        const nearest = index.nearest(
            vectorOf(Number(line)),
            NEAREST,
            (a, b) => a - b,
            () => undefined,
        );
        console.log(JSON.stringify({ milliseconds: performance.now() - began, nearest: nearest.map(({ row }) => row) }));
    }
}
