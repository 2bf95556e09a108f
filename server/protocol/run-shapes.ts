import { type GivenParameter, PAGE_LIMIT, type RowView, type RunRequests } from './runs.ts';
import { countUpTo, isCount, isFlag, listOf, object, oneOf, optional, recordOf, type Shape, textUpTo } from './shape.ts';
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

const name = textUpTo(LONGEST_NAME);
const text = textUpTo(LONGEST_TEXT);
const question = textUpTo(LONGEST_QUESTION);
const uri = textUpTo(LONGEST_URI);
const column = countUpTo(COLUMNS);
const row = countUpTo(ROWS);

const view: Shape<RowView> = object({
    output: name,
    sort: optional(listOf(object({ column, descending: isFlag }), KEYS)),
    filters: optional(
        listOf(
            object({
                column,
                operator: oneOf('equals', 'differs', 'contains', 'starts', 'less', 'greater', 'unknown', 'known'),
                value: text,
            }),
            FILTERS,
        ),
    ),
    search: optional(text),
});

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
    'rulelang/run': object({
        uri,
        predicates: optional(listOf(name, NAMES)),
        parameters: optional(recordOf((value): value is GivenParameter => isGivenParameter(value), NAMES)),
    }),
    'rulelang/stop': object({ run: isCount }),
    'rulelang/close': object({ run: isCount }),
    'rulelang/page': object({ run: isCount, view, offset: row, limit: countUpTo(PAGE_LIMIT) }),
    'rulelang/cell': object({ run: isCount, view, row, column }),
    'rulelang/export': object({ run: isCount, view, format: oneOf('csv', 'json', 'ndjson'), uri }),
    'rulelang/keep': object({ run: isCount, uri, note: text, largest: isCount }),
    'rulelang/restore': object({ uri }),
    'rulelang/explain': object({ run: isCount, view, row, all: isFlag }),
    'rulelang/expand': object({ run: isCount, node: isCount, all: isFlag }),
    'rulelang/reveal': object({ run: isCount, node: isCount, derivation: optional(countUpTo(ROWS)) }),
    'rulelang/predicates': object({ run: isCount }),
    'rulelang/checkQuestion': object({ run: isCount, question }),
    'rulelang/whyNot': object({ run: isCount, question }),
    'rulelang/absence': object({ run: isCount, node: isCount }),
};
