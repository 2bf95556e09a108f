import { dirname, resolve } from 'node:path';
import { RunStopped } from '#engine/reports/reports.ts';
import type { RowTarget } from '#engine/sources/source.ts';
import { nearestName } from '#language/library/nearest-name.ts';
import type { Bind, ColumnTexts, SourceSchema } from '#language/program/analysed-program.ts';
import { accessContext, namesBeside, nodeFiles, realOrSame, stampGranted } from '#server/files/open-granted.ts';
import { shownPath } from '#server/files/shown-path.ts';
import type { PreparedFile } from '#server/files/write-granted.ts';
import { withDefaults } from './bind-defaults.ts';
import { withParameters } from './bind-parameters.ts';
import { type BoundFile, type FileFormat, type FileWriting, pathOf, readableTarget, wholeBytes } from './bound-file.ts';
import type { Connector, MaybePromise, SourceAccess, TriedSink } from './connector.ts';
import { fileParts } from './file-parts.ts';
import { answerSchema, askedFile, fileQuery, readAnswer } from './file-query.ts';
import { prepareFile, requireWritable } from './prepare-file.ts';
import { secretText } from './secret-text.ts';
import { sharedFileSink } from './shared-file-sink.ts';

/** Reads and writes files of one format, whose folder and name are the third and fourth argument of a bind. */
export function fileConnector(format: FileFormat): Connector {
    return {
        source: (bind, access) => {
            const file = boundFile(bind, access);
            const query = fileQuery(file, format);
            const load = (target: RowTarget): MaybePromise<void> =>
                query === undefined ? format.load(file, target) : readAnswer(file, query, format, target);
            return { name: file.shown, load };
        },
        sink: (bind, access) => {
            const file = boundFile(bind, access);
            const verify = (): void => verifyTarget(file, format);
            if (!('change' in format)) return fileSink(file, { format, verify }, access.onTemporary ?? (() => undefined));
            return sharedFileSink(file, access, {
                name: format.target(file),
                verify,
                bytes: () => wholeBytes(readableTarget(file)),
                change: (old, rows, checkpoint) => format.change(file, old, rows, checkpoint),
            });
        },
        verify: (bind, access) => {
            const file = boundFile(bind, access);
            if (bind.direction === 'output') {
                verifyTarget(file, format);
                return;
            }
            const query = fileQuery(file, format);
            format.verify(query === undefined ? file : askedFile(file));
            stampOf(file, format);
        },
        path: (bind, access) => pathOf(boundFile(bind, access)),
        ...('write' in format && {
            files: (bind, access) => {
                const file = boundFile(bind, access);
                const parts = bind.direction === 'input' && format.many ? fileParts(file, format.many) : undefined;
                return (parts ?? [{ file }]).map(part => realOrSame(pathOf(part.file), file.access));
            },
        }),
        foreign: (bind, access) => format.foreign?.(boundFile(bind, access)),
        tables: (bind, access) =>
            (format.sheets?.(boundFile(bind, access)) ?? []).map(name => ({ name, kind: 'sheet' as const, columns: [] })),
        columns: (bind, access, records) => {
            const file = boundFile(bind, access);
            const query = fileQuery(file, format);
            if (query !== undefined) return answerSchema(file, query, format);
            const schema = format.peek(file, records);
            return schema && format.texts && records > 0 ? format.texts(file, records).then(texts => withTexts(schema, texts)) : schema;
        },
        missing: (bind, access) => {
            if (bind.inner.includes('${')) return undefined;
            const file = boundFile(bind, access);
            const { path, access: context } = file;
            try {
                stampOf(file, format);
                return undefined;
            } catch (error) {
                if (!(error instanceof RunStopped) || error.report.isAbsent !== true) throw error;
                const nearest = nearestName(bind.inner, namesBeside(path, context));
                return nearest === undefined ? {} : { nearest };
            }
        },
        stamp: (bind, access) => stampOf(boundFile(bind, access), format),
    };
}

function withTexts(schema: SourceSchema, found: ReadonlyMap<string, ColumnTexts>): SourceSchema {
    const columns = schema.columns.map(column => {
        const texts = found.get(column.name ?? '');
        return texts === undefined ? column : { ...column, texts };
    });
    return { ...schema, columns };
}

function verifyTarget(file: BoundFile, format: FileFormat): void {
    format.verify(file);
    requireWritable(file);
}

function stampOf(file: BoundFile, { many }: FileFormat): string {
    const parts = many && fileParts(file, many);
    if (parts === undefined) return stampGranted(file.path, file.access);
    return parts.map(({ file: { path, shown, access } }) => `${shown} ${stampGranted(path, access)}`).join(' ');
}

/** The file that a bind names, by the parts of its path. */
export function boundFile(
    bind: Bind,
    access: SourceAccess,
    partsOf: (bind: Bind) => readonly string[] = ({ outer, inner }) => [outer, inner],
): BoundFile {
    const report = { location: { place: bind.place, span: bind.annotation.span } };
    const secret = (name: string): string => secretText(name, access.grants, report);
    const filled = withParameters(withDefaults(bind, access.grants.defaults), access.parameters, report, secret);
    const base = dirname(resolve(access.currentFolder, access.pathOf?.(bind.place.file) ?? access.programFile));
    const context = accessContext(access.grants, report, access.files ?? nodeFiles);
    const at = (parts: readonly string[]): BoundFile => {
        const shown = shownPath(resolve(base, ...parts), access.currentFolder);
        return { bind: filled, path: { base, parts, shown }, shown, access: context, team: access.team, at };
    };
    return at(partsOf(filled));
}

function fileSink(
    file: BoundFile,
    { format, verify }: { readonly format: FileWriting; readonly verify: () => void },
    onTemporary: (path: string, exists: boolean) => void,
): TriedSink {
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
        try: verify,
        write: (rows, checkpoint) =>
            prepareFile(file, format, rows, checkpoint, {
                announce: temporary => onTemporary(temporary, true),
                created: own => {
                    prepared = own;
                },
            }),
        commit: () => end(own => own.commit()),
        discard: () => end(own => own.discard()),
    };
}
