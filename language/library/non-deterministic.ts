import type { Call } from '#language/program/program.ts';
import { FUNCTIONS } from './function-catalogue.ts';
import type { FunctionEntry } from './function-entry.ts';

/** By the names behind the prefixes: a program may declare any prefix for a library. */
const VARIATIONS: ReadonlyMap<string, FunctionEntry['variesBy']> = new Map(
    FUNCTIONS.filter(({ variesBy }) => variesBy !== undefined).flatMap(({ name, aliases, variesBy }) =>
        [name, ...aliases].map(one => [behindPrefix(one), variesBy] as const),
    ),
);

/** True for a call that may give another value each time (6.1, functions marked †). `uuid` is one of them without arguments only. */
export function isNonDeterministic(call: Call): boolean {
    const name = behindPrefix(call.name);
    return VARIATIONS.has(name) || (name === 'uuid' && call.arguments.length === 0);
}

/** True for a call that may give another value at each match of a run: the clock of a run stands still. */
export function variesByMatch(call: Call): boolean {
    return isNonDeterministic(call) && VARIATIONS.get(behindPrefix(call.name)) !== 'run';
}

function behindPrefix(name: string): string {
    return name.slice(name.indexOf(':') + 1);
}
