import type { AnswerTarget } from '#engine/contracts/answer-target.ts';
import type { ScriptEngine, ScriptRun } from '#engine/contracts/scripts.ts';
import { say } from '#language/program/say.ts';
import type { PythonUse } from '#server/protocol/run-process.ts';
import type { SourceAccess } from '#server/sources/connector.ts';
import { NoFrame } from './frames.ts';
import { findInterpreter, USUAL_INTERPRETER } from './interpreter.ts';
import { pythonUnavailable, unavailableScript } from './python-unavailable.ts';
import { endedEarly, failureOf, type LastWord, notFound } from './script-failures.ts';
import { scriptFolders } from './script-folders.ts';
import { runScriptProcess } from './script-process.ts';
import { type ScriptFolder, scriptName, withSiblings } from './script-texts.ts';
import { cellReader, givenParameter } from './script-values.ts';

/** Surroundings of the scripts of a run. */
export interface ScriptSurroundings {
    readonly use: PythonUse;
    /** The scripts that a rule in this file can name. */
    readonly scriptsOf: (file: string) => ScriptFolder;
    readonly currentFolder: string;
    /** The run's way to files; scripts see no folders without it. */
    readonly access?: SourceAccess;
    /** Bytes. */
    readonly memory: number;
    /** Hears words for the user about how scripts were run. */
    readonly note: (words: string) => void;
}

const SECONDS = 300;
const MOST_PROCESSES = 256;
const LARGEST_FILE = 1024 ** 3;
/** Less does not start an interpreter with usual packages. */
const LEAST_MEMORY = 512 * 1024 * 1024;

/** Runs scripts, each in a process of its own. */
export function scriptEngine(surroundings: ScriptSurroundings): ScriptEngine {
    const unavailable = pythonUnavailable(surroundings.use, surroundings.currentFolder);
    return {
        ...(unavailable && { unavailable }),
        run: (call, target) => runScript(call, target, surroundings),
    };
}

async function runScript(call: ScriptRun, target: AnswerTarget, surroundings: ScriptSurroundings): Promise<void> {
    const { use, scriptsOf, currentFolder, access, memory, note } = surroundings;
    const name = scriptName(call.script);
    const folder = scriptsOf(call.file);
    const script = folder.find(name) ?? notFound(name, folder);
    const scripts = withSiblings(name, script, folder);
    const wanted = use.path ?? USUAL_INTERPRETER;
    const interpreter = findInterpreter(wanted, currentFolder) ?? wanted;
    const folders = scriptFolders(access);
    const limits = { memory: Math.max(memory, LEAST_MEMORY), processes: MOST_PROCESSES, fileSize: LARGEST_FILE, seconds: SECONDS };
    const addRows = rowsInto(call, target);
    let last: LastWord | undefined;
    let old: string | undefined;
    let isWalled = false;
    const hear = (frame: unknown): void => {
        if (Array.isArray(frame)) {
            addRows(frame);
            return;
        }
        const said = frame as { readonly began?: { readonly why: string | null }; readonly end?: LastWord; readonly old?: string };
        if (said.began?.why === null) isWalled = true;
        else if (said.began !== undefined) note(withoutWalls(name, said.began.why ?? ''));
        last = said.end;
        old = said.old;
    };
    const request = {
        script: name,
        scripts: Object.fromEntries(Array.from(scripts, ([key, { text, file, path }]) => [key, { text, file, path }])),
        columns: call.columns,
        parameters: Object.fromEntries(Array.from(call.parameters, ([key, value]) => [key, givenParameter(call.dictionary, value)])),
        network: use.network,
        folders,
        limits,
    };
    const isLast = (): boolean => last !== undefined || old !== undefined;
    const { end, printed } = await runScriptProcess(interpreter, request, isLast, { hear, checkpoint: target.checkpoint });
    if (old !== undefined) throw unavailableScript(say`Python ${old} is too old, and scripts need 3.9 or later`, use);
    const context = { call, scripts, script, printed, limits, use, interpreter, folders, isWalled };
    if (last === undefined) throw endedEarly(end, context);
    if ('fault' in last) throw failureOf(last, context);
}

/** Adds the cells of a frame of rows. */
function rowsInto({ columns, dictionary }: ScriptRun, target: AnswerTarget): (frame: readonly unknown[]) => void {
    const read = cellReader(dictionary, target);
    return frame => {
        const ids = columns.map(() => new Int32Array(frame.length));
        for (const [at, row] of frame.entries()) {
            if (!Array.isArray(row) || row.length !== columns.length) throw new NoFrame();
            for (const [column, cells] of ids.entries()) cells[at] = read(row[column]);
        }
        target.addRows(ids, frame.length);
    };
}

function withoutWalls(script: string, why: string): string {
    return say`Script '${script}' ran with limits but without walls, so that it could read the files of this user and use the network: ${why}`;
}
