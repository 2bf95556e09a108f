import { inlineCode } from '#language/editing/markdown.ts';
import { say } from '#language/program/say.ts';
import { severityText } from '#server/terminal/notice-text.ts';
import type { ProblemHelp } from './problem-help.ts';
import { whatHelps } from './what-helps.ts';

/** Explains a code, as a section of a page; its heading is the code alone, so that links to it are short. */
export function helpSection({ code, title, severity, why, example, files, sources, reported, remedy, fix, silence }: ProblemHelp): string {
    return [
        `## ${code}`,
        `**${title}** · ${severityText(severity)}`,
        withCode(why),
        ...(example === undefined ? [] : [program(example)]),
        ...files.map(([name, text]) => say`with the file ${inlineCode(name)}:\n\n${program(text)}`),
        ...sources.map(withCode),
        `\`\`\`text\n${reported}\n\`\`\``,
        ...(remedy === undefined ? [] : [whatHelps(withCode(remedy))]),
        ...(fix === undefined ? [] : [say`The fix *${withCode(fix.title)}* makes of it:\n\n${program(fix.after)}`]),
        ...(fix === undefined || fix.others.length === 0
            ? []
            : [say`Other fixes: ${fix.others.map(other => `*${withCode(other)}*`).join(', ')}.`]),
        withCode(silence),
    ].join('\n\n');
}

/** A sentence in which code stands between single quotes, as Markdown; quotes within the code have no blank outside. */
export function withCode(sentence: string): string {
    return sentence.replaceAll(/(?<=^|[\s(])'(.+?)'(?=$|[\s.,;:)])/gu, (_, code: string) => inlineCode(code));
}

/** The pages are run by tests; these programs are there to show a problem. */
function program(text: string): string {
    return `\`\`\`rulelang problem\n${text}\n\`\`\``;
}
