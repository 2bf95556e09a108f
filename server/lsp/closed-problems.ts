import type { Diagnostic } from 'vscode-languageserver/node';
import { inclusionOf, sameInclusion } from '#language/modules/include.ts';
import type { Inclusion } from '#language/program/inclusion.ts';
import type { Documents, EditorDocument } from '#server/workspace/documents.ts';
import { filePath } from '#server/workspace/folders.ts';
import type { ProgramFile } from '#server/workspace/program-index.ts';
import { inSlices } from './turns.ts';

/** Finds problems of the workspace's programs that are not open, in idle time. */
export interface ClosedProblems {
    /** Finds the problems of all programs that may have changed. Resolves when none is left. */
    settled(): Promise<void>;
    /** The problems found by now, by the addresses of programs. */
    readonly found: ReadonlyMap<string, readonly Diagnostic[]>;
    /** Returns the problems of one program. Finds them first if they may have changed. Returns none for a program outside the workspace. */
    of(uri: string): Promise<readonly Diagnostic[]>;
    /** Marks one program, or all without `uri`, to be looked at again. Their problems stay until then. */
    forget(uri?: string): void;
}

/** The state of a program when its problems were last found. */
interface Looked {
    readonly file: ProgramFile;
    readonly inclusion: Inclusion | undefined;
}

/** The part of the language server that `closedProblems` needs. */
interface ClosedHost {
    readonly documents: Documents;
    readonly diagnosticsOf: (document: EditorDocument) => readonly Diagnostic[];
    /** Ends when the programs of the workspace have been read. */
    readonly read: () => Promise<void>;
    /** Hears of an error in the search for one program's problems. */
    readonly failed: (error: unknown) => void;
}

export function closedProblems({ documents, diagnosticsOf, read, failed }: ClosedHost): ClosedProblems {
    const looked = new Map<string, Looked>();
    const found = new Map<string, readonly Diagnostic[]>();
    /** Removes a program that is now open or gone. */
    const drop = (uri: string): void => {
        looked.delete(uri);
        found.delete(uri);
    };
    /** Returns the present state of a file; undefined if it equals the last one. */
    const changed = (file: ProgramFile): Looked | undefined => {
        const before = looked.get(file.module.file);
        const inclusion = inclusionOf(file.module, documents.find);
        return before?.file === file && sameInclusion(before.inclusion, inclusion) ? undefined : { file, inclusion };
    };
    function* lookAt(file: ProgramFile): Generator<void> {
        const uri = file.module.file;
        const now = changed(file);
        const document = now && documents.unopened(uri);
        if (now === undefined || document === undefined) return;
        try {
            while (document.step()) yield;
            found.set(uri, diagnosticsOf(document));
        } catch (error) {
            found.set(uri, []);
            failed(error);
        }
        looked.set(uri, now);
        yield;
    }
    function* lookAtAll(): Generator<void> {
        const open = new Set(Array.from(documents.uris, filePath));
        const files = [...documents.index.files()].filter(({ path }) => !open.has(path));
        const uris = new Set(files.map(({ module }) => module.file));
        for (const uri of [...found.keys()]) if (!uris.has(uri)) drop(uri);
        for (const file of files) yield* lookAt(file);
    }
    const stepOf = (steps: Iterator<void>) => (): boolean => steps.next().done !== true;
    let looking: Promise<void> | undefined;
    const look = async (): Promise<void> => {
        try {
            await read();
            await inSlices(stepOf(lookAtAll()), true);
        } finally {
            looking = undefined;
        }
    };
    return {
        settled: async () => {
            // A search under way may miss the last change, so another one follows.
            await looking;
            looking ??= look();
            await looking;
        },
        found,
        of: async uri => {
            await read();
            const file = documents.index.file(uri);
            if (file === undefined) return [];
            await inSlices(stepOf(lookAt(file)), false);
            return found.get(uri) ?? [];
        },
        forget: uri => {
            if (uri === undefined) looked.clear();
            else looked.delete(uri);
        },
    };
}
