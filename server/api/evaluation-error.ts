import { type ApiError, apiError, invalidText } from '#server/protocol/platform/api-error.ts';
import { NoResult } from '#server/runs/no-result.ts';

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
