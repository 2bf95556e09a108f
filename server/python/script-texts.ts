import { basename, dirname } from 'node:path';
import { RunStopped } from '#engine/reports/reports.ts';
import { isNotebook } from '#language/program/notebook-files.ts';
import { readText } from '#server/files/named-text.ts';
import { accessContext, namesBeside, openGranted, type UserPath } from '#server/files/open-granted.ts';
import { shownPath } from '#server/files/shown-path.ts';
import { scriptName as nameInCell } from '#server/protocol/notebooks/notebook-program.ts';
import { readNotebook } from '#server/protocol/notebooks/notebook-text.ts';
import type { SourceAccess } from '#server/sources/connector.ts';

/** The text of a script. */
export interface Script {
    readonly text: string;
    /** Its file as people call it, `fetch.py`, which is what tracebacks say. */
    readonly file: string;
    /** The path of its file; absent where it has none of its own. */
    readonly path?: string;
}

/** The scripts that the rules of one file can name. */
export interface ScriptFolder {
    /** All names, without `.py`. */
    names(): readonly string[];
    /** `RunStopped` where it is there and cannot be read. */
    find(name: string): Script | undefined;
}

/** Returns the name of a script in a rule: without the ending, which the rule may write. */
export function scriptName(written: string): string {
    return written.endsWith(ENDING) ? written.slice(0, -ENDING.length) : written;
}

const ENDING = '.py';

/** Bytes of a script at most. */
const LARGEST = 16 * 1024 * 1024;
/** Scripts that one run takes along. */
const MOST_SCRIPTS = 200;

/** The scripts that lie beside a file of a program, among what the run may read. */
export function scriptsBeside({ grants, pathOf, programFile, currentFolder, files }: SourceAccess, file: string): ScriptFolder {
    const base = dirname(pathOf?.(file) ?? programFile);
    const context = accessContext(grants, {}, files);
    const own = isNotebook(pathOf?.(file) ?? programFile) ? scriptsOfCells(pathOf?.(file) ?? programFile, context) : NO_SCRIPTS;
    const pathTo = (name: string): UserPath => ({ base, parts: [`${name}${ENDING}`] });
    return {
        names: () => [
            ...own.names(),
            ...namesBeside(pathTo('script'), context).flatMap(name => (name.endsWith(ENDING) ? [scriptName(name)] : [])),
        ],
        find: name => {
            const inCell = own.find(name);
            if (inCell !== undefined) return inCell;
            if (!/^[^/\\:]+$/u.test(name)) return undefined;
            const opened = openedOrAbsent(pathTo(name), context);
            if (opened === undefined) return undefined;
            try {
                if (opened.size > LARGEST) return undefined;
                const shown = shownPath(opened.path, currentFolder);
                return { text: readText(opened, shown).text, file: shown, path: opened.path };
            } finally {
                opened.close();
            }
        },
    };
}

const NO_SCRIPTS = keptScripts({});

/** The scripts in the cells of a notebook, as its file has them. */
function scriptsOfCells(notebook: string, context: ReturnType<typeof accessContext>): ScriptFolder {
    const opened = openedOrAbsent({ base: dirname(notebook), parts: [basename(notebook)] }, context);
    if (opened === undefined) return NO_SCRIPTS;
    try {
        const { cells } = readNotebook(readText(opened, notebook).text);
        const named = cells.flatMap(({ language, text }) => {
            const name = language === 'python' ? nameInCell(text) : undefined;
            return name === undefined ? [] : [[name, text] as const];
        });
        return keptScripts(Object.fromEntries(named));
    } finally {
        opened.close();
    }
}

function openedOrAbsent(path: UserPath, context: ReturnType<typeof accessContext>): ReturnType<typeof openGranted> | undefined {
    try {
        return openGranted(path, context);
    } catch (error) {
        if (error instanceof RunStopped && error.report.isAbsent === true) return undefined;
        throw error;
    }
}

/** The scripts that are kept with a concept. */
export function keptScripts(scripts: Readonly<Record<string, string>>): ScriptFolder {
    const texts = new Map(Object.entries(scripts).map(([name, text]) => [scriptName(name), text]));
    return {
        names: () => [...texts.keys()],
        find: name => {
            const text = texts.get(name);
            return text === undefined ? undefined : { text, file: `${name}${ENDING}` };
        },
    };
}

/** A script with those that it can import: the others that its text, or the text of one of them, has the name of. */
export function withSiblings(name: string, script: Script, folder: ScriptFolder): ReadonlyMap<string, Script> {
    const others = new Set(folder.names());
    const found = new Map([[name, script]]);
    for (const { text } of found.values()) {
        for (const [word] of text.matchAll(/[\p{L}_][\p{L}\p{N}_]*/gu)) {
            if (!others.has(word) || found.has(word) || found.size === MOST_SCRIPTS) continue;
            const other = folder.find(word);
            if (other !== undefined) found.set(word, other);
        }
    }
    return found;
}
