import {
    CONNECTED_SOURCES,
    CONNECTED_TYPES,
    type ConnectedSource,
    type ConnectedType,
    contractName,
    PACKED_ENDINGS,
    sourceOfFile,
} from '#language/library/connected-sources.ts';
import type { Database } from './source.ts';

/** A kind of source that can be connected, by the name that it is known by. */
export interface SourceKind {
    readonly label: string;
    /** As the services call it. */
    readonly type: string;
    /** The endings of its files, as a dialog filters them; a server where absent. */
    readonly endings?: readonly string[];
    readonly port?: number;
}

/** The kind of source that a connected type is. */
export function kindOf(type: ConnectedType): SourceKind {
    const { label, endings, furtherEndings = [], mayBePacked, port }: ConnectedSource = CONNECTED_SOURCES[type];
    const packed = mayBePacked ? PACKED_ENDINGS : [];
    const ofFiles = endings && { endings: [...endings, ...furtherEndings, ...packed] };
    return { label, type: contractName(type), ...ofFiles, ...(port !== undefined && { port }) };
}

/** All kinds, in the order in which dialogs offer them. */
export const SOURCE_KINDS: readonly SourceKind[] = CONNECTED_TYPES.map(kindOf);

/** Whether sources of a type, as the services call it, are files: these are opened without a user. */
export function isFileType(type: string): boolean {
    return SOURCE_KINDS.some(kind => kind.type === type && kind.endings !== undefined);
}

/** The kind of a file by the ending of its name; one that is packed has its own before that. */
export function kindOfFile(path: string): SourceKind | undefined {
    const found = sourceOfFile(path);
    return found && kindOf(found.type);
}

/** Whether the name of a file is that of another kind than this. */
export function isOfOtherKind(path: string, { type, endings = [] }: SourceKind): boolean {
    const found = kindOfFile(path);
    return found !== undefined && found.type !== type && !endings.some(ending => path.toLowerCase().endsWith(`.${ending}`));
}

/** Whether a text is a host, or a host and a port after a colon. */
export function isAddress(text: string): boolean {
    return /^[\w.-]+(:\d{1,5})?$/u.test(text);
}

/** What leads to a database of a server, whose usual port counts where the address has none. */
export function databaseAt(
    address: string,
    { type, port: usual = 0 }: SourceKind,
    login: Pick<Database, 'databaseName' | 'username' | 'password'>,
): Database {
    const [host = '', port = ''] = address.split(':');
    return { databaseType: type, host, port: port === '' ? usual : Number(port), ...login };
}

/** What leads to a file. */
export function databaseOfFile(path: string, databaseType: string): Database {
    const at = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
    const host = at < 0 ? '.' : path.slice(0, Math.max(1, at));
    const databaseName = path.slice(at + 1);
    const found = sourceOfFile(databaseName);
    const needed = found !== undefined && contractName(found.type) === databaseType ? found.options : {};
    return { databaseType, host, databaseName, username: '', password: '', ...(Object.keys(needed).length > 0 && { options: needed }) };
}
