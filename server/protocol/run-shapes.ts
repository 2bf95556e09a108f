import { type GivenParameter, PAGE_LIMIT, type RowView, type RunRequests } from './runs.ts';
import { isCountUpTo, isFlag, isListOf, isObject, isOneOf, isRecordOf, isTextUpTo, type Shape } from './shape.ts';
import type { WhyNotRequests } from './why-not.ts';

const NAMES = 1000;
const COLUMNS = 10_000;
const KEYS = 64;
const FILTERS = 256;
const LONGEST_NAME = 1000;
const LONGEST_TEXT = 1 << 20;
/** A fact as somebody types it. */
const LONGEST_QUESTION = 1 << 16;
const LONGEST_URI = 1 << 16;
const ROWS = 0x7fffffff;

const name = isTextUpTo(LONGEST_NAME);
const text = isTextUpTo(LONGEST_TEXT);
const question = isTextUpTo(LONGEST_QUESTION);
const uri = isTextUpTo(LONGEST_URI);
const column = isCountUpTo(COLUMNS);
const run = isCountUpTo(Number.MAX_SAFE_INTEGER);
const row = isCountUpTo(ROWS);
const node = isCountUpTo(Number.MAX_SAFE_INTEGER);

const view: Shape<RowView> = isObject(
    { output: name },
    {
        sort: isListOf(isObject({ column, descending: isFlag }), KEYS),
        filters: isListOf(
            isObject({
                column,
                operator: isOneOf('equals', 'differs', 'contains', 'starts', 'less', 'greater', 'unknown', 'known'),
                value: text,
            }),
            FILTERS,
        ),
        search: text,
    },
) as Shape<RowView>;

/** Lists in lists at most. */
const DEEPEST = 16;

export function isGivenParameter(value: unknown, depth = 0): value is GivenParameter {
    switch (typeof value) {
        case 'string':
            return text(value);
        case 'number':
            return Number.isFinite(value);
        case 'boolean':
            return true;
        default:
            return Array.isArray(value) && depth < DEEPEST && value.every(item => isGivenParameter(item, depth + 1));
    }
}

/** The shape of the parameters of each request about runs. They pass through a webview, so nothing about them is certain. */
export const RUN_SHAPES: { readonly [M in keyof (RunRequests & WhyNotRequests)]: Shape<unknown> } = {
    'rulelang/run': isObject(
        { uri },
        { predicates: isListOf(name, NAMES), parameters: isRecordOf((value): value is GivenParameter => isGivenParameter(value), NAMES) },
    ),
    'rulelang/stop': isObject({ run }),
    'rulelang/close': isObject({ run }),
    'rulelang/page': isObject({ run, view, offset: row, limit: isCountUpTo(PAGE_LIMIT) }),
    'rulelang/cell': isObject({ run, view, row, column }),
    'rulelang/export': isObject({ run, view, format: isOneOf('csv', 'json', 'ndjson'), uri }),
    'rulelang/keep': isObject({ run, uri, note: text, largest: isCountUpTo(Number.MAX_SAFE_INTEGER) }),
    'rulelang/restore': isObject({ uri }),
    'rulelang/explain': isObject({ run, view, row, all: isFlag }),
    'rulelang/expand': isObject({ run, node, all: isFlag }),
    'rulelang/reveal': isObject({ run, node }, { derivation: isCountUpTo(ROWS) }),
    'rulelang/predicates': isObject({ run }),
    'rulelang/checkQuestion': isObject({ run, question }),
    'rulelang/whyNot': isObject({ run, question }),
    'rulelang/absence': isObject({ run, node }),
};
