// The inputs of the benchmarks, always the same: node bench/generate.mjs <folder> [workload…]
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { INPUTS } from './inputs.mjs';

export function writeInput(name, folder) {
    mkdirSync(folder, { recursive: true });
    for (const [file, text] of Object.entries(INPUTS[name]())) writeFileSync(join(folder, file), text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
    const [folder, ...names] = process.argv.slice(2);
    for (const name of names.length > 0 ? names : Object.keys(INPUTS)) writeInput(name, join(folder, name));
}
