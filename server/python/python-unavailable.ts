import { ScriptFailed, type ScriptsUnavailable } from '#engine/contracts/scripts.ts';
import { say } from '#language/program/say.ts';
import type { PythonUse } from '#server/protocol/run-process.ts';
import { findInterpreter, USUAL_INTERPRETER } from './interpreter.ts';

/** Why no script is run, as far as that shows without starting anything: Python is switched off, or it is not there. */
export function pythonUnavailable(use: PythonUse, currentFolder: string): ScriptsUnavailable | undefined {
    if (!use.enabled) return { reason: say`Python is switched off`, remedy: switchedOn(use) };
    const { path = USUAL_INTERPRETER } = use;
    if (findInterpreter(path, currentFolder) !== undefined) return undefined;
    return { reason: say`there is no Python at '${path}'`, remedy: nameAnother(use) };
}

export function unavailableScript(reason: string, use: PythonUse): ScriptFailed {
    return new ScriptFailed(say`is not run: ${reason}`, { kind: 'unavailable', reason }, { remedy: nameAnother(use) });
}

function switchedOn({ door }: PythonUse): string {
    switch (door) {
        case 'run':
            return say`Add --allow-python if you trust the script: it is a program.`;
        case 'serve':
            return say`Start the services with --allow-python.`;
        case 'editor':
            return say`Turn on the setting rulelang.python.enabled if you trust the script: it is a program.`;
    }
}

function nameAnother({ door }: PythonUse): string {
    switch (door) {
        case 'run':
            return say`Name Python 3.9 or later with --python PATH.`;
        case 'serve':
            return say`Start the services with --python PATH, which names Python 3.9 or later.`;
        case 'editor':
            return say`Name Python 3.9 or later in the setting rulelang.python.path.`;
    }
}

/** Says how a script gets the network, if it has none. */
export function networkRemedy({ door }: PythonUse): string {
    switch (door) {
        case 'run':
            return say`Scripts have no network here: add --python-net to let them have it.`;
        case 'serve':
            return say`Scripts have no network here: start the services with --python-net to let them have it.`;
        case 'editor':
            return say`Scripts have no network here: turn on the setting rulelang.python.network to let them have it.`;
    }
}
