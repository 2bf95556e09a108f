import type { FileBytes } from '../run/messages.ts';

/** Files by their paths, which begin with a slash: programs and data. */
export interface ProgramFiles {
    /** Programs first. */
    paths(): readonly string[];
    has(path: string): boolean;
    /** The text of a file; nothing where it is none, or too long to be edited. */
    text(path: string): string | undefined;
    bytes(path: string): Uint8Array;
    all(): readonly FileBytes[];
    put(path: string, content: string | Uint8Array): void;
    remove(path: string): void;
    /** Puts others in the place of all that there are. */
    replace(files: Iterable<readonly [path: string, content: string | Uint8Array]>): void;
}

/** Bytes of a file that is edited; larger ones are only read by programs. */
const LARGEST_TEXT = 2 ** 20;

export function isProgram(path: string): boolean {
    return path.endsWith('.rulelang');
}

/** The name of a file, without its folders. */
export function nameOf(path: string): string {
    return path.slice(path.lastIndexOf('/') + 1);
}

export function createProgramFiles(): ProgramFiles {
    const files = new Map<string, string | Uint8Array>();
    const bytes = (path: string): Uint8Array => {
        const content = files.get(path) ?? '';
        return typeof content === 'string' ? new TextEncoder().encode(content) : content;
    };
    return {
        paths: () => [...files.keys()].sort((a, b) => Number(isProgram(b)) - Number(isProgram(a)) || (a < b ? -1 : 1)),
        has: path => files.has(path),
        text(path) {
            const content = files.get(path);
            return content === undefined || typeof content === 'string' ? content : textIn(content);
        },
        bytes,
        all: () => [...files.keys()].map(path => [path, bytes(path)] as const),
        put: (path, content) => void files.set(path, content),
        remove: path => void files.delete(path),
        replace(others) {
            files.clear();
            for (const [path, content] of others) files.set(path, content);
        },
    };
}

function textIn(bytes: Uint8Array): string | undefined {
    if (bytes.length > LARGEST_TEXT) return undefined;
    try {
        const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
        return text.includes('\0') ? undefined : text;
    } catch {
        return undefined;
    }
}
