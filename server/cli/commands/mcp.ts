import { resolve } from 'node:path';
import { say } from '#language/program/say.ts';
import { type Arguments, type Option, UsageError } from '../arguments.ts';
import type { Command } from '../command.ts';
import { hostsOf, LIMIT_OPTIONS, limitsOf, PYTHON_OPTIONS, READING_OPTIONS, secretNameOf, WRITING_OPTION } from '../evaluation-options.ts';
import { SERVICE_OPTIONS, serviceOf } from '../service-options.ts';

const { server, 'data-dir': dataDirectory, 'token-file': tokenFile } = SERVICE_OPTIONS;
/** Limits of a call unless the command line sets them: others wait for it. */
const USUAL = { timeout: '60s', 'max-memory': '1g' } as const;

export const mcp: Command = {
    name: 'mcp',
    summary: 'Offer tools to an agent by the Model Context Protocol',
    usage: '[options]',
    description: `Agents start this command and talk to it over standard input and output. It
offers tools to check, format, run, query and explain programs, to list, save
and run concepts, to look at data sources, and to search the documentation.
Programs, concepts and documentation are also resources.

Programs must lie below the current folder, or below the roots that the agent
announces. They read what a run may read. They write no files, connect to no
hosts and run no scripts, unless you allow it by an option. A call ends after ${USUAL.timeout.replace('s', '')}
seconds or ${USUAL['max-memory'].replace('g', '')} GiB of facts, unless you set other limits.

Concepts and sources are those of the service that 'rulelang serve' runs.`,
    options: {
        ...READING_OPTIONS,
        ...WRITING_OPTION,
        ...PYTHON_OPTIONS,
        ...LIMIT_OPTIONS,
        ...(server && { server }),
        ...(dataDirectory && { 'data-dir': dataDirectory }),
        ...(tokenFile && { 'token-file': tokenFile }),
    },
    examples: [
        ['rulelang mcp', 'what to write into the settings of an agent'],
        ['rulelang mcp --allow-read /data --allow-write out', 'with data from elsewhere, and results into the folder out'],
    ],
    job: args => {
        if (args.positionals.length > 0) throw new UsageError(say`takes no argument '${args.positionals[0]}'`);
        // Wrong values are reported here, and not at the first call.
        limitsOf(args);
        hostsOf(args, 'allow-net');
        const options = {
            currentFolder: process.cwd(),
            allowRead: args.values('allow-read').map(folder => resolve(folder)),
            secrets: args.values('secret').map(secretNameOf),
            service: serviceOf(args),
            evaluation: {
                read: passedOn(args, READING_OPTIONS),
                write: passedOn(args, WRITING_OPTION),
                python: passedOn(args, PYTHON_OPTIONS),
                limits: [
                    ...passedOn(args, LIMIT_OPTIONS),
                    ...Object.entries(USUAL).flatMap(([name, value]) => (args.has(name) ? [] : [`--${name}=${value}`])),
                ],
            },
        };
        return async () => (await import('#server/mcp/main.ts')).serveMcp(options);
    },
};

/** Options as they were given, for another command in another folder. */
function passedOn(args: Arguments, options: Readonly<Record<string, Option | undefined>>): string[] {
    return Object.entries(options).flatMap(([name, option]) => {
        if (option?.value === undefined) return args.has(name) ? [`--${name}`] : [];
        return args.values(name).map(value => `--${name}=${isPath(name, value) ? resolve(value) : value}`);
    });
}

function isPath(name: string, value: string): boolean {
    return name === 'allow-read' || name === 'allow-write' || (name === 'python' && /[/\\]/u.test(value));
}
