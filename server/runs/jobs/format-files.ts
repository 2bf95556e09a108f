import { RunStopped } from '#engine/reports/reports.ts';
import { readNamedText, STANDARD_INPUT } from '#server/files/named-text.ts';
import { programFiles } from '#server/files/program-files.ts';
import { formattedText } from '#server/files/program-text.ts';
import { rewriteNamed } from '#server/files/write-granted.ts';
import { reportNotice } from '#server/notices/notice.ts';
import { EXIT } from '#server/protocol/jobs.ts';
import type { JobContext } from '../job-context.ts';
import { sayNotices } from '../say-notices.ts';

export interface FormatJob {
    readonly kind: 'format';
    /** Files, folders and patterns; `-` is standard input. */
    readonly paths: readonly string[];
    readonly check: boolean;
}

/** Formats programs in place, or lists those that are not formatted. A file that cannot be read does not stop the others. */
export function formatFiles({ paths, check }: FormatJob, context: JobContext): number {
    const changed: string[] = [];
    let failed = false;
    for (const path of paths) {
        try {
            for (const file of programFiles([path])) if (formatFile(file, check, context)) changed.push(file);
        } catch (error) {
            if (!(error instanceof RunStopped)) throw error;
            sayNotices([reportNotice(error.report)], context);
            failed = true;
        }
    }
    if (check) for (const file of changed) context.print(`${file}\n`);
    return failed || (check && changed.length > 0) ? EXIT.failed : EXIT.fine;
}

/** True where the file is not, or was not, formatted. */
function formatFile(file: string, check: boolean, context: JobContext): boolean {
    const { text, marked } = readNamedText(file);
    const formatted = formattedText(file, text);
    if (check) return formatted !== text;
    if (file === STANDARD_INPUT) context.print(`${marked ? '\ufeff' : ''}${formatted}`);
    else if (formatted !== text) rewriteNamed(file, `${marked ? '\ufeff' : ''}${formatted}`);
    return formatted !== text;
}
