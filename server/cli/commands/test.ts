import { say } from '#language/program/say.ts';
import { TEST_FORMATS } from '#server/protocol/tests.ts';
import { choiceOf, UsageError } from '../arguments.ts';
import type { Command } from '../command.ts';
import { COMPUTING_OPTIONS, evaluationOf, FOLDER_OPTION, MODEL_OPTIONS, PYTHON_OPTIONS, WATCH_OPTION } from '../evaluation-options.ts';

export const test: Command = {
    name: 'test',
    summary: 'Run test cases, and show which facts differ and why',
    usage: '[PATH…] [options]',
    description: `Runs test files, which are called NAME.test.rulelang. Each PATH is a file, a
folder with its subfolders, or a pattern; the default is the current folder. The
name of a program means the test file beside it. A test file includes its
program and states given and expected facts:
  @include("control.rulelang").
  @test("a majority controls").
  owns("ann", "bolt", 60).
  @expect("controls").
  controls("ann", "bolt").

Given facts replace the sources and facts of their predicates. Tests write
nothing and open no connections. Scripts and models run only with --allow-python
and --allow-model. The exit code is 1 if a case fails.

Formats:
  pretty  for people: a line for each file, and the facts that differ
  json    the same as data: files, cases, failures and coverage
  jsonl   a JSON line for each file when it ends, then one for the coverage
  junit   JUnit's XML, for test reports`,
    options: {
        filter: { value: 'NAME', help: 'Run the cases alone that have NAME in their names.' },
        case: { value: 'NAME', repeats: true, help: 'Run the case that is called NAME alone; may be repeated.' },
        format: { value: TEST_FORMATS.join('|'), help: 'Output format. Default: pretty.' },
        coverage: { help: 'Say which rules fired in no case, and which tests in bodies never failed.' },
        update: { help: 'Write what the cases derive into their files as what they expect.' },
        ...WATCH_OPTION,
        ...COMPUTING_OPTIONS,
        ...PYTHON_OPTIONS,
        ...MODEL_OPTIONS,
        ...FOLDER_OPTION,
    },
    examples: [
        ['rulelang test', 'all test files below the current folder'],
        ['rulelang test control.rulelang --coverage', 'those of one program, and which rules they do not cover'],
        ['rulelang test --filter majority', 'the cases with this word in their names'],
        ['rulelang test rules --format junit > report.xml', 'for a test report'],
    ],
    job: args => {
        if (args.has('update') && args.has('coverage')) throw new UsageError(say`option '--update' goes without --coverage`);
        const filter = args.value('filter');
        return {
            kind: 'test',
            paths: args.positionals,
            format: choiceOf(args, 'format', TEST_FORMATS, 'pretty'),
            ...(filter === undefined ? {} : { filter }),
            cases: args.values('case'),
            coverage: args.has('coverage'),
            update: args.has('update'),
            ...evaluationOf(args),
            noWrite: true,
        };
    },
};
