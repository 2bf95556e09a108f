import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatInstant, readInstant } from '#engine/evaluate/builtins/date-text.ts';
import { surroundings } from '#engine/evaluate/builtins/surroundings.ts';
import { PATTERN_FIELDS, readDatePattern } from '#language/library/date-pattern.ts';
import { build, ExpressionHarness } from '../../support/expression-harness.ts';
import { checkCalls, textOfCall } from './check-calls.ts';

const { integer, string, missing, date, call } = build;

const at = (text: string) => call('as_timestamp', string(text));

describe('date:format', () => {
    const afternoon = at('2031-04-09 15:05:07.089');
    checkCalls([
        ['date:format', [afternoon, string('yyyy-MM-dd HH:mm:ss.SSS')], '"2031-04-09 15:05:07.089"'],
        ['date:format', [afternoon, string('yy M MMM MMMM d H hh h a')], '"31 4 Apr April 9 15 03 3 PM"'],
        ['date:format', [afternoon, string('E EEEE D Z XXX')], '"Wed Wednesday 99 +0000 Z"'],
        ['date:format', [at('2031-04-09 00:30:00'), string('hh a')], '"12 AM"'],
        ['date:format', [at('2031-04-09 12:30:00'), string('h a')], '"12 PM"'],
        ['date:format', [date(0), string("d 'of' MMMM ''yy")], `"1 of January '70"`],
        ['date:format', [date(0), string("'it''s' dd")], '"it\'s 01"'],
        ['date:format', [date(-1), string('yyyy-MM-dd HH:mm')], '"1969-12-31 00:00"'],
        ['date:format', [at('1969-12-31 23:59:59.999999'), string('ss.SSS')], '"59.999"'],
        ['date:format', [call('as_date', string('2032-12-31')), string('D')], '"366"'],
        ['date:format', [date(0), string('')], '""'],
        ['date:format', [date(0), string('ä-😀')], '"ä-😀"'],
        ['date:format', [date(0), missing()], 'null'],
        ['date:format', [missing(), string('yyyy')], 'null'],
        ['date:format', [string('2031-04-09'), string('yyyy')], 'null', ['RT024']],
    ]);

    it.each(['YYYY', 'yyy', 'EEE', 'n', 'DD', "yyyy 'T", 'XX'])('ends the run for the pattern %s', pattern => {
        expect(() => textOfCall('date:format', date(0), string(pattern))).toThrow(/is no pattern letter/u);
    });
});

describe('date:to_timestamp', () => {
    const read = (text: string, pattern: string) => ['date:to_timestamp', [string(text), string(pattern)]] as const;
    checkCalls([
        [...read('09.04.2031 15:05', 'dd.MM.yyyy HH:mm'), '2031-04-09 15:05:00'],
        [...read('9.4.31', 'd.M.yy'), '2031-04-09'],
        [...read('Apr 9, 2031 03:05 pm', 'MMM d, yyyy hh:mm a'), '2031-04-09 15:05:00'],
        [...read('april 2031', 'MMMM yyyy'), '2031-04-01'],
        [...read('12 AM', 'h a'), '1970-01-01'],
        [...read('2031 99', 'yyyy D'), '2031-04-09'],
        [...read('2031 366', 'yyyy D'), 'null'],
        [...read('Wed 2031-04-09', 'E yyyy-MM-dd'), '2031-04-09'],
        [...read('Thu 2031-04-09', 'E yyyy-MM-dd'), 'null'],
        [...read('2031-04-09 10:00 +0230', 'yyyy-MM-dd HH:mm Z'), '2031-04-09 07:30:00'],
        [...read('2031-04-09T10:00-01:00', "yyyy-MM-dd'T'HH:mmXXX"), '2031-04-09 11:00:00'],
        [...read('2031-04-09T10:00Z', "yyyy-MM-dd'T'HH:mmXXX"), '2031-04-09 10:00:00'],
        [...read('12:00:00.250', 'HH:mm:ss.SSS'), '1970-01-01 12:00:00.25'],
        [...read('20310409', 'yyyyMMdd'), '2031-04-09'],
        [...read('2031-02-29', 'yyyy-MM-dd'), 'null'],
        [...read('2031-04-09 ', 'yyyy-MM-dd'), 'null'],
        [...read('2031-4-9', 'yyyy-MM-dd'), 'null'],
        [...read('24:00', 'HH:mm'), 'null'],
        [...read('13 PM', 'hh a'), 'null'],
        [...read('10:60', 'HH:mm'), 'null'],
        [...read('', 'yyyy'), 'null'],
        ['date:to_timestamp', [missing(), string('yyyy')], 'null'],
    ]);
});

describe('date:spec_day', () => {
    checkCalls([
        ['date:spec_day', [string('Apr-2031')], '"2031-04-01"'],
        ['date:spec_day', [string('Dez-2031')], 'null'],
        ['date:spec_day', [string('04-2031')], 'null'],
        ['date:spec_day', [string('')], 'null'],
        ['date:spec_day', [missing()], 'null'],
    ]);
});

it('the present is that of the injected clock', () => {
    const harness = new ExpressionHarness(surroundings({ now: () => Date.UTC(2031, 3, 9, 10, 15) }));
    expect(harness.text(call('date:current_date'))).toBe('2031-04-09');
    expect(harness.text(call('date:current_timestamp'))).toBe('2031-04-09 10:15:00');
    expect(harness.text(call('date:diff', call('date:current_date'), call('date:add', call('date:current_date'), integer(3))))).toBe('-3');
});

it('a text that names the whole instant is read back', () => {
    const pattern = (text: string) => {
        const read = readDatePattern(text);
        return read.ok ? read.parts : [];
    };
    const whole = [
        'yyyy-MM-dd HH:mm:ss.SSS',
        'E, d MMM yyyy h:mm:ss a SSS',
        'EEEE MMMM dd yyyy H:mm:ss,SSS XXX',
        'D/yyyy hh:mm:ss.SSS a Z',
    ];
    fc.assert(
        fc.property(fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 }), fc.constantFrom(...whole), (millis, text) => {
            const micros = BigInt(millis) * 1000n;
            expect(readInstant(formatInstant(micros, pattern(text)), pattern(text))).toBe(micros);
        }),
    );
});

it('every field is a letter that is repeated', () => {
    for (const field of PATTERN_FIELDS) expect(readDatePattern(field)).toEqual({ ok: true, parts: [{ kind: 'field', field }] });
});
