import { translated } from '#language/program/say.ts';
import type { Command } from './command.ts';
import { allOptions } from './help.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

const CHOICES = /^[a-z\d-]+(?:\|[a-z\d-]+)+$/u;
const FILES: ReadonlySet<string> = new Set(['FILE', 'DIR', 'PATH']);

/** Returns a script with which a shell completes `rulelang` with its commands, their options, the words of these, and files. */
export function shellCompletion(shell: Shell, commands: readonly Command[]): string {
    switch (shell) {
        case 'bash':
            return bash(commands);
        case 'zsh':
            return `autoload -Uz compinit bashcompinit\n(( $+functions[compdef] )) || compinit\nbashcompinit\n\n${bash(commands)}`;
        case 'fish':
            return fish(commands);
    }
}

/** The words of `a|b|c`; none where it is something else. */
function choices(written: string | undefined): readonly string[] {
    return written !== undefined && CHOICES.test(written) ? written.split('|') : [];
}

/** Returns the first words of a command, if it begins with one of a few. */
function actions({ usage }: Command): readonly string[] {
    return choices(translated(usage).split(' ')[0]);
}

function namesOf(commands: readonly Command[]): readonly string[] {
    return [...commands.map(({ name }) => name), 'help'];
}

function bash(commands: readonly Command[]): string {
    const cases = commands.map(command => {
        const all = Object.entries(allOptions(command.options));
        const first = actions(command);
        return [
            `        ${command.name})`,
            `            options='${all.map(([name]) => `--${name}`).join(' ')}'`,
            ...(first.length === 0 ? [] : [`            [ "$COMP_CWORD" -eq 2 ] && ${offered(first)}`]),
            '            case $before in',
            ...all.flatMap(([name, { value, letter }]) => {
                if (value === undefined) return [];
                const words = choices(value);
                const offer = words.length > 0 ? offered(words) : `kind=${FILES.has(value) ? 'file' : 'none'}`;
                return [`                ${letter === undefined ? '' : `-${letter}|`}--${name}) ${offer} ;;`];
            }),
            '            esac ;;',
        ].join('\n');
    });
    const names = namesOf(commands);
    return `_rulelang() {
    local word before options words kind=file IFS=$' \\t\\n'
    word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]}
    if [ "$word" = = ]; then word=
    elif [ "$before" = = ]; then before=\${COMP_WORDS[COMP_CWORD-2]}
    fi
    case \${COMP_WORDS[1]} in
${cases.join('\n')}
        help) ${offered(names)} ;;
    esac
    if [ "$COMP_CWORD" -eq 1 ]; then ${offered([...names, '--help', '--version'])}
    elif [ "$kind" = file ] && [ "\${word#-}" != "$word" ]; then kind=words words=$options
    fi
    COMPREPLY=()
    case $kind in
        words) COMPREPLY=($(compgen -W "$words" -- "$word")) ;;
        file)
            compopt -o filenames 2>/dev/null
            IFS=$'\\n'
            COMPREPLY=($(compgen -f -- "$word")) ;;
    esac
}
complete -F _rulelang rulelang
`;
}

function offered(words: readonly string[]): string {
    return `kind=words words='${words.join(' ')}'`;
}

function fish(commands: readonly Command[]): string {
    const line = (...parts: readonly string[]): string => ['complete -c rulelang', ...parts.filter(part => part !== '')].join(' ');
    const names = commands.map(({ name, summary }) =>
        line('-n __fish_use_subcommand -f', `-a ${name}`, `-d ${quoted(translated(summary))}`),
    );
    const parts = commands.flatMap(command => {
        const here = `-n '__fish_seen_subcommand_from ${command.name}'`;
        const first = actions(command);
        return [
            ...(first.length === 0 ? [] : [line(here, '-f', `-a '${first.join(' ')}'`)]),
            ...Object.entries(allOptions(command.options)).map(([name, { value, letter, help }]) => {
                const words = choices(value);
                const takes =
                    value === undefined ? '' : words.length > 0 ? `-x -a '${words.join(' ')}'` : FILES.has(value) ? '-r -F' : '-x';
                return line(here, letter === undefined ? '' : `-s ${letter}`, `-l ${name}`, takes, `-d ${quoted(translated(help))}`);
            }),
        ];
    });
    return `${[...names, line('-n __fish_use_subcommand -f -a help'), line(`-n '__fish_seen_subcommand_from help' -f -a '${namesOf(commands).join(' ')}'`), ...parts].join('\n')}\n`;
}

function quoted(text: string): string {
    return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
