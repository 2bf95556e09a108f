import type { FromProcess } from '#server/protocol/run-process.ts';
import { isCountUpTo, isFlag, isListOf, isObject, isOneOf, isText, type Shape } from '#server/protocol/shape.ts';

const MANY = Number.MAX_SAFE_INTEGER;
const LISTED = 1 << 20;

const count = isCountUpTo(MANY);
const any: Shape<unknown> = (value): value is unknown => value !== undefined;

const position = isObject({ line: count, character: count });
const range = isObject({ start: position, end: position });
const notice = isObject(
    { code: isText, severity: isOneOf('error', 'warning', 'information', 'hint'), message: isText },
    {
        remedy: isText,
        details: isListOf(isText, LISTED),
        range,
        source: isObject({ file: isText }, { line: count }),
        bound: isObject({ type: isText, name: isText }),
        wanted: isObject({ kind: isOneOf('parameter', 'input'), name: isText }),
        parameter: isText,
    },
);
const output = isObject({
    key: isText,
    name: isText,
    rows: count,
    columns: isListOf(isObject({ name: isText, type: isText, shape: isOneOf('number', 'text', 'boolean', 'time', 'collection') }), LISTED),
});
const place = { file: isText, start: count, end: count };
const related = isListOf(isObject({ ...place, message: isText }), LISTED);
const reported = isListOf(isObject({ notice: count, ...place, related }), LISTED);
const parameters = isListOf(isObject({ name: isText, text: isText, given: isFlag }), LISTED);
const ended = { milliseconds: count, notices: isListOf(notice, LISTED) };

const MESSAGES: ReadonlyMap<unknown, Shape<unknown>> = new Map<unknown, Shape<unknown>>([
    [
        'progress',
        isObject({
            kind: isText,
            progress: isObject({
                phase: isOneOf('loading', 'evaluating', 'writing'),
                stratum: count,
                strata: count,
                round: count,
                facts: count,
            }),
        }),
    ],
    ['temporary', isObject({ kind: isText, path: isText, exists: isFlag })],
    ['answer', isObject({ kind: isText, id: count, result: any })],
    ['refused', isObject({ kind: isText, id: count, message: isText })],
]);

const duration: Shape<number> = (value): value is number => typeof value === 'number' && value >= 0;
const chain = isObject({ milliseconds: isListOf(duration, LISTED) }, { failed: isText, changed: isListOf(isText, LISTED) });
const FINISHED = isObject(
    {
        kind: isText,
        end: isObject(
            { outcome: isOneOf('finished'), ...ended, outputs: isListOf(output, LISTED), facts: count },
            { reported, parameters, note: isText },
        ),
    },
    { chain },
);
const FAILED = isObject(
    { kind: isText, end: isObject({ outcome: isOneOf('failed'), ...ended }, { reported, unusualTarget: isText }) },
    { chain },
);

/** Whether what a run process sent is one of its messages: it has read data that nobody vouches for. */
export function isFromProcess(message: unknown): message is FromProcess {
    if (typeof message !== 'object' || message === null || !('kind' in message)) return false;
    if (message.kind === 'ended') return FINISHED(message) || FAILED(message);
    return MESSAGES.get(message.kind)?.(message) ?? false;
}
