import type { DataDirectory, ScratchFile } from '#server/store/data-directory.ts';

/** Room for bytes that readers have not taken yet, so that the writer need not wait for them. */
export interface Spool {
    /**
     * Passes the bytes on at the pace of the reader. Bytes ahead wait in memory, and further ones in a file. Fails with {@link SpoolFull}
     * if no room comes free for a minute, and if the pieces fail.
     */
    through(pieces: AsyncIterable<string>): AsyncIterable<Uint8Array>;
}

/** Too much of what readers were sent has not been taken. */
export class SpoolFull extends Error {
    override readonly name = 'SpoolFull';
}

const MEBIBYTE = 1024 * 1024;
/** Bytes in files, of all readers. */
const MOST_KEPT = 1024 * MEBIBYTE;
/** Bytes in memory, of one reader. */
const MOST_IN_MEMORY = MEBIBYTE;
/** Bytes that are read from a file at once. */
const TAKEN = 256 * 1024;
/** Milliseconds. */
const PATIENCE = 60_000;
/** Milliseconds between looks whether others have made room. */
const LOOKS_EVERY = 100;

export function spoolIn(data: DataDirectory, mostKept = MOST_KEPT, patience = PATIENCE): Spool {
    let kept = 0;
    const keep = (bytes: number): boolean => {
        if (kept + bytes > mostKept) return false;
        kept += bytes;
        return true;
    };
    const free = (bytes: number): void => {
        kept -= bytes;
    };
    return {
        through: async function* (pieces) {
            const ahead = new Ahead(() => data.scratchFile(), { keep, free, patience });
            const filled = ahead.fill(pieces);
            try {
                for (let bytes = await ahead.take(); bytes !== undefined; bytes = await ahead.take()) yield bytes;
            } finally {
                ahead.leave();
                await filled;
                await ahead.close();
            }
        },
    };
}

interface Room {
    keep(bytes: number): boolean;
    free(bytes: number): void;
    readonly patience: number;
}

/** Bytes that one reader has not taken yet: first in memory, then in the file. */
class Ahead {
    readonly #newFile: () => Promise<ScratchFile>;
    readonly #room: Room;
    readonly #memory: Uint8Array[] = [];
    #inMemory = 0;
    #file: ScratchFile | undefined;
    #written = 0;
    #taken = 0;
    #hasAll = false;
    #isLeft = false;
    #failure: unknown;
    readonly #waiting = new Set<() => void>();

    constructor(newFile: () => Promise<ScratchFile>, room: Room) {
        this.#newFile = newFile;
        this.#room = room;
    }

    async fill(pieces: AsyncIterable<string>): Promise<void> {
        try {
            for await (const piece of pieces) {
                await this.#put(Buffer.from(piece));
                if (this.#isLeft) return;
                this.#wake();
            }
        } catch (error) {
            this.#failure = error;
        }
        this.#hasAll = true;
        this.#wake();
    }

    /** Takes the next bytes, as soon as they are there; undefined after the last. */
    async take(): Promise<Uint8Array | undefined> {
        for (;;) {
            const next = this.#memory.shift();
            if (next !== undefined) {
                this.#inMemory -= next.length;
                this.#wake();
                return next;
            }
            if (this.#file !== undefined && this.#taken < this.#written) return this.#fromFile(this.#file);
            if (this.#failure !== undefined) throw this.#failure;
            if (this.#hasAll) return undefined;
            await this.#change();
        }
    }

    /** Nothing is taken any more. */
    leave(): void {
        this.#isLeft = true;
        this.#wake();
    }

    async close(): Promise<void> {
        this.#room.free(this.#written - this.#taken);
        await this.#file?.close();
    }

    async #put(bytes: Uint8Array): Promise<void> {
        const began = performance.now();
        while (!this.#isLeft) {
            if (this.#taken === this.#written && this.#inMemory < MOST_IN_MEMORY) {
                this.#memory.push(bytes);
                this.#inMemory += bytes.length;
                return;
            }
            if (await this.#keep(bytes)) return;
            if (performance.now() - began > this.#room.patience) throw new SpoolFull('too much waits for readers');
            await this.#change(LOOKS_EVERY);
        }
    }

    /** False where there is no room, on the disk or among what all readers may leave. */
    async #keep(bytes: Uint8Array): Promise<boolean> {
        if (!this.#room.keep(bytes.length)) return false;
        try {
            await this.#write(bytes);
            return true;
        } catch {
            this.#room.free(bytes.length);
            return false;
        }
    }

    /** Writes over bytes that a full disk took in part. */
    async #write(bytes: Uint8Array): Promise<void> {
        this.#file ??= await this.#newFile();
        if (this.#taken === this.#written) {
            await this.#file.truncate(0);
            this.#taken = this.#written = 0;
        }
        for (let at = 0; at < bytes.length; ) {
            const { bytesWritten } = await this.#file.write(bytes, at, bytes.length - at, this.#written + at);
            at += bytesWritten;
        }
        this.#written += bytes.length;
    }

    async #fromFile(file: ScratchFile): Promise<Uint8Array> {
        const bytes = Buffer.allocUnsafe(Math.min(TAKEN, this.#written - this.#taken));
        const { bytesRead } = await file.read(bytes, 0, bytes.length, this.#taken);
        this.#taken += bytesRead;
        this.#room.free(bytesRead);
        this.#wake();
        return bytes.subarray(0, bytesRead);
    }

    #change(longest?: number): Promise<void> {
        return new Promise(resolve => {
            this.#waiting.add(resolve);
            if (longest !== undefined) setTimeout(resolve, longest);
        });
    }

    #wake(): void {
        for (const resolve of this.#waiting) resolve();
        this.#waiting.clear();
    }
}
