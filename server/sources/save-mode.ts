import { type ReportContext, stop } from '#engine/reports/reports.ts';
import type { Bind } from '#language/program/analysed-program.ts';
import { say } from '#language/program/say.ts';

/** What becomes of a target that is there already (9.5). */
export type SaveMode = 'overwrite' | 'append' | 'error' | 'ignore';

const SAVE_MODES = new Map<string, SaveMode>([
    ['overwrite', 'overwrite'],
    ['append', 'append'],
    ['errorifexists', 'error'],
    ['error', 'error'],
    ['ignore', 'ignore'],
]);

/** What `saveMode` says; RT064 for another word. */
export function saveMode(bind: Bind, shown: string, context: ReportContext): SaveMode {
    const text = bind.options.get('saveMode')?.trim() ?? 'overwrite';
    return (
        SAVE_MODES.get(text.toLowerCase()) ??
        stop('RT064', context, shown, say`cannot be used with saveMode='${text}': write overwrite, append, errorIfExists or ignore`)
    );
}
