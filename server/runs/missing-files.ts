import type { Notice } from '#server/notices/notice.ts';

/** The code of a file that a check does not find. */
export const NOT_FOUND = 'RL6111';

/** Tells a file that is not there once: at its name and with the remedy that a check found, as the error that ended the run there. */
export function missingToldOnce(missing: readonly Notice[], reports: readonly Notice[]): Notice[] {
    const told = new Set<Notice>();
    const placed = reports.map(report => {
        const same = report.code === 'RT064' ? missing.find(one => liesIn(one, report)) : undefined;
        if (same === undefined) return report;
        told.add(same);
        const { place, remedy } = same;
        return { ...report, ...(place && { place }), ...(remedy !== undefined && { remedy }) };
    });
    return [...missing.filter(one => !told.has(one)), ...placed];
}

function liesIn({ place }: Notice, { place: bind }: Notice): boolean {
    return place !== undefined && bind?.file === place.file && bind.start <= place.start && place.end <= bind.end;
}
