import { dirname, resolve } from 'node:path';
import { RunStopped, stop } from '#engine/reports.ts';
import type { Connectors, Sink } from '#engine/sources/source.ts';
import type { MissingFile } from '#language/analysis/program-facts.ts';
import { type ConnectedType, isConnected } from '#language/library/data-sources.ts';
import { nearestName } from '#language/library/nearest-name.ts';
import type { Bind, SourceSchema } from '#language/program/analysed-program.ts';
import type { Grants } from '#server/files/grants.ts';
import { accessContext, type Files, namesBeside, nodeFiles, stampGranted } from '#server/files/open-granted.ts';
import { shownPath } from '#server/files/shown-path.ts';
import { type PreparedFile, writeTarget } from '#server/files/write-granted.ts';
import { type ParameterTexts, withParameters } from './bind-parameters.ts';
import type { BoundFile, FileFormat } from './bound-file.ts';
import { CSV_FILES } from './csv-file.ts';
import { JSON_FILES } from './json-file.ts';
import { prepareFile } from './prepare-file.ts';

export interface FileAccess {
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
}

/** Connectors to files; those of binds that a run writes can be tried before it. */
export interface FileConnectors extends Connectors {
    /** Ends the run where a bind's target is not granted or cannot be written, as far as that shows beforehand. */
    tryTarget(bind: Bind): void;
}

/** How the connected types are read and written. */
const FORMATS: Readonly<Record<ConnectedType, FileFormat>> = { csv: CSV_FILES, json: JSON_FILES };

export function fileConnectors(access: FileAccess): FileConnectors {
    const targets = new Set<string>();
    return {
        source: bind => {
            const found = boundFile(bind, access);
            return found && { name: found.file.shown, load: target => found.format.load(found.file, target) };
        },
        sink: bind => {
            const found = boundFile(bind, access);
            return found && fileSink(found, targets, access.onTemporary ?? (() => undefined));
        },
        tryTarget: bind => {
            const found = boundFile(bind, access);
            if (found !== undefined) writeTarget(found.file.path, found.file.access);
        },
    };
}

/**
 * The columns of a source as its file shows them, with texts from so many of its records; undefined where it cannot be read, which only a
 * run reports.
 */
export function peekSource(bind: Bind, access: FileAccess, records = 0): SourceSchema | undefined {
    try {
        const found = boundFile(bind, access);
        return found?.format.peek(found.file, records);
    } catch (error) {
        if (error instanceof RunStopped) return undefined;
        throw error;
    }
}

/** What is known of the file that a bind reads where it is not there; undefined where it is, or may not be looked at. */
export function missingSource(bind: Bind, access: FileAccess): MissingFile | undefined {
    const found = boundFile(bind, access);
    if (found === undefined || bind.inner.includes('${')) return undefined;
    try {
        stampGranted(found.file.path, found.file.access);
        return undefined;
    } catch (error) {
        if (!(error instanceof RunStopped)) throw error;
        if (error.report.isAbsent !== true) return undefined;
        const nearest = nearestName(bind.inner, namesBeside(found.file.path, found.file.access));
        return nearest === undefined ? {} : { nearest };
    }
}

/** Size and moment of the last change of the file that a bind reads; undefined where it reads none, or none that can be read. */
export function stampOfSource(bind: Bind, access: FileAccess): string | undefined {
    try {
        const found = boundFile(bind, access);
        return found && stampGranted(found.file.path, found.file.access);
    } catch (error) {
        if (error instanceof RunStopped) return undefined;
        throw error;
    }
}

interface Bound {
    readonly file: BoundFile;
    readonly format: FileFormat;
}

function boundFile(bind: Bind, access: FileAccess): Bound | undefined {
    const format = bind.kind === 'bind' && isConnected(bind.type) ? FORMATS[bind.type] : undefined;
    if (format === undefined) return undefined;
    const report = { location: { place: bind.place, span: bind.annotation.span } };
    const filled = withParameters(bind, access.parameters, report);
    const base = dirname(resolve(access.currentFolder, access.pathOf?.(bind.place.file) ?? access.programFile));
    const shown = shownPath(resolve(base, filled.outer, filled.inner), access.currentFolder);
    const file = {
        bind: filled,
        path: { base, parts: [filled.outer, filled.inner], shown },
        shown,
        access: accessContext(access.grants, report, access.files ?? nodeFiles),
    };
    return { file, format };
}

function fileSink({ file, format }: Bound, targets: Set<string>, onTemporary: (path: string, exists: boolean) => void): Sink {
    let prepared: PreparedFile | undefined;
    const end = (action: (own: PreparedFile) => void): void => {
        if (prepared === undefined) return;
        const own = prepared;
        action(own);
        prepared = undefined;
        onTemporary(own.temporary, false);
    };
    return {
        name: file.shown,
        write: (rows, checkpoint) => {
            if (targets.has(file.shown)) stop('RT064', file.access.report, file.shown, 'is the target of two binds of this program');
            targets.add(file.shown);
            prepareFile(file, format, rows, checkpoint, {
                announce: temporary => onTemporary(temporary, true),
                created: own => {
                    prepared = own;
                },
            });
        },
        commit: () => end(own => own.commit()),
        discard: () => end(own => own.discard()),
    };
}
