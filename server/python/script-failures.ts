import { ScriptFailed, type ScriptRun } from '#engine/contracts/scripts.ts';
import type { ShownFailure } from '#engine/reports/script-fault.ts';
import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import type { PythonUse } from '#server/protocol/run-process.ts';
import { networkRemedy, unavailableScript } from './python-unavailable.ts';
import type { ScriptFolders } from './script-folders.ts';
import type { ScriptEnd, ScriptLimits } from './script-process.ts';
import type { Script, ScriptFolder } from './script-texts.ts';

/** The last message of the runner. Rows are counted from one. */
export type LastWord =
    | { readonly rows: number }
    | { readonly fault: 'main' }
    | { readonly fault: 'result'; readonly kind: string }
    | { readonly fault: 'row'; readonly row: number; readonly kind: string }
    | { readonly fault: 'columns'; readonly row: number; readonly actual: readonly string[] }
    | { readonly fault: 'value'; readonly row: number; readonly reason: string }
    | {
          readonly fault: 'failed';
          /** The last line of the traceback. */
          readonly reason: string;
          readonly traceback: string;
          /** The innermost line that is one of a script. */
          readonly file: string | null;
          readonly line: number | null;
          /** A path that was not there, or could not be written. */
          readonly missed: { readonly kind: 'absent' | 'read-only'; readonly path: string } | null;
      };

/** Facts about a script without rows, for its failure. */
export interface FailureContext {
    readonly call: ScriptRun;
    readonly script: Script;
    readonly scripts: ReadonlyMap<string, Script>;
    /** The end of its printed text. */
    readonly printed: string;
    readonly limits: ScriptLimits;
    readonly use: PythonUse;
    readonly interpreter: string;
    readonly folders: Pick<ScriptFolders, 'remedyFor'>;
    readonly isWalled: boolean;
}

/** Lines of a traceback, and of what a script printed, that are shown. */
const SHOWN_LINES = 20;
const FIRST_LINES = 6;
/** Characters of a traceback in the answers of services. */
const TRACEBACK = 2048;
const MEGABYTE = 1024 * 1024;
/** Errors of the Python library without a network. */
const NO_NETWORK = /Network is unreachable|name resolution|Name or service not known/u;

export function notFound(name: string, folder: ScriptFolder): never {
    const names = folder.names().map(one => `'${one}'`);
    const remedy =
        names.length === 0 ? say`Write it as '${name}.py' beside the program.` : say`The scripts there are: ${names.sort().join(', ')}.`;
    throw new ScriptFailed(say`is not there`, { kind: 'not-found' }, { remedy });
}

/** Why a script is to blame for having no rows, by its own account. */
export function failureOf(last: Exclude<LastWord, { readonly rows: number }>, context: FailureContext): ScriptFailed {
    const { call, script, printed } = context;
    const shown = { ...placeIn(script), ...detailsOf(linesOf(printed)) };
    switch (last.fault) {
        case 'main':
            return new ScriptFailed(say`does not define 'main' with zero or one parameter`, { kind: 'no-main' }, shown);
        case 'result': {
            const words = say`must return a list of dictionaries from 'main', and returned '${last.kind}'`;
            return new ScriptFailed(words, { kind: 'bad-result' }, shown);
        }
        case 'row': {
            const words = say`must return a list of dictionaries from 'main', and row ${countText(last.row)} is '${last.kind}'`;
            return new ScriptFailed(words, { kind: 'bad-result' }, shown);
        }
        case 'value':
            return new ScriptFailed(say`returned ${last.reason} in row ${countText(last.row)}`, { kind: 'bad-result' }, shown);
        case 'columns': {
            const { row, actual } = last;
            const expected = call.columns;
            return new ScriptFailed(mismatch(row, expected, actual), { kind: 'columns', row, expected, actual }, shown);
        }
        case 'failed':
            return raised(last, context);
    }
}

/** `row 3 lacks 'Temp' and has 'temp' besides`. */
function mismatch(row: number, expected: readonly string[], actual: readonly string[]): string {
    const quoted = (names: readonly string[]): string => names.map(name => `'${name}'`).join(', ');
    const missing = quoted(expected.filter(name => !actual.includes(name)));
    const extra = quoted(actual.filter(name => !expected.includes(name)));
    const count = countText(row);
    if (extra === '') return say`returned columns that are not those of the head: row ${count} lacks ${missing}`;
    if (missing === '') return say`returned columns that are not those of the head: row ${count} has ${extra} besides`;
    return say`returned columns that are not those of the head: row ${count} lacks ${missing} and has ${extra} besides`;
}

