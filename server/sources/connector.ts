import type { Sink, Source } from '#engine/sources/source.ts';
import type { MissingFile } from '#language/analysis/program-facts.ts';
import type { Bind, SourceSchema, SourceTable } from '#language/program/analysed-program.ts';
import type { Grants } from '#server/files/grants.ts';
import type { Files } from '#server/files/open-granted.ts';
import type { Team } from '#server/team/team.ts';
import type { ParameterTexts } from './bind-parameters.ts';

/** What the binds of a program may reach, and what they mean by relative folders and parameters. */
export interface SourceAccess {
    readonly grants: Grants;
    /** The file of the program. */
    readonly programFile: string;
    /** The path of a file that holds binds, by its name in places: relative folders start beside it. The program's own where absent. */
    readonly pathOf?: (file: string) => string | undefined;
    readonly currentFolder: string;
    /** Text of parameters by name. */
    readonly parameters: ParameterTexts;
    readonly files?: Files;
    /** Hears of each temporary file when it appears and when it is gone. */
    readonly onTemporary?: (path: string, exists: boolean) => void;
    /** The threads that help the run. */
    readonly team?: Team;
}

/** Rows beyond which nobody wants to know how many there are. */
export const MOST_COUNTED = 10_000;

/** A value that is there at once, or one that has to be asked for. */
export type MaybePromise<T> = T | Promise<T>;

/** A sink that can be tried before a run. */
export interface TriedSink extends Sink {
    /** Throws where the target is not granted or cannot be written, as far as that shows beforehand. */
    try(): MaybePromise<void>;
}

/** How binds of one type are read and written. Whatever cannot be done is a `RunStopped`: RT063 without a grant, else mostly RT064. */
export interface Connector {
    source(bind: Bind, access: SourceAccess): Source;
    sink(bind: Bind, access: SourceAccess): TriedSink;
    /** Throws where a run would end at what the bind says, or at what is not granted. No server is asked, and no file is read or written. */
    verify(bind: Bind, access: SourceAccess): void;
    /** The columns of a source as it shows them, with texts from so many of its records; undefined where it has none. */
    columns(bind: Bind, access: SourceAccess, records: number): MaybePromise<SourceSchema | undefined>;
    /** The tables and sheets among which a bind names one, whatever stands for its name; a schema before a dot chooses those of it. */
    tables?(bind: Bind, access: SourceAccess): MaybePromise<readonly SourceTable[]>;
    /** What is known of a source that is not there; undefined where it is, or may not be looked at. */
    missing(bind: Bind, access: SourceAccess): MaybePromise<MissingFile | undefined>;
    /** Returns a reason if a file that could be written has signs that no run wrote it, whatever its columns; undefined for none. */
    foreign?(bind: Bind, access: SourceAccess): string | undefined;
    /** How many rows the table has that a bind writes, up to one more than `MOST_COUNTED`; for what is no file of one table. */
    rows?(bind: Bind, access: SourceAccess): MaybePromise<number>;
    /** The path of the file that a bind writes. */
    path?(bind: Bind, access: SourceAccess): string;
    /** The whole paths of the files that a bind names, each of which is one table. */
    files?(bind: Bind, access: SourceAccess): readonly string[];
    /** Another text where the rows may be others than before; undefined where nothing can tell. */
    stamp(bind: Bind, access: SourceAccess): MaybePromise<string | undefined>;
}
