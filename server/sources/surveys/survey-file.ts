import { basename, dirname, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RunStopped, stop } from '#engine/reports/reports.ts';
import type { Source } from '#engine/sources/source.ts';
import { columnIn, tableColumns } from '#engine/sources/table-part.ts';
import { Dictionary } from '#engine/values/dictionary.ts';
import { type FileType, isHeaded } from '#language/library/connected-sources.ts';
import type { Bind } from '#language/program/analysed-program.ts';
import { say } from '#language/program/say.ts';
import { MIXED } from '#language/program/types.ts';
import { type Grants, serviceGrants } from '#server/files/grants.ts';
import { accessContext, openGranted, type UserPath } from '#server/files/open-granted.ts';
import { type FileFormat, type SurveyedTable, withFile } from '../bound-file.ts';
import type { SourceAccess } from '../connector.ts';
import { fileBind } from '../file-bind.ts';
import { boundFile, fileConnector } from '../file-connector.ts';
import { FILE_FORMATS } from '../file-formats.ts';
import { type FilePart, fileParts, isPattern } from '../file-parts.ts';
import { bindOptions, type SourceBind, sourceText } from '../source-bind.ts';
import { type FoundTable, foundColumn } from './found-table.ts';
import { queryName } from './query-name.ts';
import {
    given,
    literal,
    questioned,
    type SourceDescription,
    type SourcePlace,
    type Survey,
    type SurveyQuestion,
} from './source-description.ts';
import { wantedColumns, wantedTables } from './wanted-tables.ts';

/** Reads a file to its end for its columns and rows. Its tables are its sheets; else it is one, which may be named with its extension or without. */
export async function surveyFile(question: SurveyQuestion, type: FileType): Promise<Survey> {
    const { source, counts, currentFolder, folders, marksUnknown = false } = question;
    const { folder, name } = describedFile(source, type);
    const usual: [string, string][] = isHeaded(type) ? [['useHeaders', 'true']] : [];
    const options = new Map([...usual, ...Object.entries(source.options ?? {})]);
    // The password opens the file, and stands in no bind.
    const opening = source.password === '' ? options : new Map([...options, ['password', source.password] as const]);
    const grants = serviceGrants(folders);
    const { path, container } = locatedFile({ base: currentFolder, folder, name }, grants);
    const context = accessContext(grants);
    const hasNames = options.get('useHeaders')?.trim().toLowerCase() !== 'false';
    const format: FileFormat = FILE_FORMATS[type];
    const { bind, access } = questioned(question, { options, outer: literal(container), inner: literal(name) });
    const place: SourcePlace = {
        host: source.host,
        port: (source.port ?? 0) === 0 ? null : (source.port ?? null),
        databaseName: source.databaseName,
    };
    const login = { place, username: source.username, password: source.password };
    if (given(source.query) !== undefined) {
        if (format.many === undefined) stop('RT064', {}, name, say`is a ${type} file, which answers no queries`);
        return { tables: await surveyAnswer(question, type, { asked: bind, outer: container, inner: name }, access), ...login };
    }
    const parts = format.many && fileParts(boundFile(bind, access), format.many);
    const withBytes = <T>(use: (bytes: ReturnType<typeof openGranted>) => T): T => {
        const bytes = openGranted(path, context);
        try {
            return use(bytes);
        } finally {
            bytes.close();
        }
    };
    const checkpoint = (): void => undefined;
    const seen =
        parts === undefined
            ? await format.survey({ withBytes, name, options: opening }, checkpoint)
            : await surveyParts(parts, format, { options: opening, hasNames }, checkpoint);
    const found = seen.map(({ names, types, rows, sheet, haveGaps = false, options: own = [] }) => ({
        name: sheet ?? (parts === undefined ? basename(name, extname(name)) : partsName(folder, name)),
        ...(sheet === undefined ? { kind: 'file' as const, alias: basename(name) } : { kind: 'sheet' as const }),
        columns: names.map((column, i) => foundColumn(column, types[i])),
        rows,
        options: marksUnknown && haveGaps && !options.has('nullString') ? [...own, ['nullString', ''] as const] : own,
    }));
    const tables = wantedTables(found, source, name);
    const wanted = wantedColumns(tables, source, name, hasNames);
    return {
        tables: tables.flatMap(({ name: called, kind, rows, options: own }, i) => {
            const { columns = [], selectedColumns } = wanted[i] ?? {};
            const chosen = selectedColumns === undefined ? [] : [['selectedColumns', selectedColumns] as const];
            const bind = fileBind(type, new Map([...options, ...own, ...chosen]), container, name);
            return { name: called, kind, columns, rows: counts ? rows : null, foreignKeys: [], bind };
        }),
        ...login,
    };
}

