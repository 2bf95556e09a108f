import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { workerData } from 'node:worker_threads';
import type { WorkerInput } from '#server/protocol/jobs.ts';
import { inlineLess } from './inline-less.ts';

type WorkerProgram = typeof import('./worker-program.ts');

/**
 * The worker thread of the command line. Compiling its program takes longer than most runs, so that the build keeps V8's code
 * of it, and of the parts that the program loads when it needs them; the same V8 takes the code instead. Another V8 refuses it,
 * and compiles.
 */
/** Set by the build, and by nobody else. */
const isBuild = process.env.RULELANG_KEEP_CODE !== undefined;
/** What has no kept code yet. */
const compiled = new Map<string, Script>();
const parts = new Map<string, object>();

inlineLess();
const { work } = load('./worker-program.js') as WorkerProgram;
void work(workerData as WorkerInput).then(() => {
    if (!isBuild) return;
    for (const [path, script] of compiled) fs.writeFileSync(keptPath(path), script.createCachedData());
});

/** What a file beside this one exports, which is a function of what a module is given. */
function load(name: string): object {
    const path = fileURLToPath(new URL(name, import.meta.url));
    const cachedData = keptCode(path);
    const script = new Script(fs.readFileSync(path, 'latin1'), { filename: path, ...(cachedData && { cachedData }) });
    if (cachedData === undefined) compiled.set(path, script);
    if (isBuild && script.cachedDataRejected) throw new Error(`V8 refuses what it made of ${name}`);
    const module = { exports: {} };
    script.runInThisContext()(requireOrLoad, module, module.exports, path);
    return module.exports;
}

function requireOrLoad(name: string): object {
    if (!name.startsWith('./')) return process.getBuiltinModule(name) as object;
    const part = parts.get(name) ?? load(name);
    parts.set(name, part);
    return part;
}

function keptCode(path: string): Buffer | undefined {
    try {
        return fs.readFileSync(keptPath(path));
    } catch {
        return undefined;
    }
}

function keptPath(path: string): string {
    return `${path}.code`;
}
