import type { FromProcess } from '#server/protocol/run-process.ts';
import { isAnything, isCount, isFlag, isText, listOf, object, oneOf, optional, type Shape } from '#server/protocol/shape.ts';

const position = object({ line: isCount, character: isCount });
const range = object({ start: position, end: position });
const notice = object({
    code: isText,
    severity: oneOf('error', 'warning', 'information', 'hint'),
    message: isText,
    remedy: optional(isText),
    details: optional(listOf(isText)),
    range: optional(range),
    source: optional(object({ file: isText, line: optional(isCount) })),
    bound: optional(object({ type: isText, name: isText })),
    wanted: optional(object({ kind: oneOf('parameter', 'input'), name: isText })),
    parameter: optional(isText),
});
const output = object({
    key: isText,
    name: isText,
    rows: isCount,
    columns: listOf(object({ name: isText, type: isText, shape: oneOf('number', 'text', 'boolean', 'time', 'collection') })),
});
const place = { file: isText, start: isCount, end: isCount };
const related = listOf(object({ ...place, message: isText }));
const reported = listOf(object({ notice: isCount, ...place, related }));
const parameters = listOf(object({ name: isText, text: isText, given: isFlag }));
const ended = { milliseconds: isCount, notices: listOf(notice) };

const MESSAGES: ReadonlyMap<unknown, Shape<unknown>> = new Map<unknown, Shape<unknown>>([
    [
        'progress',
        object({
            kind: isText,
            progress: object({
                phase: oneOf('loading', 'evaluating', 'writing'),
                stratum: isCount,
                strata: isCount,
                round: isCount,
                facts: isCount,
            }),
        }),
    ],
    ['temporary', object({ kind: isText, path: isText, exists: isFlag })],
    ['answer', object({ kind: isText, id: isCount, result: isAnything })],
    ['refused', object({ kind: isText, id: isCount, message: isText })],
]);

const duration: Shape<number> = (value): value is number => typeof value === 'number' && value >= 0;
const chain = optional(object({ milliseconds: listOf(duration), failed: optional(isText), changed: optional(listOf(isText)) }));
const FINISHED = object({
    kind: isText,
    end: object({
        outcome: oneOf('finished'),
        ...ended,
        outputs: listOf(output),
        facts: isCount,
        reported: optional(reported),
        parameters: optional(parameters),
        note: optional(isText),
    }),
    chain,
});
const FAILED = object({
    kind: isText,
    end: object({ outcome: oneOf('failed'), ...ended, reported: optional(reported), unusualTarget: optional(isText) }),
    chain,
});

/** Whether what a run process sent is one of its messages: it has read data that nobody vouches for. */
export function isFromProcess(message: unknown): message is FromProcess {
    if (typeof message !== 'object' || message === null || !('kind' in message)) return false;
    if (message.kind === 'ended') return FINISHED(message) || FAILED(message);
    return MESSAGES.get(message.kind)?.(message) ?? false;
}