/** What a query gives over the files is one table, which `tables` may name. */
async function surveyAnswer(
    { source, counts }: SurveyQuestion,
    type: FileType,
    { asked: bind, outer, inner }: { readonly asked: Bind; readonly outer: string; readonly inner: string },
    access: SourceAccess,
): Promise<FoundTable[]> {
    const { query = '', tables = [] } = source;
    const text = query.replace(/[\s;]+$/u, '');
    const asked = { ...bind, options: new Map([...bind.options, ['query', literal(text)]]) };
    const connector = fileConnector(FILE_FORMATS[type]);
    const schema = await connector.columns(asked, access, 0);
    const columns = (schema?.columns ?? []).map(({ name = '', type: one }) => foundColumn(name, one));
    const name = tables.length === 1 && tables[0] !== undefined ? tables[0] : queryName(text);
    const [wanted] = wantedColumns([{ name, columns }], source, inner);
    if (wanted === undefined) return [];
    const options = bindOptions(type, bind.options);
    options.push(['query', text]);
    if (wanted.selectedColumns !== undefined) options.push(['selectedColumns', wanted.selectedColumns]);
    const found: SourceBind = { kind: 'bind', type, source: sourceText(type, options), outer, inner };
    const rows = counts ? await countOf(connector.source(asked, access)) : null;
    return [{ name, kind: 'view', columns: wanted.columns, rows, foreignKeys: [], bind: found }];
}

async function countOf(source: Source): Promise<number> {
    let rows = 0;
    const count = (): void => void rows++;
    await source.load({ dictionary: new Dictionary(), columns: [], add: count, checkpoint: () => undefined, report: () => undefined });
    return rows;
}

/** The one table that lies in many files, whose columns a bind finds by their names. */
async function surveyParts(
    parts: readonly FilePart[],
    format: FileFormat,
    { options, hasNames }: { readonly options: ReadonlyMap<string, string>; readonly hasNames: boolean },
    checkpoint: () => void,
): Promise<readonly SurveyedTable[]> {
    const files: (SurveyedTable & Pick<FilePart, 'folders'> & { readonly file: string })[] = [];
    for (const { file, folders } of parts) {
        const [table] = await format.survey({ withBytes: use => withFile(file, use), name: file.shown, options }, checkpoint);
        if (table !== undefined && table.names.length > 0) files.push({ ...table, folders, file: file.shown });
    }
    // What one file shows of how all are written counts for all.
    const own = files.find(one => one.options !== undefined)?.options;
    if (own !== undefined) {
        const whole = await surveyParts(parts, format, { options: new Map([...options, ...own]), hasNames }, checkpoint);
        return whole.map(table => ({ ...table, options: own }));
    }
    const table = tableColumns(files, { ofAll: format.many?.haveAllColumns === true, areTexts: false });
    if (hasNames && format.many?.haveAllColumns !== true)
        for (const { names, file } of files) for (let at = 0; at < table.stored; at++) columnIn(names, table, at, { file, options: {} });
    const rows = files.reduce((sum, one) => sum + one.rows, 0);
    return [{ names: table.names, types: table.types.map(type => type ?? MIXED), rows, haveGaps: files.some(one => one.haveGaps) }];
}

/** What a table is called whose files a folder or a pattern names: as the last folder before anything that stands for several. */
function partsName(folder: string, name: string): string {
    const names = `${folder}/${name}`.split(/[\\/]/u).filter(part => part !== '' && part !== '.');
    const first = names.findIndex(isPattern);
    return (first < 0 ? names.at(-1) : names[first - 1]) ?? name;
}

/** The folder and the name that a description has for a file: an address stands for both. */
export function describedFile(
    { url, host, databaseName }: SourceDescription,
    type: string,
): { readonly folder: string; readonly name: string } {
    const address = given(url);
    if (address === undefined) return { folder: localPath(host, type), name: databaseName };
    const path = localPath(address, type);
    return { folder: dirname(path), name: basename(path) };
}

const ADDRESS = /^([a-z][a-z0-9+.-]+):\/\//iu;

/** A path, or the path of a `file:` address; other addresses lead to object stores and servers. */
function localPath(location: string, type: string): string {
    const scheme = ADDRESS.exec(location)?.[1]?.toLowerCase();
    if (scheme === undefined) return location;
    if (scheme !== 'file') stop('RT064', {}, type, say`cannot be read: no connector for files at '${scheme}:' is part of this version`);
    try {
        return fileURLToPath(location);
    } catch {
        return stop('RT064', {}, type, say`cannot be read: the address names no file of this machine`);
    }
}

/** `folder/name`; where that is not there and `folder` is a file of that name, the file itself (D50). The container is as a bind has to name it. */
export function locatedFile(
    { base, folder, name }: { readonly base: string; readonly folder: string; readonly name: string },
    grants: Grants,
): { readonly path: UserPath; readonly container: string } {
    const inFolder = { base, parts: [folder, name], shown: name };
    if (basename(folder) !== name) return { path: inFolder, container: folder };
    try {
        openGranted(inFolder, accessContext(grants)).close();
        return { path: inFolder, container: folder };
    } catch (error) {
        if (!(error instanceof RunStopped) || error.report.code !== 'RT064') throw error;
        const container = folder.slice(0, -name.length);
        return { path: { base, parts: [folder], shown: name }, container: container.length > 1 ? container.slice(0, -1) : container };
    }
}
