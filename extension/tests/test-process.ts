import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { type CancellationToken, env } from 'vscode';
import { readSetting } from '#extension/host/read-setting.ts';
import { commandLine } from '#extension/platform/command-line.ts';
import type { TestLine } from '#server/protocol/tests.ts';

/** The tests to run: test files, and only the cases of these names if there are any. */
export interface TestSelection {
    readonly folder: string;
    readonly files: readonly string[];
    readonly cases: readonly string[];
    readonly coverage: boolean;
}

interface Listener {
    line(line: TestLine): void;
    /** Words of the process. */
    said(text: string): void;
}

/** Runs tests with the command line of the extension, as a process of their own, which a cancellation ends. Resolves when it has ended. */
export async function runTests(cli: string, selection: TestSelection, listener: Listener, token: CancellationToken): Promise<void> {
    if (token.isCancellationRequested) return;
    const { file, before, env: needed } = commandLine(cli);
    const child = spawn(file, [...before, ...argumentsOf(selection)], {
        cwd: selection.folder,
        env: { ...process.env, ...needed, RULELANG_LOCALE: env.language },
        stdio: ['ignore', 'pipe', 'pipe'],
    });
    const cancelling = token.onCancellationRequested(() => child.kill());
    child.stderr.setEncoding('utf8').on('data', listener.said);
    createInterface({ input: child.stdout }).on('line', text => {
        const line = lineOf(text);
        if (line !== undefined) listener.line(line);
    });
    await new Promise<void>(resolve => {
        child.once('error', ({ message }) => {
            listener.said(`${message}\n`);
            resolve();
        });
        child.once('close', () => resolve());
    });
    cancelling.dispose();
}

/** The last line of a process that was ended is broken off. */
function lineOf(text: string): TestLine | undefined {
    try {
        return JSON.parse(text) as TestLine;
    } catch {
        return undefined;
    }
}

/** The limits of runs are those of tests. */
function argumentsOf({ files, cases, coverage }: TestSelection): string[] {
    const timeout = readSetting('run.timeout');
    const python = readSetting('python.path');
    return [
        ...['test', '--format', 'jsonl'],
        ...(coverage ? ['--coverage'] : []),
        ...cases.map(name => `--case=${name}`),
        `--max-memory=${readSetting('run.maxMemory')}m`,
        `--max-rounds=${readSetting('run.maxRounds')}`,
        ...(timeout === 0 ? [] : [`--timeout=${timeout}s`]),
        ...(readSetting('python.enabled') ? ['--allow-python'] : []),
        ...(readSetting('python.network') ? ['--python-net'] : []),
        ...(python === '' ? [] : [`--python=${python}`]),
        ...['--', ...files],
    ];
}
