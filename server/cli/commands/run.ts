import { extname } from 'node:path';
import { say } from '#language/program/say.ts';
import { COMPUTE_NAMES } from '#server/protocol/compute-names.ts';
import { type EvaluationOptions, PROFILE_FORMATS, RUN_FORMATS, type RunJob } from '#server/protocol/jobs.ts';
import {
    EXPORT_FORMAT_NAMES,
    EXPORT_FORMATS,
    type ExportFormat,
    RESULT_FORMAT_NAMES,
    RESULT_FORMATS,
    TABLE_FORMAT_NAMES,
    TABLE_FORMATS,
} from '#server/protocol/result-formats.ts';
import { type Arguments, choiceOf, countOf, UsageError } from '../arguments.ts';
import type { Command } from '../command.ts';
import { EVALUATION_OPTIONS, evaluationOf, WATCH_OPTION, WRITING_OPTION } from '../evaluation-options.ts';

/** Formats that hold one output. */
const SINGLE = EXPORT_FORMAT_NAMES.filter(format => !EXPORT_FORMATS[format].several);
/** The formats of files by the endings of their names, which are what users call them. */
const FILE_FORMATS = new Map<string, ExportFormat>(EXPORT_FORMAT_NAMES.map(format => [EXPORT_FORMATS[format].ending, format]));
const FORMATS = [...TABLE_FORMAT_NAMES, ...FILE_FORMATS.keys()];

export const run: Command = {
    name: 'run',
    summary: 'Evaluate a program, write its output files and print its outputs',
    usage: '[FILE]|-e RULES [options]',
    description: `Evaluates FILE, writes the files of its output binds, and prints its outputs on
standard output. Problems, progress and remarks go to standard error. If FILE is
-, the program is read from standard input. If FILE is missing or a folder, the
program is the one in rulelang.json:
  {"programs": ["rules/control.rulelang"]}

--query takes the body of a rule and prints the values of its variables, or true
or false if it has none. Then only the queries and the outputs of --output are
evaluated, and nothing is written.

Formats:
${TABLE_FORMAT_NAMES.map(format => `  ${format.padEnd(8)}${TABLE_FORMATS[format].join('\n          ')}`).join('\n')}
${RESULT_FORMAT_NAMES.map(format => `  ${format.padEnd(8)}${RESULT_FORMATS[format].help.join('\n          ')}`).join('\n')}

${SINGLE.slice(0, -1).join(', ')} and ${SINGLE.at(-1)} hold one output: a program with several needs
--output. With --output-file the ending of the name is the format, such as
rows.parquet or rows.xlsx; a workbook has a sheet for each output. An existing
FILE is replaced.

A text profile goes to standard error. A json profile, or a flame profile (a
page for a browser), replaces the outputs on standard output.

Binds can read and write below the folder of FILE and below the current folder;
--allow-read and --allow-write add further folders. Output files must have a data
extension (csv, json, txt and such). --allow-write FILE allows another file, but
never a program, script, settings file, build file or key. Output files are
written after the whole evaluation has succeeded, completely or not at all.

Binds can connect only to the hosts of --allow-net, even on this machine. In a
credential, \${NAME} is a parameter, or the environment variable NAME if --secret
names it.`,
    options: {
        eval: {
            letter: 'e',
            value: 'RULES',
            repeats: true,
            help: 'Evaluate RULES instead of a file; paths start in the current folder. May be repeated.',
        },
        query: { value: 'BODY', repeats: true, help: 'Print the values for which BODY holds instead of the outputs. May be repeated.' },
        output: { value: 'NAME', repeats: true, help: 'Print only this output. May be repeated.' },
        format: { value: FORMATS.join('|'), help: 'Output format. Default: table; with --output-file, as the ending of its name says.' },
        'output-file': {
            value: 'FILE',
            help: 'Write the outputs into FILE instead of printing them. An existing FILE is replaced, but only if the run succeeds.',
        },
        limit: { value: 'N|all', help: 'Print at most N rows of each output. Files always have all rows.' },
        compute: {
            value: 'ENGINE',
            help: 'Let ENGINE (duckdb) evaluate what has an exact counterpart there. Default: none.',
        },
        'explain-compute': { help: 'With --compute, print for each stratum where it was evaluated, and why or by which statements.' },
        stats: { help: 'Print how many facts, rounds, seconds and bytes the run needed.' },
        profile: { value: PROFILE_FORMATS.join('|'), help: 'Print time, tuples, runs, join order and memory of each rule.' },
        'profile-to': { value: 'FILE', help: 'Write the profile into FILE instead of printing it.' },
        strict: { help: 'Treat rows with too few or too many cells, and failed conversions, as errors. Then nothing is written.' },
        unordered: { help: 'Print rows in the order of evaluation, without sorting; faster for many rows.' },
        'no-write': { help: 'Write no files except those that --allow-write names.' },
        ...WATCH_OPTION,
        ...EVALUATION_OPTIONS,
        ...WRITING_OPTION,
    },
    examples: [
        ['rulelang run control.rulelang', 'print all outputs as tables'],
        ['rulelang run control.rulelang --param threshold=0.5', 'with another value of a parameter'],
        [`rulelang run control.rulelang --query 'controls("Ann", X), not sold(X)'`, 'the values for which a body holds'],
        [`rulelang -e 'p(1). p(5).' --query 'p(X), X > 3'`, 'without a file; rulelang -e is rulelang run -e'],
        ['rulelang run control.rulelang --format json | jq .resultSet', 'for other programs'],
        ['rulelang run control.rulelang --output control --format csv > control.csv', 'one output as a file'],
        ['rulelang run control.rulelang --output-file control.xlsx', 'all outputs in a workbook'],
        ['rulelang run control.rulelang --profile flame --profile-to profile.html', 'see where the time goes'],
        ['rulelang run weather.rulelang --allow-python', 'with the scripts of the program'],
        ['rulelang run load.rulelang --allow-read /data --timeout 5m', 'with data from elsewhere, for five minutes at most'],
    ],
    job: args => {
        const limit = args.value('limit') === 'all' ? 'all' : countOf(args, 'limit');
        return {
            kind: 'run',
            ...programOf(args),
            outputs: args.values('output'),
            queries: args.values('query'),
            ...formatOf(args),
            ...(limit === undefined ? {} : { limit }),
            statistics: args.has('stats'),
            ...profileOf(args),
            strict: args.has('strict'),
            unordered: args.has('unordered'),
            ...withCompute(evaluationOf(args), args),
            ...(args.has('no-write') && { noWrite: true }),
        };
    },
};

