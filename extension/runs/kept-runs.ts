import { createHash, randomBytes } from 'node:crypto';
import { type ExtensionContext, type LogOutputChannel, Uri, workspace } from 'vscode';
import type { CommandOutcome } from '#extension/host/outcome.ts';
import { readSetting } from '#extension/host/read-setting.ts';
import { rememberedPrograms } from '#extension/host/remembered-programs.ts';
import { isNumber, isText, listOf, type Of, object, optional } from '#server/protocol/shape.ts';
import { keptFiles } from './kept-files.ts';

const isNote = object({
    uri: isText,
    predicates: optional(listOf(isText)),
    /** Of the text that was run. */
    digest: isText,
    /** When it was run, in milliseconds. */
    at: isNumber,
});

/** Facts about a run beside its rows. */
export type RunNote = Of<typeof isNote>;

export interface KeptPlace {
    readonly name: string;
    readonly uri: string;
    readonly largest: number;
}

/** The rows of the last runs in files of the extension, for windows that show them later. */
export interface KeptRuns {
    /** A place for the rows of a new run; none where rows are not kept. */
    place(): KeptPlace | undefined;
    /** The rows in it are whole: they count from now on, and others go where they are too many. Answers the name that they have. */
    kept(document: Uri, place: KeptPlace, program: string | undefined): string;
    /** The file with the rows of a document's last run. */
    find(document: Uri): string | undefined;
    /** The file with the rows of this name, where they are still kept. */
    file(name: string): string | undefined;
    has(name: string): boolean;
    /** Rows that are pinned stay until they are removed. */
    pin(name: string, pinned: boolean): void;
    remove(name: string): void;
    /** The rows of a document are of no use. */
    forget(document: Uri): void;
    clear(): Promise<CommandOutcome>;
}

const MOST = { files: 200, bytes: 500_000_000 };
const KEY = 'runs.kept';

interface Remembered {
    readonly uri: string;
    readonly name: string;
}

export function createKeptRuns({ globalStorageUri, workspaceState, subscriptions }: ExtensionContext, log: LogOutputChannel): KeptRuns {
    const files = keptFiles(Uri.joinPath(globalStorageUri, 'rows').fsPath, MOST);
    const remembered = rememberedPrograms<Remembered>(workspaceState, KEY);
    const nameOf = (document: Uri): string | undefined => remembered.of(document)?.name;
    const attempt = <T>(action: () => T): T | undefined => {
        try {
            return action();
        } catch (reason) {
            log.warn(`Rows are not kept: ${reason instanceof Error ? reason.message : reason}`);
            return undefined;
        }
    };
    const clear = (): void => {
        const count = attempt(files.clear) ?? 0;
        log.info(`Removed the kept rows of ${count} ${count === 1 ? 'run' : 'runs'}.`);
    };
    subscriptions.push(
        workspace.onDidChangeConfiguration(event => {
            if (event.affectsConfiguration('rulelang.run.keepRows') && !readSetting('run.keepRows')) clear();
        }),
    );
    return {
        place() {
            if (!readSetting('run.keepRows')) return undefined;
            return attempt(() => {
                files.prepare();
                const name = randomBytes(8).toString('hex');
                return { name, uri: Uri.file(files.path(name)).toString(), largest: MOST.bytes };
            });
        },
        kept(document, place, program) {
            const name = (program && attempt(() => files.belong(place.name, program))) || place.name;
            attempt(() => {
                // It may have been turned off meanwhile.
                const counts = readSetting('run.keepRows');
                if (!counts) files.remove(name);
                if (counts) void remembered.put({ uri: document.toString(), name });
                else remembered.forget(document);
                files.tidy();
            });
            return name;
        },
        find(document) {
            const name = nameOf(document);
            if (name === undefined || !readSetting('run.keepRows') || !files.has(name)) return undefined;
            return Uri.file(files.path(name)).toString();
        },
        file: name => (files.has(name) ? Uri.file(files.path(name)).toString() : undefined),
        has: files.has,
        pin: (name, pinned) => attempt(() => files.pin(name, pinned)),
        remove: name => attempt(() => files.remove(name)),
        forget(document) {
            const name = nameOf(document);
            if (name !== undefined) attempt(() => files.remove(name));
            remembered.forget(document);
        },
        async clear() {
            clear();
            return 'done';
        },
    };
}

export function digestOf(text: string): string {
    return createHash('sha256').update(text).digest('hex');
}

export function writeNote(note: RunNote): string {
    return JSON.stringify(note);
}

/** The note of kept rows, undefined where it is that of another version. */
export function readNote(text: string | undefined): RunNote | undefined {
    try {
        const note: unknown = JSON.parse(text ?? '');
        return isNote(note) ? note : undefined;
    } catch {
        return undefined;
    }
}
