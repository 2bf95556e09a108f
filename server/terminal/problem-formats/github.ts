import type { Severity } from '#language/program/problem.ts';
import { visible } from '#server/notices/visible-text.ts';
import { type CheckedFile, messageOf, rangeOf } from './checked-file.ts';

const COMMANDS: Record<Severity, string> = { error: 'error', warning: 'warning', information: 'notice', hint: 'notice' };

/** Workflow commands, which GitHub shows beside the lines of a pull request. */
export function githubCommands(checked: readonly CheckedFile[]): string {
    const lines = checked.flatMap(({ file, notices, source }) =>
        notices.map(notice => {
            const { start, end } = rangeOf(notice.place, source);
            const properties = [
                ['file', notice.place?.file ?? file],
                ['line', start.line + 1],
                ['endLine', end.line + 1],
                // Columns count only where both ends stand on one line.
                ...(end.line === start.line
                    ? [['col', start.character + 1] as const, ['endColumn', Math.max(start.character, end.character) + 1] as const]
                    : []),
                ['title', notice.code],
            ] as const;
            const written = properties.map(([name, value]) => `${name}=${property(String(value))}`).join(',');
            return `::${COMMANDS[notice.severity]} ${written}::${data(messageOf(notice))}\n`;
        }),
    );
    return lines.join('');
}

/** No line break gets through, so nothing in a file can begin a command of its own. */
function data(text: string): string {
    return visible(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
    return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
