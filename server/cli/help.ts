import { say, translated } from '#language/program/say.ts';
import { COMMON_OPTIONS, type Options } from './arguments.ts';
import type { Command } from './command.ts';

const WIDTH = 80;

/** The help of the whole command line. */
export function generalHelp(commands: readonly Command[]): string {
    const width = Math.max(...commands.map(({ name }) => name.length), 'help'.length);
    const list = [...commands, { name: 'help', summary: say`Print the help of a command, or what a code means` }].map(
        ({ name, summary }) => `  ${name.padEnd(width)}  ${translated(summary)}`,
    );
    return say`rulelang evaluates, checks and explains rule programs.

Usage: rulelang COMMAND [arguments]
       rulelang -e RULES [options of run]

Commands:
${list.join('\n')}

Options:
  --version  Print the version.
  --help     Print this help.

Options of every command:
  --color auto|always|never
             Use colours. Default: auto, which means on a terminal. With auto, the
             variables NO_COLOR and FORCE_COLOR say never and always.

Exit codes: 0 fine, 1 an error was found or the run failed, 2 the command line
was not understood, 3 a defect of rulelang, 130 stopped by Ctrl-C.

rulelang help COMMAND says more about a command, rulelang help RL2002 what a
problem is about and how to mend it.
`;
}

/** The help of one command. */
export function commandHelp({ name, summary, usage, description, options, examples }: Command): string {
    return `${translated(summary)}.

${say`Usage: rulelang ${name} ${translated(usage)}`}

${translated(description)}

${say`Options:`}
${optionsHelp(options)}

${say`Examples:`}
${examples.map(([command, what]) => `  ${command}\n      ${translated(what)}`).join('\n')}
`;
}

/** Options of a command, and those of every command. */
export function allOptions(options: Options): Options {
    return { ...options, ...COMMON_OPTIONS };
}

function optionsHelp(options: Options): string {
    return Object.entries(allOptions(options))
        .map(([name, { value, letter, help }]) => {
            const written = `${letter === undefined ? '' : `-${letter}, `}--${name}${value === undefined ? '' : ` ${value}`}`;
            return `  ${written}\n${indented(translated(help))}`;
        })
        .join('\n');
}

function indented(text: string): string {
    const lines: string[] = [];
    let line = '';
    for (const word of text.split(' ')) {
        if (line !== '' && line.length + word.length + 7 > WIDTH) {
            lines.push(line);
            line = word;
        } else {
            line = line === '' ? word : `${line} ${word}`;
        }
    }
    return [...lines, line].map(part => `      ${part}`).join('\n');
}
