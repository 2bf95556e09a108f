import { RunStopped } from '#engine/reports/reports.ts';
import type { KnownScripts } from '#language/analysis/program-facts.ts';
import type { PythonUse } from '#server/protocol/run-process.ts';
import type { SourceAccess } from '#server/sources/connector.ts';
import { pythonUnavailable } from './python-unavailable.ts';
import { scriptName, scriptsBeside } from './script-texts.ts';

function readable(read: () => string | undefined): string | undefined {
    try {
        return read();
    } catch (error) {
        if (error instanceof RunStopped) return undefined;
        throw error;
    }
}

/**
 * Returns the facts about scripts that a check of a program needs: whether a run would run them, and which lie beside the program or are
 * kept with it.
 */
export function knownScripts(use: PythonUse, folderOf = scriptsBeside): (access: SourceAccess) => KnownScripts {
    let unavailable: ReturnType<typeof pythonUnavailable>;
    let isKnown = false;
    return access => ({
        get unavailable() {
            if (!isKnown) unavailable = pythonUnavailable(use, access.currentFolder);
            isKnown = true;
            return unavailable;
        },
        textOf: (script, file) => readable(() => folderOf(access, file).find(scriptName(script))?.text),
        isThere: (script, file) => folderOf(access, file).names().includes(scriptName(script)),
    });
}
