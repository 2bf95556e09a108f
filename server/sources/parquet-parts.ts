import { join } from 'node:path';
import { stop } from '#engine/reports.ts';
import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import { listGranted, type UserPath } from '#server/files/open-granted.ts';
import type { BoundFile } from './bound-file.ts';

/** A file of a table that may lie in many. */
export interface ParquetPart {
    readonly path: UserPath;
    /** The columns that its folders stand for, such as `year=2031`, by name; undefined for an unknown value. */
    readonly partitions: ReadonlyMap<string, string | undefined>;
}

const MOST_FILES = 10_000;
const DEEPEST = 64;
/** What stands for an unknown value in the name of a folder. */
const NO_VALUE = '__HIVE_DEFAULT_PARTITION__';

/**
 * The files that a bind names, in the order of their names: one; all that fit a name with `*` and `?`; or all below a folder. Files whose
 * names begin with a dot or an underscore are none of them.
 */
export function parquetParts(file: BoundFile): readonly ParquetPart[] {
    const { base, parts, shown } = file.path;
    const [outer = '', inner = ''] = parts;
    const found: ParquetPart[] = [];
    const pathOf = (names: readonly string[]): UserPath => ({
        base,
        parts: [outer, ...names],
        ...(shown !== undefined && { shown: names.length === 1 && names[0] === inner ? shown : join(...names) }),
    });
    const add = (names: readonly string[]): void => {
        if (found.length === MOST_FILES) refuse(file, say`stands for more than ${countText(MOST_FILES)} files`);
        found.push({ path: pathOf(names), partitions: partitionsOf(names.slice(0, -1)) });
    };
    const below = (names: readonly string[], depth: number): boolean => {
        const entries = listGranted(pathOf(names), file.access);
        if (entries === undefined) return false;
        if (depth > DEEPEST) refuse(file, say`has folders in more than ${DEEPEST} levels`);
        for (const { name, isFolder } of entries) {
            if (/^[._]/u.test(name)) continue;
            if (isFolder) below([...names, name], depth + 1);
            else if (/\.(?:parquet|parq|pq)$/iu.test(name)) add([...names, name]);
        }
        return true;
    };
    const walk = (names: readonly string[], rest: readonly string[]): void => {
        const [next, ...further] = rest;
        if (next === undefined) {
            if (!below(names, 0)) add(names);
            return;
        }
        if (!/[*?]/u.test(next)) {
            walk([...names, next], further);
            return;
        }
        const pattern = patternOf(next);
        for (const { name, isFolder } of listGranted(pathOf(names), file.access) ?? [])
            if (pattern.test(name) && !/^[._]/u.test(name) && (further.length === 0 || isFolder)) walk([...names, name], further);
    };
    const isPattern = /[*?]/u.test(inner);
    if (isPattern) {
        const [root = ''] = /^(?:[A-Za-z]:)?[\\/]/u.exec(inner) ?? [];
        walk(
            root === '' ? [] : [root],
            inner
                .slice(root.length)
                .split(/[\\/]/u)
                .filter(name => name !== ''),
        );
    } else walk([], [inner]);
    if (found.length === 0) {
        const reason = isPattern ? say`fits no file` : say`is a folder without Parquet files`;
        stop('RT064', { ...file.access.report, source: { file: file.shown }, isAbsent: true }, file.shown, reason);
    }
    return found;
}

function refuse({ access, shown }: BoundFile, reason: string): never {
    return stop('RT064', access.report, shown, reason);
}

function patternOf(name: string): RegExp {
    const escaped = name.replace(/[.+^${}()|[\]\\]/gu, '\\$&');
    return new RegExp(`^${escaped.replaceAll('*', '[^]*').replaceAll('?', '[^]')}$`, 'u');
}

function partitionsOf(folders: readonly string[]): ReadonlyMap<string, string | undefined> {
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
