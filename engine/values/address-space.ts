/** Arrays from so many bytes on grow in place. */
const LEAST_BYTES = 1 << 17;
/** A page of WebAssembly, whose memory has 4 GB at most. */
const PAGE = 1 << 16;
const MOST_PAGES = 1 << 16;

/** A WebAssembly memory: address space is reserved for the most that it may hold, and taken page by page. */
interface Space {
    readonly buffer: SharedArrayBuffer;
    /** Afterwards `buffer` is another one, and earlier ones show what they have shown of the same bytes. */
    grow(pages: number): number;
}

/** The language's own name for it, which TypeScript counts to the libraries of browsers. */
const { WebAssembly } = globalThis as unknown as {
    readonly WebAssembly?: { readonly Memory: new (limits: { initial: number; maximum: number; shared: true }) => Space };
};

/** The space of each buffer that lies in one. */
const spaces = new WeakMap<ArrayBufferLike, Space>();
/** Until the system refuses to reserve address space, as under a limit of virtual memory; not where JavaScript has no WebAssembly. */
let isGranted = WebAssembly !== undefined;

/** Whether arrays of so many bytes grow without being copied. */
export function growsInPlace(bytes: number): boolean {
    return isGranted && bytes >= LEAST_BYTES;
}

/** Whether the array lies in address space of its own. */
export function hasSpace(array: Int32Array | Float64Array): boolean {
    return spaces.has(array.buffer);
}

/**
 * A buffer of at least so many bytes that begins with those of the array, and has zeros behind them. An array that lies in address space
 * of its own stays where it is, and so remains the same as the beginning of the buffer; another one is copied. Undefined where the system
 * grants no address space.
 */
export function spaceOf(array: Int32Array | Float64Array, bytes: number): SharedArrayBuffer | undefined {
    const pages = Math.ceil(bytes / PAGE);
    let space = spaces.get(array.buffer);
    if (WebAssembly === undefined) return undefined;
    try {
        if (space === undefined) {
            // Only of a shared memory do earlier buffers stay valid. Nothing is shared with another thread.
            space = new WebAssembly.Memory({ initial: pages, maximum: MOST_PAGES, shared: true });
            new Uint8Array(space.buffer).set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
        } else if (space.buffer.byteLength < bytes) {
            space.grow(pages - space.buffer.byteLength / PAGE);
        }
    } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        isGranted = false;
        return undefined;
    }
    spaces.set(space.buffer, space);
    return space.buffer;
}
