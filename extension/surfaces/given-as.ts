import { type GivenParameter, isGivenParameter } from '#server/protocol/runs.ts';

/**
 * Converts the user's text into a run's parameter: lists as JSON has them, all else as texts, which the run reads in the type of the
 * default.
 */
export function givenAs(written: string, type: string | undefined): GivenParameter {
    if (type === undefined || !/^(?:list|set)\b/u.test(type)) return written;
    try {
        const value: unknown = JSON.parse(written);
        return isGivenParameter(value) ? value : written;
    } catch {
        return written;
    }
}
