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
    functionEntry('date:add', 'day: date, days: integer', DATE, 'The day so many days later, or earlier if the number is negative.'),
    functionEntry('date:sub', 'day: date, days: integer', DATE, 'The day so many days earlier, or later if the number is negative.'),
    functionEntry(
        'date:diff',
        'end: date, start: date',
        INT,
        'The number of calendar days from start to end: from 23:59 to 00:01 is one day. Negative if the end comes first.',
    ),
    functionEntry('date:spec_day', 'month: string', STRING, 'The first day of a month written as MMM-yyyy, as text.'),
    functionEntry(
        'date:to_timestamp',
        's: string, pattern: string',
        TIMESTAMP,
        'Reads a timestamp from text that is written in a pattern.',
    ),
    functionEntry('date:format', 'when: time, pattern: string', STRING, 'Writes a date or timestamp as text, in a pattern.'),
    functionEntry(
        'date:plus',
        'when: time, n: integer, unit: string',
        call => shiftedType(call, 2),
        'The date or timestamp so many units later, or earlier if the number is negative. A day that the month does not have becomes its last day.',
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
        'The beginning of the year, month, day or other unit in which a date or timestamp lies.',
    ),
    functionEntry('date:epoch', 'when: time', DOUBLE, 'The seconds since 1970-01-01.'),
    functionEntry('date:from_epoch', 'seconds: number', TIMESTAMP, 'The timestamp so many seconds after 1970-01-01.'),
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
