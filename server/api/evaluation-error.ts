import { type ApiError, apiError, invalidText } from '#server/protocol/platform/api-error.ts';
import { type Failure, NoResult } from '#server/runs/no-result.ts';

/** The answer to an evaluation without result, with the concept that failed where there are several; other errors stay. */
export function evaluationError(thrown: unknown): unknown {
    if (!(thrown instanceof NoResult)) return thrown;
    const error = errorOf(thrown);
    if (thrown.concept !== undefined) error.details = { concept_name: thrown.concept, ...error.details };
    return error;
}

function errorOf({ failure, concept = 'program' }: NoResult): ApiError {
    switch (failure.kind) {
        case 'program':
            return invalidText('program_invalid', failure.diagnostics);
        case 'parameter':
            return apiError('missing_parameter', [failure.names[0] ?? ''], { details: { parameters: failure.names } });
        case 'source': {
            const { message, diagnostics, source } = failure;
            const words = source && `${source.type} source '${source.name}'`;
            return apiError('source_unavailable', [message, words], { details: { diagnostics, ...(source && { source }) } });
        }
        case 'run':
            return apiError('evaluation_failed', [concept, failure.message], { details: { diagnostics: failure.diagnostics } });
        case 'script':
            return scriptError(failure);
        case 'rows':
            return apiError('result_too_large', [failure.limit, failure.predicate]);
        case 'timeout':
            return apiError('evaluation_timeout', [failure.seconds]);
        case 'stopped':
        case 'left':
            return apiError('evaluation_stopped', []);
        case 'shutting-down':
            return apiError('shutting_down', []);
        case 'busy':
            return apiError('engine_busy', [], { headers: { 'Retry-After': '1' } });
    }
}

/** Returns the error for a faulty script, or for one that does not run. */
function scriptError({ fault, message, remedy, diagnostics }: Extract<Failure, { kind: 'script' }>): ApiError {
    switch (fault.kind) {
        case 'unavailable': {
            const { reason } = fault;
            return apiError('python_unavailable', [remedy === undefined ? reason : `${reason}. ${remedy}`], { details: { reason } });
        }
        case 'not-found':
            return apiError('script_not_found', [fault.script], { details: { script: fault.script } });
        case 'no-main':
            return apiError('script_no_main', [fault.script], { details: { script: fault.script } });
        case 'bad-result':
            return apiError('script_bad_result', [], { details: { reason: message, diagnostics } });
        case 'columns': {
            const { row, expected, actual } = fault;
            return apiError('script_columns_mismatch', [row, expected, actual], { details: { row, expected, actual } });
        }
        case 'failed':
            return apiError('script_failed', [message], { details: { traceback: fault.traceback, diagnostics } });
    }
}
