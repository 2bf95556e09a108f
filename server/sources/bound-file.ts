import { type ReportContext, stop } from '#engine/reports/reports.ts';
import { byteEncoding } from '#engine/sources/csv-encoding.ts';
import { endsWithCrLf } from '#engine/sources/csv-layout.ts';
import type { Packing } from '#engine/sources/packing.ts';
import type { OutputRows, RowTarget } from '#engine/sources/source.ts';
import { unpackedBytes } from '#engine/sources/unpacked-bytes.ts';
import { requireEncoding } from '#engine/sources/utf8-reader.ts';
import type { Bind, ColumnTexts, SourceSchema } from '#language/program/analysed-program.ts';
import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import type { Type } from '#language/program/types.ts';
import { type AccessContext, type OpenedFile, openGranted, resolveUserPath, type UserPath } from '#server/files/open-granted.ts';
import type { Team } from '#server/team/team.ts';
import type { MaybePromise } from './connector.ts';
import type { FileEndings } from './file-parts.ts';

/** A file that a bind names. */
export interface BoundFile {
    readonly bind: Bind;
    readonly path: UserPath;
    /** The name that people read. */
    readonly shown: string;
    readonly access: AccessContext;
    /** The threads that help to read it. */
    readonly team?: Team | undefined;
    /** Another file that the bind may name, by the parts of its path. */
    readonly at: (parts: readonly string[]) => BoundFile;
}

/** What files of one type hold. */
export type FileFormat = FileReading & (FileWriting | FileChange);

export interface FileReading {
    /** Throws where the options of the bind cannot be carried out. */
    verify(file: BoundFile): void;
    load(file: BoundFile, target: RowTarget): MaybePromise<void>;
    /** How they are called, where a bind may name many. */
    readonly many?: FileEndings;
    /** The columns that the front of the file shows; undefined for a file without rows. */
    /** `records` says how many are looked at for texts that columns hold. */
    peek(file: BoundFile, records: number): SourceSchema | undefined;
    /** Looks at the first texts of its columns of texts, by name, if `peek` does not. */
    texts?(file: BoundFile, records: number): Promise<ReadonlyMap<string, ColumnTexts>>;
    /** Returns a reason if it has signs that no run wrote it, whatever its columns; undefined for none. */
    foreign?(file: BoundFile): string | undefined;
    /** What its tables are called, where it has several. */
    sheets?(file: BoundFile): readonly string[];
    /** The tables of the whole file, which are one but where it has sheets. */
    survey(file: SurveyedFile, checkpoint: () => void): MaybePromise<readonly SurveyedTable[]>;
}

/** A file is one table. */
export interface FileWriting {
    /** Writes rows, behind what the target holds where they are added to it. */
    write(file: BoundFile, rows: OutputRows, target: WrittenFile): MaybePromise<void>;
}

/** A file holds several tables. */
export interface FileChange {
    /** What people call the table that a bind writes. */
    target(file: BoundFile): string;
    /** Puts the rows into the table that the bind names, as `saveMode` says; undefined where the file stays as it is. */
    change(file: BoundFile, old: Uint8Array | undefined, rows: OutputRows, checkpoint: () => void): MaybePromise<ChangedTable | undefined>;
}

/** A file with other rows in one of its tables. */
export interface ChangedTable {
    readonly bytes: Uint8Array;
    /** What the file calls the table, the same in whatever letter case a bind names it. */
    readonly table: string;
    /** How many of its rows were deleted or updated by their keys, where the bind is about those. */
    readonly changed?: number;
    /** The rows take the place of those that the table had. */
    readonly isReplaced?: boolean;
}

/** A file that is read to its end for its columns. */
export interface SurveyedFile {
    readonly withBytes: <T>(use: (bytes: OpenedFile) => T) => T;
    readonly name: string;
    /** Of a bind of its type. */
    readonly options: ReadonlyMap<string, string>;
}

/** The columns of a table, with types of what they hold, and its rows. */
export interface SurveyedTable {
    readonly names: readonly string[];
    readonly types: readonly Type[];
    readonly rows: number;
    /** What it is called within the file. */
    readonly sheet?: string;
    /** A column of numbers, days or truth values has empty cells. */
    readonly haveGaps?: boolean;
    /** The options of a bind that reads it as it was read here, besides those that were given. */
    readonly options?: readonly (readonly [string, string])[];
}

