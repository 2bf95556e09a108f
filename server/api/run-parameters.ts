import type { GivenText } from '#engine/run-options.ts';
import { apiError } from '#server/protocol/platform/api-error.ts';

/** The parameters of a run by name, without those that are null; `invalid_param_value` for an object. */
export function runParameters(given: Readonly<Record<string, unknown>>): ReadonlyMap<string, unknown> {
    const supplied = Object.entries(given).filter(([, value]) => value !== null);
    for (const [name, value] of supplied)
        if (!isSimple(value)) throw apiError('invalid_param_value', [name], { details: { parameter: name } });
    return new Map(supplied.map(([name, value]) => [name, givenValue(value)]));
}

/** JSON says what is a text. */
function givenValue(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(givenValue);
    return typeof value === 'string' ? ({ text: value } satisfies GivenText) : value;
}

function isSimple(value: unknown): boolean {
    return Array.isArray(value) ? value.every(isSimple) : typeof value !== 'object' && value !== undefined;
}