function withCompute(options: EvaluationOptions, args: Arguments): EvaluationOptions & Pick<RunJob, 'explainsCompute'> {
    if (!args.has('compute')) {
        if (args.has('explain-compute'))
            throw new UsageError(say`option '--explain-compute' needs '--compute' beside it: --compute duckdb`);
        return options;
    }
    const compute = choiceOf(args, 'compute', COMPUTE_NAMES, 'duckdb');
    return { ...options, limits: { ...options.limits, compute }, explainsCompute: args.has('explain-compute') };
}

function formatOf(args: Arguments): Pick<RunJob, 'format' | 'written'> {
    const path = args.value('output-file');
    const chosen = args.has('format') ? choiceOf(args, 'format', FORMATS, 'table') : undefined;
    if (path === undefined) {
        const format = RUN_FORMATS.find(known => known === (chosen ?? 'table'));
        if (format === undefined) throw new UsageError(say`${chosen ?? ''} is written into a file: --output-file rows.${chosen ?? ''}`);
        return { format };
    }
    const ending = chosen ?? extname(path).slice(1).toLowerCase();
    const format = FILE_FORMATS.get(ending);
    if (format === undefined)
        throw new UsageError(
            say`'${path}' does not tell by its name how it is written; give --format: ${[...FILE_FORMATS.keys()].join(', ')}`,
        );
    return { format: 'table', written: { path, format } };
}

function profileOf(args: Arguments): Pick<RunJob, 'profile'> {
    const file = args.value('profile-to');
    if (!args.has('profile')) {
        if (file !== undefined) throw new UsageError(say`option '--profile-to' needs '--profile' beside it: --profile text`);
        return {};
    }
    return { profile: { format: choiceOf(args, 'profile', PROFILE_FORMATS, 'text'), ...(file === undefined ? {} : { file }) } };
}

function programOf(args: Arguments): Pick<RunJob, 'file' | 'text'> {
    const [file, ...more] = args.positionals;
    if (args.has('eval')) {
        if (file !== undefined) throw new UsageError(say`a file or option '-e', not both; the rules may have @include("${file}").`);
        return { file: '-e', text: args.values('eval').join('\n') };
    }
    if (more.length > 0) throw new UsageError(say`one program at a time, not also '${more[0]}'`);
    return { file: file ?? '.' };
}
