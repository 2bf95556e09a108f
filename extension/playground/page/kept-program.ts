import { isText, type Of, object, optional, recordOf } from '#server/protocol/shape.ts';
import { isSharedProgram } from './shared-link.ts';

const KEY = 'playground';

const isKept = object({
    program: isText,
    files: recordOf(isText, 1000),
    /** The bytes of files that are not texts, in base64 by their paths. */
    bytes: optional(recordOf(isText, 1000)),
});
type Kept = Of<typeof isKept>;

/** A program with all of its files. */
export interface WholeProgram {
    readonly program: string;
    readonly files: readonly (readonly [path: string, content: string | Uint8Array<ArrayBuffer>])[];
}

/** Keeps a program, as it was changed, for a reload of the tab at the same address: with all of its files or, where these are too long, with its texts alone. */
export function keepProgram(address: string, { program, files }: WholeProgram): void {
    const texts = files.flatMap(([path, content]) => (typeof content === 'string' ? [[path, content] as const] : []));
    const others = files.flatMap(([path, content]) => (typeof content === 'string' ? [] : [[path, content] as const]));
    const kept = { program, files: Object.fromEntries(texts) };
    if (others.length > 0 && isPut(address, { ...kept, bytes: Object.fromEntries(others.map(([path, bytes]) => [path, base64Of(bytes)])) }))
        return;
    if (!isPut(address, kept)) forgetProgram();
}

/** The program that was kept at an address. */
export function keptProgram(address: string): WholeProgram | undefined {
    try {
        const [kept, found]: readonly unknown[] = JSON.parse(sessionStorage.getItem(KEY) ?? '[]');
        if (kept !== address || !isKept(found)) return undefined;
        const { program, files, bytes = {} } = found;
        if (!isSharedProgram({ program, files: { ...bytes, ...files } })) return undefined;
        const others = Object.entries(bytes).map(([path, text]) => [path, bytesIn(text)] as const);
        return { program, files: [...Object.entries(files), ...others] };
    } catch {
        return undefined;
    }
}

/** Whether it was short enough to be kept. */
function isPut(address: string, kept: Kept): boolean {
    try {
        sessionStorage.setItem(KEY, JSON.stringify([address, kept]));
        return true;
    } catch {
        return false;
    }
}

/** Letters that are made at a time. */
const PIECE = 1 << 13;

function base64Of(bytes: Uint8Array): string {
    let letters = '';
    for (let from = 0; from < bytes.length; from += PIECE) letters += String.fromCharCode(...bytes.subarray(from, from + PIECE));
    return btoa(letters);
}

function bytesIn(text: string): Uint8Array<ArrayBuffer> {
    return Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
}

function forgetProgram(): void {
    try {
        sessionStorage.removeItem(KEY);
    } catch {
        // Where a tab keeps nothing, there is nothing to forget.
    }
}
