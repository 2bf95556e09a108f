import fs from 'node:fs';
import { nearestName } from '#language/library/nearest-name.ts';
import { say } from '#language/program/say.ts';
import { EXIT, type Streams } from '#server/protocol/jobs.ts';
import { startJob } from '#server/runs/start-job.ts';
import { speakLocale } from '#server/words/speak-locale.ts';
import { type Arguments, COLOURS, choiceOf, readArguments, UsageError } from './arguments.ts';
import { COMMANDS } from './commands.ts';
import { commandHelp, generalHelp } from './help.ts';
import { watchJob } from './watch.ts';

declare const RULELANG_VERSION: string;

const [OUTPUT, ERROR] = [1, 2] as const;
const NULL_DEVICE = '/dev/null';
const USUAL_WIDTH = 80;
const STANDARD_INPUT = '-';

speakLocale();
void main(process.argv.slice(2)).then(exitCode => {
    process.exitCode = exitCode;
});

async function main([name, ...args]: readonly string[]): Promise<number> {
    if (name === '--version' || name === '-v') return print(say`rulelang ${RULELANG_VERSION}\n`);
    if (name === '--help' || name === '-h') return print(generalHelp(COMMANDS));
    if (name === 'help') return await help(args[0]);
    if (name === '-e') return await main(['run', name, ...args]);
    const command = COMMANDS.find(known => known.name === name);
    if (command === undefined) return refuse(name === undefined ? generalHelp(COMMANDS) : say`rulelang: ${unknownCommand(name)}\n`);
    let read: Arguments;
    try {
        read = readArguments(args, command.options);
        if (read.has('help')) return print(commandHelp(command));
        const choice = choiceOf(read, 'color', COLOURS, 'auto');
        const streams = (): Streams => streamsOf(choice);
        const job = command.job(read);
        if (typeof job === 'function') {
            const ended = await job(streams, COMMANDS);
            return typeof ended === 'string' ? print(ended) : (ended ?? EXIT.fine);
        }
        if (!read.has('watch')) return await startJob(job, streams());
        const { positionals } = read;
        if (positionals.includes(STANDARD_INPUT) || read.has('stdin'))
            throw new UsageError(say`option '--watch' needs files: standard input is read once`);
        return await watchJob(job, positionals.length === 0 ? ['.'] : positionals, streams);
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

/** Explains a code. The help is loaded only on demand: it takes the whole checker. */
async function helpOnCode(code: string): Promise<number> {
    const { problemHelp } = await import('#server/problem-help/problem-help.ts');
    const { helpText } = await import('#server/problem-help/help-text.ts');
    const found = problemHelp(code);
    return found === undefined ? refuse(say`rulelang help: no problem has the code '${code}'\n`) : print(helpText(found));
}

function unknownCommand(name: string): string {
    if (name.startsWith('-')) return say`unknown option '${name}'; see 'rulelang --help'`;
    const meant = nearestName(
        name,
        COMMANDS.map(command => command.name),
    );
    return say`unknown command '${name}'${meant === undefined ? "; see 'rulelang --help'" : say`; did you mean '${meant}'?`}`;
}

function print(text: string): number {
    return write(OUTPUT, text) ? EXIT.fine : EXIT.failed;
}

function refuse(text: string): number {
    write(ERROR, text);
    return EXIT.usage;
}

/** Writes short texts of this thread, and says whether they are there. A missing reader does not count as an error. */
function write(descriptor: number, text: string): boolean {
    try {
        fs.writeSync(descriptor, text);
        return true;
    } catch (error) {
        if (!(error instanceof Error && 'code' in error)) throw error;
        if (error.code === 'EPIPE') return true;
        if (descriptor !== ERROR) write(ERROR, say`rulelang: the output cannot be written: ${error.message}\n`);
        return false;
    }
}

/** Describes the streams. `process.stdout` is only touched if it is a terminal: on a pipe it would change its mode. */
function streamsOf(choice: (typeof COLOURS)[number]): Streams {
    const [output, error] = [isTerminal(OUTPUT), isTerminal(ERROR)];
    return {
        ...(output ? { outputWidth: process.stdout.columns || USUAL_WIDTH } : {}),
        ...(error ? { errorWidth: process.stderr.columns || USUAL_WIDTH } : {}),
        outputColour: isColoured(choice, output),
        errorColour: isColoured(choice, error),
    };
}

/** An option says more than the environment, and there NO_COLOR more than FORCE_COLOR. */
function isColoured(choice: (typeof COLOURS)[number], isTerminal: boolean): boolean {
    if (choice !== 'auto') return choice === 'always';
    const { NO_COLOR = '', FORCE_COLOR = '', TERM } = process.env;
    if (NO_COLOR !== '') return false;
    if (FORCE_COLOR !== '') return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
    return isTerminal && TERM !== 'dumb';
}

/** Only a device can be a terminal, and not the one that forgets everything; `node:tty` takes five milliseconds to load. */
function isTerminal(descriptor: number): boolean {
    const stream = fs.fstatSync(descriptor);
    if (!stream.isCharacterDevice() || stream.rdev === fs.statSync(NULL_DEVICE, { throwIfNoEntry: false })?.rdev) return false;
    return process.getBuiltinModule('node:tty').isatty(descriptor);
}
