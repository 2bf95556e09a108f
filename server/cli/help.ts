import { say, translated } from '#language/program/say.ts';
import { COMMON_OPTIONS, type Options } from './arguments.ts';
import type { Command } from './command.ts';

const WIDTH = 80;

/** The help of the whole command line. */
export function generalHelp(commands: readonly Command[]): string {
    const width = Math.max(...commands.map(({ name }) => name.length), 'help'.length);
    const list = [...commands, { name: 'help', summary: say`Print the help of a command, or explain a code` }].map(
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
             variables NO_COLOR and FORCE_COLOR mean never and always.

Exit codes: 0 success, 1 an error was found or the run failed, 2 wrong command
line, 3 a defect of rulelang, 130 stopped by Ctrl-C.

rulelang help COMMAND prints the help of a command; rulelang help RL2002 explains
a problem and how to fix it.
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
