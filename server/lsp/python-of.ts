import type { PythonUse } from '#server/protocol/run-process.ts';
import type { InitializationOptions } from '#server/protocol/runs.ts';

/** How scripts are run for an editor: not at all where it does not say so. */
export function pythonOf({ python }: InitializationOptions): PythonUse {
    return { enabled: false, network: false, ...python, door: 'editor' };
}
