// The inputs of the benchmarks, always the same: node bench/generate.mjs <folder> [workload…]
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WORKLOADS } from './workloads.mjs';

/** Writes the files of a workload, or the given ones. */
export function writeInput(name, folder, files = WORKLOADS.find(workload => workload.name === name).files()) {
    mkdirSync(folder, { recursive: true });
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
    const [folder, ...names] = process.argv.slice(2);
    for (const name of names.length > 0 ? names : WORKLOADS.map(workload => workload.name)) writeInput(name, join(folder, name));
}
