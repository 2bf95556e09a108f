import { basename } from 'node:path';
import { RunStopped } from '#engine/reports.ts';
import type { Type } from '#language/program/types.ts';
import { type Grants, serviceGrants } from '#server/files/grants.ts';
import { accessContext, openGranted, type UserPath } from '#server/files/open-granted.ts';
import type { RunFolders } from '#server/protocol/run-process.ts';
import { FILE_FORMATS, type FileType } from './file-formats.ts';

/** A file that somebody wants to know the columns of. */
export interface FileQuestion {
    readonly type: FileType;
    /** Its folder, or the file itself, and its name. */
    readonly folder: string;
    readonly name: string;
    /** Options of a bind of this type. */
    readonly options: ReadonlyMap<string, string>;
    /** Relative folders start here. */
    readonly currentFolder: string;
    readonly folders: RunFolders;
}

export interface FileColumns {
    readonly columns: readonly { readonly name: string; readonly type: ColumnType }[];
    readonly rows: number;
    /** The folder as a bind has to name it. */
    readonly folder: string;
}

export type ColumnType = 'INT' | 'DOUBLE' | 'STRING' | 'BOOLEAN' | 'DATE' | 'DATETIME' | 'LIST' | 'STRUCT';

/** Reads a file to its end for its columns and rows. A `RunStopped` says why it cannot be read. */
export function fileColumns(question: FileQuestion): FileColumns {
    const { type, folder, name, options, currentFolder, folders } = question;
    const grants = serviceGrants(folders);
    const { path, container } = located({ base: currentFolder, folder, name }, grants);
    const context = accessContext(grants);
    const withBytes = <T>(use: (bytes: ReturnType<typeof openGranted>) => T): T => {
        const bytes = openGranted(path, context);
        try {
            return use(bytes);
        } finally {
            bytes.close();
        }
    };
    const checkpoint = (): void => undefined;
    const { names, types, rows } = FILE_FORMATS[type].survey({ withBytes, name, options }, checkpoint);
    return { columns: names.map((column, i) => ({ name: column, type: columnType(types[i]) })), rows, folder: container };
}

/** `folder/name`; where that is not there and `folder` is a file of that name, the file itself (D50). */
function located(
    { base, folder, name }: { readonly base: string; readonly folder: string; readonly name: string },
    grants: Grants,
): { readonly path: UserPath; readonly container: string } {
    const inFolder = { base, parts: [folder, name], shown: name };
    if (basename(folder) !== name) return { path: inFolder, container: folder };
    try {
        openGranted(inFolder, accessContext(grants)).close();
        return { path: inFolder, container: folder };
    } catch (error) {
        if (!(error instanceof RunStopped) || error.report.code !== 'RT064') throw error;
        const container = folder.slice(0, -name.length);
        return { path: { base, parts: [folder], shown: name }, container: container.length > 1 ? container.slice(0, -1) : container };
    }
}

/** The name that the platform gives a type; what fits none is text. */
function columnType(type: Type | undefined): ColumnType {
    switch (type?.kind) {
        case 'int':
        case 'long':
            return 'INT';
        case 'double':
        case 'float':
            return 'DOUBLE';
        case 'boolean':
            return 'BOOLEAN';
        case 'date':
            return 'DATE';
        case 'timestamp':
            return 'DATETIME';
        case 'list':
        case 'set':
            return 'LIST';
        case 'struct':
        case 'map':
            return 'STRUCT';
        default:
            return 'STRING';
    }
}
