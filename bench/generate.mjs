// The inputs of the benchmarks, always the same: node bench/generate.mjs <folder> [workload…]
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WORKLOADS } from './workloads.mjs';

/** Writes the files of a workload, or the given ones. */
export function writeInput(name, folder, given) {
    const workload = WORKLOADS.find(workload => workload.name === name);
    mkdirSync(folder, { recursive: true });
    for (const [file, text] of Object.entries(given ?? workload.files())) writeFileSync(join(folder, file), text);
    if (workload?.convert === undefined) return;
    execFileSync(process.execPath, [fileURLToPath(new URL(workload.convert, import.meta.url)), folder]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
    const [folder, ...names] = process.argv.slice(2);
    for (const name of names.length > 0 ? names : WORKLOADS.map(workload => workload.name)) writeInput(name, join(folder, name));
}
