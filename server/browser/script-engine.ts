import { type ScriptEngine, ScriptFailed, type ScriptsUnavailable } from '#engine/contracts/scripts.ts';
import { say } from '#language/program/say.ts';

/** A browser runs no scripts. */
export function scriptEngine(): ScriptEngine {
    const unavailable: ScriptsUnavailable = {
        reason: say`a page in a browser runs no Python`,
        remedy: say`Run the program on the command line or in an installed editor.`,
    };
    const { reason } = unavailable;
    return { unavailable, run: () => Promise.reject(new ScriptFailed(say`is not run: ${reason}`, { kind: 'unavailable', reason })) };
}
