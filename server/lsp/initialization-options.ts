import type { InitializationOptions } from '#server/protocol/runs.ts';
import { isCount, isFlag, isText, listOf, object, optional, type Shape } from '#server/protocol/shape.ts';

export const isInitializationOptions: Shape<InitializationOptions> = object({
    trusted: isFlag,
    lenses: optional(isFlag),
    allowNet: optional(listOf(isText)),
    secrets: optional(listOf(isText)),
    limits: optional(
        object({ maxMemory: optional(isCount), timeout: optional(isCount), maxRounds: optional(isCount), threads: optional(isCount) }),
    ),
    model: optional(object({ never: optional(isFlag), agreed: optional(isText), dataDirectory: optional(isText) })),
    python: optional(object({ enabled: isFlag, network: isFlag, path: optional(isText) })),
});
