import { visibleJson } from '#server/notices/visible-text.ts';
import { type CheckedFile, rangeOf } from './checked-file.ts';

/** The form of 12.5, with positions as editors count them. */
export function diagnosticsJson(checked: readonly CheckedFile[]): string {
    const diagnostics = checked.flatMap(({ file, notices, source }) =>
        notices.map(({ code, severity, message, place }) => ({
            file: place?.file ?? file,
            range: rangeOf(place, source),
            severity,
            code,
            message,
        })),
    );
    return `${visibleJson(JSON.stringify({ diagnostics }, undefined, 2))}\n`;
}
