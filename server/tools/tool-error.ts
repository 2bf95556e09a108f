import { RunStopped } from '#engine/reports/reports.ts';
import { say } from '#language/program/say.ts';
import { PlatformError } from '#server/client/platform-error.ts';
import { ApiError } from '#server/protocol/platform/api-error.ts';

export type ToolErrorCode =
    | 'command_failed'
    | 'concept_not_found'
    | 'engine_busy'
    | 'forbidden'
    | 'program_invalid'
    | 'rejected'
    | 'service_unavailable'
    | 'source_unavailable'
    | 'tool_not_found'
    | 'validation_error';

/** Refuses a call in words for a model, which may act on the code and the details. */
export class ToolError extends Error {
    readonly code: ToolErrorCode;
    readonly details: object | undefined;

    constructor(code: ToolErrorCode, message: string, details?: object) {
        super(message);
        this.code = code;
        this.details = details;
    }
}

/** A failure as a model is told of it. */
export interface ToldFailure {
    readonly code: string;
    readonly message: string;
    readonly details?: unknown;
}

/** Gives what a model may be told of a call that failed. Any other error is a defect, and thrown again. */
export function toldFailure(error: unknown): ToldFailure {
    if (error instanceof ToolError || error instanceof PlatformError || error instanceof ApiError) {
        const { code, message, details } = error;
        return { code, message, ...(details !== undefined && details !== null && { details }) };
    }
    if (error instanceof RunStopped) return { code: error.report.code, message: error.message };
    if (error instanceof TypeError && error.cause instanceof Error)
        return { code: 'service_unavailable', message: say`The service cannot be reached: ${error.cause.message}` };
    throw error;
}
