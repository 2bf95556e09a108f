import { isText, type Of, object, recordOf } from '#server/protocol/shape.ts';

const isShared = object({
    /** The path of the program among the files. */
    program: isText,
    /** Texts by their paths. */
    files: recordOf(isText, 1000),
});
/** A program with its data, as a link has it. */
export type SharedProgram = Of<typeof isShared>;

/** The prefix of a packed program, in the part of an address that browsers send to no server. */
const MARK = '#code=';
/** Letters that a link may have; some programs that hand on links cut longer ones. */
export const LONGEST_LINK = 32_000;
/** Letters that may be unpacked. */
const LARGEST = 2 ** 24;

/** The end of an address that has all of a program. */
export async function fragmentOf(shared: SharedProgram): Promise<string> {
    const packed = new Blob([JSON.stringify(shared)]).stream().pipeThrough(new CompressionStream('deflate-raw'));
    const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
    const letters = Array.from(bytes, byte => String.fromCharCode(byte)).join('');
    return MARK + btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/u, '');
}

/** The program of an address; nothing where it has none. An end that cannot be read is an error. */
export async function sharedIn(fragment: string): Promise<SharedProgram | undefined> {
    if (!fragment.startsWith(MARK)) return undefined;
    const letters = atob(fragment.slice(MARK.length).replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(letters, letter => letter.charCodeAt(0));
    const shared: unknown = JSON.parse(await unpacked(bytes));
    if (!isSharedProgram(shared)) throw new Error(MARK);
    return shared;
}

export function isSharedProgram(value: unknown): value is SharedProgram {
    return isShared(value) && value.files[value.program] !== undefined && Object.keys(value.files).every(isPath);
}

/** Paths are plain: they begin with a slash, and lead nowhere else. */
function isPath(path: string): boolean {
    return (
        path.startsWith('/') &&
        path
            .slice(1)
            .split('/')
            .every(part => part !== '' && part !== '.' && part !== '..')
    );
}

async function unpacked(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
    const decoder = new TextDecoder();
    let text = '';
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
        text += decoder.decode(piece.value, { stream: true });
        if (text.length > LARGEST) throw new Error(MARK);
    }
    return text + decoder.decode();
}
