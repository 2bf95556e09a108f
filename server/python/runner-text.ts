/// <reference path="./texts.d.ts" />
import RUNNER from './runner.py?raw';
import VALUES from './values.py?raw';

/** The program that an interpreter is given; few runs have a script. */
export function runnerText(): string {
    return `${VALUES}\n${RUNNER}`;
}
