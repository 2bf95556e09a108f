import type { GivenText } from '#engine/contracts/run-options.ts';
import { elementTexts, type JsonText, memberTexts } from '#server/protocol/json-text.ts';
import { apiError } from '#server/protocol/platform/api-error.ts';

/** The parameters of a run by name, without those that are null; `invalid_param_value` for what no value of a parameter is. */
export function runParameters(given: JsonText | undefined): ReadonlyMap<string, unknown> {
    const supplied = [...memberTexts(given?.text ?? '{}')].filter(([, json]) => json !== 'null');
    return new Map(supplied.map(([name, json]) => [name, parameterValue(name, json)]));
}

/** JSON says what is a text; whole numbers that no number holds are literals, with all of their digits. */
function parameterValue(name: string, json: string): unknown {
    if (json.startsWith('[')) return elementTexts(json).map(element => parameterValue(name, element));
    if (json.startsWith('"')) return { text: JSON.parse(json) } satisfies GivenText;
    const value: unknown = JSON.parse(json);
    // Objects, nulls in lists, and numbers beyond a double.
    if (typeof value === 'object' || value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY)
        throw apiError('invalid_param_value', [name], { details: { parameter: name } });
    return /^-?[0-9]+$/u.test(json) && !Number.isSafeInteger(value) ? json : value;
}
