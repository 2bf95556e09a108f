import { isFileType, isHeaded, sourceOfFile } from '#language/library/connected-sources.ts';
import { printString } from '#language/program/print-constant.ts';
import { PAGE_FORMATS } from '#server/browser/file-formats.ts';
import { accessContext, openGranted } from '#server/files/open-granted.ts';
import type { FileFormat } from '#server/sources/bound-file.ts';
import { modelOf } from '#server/sources/inferred-program.ts';
import { predicateName } from '#server/sources/program-names.ts';
import { columnType, type FoundColumn } from '#server/sources/surveys/found-table.ts';
import { editorGrants } from '#server/workspace/editor-grants.ts';

/** The clauses that read the rows of a file: its bind, and the types of its columns. Nothing for a file that nothing reads. */
export async function readingClauses(path: string): Promise<string | null> {
    const [, folder = '', file = path, name = file] = /^\/(?:(.*)\/)?((.+?)\.\w+(?:\.(?:gz|zst))?)$/u.exec(path) ?? [];
    const found = sourceOfFile(path);
    const format = found && isFileType(found.type) ? PAGE_FORMATS[found.type] : undefined;
    if (found === undefined || format === undefined) return null;
    const options = new Map([...(isHeaded(found.type) ? [['useHeaders', 'true'] as const] : []), ...Object.entries(found.options)]);
    const predicate = predicateName(name);
    const source = [found.type, ...Array.from(options, ([option, value]) => `${option}=${value}`)].join(' ');
    const bind = `@bind(${[predicate, source, folder, file].map(printString).join(', ')}).`;
    const columns = await columnsOf(path, format, options).catch(() => []);
    return columns.length === 0 ? bind : `${bind}\n${modelOf(predicate, columns)}`;
}

/** The columns of the first table of a file. */
async function columnsOf(path: string, format: FileFormat, options: ReadonlyMap<string, string>): Promise<FoundColumn[]> {
    const context = accessContext(editorGrants({ roots: ['/'] }));
    const withBytes = <T>(use: (bytes: ReturnType<typeof openGranted>) => T): T => {
        const bytes = openGranted({ base: '/', parts: [path], shown: path }, context);
        try {
            return use(bytes);
        } finally {
            bytes.close();
        }
    };
    const [table] = await format.survey({ withBytes, name: path, options }, () => undefined);
    return table?.names.map((name, i) => ({ name, type: columnType(table.types[i]) })) ?? [];
}
