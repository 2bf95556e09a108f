import { say } from '#language/program/say.ts';
import { CHECK_FORMATS, FAIL_LEVELS } from '#server/protocol/jobs.ts';
import { choiceOf, countOf, UsageError } from '../arguments.ts';
import type { Command } from '../command.ts';
import { accessOf, PYTHON_OPTIONS, pythonOf, READING_OPTIONS, WATCH_OPTION, WRITING_OPTION } from '../evaluation-options.ts';
import { pathsOf } from '../path-arguments.ts';

export const check: Command = {
    name: 'check',
    summary: 'Report problems in programs without running them',
    usage: '[PATH…] [options]',
    description: `Checks programs without running them. Each PATH is a file, a folder with its
subfolders, or a pattern with *, **, ? and {a,b}. The default is the current
folder; - is standard input. Of each data file only the first line is read, for
the number and names of the columns. The exit code is 1 if a problem reaches the
severity of --fail-level, else 0.

Formats:
  pretty   for people, on standard error: everything but hints
  compact  a line for each problem: FILE:LINE:COLUMN: SEVERITY CODE: MESSAGE
  json     {"diagnostics": [{file, range, severity, code, message}]} on standard
           output, hints included; lines and columns count from 0, in UTF-16 units
  sarif    a SARIF 2.1.0 log, for code scanning
  junit    JUnit's XML, for test reports
  github   workflow commands, which GitHub shows beside the lines of a change

To ignore a problem, write the comment '% rulelang-ignore RL9001' in its line or
in the line above, or '% rulelang-ignore-file RL9001' for the whole file. To
change its severity, use rulelang.json beside the programs or in a folder above:
  {"problems": {"severity": {"RL9001": "off", "RL9002": "error"}}}
Errors that stop a run cannot be ignored or made milder.`,
    options: {
        format: { value: CHECK_FORMATS.join('|'), help: 'Output format. Default: pretty.' },
        'fail-level': {
            value: FAIL_LEVELS.join('|'),
            help: 'Exit with code 1 if there is a problem of this severity or a higher one. Default: error.',
        },
        'max-warnings': { value: 'N', help: 'Also exit with code 1 if there are more than N warnings.' },
        fix: { help: 'Apply the safe fixes to the files, and report the problems that are left.' },
        hints: { help: 'Also show hints.' },
        quiet: { help: 'Show only problems that make the exit code 1.' },
        stdin: { help: 'Check standard input; with --fix, print the fixed text on standard output.' },
        'stdin-filename': { value: 'FILE', help: 'Treat standard input as the file FILE: settings and data are looked for beside it.' },
        'allow-python': { help: 'Do not warn about scripts that a run without --allow-python would refuse.' },
        python: { ...PYTHON_OPTIONS.python, help: 'The Python that will run scripts. Default: python3.' },
        ...WATCH_OPTION,
        ...READING_OPTIONS,
        ...WRITING_OPTION,
    },
    examples: [
        ['rulelang check rules', 'all programs of a folder'],
        ['rulelang check control.rulelang --format json', 'for editors and other programs'],
        ['rulelang check --fix --fail-level warning', 'before a commit'],
        ["rulelang check 'rules/**/*.rulelang' --format sarif > rulelang.sarif", 'for code scanning'],
    ],
    job: args => {
        const inputName = args.value('stdin-filename');
        const format = choiceOf(args, 'format', CHECK_FORMATS, 'pretty');
        const paths = pathsOf(args, ['.']);
        const maxWarnings = countOf(args, 'max-warnings');
        const fix = args.has('fix');
        if (inputName !== undefined && !paths.includes('-')) throw new UsageError(say`option '--stdin-filename' goes with --stdin`);
        if (fix && paths.includes('-') && format !== 'pretty')
            throw new UsageError(say`the fixed text goes to standard output, so problems cannot: leave out --format ${format}`);
        return {
            kind: 'check',
            paths,
            format,
            fix,
            hints: args.has('hints'),
            quiet: args.has('quiet'),
            failLevel: choiceOf(args, 'fail-level', FAIL_LEVELS, 'error'),
            ...(maxWarnings === undefined ? {} : { maxWarnings }),
            ...(inputName === undefined ? {} : { inputName }),
            python: pythonOf(args, 'run'),
            ...accessOf(args),
        };
    },
};
