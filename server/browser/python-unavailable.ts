import type { ScriptsUnavailable } from '#engine/contracts/scripts.ts';
import { scriptEngine } from './script-engine.ts';

/** Why no script is run: there is no Python. */
export function pythonUnavailable(): ScriptsUnavailable | undefined {
    return scriptEngine().unavailable;
}
