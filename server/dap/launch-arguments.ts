import { say } from '#language/program/say.ts';
import { refuse } from '#server/notices/refusal.ts';

/** A client's description of the program that it launches. */
export interface LaunchArguments {
    readonly program: string;
    readonly parameters: ReadonlyMap<string, unknown>;
    readonly seed?: number;
    /** Stops before the first step. */
    readonly stopOnEntry: boolean;
    /** Stops after the last step, where all rows can be looked at. */
    readonly stopAtEnd: boolean;
    readonly noDebug: boolean;
}

/** Reads the arguments of `launch`; a `Refusal` says what is wrong with them. */
export function readLaunch(given: unknown): LaunchArguments {
    const { program, parameters = {}, seed, stopOnEntry = false, stopAtEnd = true, noDebug = false } = isObject(given) ? given : {};
    if (typeof program !== 'string' || program === '') refuse(say`'program' has to be the path of a program`);
    if (!isObject(parameters)) refuse(say`'parameters' has to be an object of names and values`);
    if (seed !== undefined && !(typeof seed === 'number' && Number.isInteger(seed) && seed >= 0))
        refuse(say`'seed' has to be a whole number of at least 0`);
    for (const [name, value] of Object.entries({ stopOnEntry, stopAtEnd, noDebug }))
        if (typeof value !== 'boolean') refuse(say`'${name}' has to be true or false`);
    return {
        program,
        parameters: new Map(Object.entries(parameters)),
        ...(typeof seed === 'number' && { seed }),
        stopOnEntry: stopOnEntry === true,
        stopAtEnd: stopAtEnd === true,
        noDebug: noDebug === true,
    };
}

function isObject(value: unknown): value is Record<string, unknown> {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}
