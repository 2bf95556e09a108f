import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { workerData } from 'node:worker_threads';
import { keptCode } from '#server/processes/kept-code.ts';
import { inlineLess } from './inline-less.ts';
import type { WorkerInput } from './worker-program.ts';

type WorkerProgram = typeof import('./worker-program.ts');

/** The worker thread of the command line: its program, and the parts that the program loads when it needs them. */
const load = keptCode(dirname(fileURLToPath(import.meta.url)), name => process.getBuiltinModule(name) as object);

inlineLess();
const { work } = load('./worker-program.js') as WorkerProgram;
void work(workerData as WorkerInput);
