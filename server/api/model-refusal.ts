import { say } from '#language/program/say.ts';
import { type ApiError, apiError } from '#server/protocol/platform/api-error.ts';

/** Why no model answers; `missing` is what the configuration lacks. */
export function modelRefusal(missing: string | undefined): ApiError {
    return missing === undefined ? apiError('llm_failed', [say`this version asks no model`]) : apiError('llm_not_configured', [missing]);
}
