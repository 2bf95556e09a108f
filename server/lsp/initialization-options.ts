import type { InitializationOptions } from '#server/protocol/runs.ts';
import { isCountUpTo, isFlag, isObject, type Shape } from '#server/protocol/shape.ts';

const amount = isCountUpTo(Number.MAX_SAFE_INTEGER);

export const isInitializationOptions: Shape<InitializationOptions> = isObject(
    { trusted: isFlag },
    { lenses: isFlag, limits: isObject({}, { maxMemory: amount, timeout: amount, maxRounds: amount }) },
) as Shape<InitializationOptions>;
