import { visible } from '#server/notices/visible-text.ts';
import { type CheckedFile, messageOf, rangeOf } from './checked-file.ts';

/** One line per problem, `FILE:LINE:COLUMN: SEVERITY CODE: MESSAGE`, counted from 1; what problem matchers read. */
export function compactLines(checked: readonly CheckedFile[]): string {
    const lines = checked.flatMap(({ file, notices, source }) =>
        notices.map(notice => {
            const { start } = rangeOf(notice.place, source);
            const place = `${notice.place?.file ?? file}:${start.line + 1}:${start.character + 1}`;
            return `${visible(`${place}: ${notice.severity} ${notice.code}: ${messageOf(notice)}`)}\n`;
        }),
    );
    return lines.join('');
}