/** A file under way beside its target. */
export interface WrittenFile {
    readonly write: (bytes: Uint8Array) => void;
    /** A path under which other code writes it. */
    readonly handle: string;
    /** The rows are added to a target that holds something. */
    readonly appends: boolean;
    readonly checkpoint: () => void;
}

/** The file is closed once it was used, and where that takes longer, once the promise is settled. */
export function withFile<T>({ path, access }: BoundFile, use: (bytes: OpenedFile) => T): T {
    const bytes = openGranted(path, access);
    let used: T | undefined;
    try {
        used = use(bytes);
        return used instanceof Promise ? (used.finally(bytes.close) as T) : used;
    } finally {
        if (!(used instanceof Promise)) bytes.close();
    }
}

/** Bytes of the largest file that is held in memory. */
const LARGEST = 2 ** 30;

/** All bytes of a file; RT064 where they are too many for the memory. */
export function wholeBytes(file: BoundFile): Uint8Array {
    return withFile(file, opened => bytesOf(opened, file.shown, file.access.report));
}

/** The same of a file that is open. */
export function bytesOf(opened: OpenedFile, shown: string, context: ReportContext): Uint8Array {
    if (opened.size > LARGEST) {
        const reason = say`has more than ${countText(LARGEST)} bytes, which is as much as is held in memory`;
        stop('RT064', { ...context, source: { file: shown } }, shown, reason);
    }
    const whole = new Uint8Array(opened.size);
    let length = 0;
    for (let got = 1; got > 0 && length < whole.length; length += got) got = opened.read(whole.subarray(length));
    return whole.subarray(0, length);
}

/** The whole path of a file, which may lead through links. */
export function pathOf({ path, access }: BoundFile): string {
    return resolveUserPath(path, access);
}

/** The target of a bind as a file that may be read, for adding to what it holds. */
export function readableTarget(file: BoundFile): BoundFile {
    const { grants } = file.access;
    return { ...file, access: { ...file.access, grants: { ...grants, readRoots: grants.writeRoots } } };
}

const PIECE = 1 << 16;
/** Bytes of a letter in any encoding. */
const LONGEST_LETTER = 4;

/** Copies the first `count` bytes that the target holds, unpacked, or all; gives the last of them, as many as a letter may have. */
export function copyTarget(
    file: BoundFile,
    { write, checkpoint }: WrittenFile,
    packing: Packing | undefined,
    count = Number.POSITIVE_INFINITY,
): Uint8Array {
    const chunk = new Uint8Array(PIECE);
    const { shown, access } = file;
    return withFile(readableTarget(file), packed => {
        const bytes =
            packing === undefined ? packed : unpackedBytes(packed, packing, { file: shown, context: access.report, isFront: false });
        let last = new Uint8Array(0);
        let left = count;
        for (let got = bytes.read(chunk); got > 0 && left > 0; got = bytes.read(chunk)) {
            const taken = chunk.subarray(0, Math.min(got, left));
            write(taken);
            left -= taken.length;
            last = Uint8Array.of(...last, ...taken.subarray(-LONGEST_LETTER)).slice(-LONGEST_LETTER);
            checkpoint();
        }
        return last;
    });
}

/** Returns the end of lines that are added to the target of lines: that of its first line. */
export function lineEndOf(file: BoundFile, options: { readonly packing?: Packing; readonly encoding: string }): '\n' | '\r\n' {
    const { shown, access } = file;
    const isCrLf = withFile(readableTarget(file), bytes => endsWithCrLf({ bytes, file: shown, options, context: access.report }, false));
    return isCrLf ? '\r\n' : '\n';
}

/** Copies the lines that the target holds. Ends the last one with `written` if it does not end with `lineEnd`. */
export function copyLines(
    file: BoundFile,
    target: WrittenFile,
    packing: Packing | undefined,
    lineEnd: Uint8Array,
    written: Uint8Array = lineEnd,
): void {
    const last = copyTarget(file, target, packing);
    const isEnded = lineEnd.every((byte, i) => byte === last[last.length - lineEnd.length + i]);
    if (!isEnded) target.write(written);
}

/** Ends the run with RT064 where texts of an encoding are not read, or not written, whichever the bind asks for. */
export function verifyEncoding({ bind, shown, access }: BoundFile, encoding: string): void {
    if (bind.direction === 'output') byteEncoding(encoding, shown, access.report);
    else requireEncoding(encoding, shown, access.report);
}
