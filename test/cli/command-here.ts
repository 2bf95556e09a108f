import { readArguments } from '#server/cli/arguments.ts';
import { analyze } from '#server/cli/commands/analyze.ts';
import { binds } from '#server/cli/commands/binds.ts';
import { check } from '#server/cli/commands/check.ts';
import { explain } from '#server/cli/commands/explain.ts';
import { graph } from '#server/cli/commands/graph.ts';
import { run } from '#server/cli/commands/run.ts';
import { CONTROL_WORDS } from '#server/protocol/jobs.ts';
import { jobContext } from '#server/runs/job-context.ts';
import { exitCodeOf } from '#server/runs/worker-program.ts';

const COMMANDS = [run, check, explain, binds, graph, analyze];

/**
 * Does a command as the worker thread of the command line does, but in this process, one at a time, and gives what it tells. What the
 * command line itself does with signals, pipes and its environment needs a process.
 */
export async function commandHere(folder: string, [name, ...args]: readonly string[], env: NodeJS.ProcessEnv = {}) {
    const command = COMMANDS.find(known => known.name === name);
    if (command === undefined) throw new Error(`'${name}' is not done here`);
    const before = { folder: process.cwd(), env: process.env };
    // What the build writes into the program.
    Object.assign(globalThis, { RULELANG_VERSION: '0.0.0' });
    process.chdir(folder);
    process.env = { ...process.env, ...env };
    try {
        const job = command.job(readArguments(args, command.options));
        if (typeof job === 'function') throw new Error(`'${name}' is no job of a thread`);
        const told = { stdout: '', stderr: '' };
        const began = process.uptime() * 1000;
        const own = jobContext(new Int32Array(new SharedArrayBuffer(CONTROL_WORDS * 4)), STREAMS, () => undefined, began);
        const code = await exitCodeOf(job, {
            ...own,
            print: text => {
                told.stdout += Buffer.from(text).toString();
            },
            say: text => {
                told.stderr += text;
            },
        });
        return { code, ...told };
    } finally {
        process.chdir(before.folder);
        process.env = before.env;
    }
}

const STREAMS = { outputColour: false, errorColour: false };
