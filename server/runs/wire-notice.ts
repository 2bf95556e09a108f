import { basename } from 'node:path';
import type { FailedScript } from '#engine/reports/reports.ts';
import type { AnalysedProgram, Bind } from '#language/program/analysed-program.ts';
import type { Notice } from '#server/notices/notice.ts';
import { positionAt } from '#server/notices/source-texts.ts';
import type { ReportedPlace } from '#server/protocol/run-process.ts';
import type { RunNotice } from '#server/protocol/runs.ts';
import { sourceName } from '#server/sources/source-name.ts';
import type { LoadedProgram } from './load-program.ts';

/**
 * Translates notices about a program for another process. A place in a module becomes one like in a data file: the range of a notice is in
 * the program.
 */
export function wireNotices(notices: readonly Notice[], { program, file, texts }: LoadedProgram): RunNotice[] {
    const binds = bindsOf(program);
    return notices.map(({ code, severity, message, remedy, details, place, data, wanted, script }) => {
        const isAt = (bind: Bind): boolean =>
            bind.place.file === place?.file && bind.place.offset + bind.annotation.span.start === place.start;
        const bind = binds.find(isAt);
        const source = place && texts.get(place.file);
        const start = place && source && positionAt(source, place.start);
        const inModule =
            place === undefined || place.file === file ? undefined : { file: basename(place.file), line: (start?.line ?? 0) + 1 };
        const shown = data ?? inModule;
        return {
            code,
            severity,
            message,
            ...(remedy === undefined ? {} : { remedy }),
            ...(details === undefined ? {} : { details }),
            ...(place?.file === file && source && start ? { range: { start, end: positionAt(source, place.end) } } : {}),
            ...(shown === undefined ? {} : { source: shown }),
            ...(wanted === undefined ? {} : { wanted }),
            ...(script === undefined ? {} : { script: wireFault(script) }),
            ...(bind === undefined ? {} : { bound: { type: bind.type, name: sourceName(bind) } }),
        };
    });
}

/** Without a path. */
function wireFault({ at: _, ...fault }: FailedScript): NonNullable<RunNotice['script']> {
    return fault;
}

/** Returns the places of the run's own reports. The receiver has the text of the program, and finds its problems itself. */
export function reportedPlaces(notices: readonly Notice[]): ReportedPlace[] {
    return notices.flatMap(({ code, message, place, related, script }, notice) => {
        if (place === undefined || !code.startsWith('RT')) return [];
        return [{ notice, ...place, related: script?.at === undefined ? related : [...related, { ...script.at, message }] }];
    });
}

/** Words about a run that no code stands for. */
export function remark(message: string, severity: RunNotice['severity'] = 'information'): RunNotice {
    return { code: '', severity, message };
}

function bindsOf({ predicates }: AnalysedProgram): Bind[] {
    return [...predicates.values()].flatMap(({ inputBinds, outputBinds }) => [...inputBinds, ...outputBinds]);
}
