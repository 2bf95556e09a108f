import type { ConceptRows } from '#server/projects/run-concept.ts';
import { ApiError } from '#server/protocol/platform/api-error.ts';
import { API_ERRORS, type ApiErrorCode } from '#server/protocol/platform/errors.ts';
import type { Scope } from '#server/store/configuration.ts';
import { type EndedRun, keepRun } from '#server/store/runs.ts';
import { evaluationError } from './evaluation-error.ts';
import type { PlatformContext } from './platform-context.ts';

/** The concept of a remembered run. */
interface RememberedConcept {
    readonly scope: Scope;
    readonly projectId: string;
    readonly conceptId: string;
    /** Names of what it is given. */
    readonly parameters: readonly string[];
}

const SECOND = 1000;
const NO_RUN: ReadonlySet<ApiErrorCode> = new Set(['engine_busy', 'project_not_found', 'concept_not_found']);

/**
 * Lets `run` run a concept, and remembers its end; errors become those of the API. `began` is called when its turn has come, and `answer`
 * sends the rows of a run that succeeded. If the store cannot remember, only the log says so.
 */
export async function remembered(
    { parameters, ...place }: RememberedConcept,
    { store, log }: Pick<PlatformContext, 'store' | 'log'>,
    run: (began: () => void, answer: (rows: ConceptRows, send: () => Promise<void>) => Promise<void>) => Promise<void>,
): Promise<void> {
    let began = Date.now();
    let isKept = false;
    const keep = async (ended: Omit<EndedRun, 'startedAt' | 'seconds' | 'parameters'>): Promise<void> => {
        if (isKept) return;
        isKept = true;
        const [startedAt, seconds] = [new Date(began).toISOString(), (Date.now() - began) / SECOND];
        await keepRun(store, place, { ...ended, startedAt, seconds, parameters }).catch(error => {
            log({ time: new Date().toISOString(), error: `a run is not remembered: ${error instanceof Error ? error.message : error}` });
        });
    };
    try {
        await run(
            () => {
                began = Date.now();
            },
            async ({ executionId, rowCount, isCached, isPersisted }, send) => {
                const kept = keep({ executionId, rowCount, isCached, isPersisted, state: 'succeeded', error: null });
                await send();
                await kept;
            },
        );
    } catch (thrown) {
        const error = evaluationError(thrown);
        const code = error instanceof ApiError ? error.code : 'internal_error';
        const message = error instanceof ApiError ? error.message : API_ERRORS.internal_error.message();
        const nothing = { executionId: null, rowCount: null, isCached: false, isPersisted: false };
        if (!NO_RUN.has(code)) await keep({ ...nothing, state: stateOf(code), error: { code, message } });
        throw error;
    }
}

function stateOf(code: ApiErrorCode): EndedRun['state'] {
    switch (code) {
        case 'evaluation_stopped':
        case 'shutting_down':
            return 'stopped';
        case 'evaluation_timeout':
            return 'timed_out';
        default:
            return 'failed';
    }
}
