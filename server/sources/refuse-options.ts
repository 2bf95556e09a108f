import { type ReportContext, stop } from '#engine/reports/reports.ts';
import type { Bind } from '#language/program/analysed-program.ts';
import { say } from '#language/program/say.ts';

/** Ends the run with RT065 where a bind has one of these options, of which nothing is carried out for its type. */
export function refuseOptions({ type, options }: Bind, keys: readonly string[], context: ReportContext): void {
    for (const key of keys) {
        const value = options.get(key)?.trim().toLowerCase() ?? 'none';
        if (value !== 'none' && value !== 'uncompressed') stop('RT065', context, say`Option '${key}' of a ${type} bind`);
    }
}
