import { say } from '#language/program/say.ts';
import { severityText, TEXT_WIDTH, wrapped } from '#server/terminal/notice-text.ts';
import type { ProblemHelp } from './problem-help.ts';
import { whatHelps } from './what-helps.ts';

/** Explains a code, for a terminal. */
export function helpText({ code, title, severity, why, example, files, sources, reported, remedy, fix, silence }: ProblemHelp): string {
    const parts = [
        `${code}: ${title} (${severityText(severity)})`,
        wrapped(why, TEXT_WIDTH, ''),
        ...(example === undefined ? [] : [say`For example:\n\n${indented(example)}`]),
        ...files.map(([name, text]) => say`with the file ${name}:\n\n${indented(text)}`),
        ...sources,
        say`It is reported like this:\n\n${indented(reported)}`,
        ...(remedy === undefined ? [] : [wrapped(whatHelps(remedy), TEXT_WIDTH, '')]),
        ...(fix === undefined ? [] : [say`The fix "${fix.title}" makes of it:\n\n${indented(fix.after)}`]),
        wrapped(silence, TEXT_WIDTH, ''),
    ];
    return `${parts.join('\n\n')}\n`;
}

function indented(text: string): string {
    return text.replaceAll(/^(?=.)/gmu, '  ');
}
