import { join } from 'node:path';
import { stop } from '#engine/reports/reports.ts';
import { type ColumnPlan, chosenColumns, columnPlan } from '#engine/sources/column-plan.ts';
import { RowFaults } from '#engine/sources/row-faults.ts';
import type { RowTarget } from '#engine/sources/source.ts';
import type { ColumnChoice } from '#engine/sources/source-options.ts';
import { type FolderValues, partPlan, type TableColumns, type TablePart } from '#engine/sources/table-part.ts';
import { type ConnectedSource, PACKED_ENDINGS } from '#language/library/connected-sources.ts';
import type { ColumnTexts, SourceSchema } from '#language/program/analysed-program.ts';
import { byCodePoint } from '#language/program/by-code-point.ts';
import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import { listGranted } from '#server/files/open-granted.ts';
import type { BoundFile } from './bound-file.ts';

/** How files of a type are called. */
export interface FileEndings extends Pick<ConnectedSource, 'mayBePacked'> {
    /** Without the dot. */
    readonly endings: readonly string[];
    /** A table has the columns of all its files, and not of the first. */
    readonly haveAllColumns: boolean;
}

/** One of the files that a bind names. */
export interface FilePart {
    readonly file: BoundFile;
    readonly folders: FolderValues;
}

const MOST_FILES = 10_000;
const DEEPEST = 64;
/** What stands for an unknown value in the name of a folder. */
const NO_VALUE = '__HIVE_DEFAULT_PARTITION__';
/** Other programs keep notes of their own in such files, and what they have not finished. */
const ASIDE = /^[._]/u;

/**
 * The files that a bind names where it may name several, in the order of their paths: all that fit a path with `*`, `?` and `**`, or all below a
 * folder that are called as files of the type are. Those that begin with a dot or an underscore are none of them, and links to folders are not followed. Undefined
 * where it names one file.
 */
export function fileParts(file: BoundFile, { endings, mayBePacked }: FileEndings): readonly FilePart[] | undefined {
    const { access } = file;
    const isOfType = new RegExp(`\\.(?:${endings.join('|')})${mayBePacked ? `(?:\\.(?:${PACKED_ENDINGS.join('|')}))?` : ''}$`, 'iu');
    const { root, rest } = taken(file);
    const found = new Map<string, FilePart>();
    const at = (names: readonly string[]): BoundFile => file.at([root, ...names]);
    const add = (names: readonly string[]): void => {
        const key = join(...names);
        if (found.size === MOST_FILES && !found.has(key))
            refuse(file, say`stands for more than ${countText(MOST_FILES)} files; name a part of them, or join them`);
        found.set(key, { file: at(names), folders: folderValues(names.slice(0, -1)) });
    };
    const below = (names: readonly string[], depth: number): boolean => {
        const entries = listGranted(at(names).path, access);
        if (entries === undefined) return false;
        if (depth > DEEPEST) refuse(file, say`has folders in more than ${DEEPEST} levels`);
        for (const { name, isFolder } of entries) {
            if (ASIDE.test(name)) continue;
            if (isFolder) below([...names, name], depth + 1);
            else if (isOfType.test(name)) add([...names, name]);
        }
        return true;
    };
    const first = rest.findIndex(isPattern);
    const walked = new Set<string>();
    const walk = (names: readonly string[], steps: readonly string[]): void => {
        // Several '**' lead to the same folder in many ways.
        const state = `${steps.length} ${names.join('/')}`;
        if (walked.has(state)) return;
        walked.add(state);
        const [next, ...further] = steps;
        if (next === undefined) {
            if (!below(names, 0)) add(names);
            return;
        }
        if (!isPattern(next)) {
            // Before the first pattern, what is not there is told by its name.
            const isNamed = rest.length - steps.length < first;
            if (isNamed || listGranted(at(names).path, access)?.some(({ name }) => name === next)) walk([...names, next], further);
            return;
        }
        const isDeep = next === '**';
        if (isDeep && names.length > DEEPEST) refuse(file, say`has folders in more than ${DEEPEST} levels`);
        if (isDeep && further.length > 0) walk(names, further);
        for (const { name, isFolder } of listGranted(at(names).path, access) ?? []) {
            if ((ASIDE.test(name) && name[0] !== next[0]) || !fits(name, next)) continue;
            if (isDeep && isFolder) walk([...names, name], steps);
            else if (further.length === 0 || (isFolder && !isDeep)) walk([...names, name], further);
        }
    };
    if (first >= 0) walk([], rest);
    else if (!below(rest, 0)) return undefined;
    if (found.size === 0) {
        const about = { ...access.report, source: { file: file.shown }, isAbsent: true } as const;
        if (rest.some(isPattern)) stop('RT064', about, file.shown, say`fits no file`);
        const remedy = say`a pattern such as '*' in place of the name reads files that are called otherwise`;
        const shown = endings.map(ending => `.${ending}`).join(', ');
        stop('RT064', { ...about, remedy }, file.shown, say`is a folder without files that end in ${shown}`);
    }
    return [...found].sort(([a], [b]) => byCodePoint(a, b)).map(([, part]) => part);
}

