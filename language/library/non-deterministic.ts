import type { Call } from '#language/program/program.ts';
import { FUNCTIONS } from './function-catalogue.ts';

/** The names behind the prefixes: a program may declare any prefix for a library. */
const NON_DETERMINISTIC: ReadonlySet<string> = new Set(
    FUNCTIONS.filter(entry => !entry.deterministic).flatMap(entry => [entry.name, ...entry.aliases].map(behindPrefix)),
);

/** True for a call that may give another value each time (6.1, functions marked †). `uuid` is one of them without arguments only. */
export function isNonDeterministic(call: Call): boolean {
    const name = behindPrefix(call.name);
    return NON_DETERMINISTIC.has(name) || (name === 'uuid' && call.arguments.length === 0);
}

function behindPrefix(name: string): string {
    return name.slice(name.indexOf(':') + 1);
}
