import fs from 'node:fs';
import { say } from '#language/program/say.ts';
import { EXIT, type Streams } from '#server/protocol/jobs.ts';
import { startJob } from '#server/runs/start-job.ts';
import { nearest } from '#server/terminal/nearest.ts';
import { speakLocale } from '#server/words/speak-locale.ts';
import { type Arguments, readArguments, UsageError } from './arguments.ts';
import type { Command } from './command.ts';
import { analyze } from './commands/analyze.ts';
import { ask } from './commands/ask.ts';
import { binds } from './commands/binds.ts';
import { check } from './commands/check.ts';
import { concept } from './commands/concept.ts';
import { data } from './commands/data.ts';
import { explain } from './commands/explain.ts';
import { format } from './commands/format.ts';
import { graph } from './commands/graph.ts';
import { lsp } from './commands/lsp.ts';
import { mcp } from './commands/mcp.ts';
import { open } from './commands/open.ts';
import { project } from './commands/project.ts';
import { run } from './commands/run.ts';
import { serve } from './commands/serve.ts';
import { token } from './commands/token.ts';
import { validate } from './commands/validate.ts';
import { commandHelp, generalHelp } from './help.ts';

declare const RULELANG_VERSION: string;

const COMMANDS: readonly Command[] = [
    run,
    check,
    explain,
    validate,
    format,
    graph,
    analyze,
    binds,
    lsp,
    mcp,
    serve,
    open,
    token,
    project,
    concept,
    data,
    ask,
];
const [OUTPUT, ERROR] = [1, 2] as const;
const NULL_DEVICE = '/dev/null';
const USUAL_WIDTH = 80;

speakLocale();
void main(process.argv.slice(2)).then(exitCode => {
    process.exitCode = exitCode;
});

async function main([name, ...args]: readonly string[]): Promise<number> {
    if (name === '--version' || name === '-v') return print(say`rulelang ${RULELANG_VERSION}\n`);
    if (name === '--help' || name === '-h') return print(generalHelp(COMMANDS));
    if (name === 'help') return await help(args[0]);
    const command = COMMANDS.find(known => known.name === name);
    if (command === undefined) return refuse(name === undefined ? generalHelp(COMMANDS) : say`rulelang: ${unknownCommand(name)}\n`);
    let read: Arguments;
    try {
        read = readArguments(args, command.options);
        if (read.has('help')) return print(commandHelp(command));
        const job = command.job(read);
        if (typeof job !== 'function') return await startJob(job, streams());
        return (await job(streams)) ?? EXIT.fine;
    } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        return refuse(say`rulelang ${command.name}: ${error.message}\nSee 'rulelang ${command.name} --help'\n`);
    }
}

async function help(topic: string | undefined): Promise<number> {
    if (topic === undefined) return print(generalHelp(COMMANDS));
    if (/^R[LT]\d+$/iu.test(topic)) return await helpOnCode(topic.toUpperCase());
    const command = COMMANDS.find(({ name }) => name === topic);
    return command === undefined ? refuse(say`rulelang help: ${unknownCommand(topic)}\n`) : print(commandHelp(command));
}

/** What the codes mean is loaded only where someone asks: it takes the whole checker. */
async function helpOnCode(code: string): Promise<number> {
    const { problemHelp } = await import('#server/problem-help/problem-help.ts');
    const { helpText } = await import('#server/problem-help/help-text.ts');
    const found = problemHelp(code);
    return found === undefined ? refuse(say`rulelang help: no problem has the code '${code}'\n`) : print(helpText(found));
}

function unknownCommand(name: string): string {
    if (name.startsWith('-')) return say`unknown option '${name}'; see 'rulelang --help'`;
    const meant = nearest(
        name,
        COMMANDS.map(command => command.name),
    );
    return say`unknown command '${name}'${meant === undefined ? "; see 'rulelang --help'" : say`; did you mean '${meant}'?`}`;
}

function print(text: string): number {
    write(OUTPUT, text);
    return EXIT.fine;
}

function refuse(text: string): number {
    write(ERROR, text);
    return EXIT.usage;
}

/** Short texts of this thread; a reader that went away is no error. */
function write(descriptor: number, text: string): void {
    try {
        fs.writeSync(descriptor, text);
    } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'EPIPE')) throw error;
    }
}

/** What the streams are. `process.stdout` is only touched where it is a terminal: on a pipe it would change its mode. */
function streams(): Streams {
    const isPlain = (process.env.NO_COLOR ?? '') !== '' || process.env.TERM === 'dumb';
    const [output, error] = [isTerminal(OUTPUT), isTerminal(ERROR)];
    return {
        ...(output ? { outputWidth: process.stdout.columns || USUAL_WIDTH } : {}),
        ...(error ? { errorWidth: process.stderr.columns || USUAL_WIDTH } : {}),
        outputColour: output && !isPlain,
        errorColour: error && !isPlain,
    };
}

/** Only a device can be a terminal, and not the one that forgets everything; `node:tty` takes five milliseconds to load. */
function isTerminal(descriptor: number): boolean {
    const stream = fs.fstatSync(descriptor);
    if (!stream.isCharacterDevice() || stream.rdev === fs.statSync(NULL_DEVICE, { throwIfNoEntry: false })?.rdev) return false;
    return process.getBuiltinModule('node:tty').isatty(descriptor);
}