function raised(
    { reason, traceback, file, line, missed }: Extract<LastWord, { readonly fault: 'failed' }>,
    { scripts, script, printed, use, limits, folders, isWalled }: FailureContext,
): ScriptFailed {
    const where = [...scripts.values()].find(one => one.file === file) ?? script;
    const shown = { ...placeIn(where, line ?? undefined), ...detailsOf([...linesOf(traceback), ...linesOf(printed)]) };
    const remedy =
        isWalled && !use.network && NO_NETWORK.test(traceback)
            ? networkRemedy(use)
            : reason.startsWith('MemoryError')
              ? say`It has ${countText(Math.round(limits.memory / MEGABYTE))} MB: give the run a higher limit of memory.`
              : isWalled
                ? fileRemedy(missed, folders)
                : undefined;
    return new ScriptFailed(
        say`failed: ${reason}`,
        { kind: 'failed', traceback: traceback.slice(-TRACEBACK) },
        { ...shown, ...(remedy !== undefined && { remedy }) },
    );
}

function fileRemedy(
    missed: Extract<LastWord, { readonly fault: 'failed' }>['missed'],
    { remedyFor }: FailureContext['folders'],
): string | undefined {
    switch (missed?.kind) {
        case 'absent':
            return remedyFor(missed.path);
        case 'read-only':
            return say`Scripts write into their temporary folder alone: tempfile.gettempdir().`;
        case undefined:
            return undefined;
    }
}

/** Why a script has no rows whose process has not said so. */
export function endedEarly(end: ScriptEnd, { script, printed, limits, use, interpreter }: FailureContext): ScriptFailed {
    if (end.kind === 'unstarted') return unavailableScript(say`'${interpreter}' cannot be started: ${end.reason}`, use);
    const printedLines = linesOf(printed);
    if (end.kind === 'gone' && printedLines.some(line => NO_PYTHON.test(line)))
        return unavailableScript(say`'${interpreter}' is no Python 3.9 or later`, use);
    const shown = { ...placeIn(script), ...detailsOf(printedLines) };
    return new ScriptFailed(say`failed: ${endWords(end, limits)}`, { kind: 'failed', traceback: printed.slice(-TRACEBACK) }, shown);
}

/** The error of an interpreter before 3.4 for unknown options. */
const NO_PYTHON = /^Unknown option: -I/u;

function endWords(end: Exclude<ScriptEnd, { readonly kind: 'unstarted' }>, { seconds, processes, memory }: ScriptLimits): string {
    switch (end.kind) {
        case 'finished':
        case 'gone':
            return say`its process ended before 'main' returned`;
        case 'garbled':
            return say`it wrote into the pipe of its results`;
        case 'limit':
            switch (end.limit) {
                case 'time':
                    return say`it ran for longer than ${seconds} seconds`;
                case 'processes':
                    return say`it had more than ${processes} processes`;
                case 'memory':
                    return say`it held more than ${countText(Math.round(memory / MEGABYTE))} MB of memory`;
            }
    }
}

/** The line of a script, or the script as a whole. */
function placeIn({ text, file, path }: Script, line?: number): ShownFailure {
    const whole = text.split('\n')[(line ?? 1) - 1]?.trimEnd() ?? '';
    const span = { line: (line ?? 1) - 1, start: whole.length - whole.trimStart().length, end: whole.length };
    return { source: { file, ...(line !== undefined && { line }) }, ...(path !== undefined && { at: { file: path, ...span } }) };
}

/** The lines of a text; of a long one the first and the last. */
function linesOf(text: string): string[] {
    const whole = text.trimEnd();
    const lines = whole === '' ? [] : whole.split(/\r?\n/u);
    return lines.length <= SHOWN_LINES ? lines : [...lines.slice(0, FIRST_LINES), '…', ...lines.slice(FIRST_LINES + 1 - SHOWN_LINES)];
}

function detailsOf(lines: readonly string[]): Pick<ShownFailure, 'details'> {
    return lines.length === 0 ? {} : { details: lines };
}
