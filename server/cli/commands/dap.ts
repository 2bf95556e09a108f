import { say } from '#language/program/say.ts';
import { UsageError } from '../arguments.ts';
import type { Command } from '../command.ts';
import { EVALUATION_OPTIONS, evaluationOf } from '../evaluation-options.ts';

export const dap: Command = {
    name: 'dap',
    summary: 'Start the debug adapter for an editor',
    usage: '[options]',
    description: `Editors start this command and talk to it over standard input and output; it
ends when they end. It evaluates the program, and then steps through its
derivation, match by match, forwards and backwards. It writes no outputs.

The launch request of the editor names the program:
  {"program": "control.rulelang", "parameters": {"majority": 66},
   "stopOnEntry": true}`,
    options: EVALUATION_OPTIONS,
    examples: [
        ['rulelang dap', 'what to write into the settings of an editor'],
        ['rulelang dap --timeout 60 --allow-net localhost', 'debug programs that read a database, for a minute at most'],
    ],
    job: args => {
        if (args.positionals.length > 0) throw new UsageError(say`takes no argument '${args.positionals[0]}'`);
        const options = evaluationOf(args);
        return async () => await (await import('#server/dap/main.ts')).serveDap(options);
    },
};
