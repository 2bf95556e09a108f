import { dirname, resolve } from 'node:path';
import { RunStopped, stop } from '#engine/reports.ts';
import type { Connectors, Sink } from '#engine/sources/source.ts';
import { placedAnnotations, textOf } from '#language/analysis/annotation-arguments.ts';
import type { Bind, SourceSchema } from '#language/program/analysed-program.ts';
import type { Program } from '#language/program/program.ts';
import { accessContext, type Files, nodeFiles } from '#server/files/open-granted.ts';
import { shownPath } from '#server/files/shown-path.ts';
import { type PreparedFile, writeTarget } from '#server/files/write-granted.ts';
import { withParameters } from './bind-parameters.ts';
import { type CsvFile, loadCsvFile, peekCsvFile, prepareCsvFile } from './csv-file.ts';
import type { Grants } from './grants.ts';

export interface FileAccess {
    readonly grants: Grants;
    /** The file that holds the binds: relative folders start beside it. */
    readonly programFile: string;
    readonly currentFolder: string;
    /** Text of parameters by name. */
    readonly parameters: ReadonlyMap<string, string>;
    readonly files?: Files;
    /** Hears of each temporary file when it appears and when it is gone. */
    readonly onTemporary?: (path: string, exists: boolean) => void;
}

/** Connectors to files; those of binds that a run writes can be tried before it. */
export interface FileConnectors extends Connectors {
    /** Ends the run where a bind's target is not granted or cannot be written, as far as that shows beforehand. */
    tryTarget(bind: Bind): void;
}

export function fileConnectors(program: Program, access: FileAccess): FileConnectors {
    const mappings = mappedNames(program);
    const targets = new Set<string>();
    return {
        source: bind => {
            const file = csvFile(bind, access);
            return file && { name: file.shown, load: target => loadCsvFile(file, mappings.get(bind.predicate) ?? new Map(), target) };
        },
        sink: bind => {
            const file = csvFile(bind, access);
            return file && csvSink(file, targets, access.onTemporary ?? (() => undefined));
        },
        tryTarget: bind => {
            const file = csvFile(bind, access);
            if (file !== undefined) writeTarget(file.path, file.access);
        },
    };
}

/** The columns of a source as its file shows them; undefined where it cannot be read, which only a run reports. */
export function peekSource(bind: Bind, access: FileAccess): SourceSchema | undefined {
    try {
        const file = csvFile(bind, access);
        return file && peekCsvFile(file);
    } catch (error) {
        if (error instanceof RunStopped) return undefined;
        throw error;
    }
}

function csvFile(bind: Bind, access: FileAccess): CsvFile | undefined {
    if (bind.type !== 'csv' || bind.kind !== 'bind') return undefined;
    const report = { location: { place: bind.place, span: bind.annotation.span } };
    const filled = withParameters(bind, access.parameters, report);
    const base = dirname(resolve(access.currentFolder, access.programFile));
    const shown = shownPath(resolve(base, filled.outer, filled.inner), access.currentFolder);
    return {
        bind: filled,
        path: { base, parts: [filled.outer, filled.inner], shown },
        shown,
        access: accessContext(access.grants, report, access.files ?? nodeFiles),
    };
}

function csvSink(file: CsvFile, targets: Set<string>, onTemporary: (path: string, exists: boolean) => void): Sink {
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
            const announce = (temporary: string): void => onTemporary(temporary, true);
            prepareCsvFile(file, rows, checkpoint, announce, own => {
                prepared = own;
            });
        },
        commit: () => end(own => own.commit()),
        discard: () => end(own => own.discard()),
    };
}

/** The source columns that `@mapping` names, by predicate and zero-based position. */
function mappedNames(program: Program): Map<string, Map<number, string>> {
    const names = new Map<string, Map<number, string>>();
    for (const { annotation } of placedAnnotations(program)) {
        const [, position] = annotation.arguments;
        const predicate = textOf(annotation.arguments[0]);
        const column = textOf(annotation.arguments[2]);
        if (annotation.name !== 'mapping' || predicate === undefined || column === undefined || position?.kind !== 'integer') continue;
        const known = names.get(predicate) ?? new Map<number, string>();
        names.set(predicate, known.set(Number(position.value), column));
    }
    return names;
}