/** Where the table lies, and the names that lead from there to its files: those that stand for columns are among them. */
function taken({ path, access }: BoundFile): { readonly root: string; readonly rest: readonly string[] } {
    const [outer = '', inner = ''] = path.parts;
    if (!isPattern(outer) && !isPattern(inner)) return { root: outer, rest: [inner] };
    const separators = access.flavour.separator === '/' ? /\/+/u : /[\\/]+/u;
    const names = (text: string): string[] => text.split(separators).filter(name => name !== '');
    const rootOf = (text: string): string => /^(?:[A-Za-z]:)?[\\/]/u.exec(text)?.[0] ?? '';
    if (rootOf(inner) !== '') return { root: rootOf(inner), rest: names(inner.slice(rootOf(inner).length)) };
    if (!isPattern(outer)) return { root: outer, rest: names(inner) };
    const folders = names(outer.slice(rootOf(outer).length));
    const first = folders.findIndex(isPattern);
    return { root: rootOf(outer) + folders.slice(0, first).join('/'), rest: [...folders.slice(first), ...names(inner)] };
}

/** The bind names its files by a pattern, and none by itself. */
export function isPattern(path: string): boolean {
    return /[*?]/u.test(path);
}

/** Whether `*` for any signs and `?` for one make a pattern the name. After a sign that does not fit, the last `*` takes one sign more. */
export function fits(name: string, pattern: string): boolean {
    const [signs, wanted] = [[...name], [...pattern]];
    let [at, next] = [0, 0];
    let star: { readonly next: number; readonly at: number } | undefined;
    while (at < signs.length) {
        if (wanted[next] === '*') star = { next: ++next, at };
        else if (wanted[next] === '?' || (wanted[next] !== undefined && wanted[next] === signs[at])) [at, next] = [at + 1, next + 1];
        else if (star !== undefined) {
            star = { next: star.next, at: star.at + 1 };
            [at, next] = [star.at, star.next];
        } else return false;
    }
    return wanted.slice(next).every(sign => sign === '*');
}

function refuse({ access, shown }: BoundFile, reason: string): never {
    return stop('RT064', access.report, shown, reason);
}

function folderValues(folders: readonly string[]): FolderValues {
    const pairs = folders
        .join('/')
        .split(/[\\/]/u)
        .flatMap(folder => {
            const [, name, value = ''] = /^([^=]+)=(.*)$/su.exec(folder) ?? [];
            return name === undefined ? [] : [[unescaped(name), value === NO_VALUE ? undefined : unescaped(value)] as const];
        });
    return new Map(pairs);
}

/** Signs that names of folders cannot hold stand in them as in addresses. */
function unescaped(text: string): string {
    try {
        return decodeURIComponent(text);
    } catch {
        return text;
    }
}

/** What a bind says of its columns. */
interface PartOptions {
    readonly selectedColumns?: readonly ColumnChoice[];
}

/** How the rows of the many files of a table are put into a target. */
export interface PartsReading {
    readonly plan: ColumnPlan;
    readonly faults: RowFaults;
    /** The next file. */
    partOf(part: FilePart): TablePart;
    /** Reports what was wrong with the rows of all files. */
    end(): void;
}

export function partsReading(file: BoundFile, table: TableColumns, options: PartOptions, target: RowTarget): PartsReading {
    const request = { file: file.shown, options, context: file.access.report };
    const plan = columnPlan(target.columns, table.names, request);
    const faults = new RowFaults({ file: file.shown, predicate: file.bind.predicate }, target.columns);
    return {
        plan,
        faults,
        partOf: ({ file: { shown }, folders }) => {
            faults.enter(shown);
            target.enterFile?.(shown, 'lines');
            return { table, plan, folders, faults };
        },
        end: () => {
            const { expected } = partPlan({ table, plan, folders: new Map(), faults }, undefined, request);
            for (const found of faults.reports(expected)) target.report(found);
            target.checkpoint();
        },
    };
}

type SchemaColumns = SourceSchema['columns'];

/** Those of the columns of a table that a bind chooses. */
export function chosenOf(file: BoundFile, columns: SchemaColumns, options: PartOptions): SchemaColumns {
    const names = columns.map(({ name }, at) => name ?? `c${at}`);
    const chosen = chosenColumns(names, { file: file.shown, options, context: file.access.report });
    return chosen?.flatMap(at => columns[at] ?? []) ?? columns;
}

/** The columns of a table that a bind chooses, as the checker knows them, with what their texts show; undefined for a table without. */
export function chosenSchema(
    file: BoundFile,
    { names, types }: TableColumns,
    options: PartOptions,
    textsOf: (name: string) => ColumnTexts | undefined = () => undefined,
): SourceSchema | undefined {
    const columns = names.map((name, at) => {
        const [type, texts] = [types[at], textsOf(name)];
        return { name, ...(type && { type }), ...(texts && { texts }) };
    });
    return names.length === 0 ? undefined : { columns: chosenOf(file, columns, options) };
}
