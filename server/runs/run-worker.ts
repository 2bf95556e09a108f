import fs from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { workerData } from 'node:worker_threads';
import type { WorkerInput } from '#server/protocol/jobs.ts';

type WorkerProgram = typeof import('./worker-program.ts');

/**
 * The worker thread of the command line. Compiling its program takes longer than most runs, so that the build keeps V8's code
 * of it, which the same V8 takes instead. Another V8 refuses it, and compiles.
 */
const path = fileURLToPath(new URL('./worker-program.cjs', import.meta.url));
const kept = `${path}.code`;
/** Set by the build, and by nobody else. */
const isBuild = process.env.RULELANG_KEEP_CODE !== undefined;

const script = new Script(`(function (require, module, __filename) {${fs.readFileSync(path, 'latin1')}\n})`, {
    filename: path,
    ...(isBuild ? {} : { cachedData: keptCode() }),
});
const module = { exports: {} as WorkerProgram };
script.runInThisContext()(createRequire(path), module, path);
await module.exports.work(workerData as WorkerInput);
if (isBuild) fs.writeFileSync(kept, script.createCachedData());

function keptCode(): Buffer | undefined {
    try {
        return fs.readFileSync(kept);
    } catch {
        return undefined;
    }
}
