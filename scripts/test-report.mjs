// What the reporter of the tests has noted, file by file: see `test/support/count-reporter.ts`.
import { existsSync, readFileSync } from 'node:fs';

/** Of the files that take longest, this many are told. */
const SLOWEST = 20;

/** `ended` has each file that ended, by its path; `unended` those that did not, whether they had begun or not. */
export function readReport(file) {
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
    const told = lines.map(line => JSON.parse(line));
    const ended = new Map(told.filter(line => line.ended !== undefined).map(line => [line.ended, line]));
    const planned = told.flatMap(line => line.planned ?? []);
    const began = new Set(told.flatMap(line => line.began ?? []));
    const unended = planned.filter(one => !ended.has(one.file)).map(one => ({ ...one, began: began.has(one.file) }));
    return { ended, unended, outside: told.flatMap(line => line.outside ?? []) };
}

export const slowestFiles = ended =>
    [...ended.values()]
        .sort((one, other) => other.seconds - one.seconds)
        .slice(0, SLOWEST)
        .map(({ ended: file, seconds }) => `${String(Math.round(seconds)).padStart(5)} s  ${file}`);

/** The first failure of a file, in one line. */
export const firstFailure = ({ failures: [first] }) => [first.test, first.reason].filter(Boolean).join(': ');
