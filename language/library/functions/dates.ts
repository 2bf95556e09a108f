import type { Type } from '#language/program/types.ts';
import { type CallShape, functionEntry } from '../function-entry.ts';
import { DATE, DOUBLE, INT, STRING, TIMESTAMP, typeOfArgument } from '../result-types.ts';
import { isBelowDay, timeUnit } from '../time-units.ts';

/** Date and time functions (6.10). */
export const DATE_FUNCTIONS = [
    functionEntry('date:current_date', '', DATE, 'The day on which the run began.', { variesBy: 'run' }),
    functionEntry('date:current_timestamp', '', TIMESTAMP, 'The instant at which the run began.', { variesBy: 'run' }),
    functionEntry('date:next_day', 'day: date', DATE, 'The day after.'),
    functionEntry('date:prev_day', 'day: date', DATE, 'The day before.'),
    functionEntry('date:add', 'day: date, days: integer', DATE, 'Adds days to a date, or subtracts them if the number is negative.'),
    functionEntry('date:sub', 'day: date, days: integer', DATE, 'Subtracts days from a date, or adds them if the number is negative.'),
    functionEntry(
        'date:diff',
        'end: date, start: date',
        INT,
        'The number of calendar days from start to end. From 23:59 to 00:01 of the next day is one day. Negative if the end comes first.',
    ),
    functionEntry('date:spec_day', 'month: string', STRING, 'The first day of a month written as MMM-yyyy, as text.'),
    functionEntry('date:to_timestamp', 's: string, pattern: string', TIMESTAMP, 'Parses a text as a timestamp, with a pattern.'),
    functionEntry('date:format', 'when: time, pattern: string', STRING, 'Formats a date or timestamp as text, with a pattern.'),
    functionEntry(
        'date:plus',
        'when: time, n: integer, unit: string',
        call => shiftedType(call, 2),
        'Adds units to a date or timestamp, or subtracts them if the number is negative. If the month does not have the day, the result is its last day.',
    ),
    functionEntry(
        'date:between',
        'start: time, end: time, unit: string',
        INT,
        'The number of whole units from start to end. Negative if the end comes first.',
    ),
    functionEntry(
        'date:part',
        'when: time, part: string',
        INT,
        'A part of a date or timestamp as a number: year, quarter, month, week (ISO), weekday (Monday is 1), yearday, day, hour, minute, second or millisecond.',
    ),
    functionEntry(
        'date:truncate',
        'when: time, unit: string',
        truncatedType,
        'The start of the year, month, day or other unit that contains a date or timestamp.',
    ),
    functionEntry('date:epoch', 'when: time', DOUBLE, 'The seconds since 1970-01-01.'),
    functionEntry('date:from_epoch', 'seconds: number', TIMESTAMP, 'The timestamp that is a number of seconds after 1970-01-01.'),
];

/** A unit below a day gives a timestamp, a longer one keeps the argument's type. A date with a computed unit counts as a timestamp. */
function shiftedType(call: CallShape, unitAt: number): Type {
    const unit = unitOf(call, unitAt);
    const given = typeOfArgument(call, 0);
    if (unit !== undefined) return isBelowDay(unit) ? TIMESTAMP : given;
    return given.kind === 'date' ? TIMESTAMP : given;
}

function truncatedType(call: CallShape): Type {
    const unit = unitOf(call, 1);
    return unit !== undefined && !isBelowDay(unit) ? DATE : shiftedType(call, 1);
}

function unitOf({ arguments: args }: CallShape, at: number) {
    const unit = args[at];
    return unit?.kind === 'string' ? timeUnit(unit.value) : undefined;
}
