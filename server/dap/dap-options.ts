import type { RunJob } from '#server/protocol/jobs.ts';

/** How `rulelang dap` evaluates programs; what else there is to say comes with the request of its client. */
export type DapOptions = Pick<
    RunJob,
    | 'currentFolder'
    | 'allowRead'
    | 'allowWrite'
    | 'allowNet'
    | 'secrets'
    | 'parameters'
    | 'limits'
    | 'surroundings'
    | 'python'
    | 'modelCalls'
>;

/** The data with which the debugging thread starts. */
export interface DebugInput {
    readonly options: DapOptions;
    /** Words of `ASKED`. */
    readonly control: SharedArrayBuffer;
}

/** Requests to the busy thread, by their words in `control`. */
export const ASKED = { pause: 0, stop: 1 } as const;
export const ASKED_WORDS = 2;
