import { functionEntry } from '../function-entry.ts';
import { DATE, INT, STRING, TIMESTAMP } from '../result-types.ts';

/** Date and time functions (6.10). */
export const DATE_FUNCTIONS = [
    functionEntry('date:current_date', '', DATE, 'The day on which the run began.', { deterministic: false }),
    functionEntry('date:current_timestamp', '', TIMESTAMP, 'The instant at which the run began.', { deterministic: false }),
    functionEntry('date:next_day', 'day: time', DATE, 'The day after.'),
    functionEntry('date:prev_day', 'day: time', DATE, 'The day before.'),
    functionEntry('date:add', 'day: time, days: integer', DATE, 'The day a number of days later.'),
    functionEntry('date:sub', 'day: time, days: integer', DATE, 'The day a number of days earlier.'),
    functionEntry('date:diff', 'end: time, start: time', INT, 'The number of days from start to end.'),
    functionEntry('date:spec_day', 'month: string', STRING, 'The first day of a month that is written as MMM-yyyy.'),
    functionEntry('date:to_timestamp', 's: string, pattern: string', TIMESTAMP, 'The instant that text in a pattern names.'),
    functionEntry('date:format', 'when: time, pattern: string', STRING, 'A date or timestamp as text in a pattern.'),
];
