import fs from 'node:fs';
import { basename, join } from 'node:path';

/**
 * Files with rows, as many and as large as they may be together; the oldest go first, but pinned ones stay. Beside them are their programs, each
 * once: rows whose program is kept have its name behind their own, and a program goes with the last rows of it.
 */
export interface KeptFiles {
    /** Returns the path of the rows with this name, which need not exist. */
    path(name: string): string;
    has(name: string): boolean;
    pin(name: string, pinned: boolean): void;
    /** Says which program rows are of; answers their name from now on. */
    belong(name: string, program: string): string;
    /** Makes the folder, for its owner alone. */
    prepare(): void;
    /** Removes what is too much. */
    tidy(): void;
    remove(name: string): void;
    /** Removes all of them, pinned or not. Answers how many there were. */
    clear(): number;
}

export interface KeptLimits {
    readonly files: number;
    readonly bytes: number;
}

const ENDING = '.rows';
const PROGRAM = '.program';
/** Every window knows by the name that a file is to stay. */
const PINNED = '.pinned.rows';
/** Milliseconds after which a file counts as left behind by a killed process; a younger one may be in the making. */
const LEFT_AFTER = 3_600_000;
/** A younger program may be that of rows which are about to be named after it. */
const NAMED_AFTER = 60_000;

export function keptFiles(folder: string, limits: KeptLimits): KeptFiles {
    const pinnedPath = (name: string): string => join(folder, `${name}${PINNED}`);
    const plainPath = (name: string): string => join(folder, `${name}${ENDING}`);
    const path = (name: string): string => (fs.existsSync(pinnedPath(name)) ? pinnedPath(name) : plainPath(name));
    const remove = (file: string): void => fs.rmSync(file, { force: true });
    /** The files of the folder, the youngest first. */
    const listed = () =>
        namesIn(folder)
            .flatMap(name => {
                const file = join(folder, name);
                const status = fs.statSync(file, { throwIfNoEntry: false });
                return status?.isFile() ? [{ file, bytes: status.size, changed: status.mtimeMs }] : [];
            })
            .sort((left, right) => right.changed - left.changed);
    /** Removes the programs of which there are no rows. */
    const tidyPrograms = (): void => {
        const files = listed();
        const used = new Set(files.flatMap(({ file }) => (file.endsWith(ENDING) ? [programOf(file)] : [])));
        for (const { file, changed } of files)
            if (file.endsWith(PROGRAM) && !used.has(basename(file, PROGRAM)) && Date.now() - changed > NAMED_AFTER) remove(file);
    };
    const tidy = (): void => {
        const files = listed();
        const stays = (file: string): boolean => file.endsWith(PINNED) || file.endsWith(PROGRAM);
        let bytes = files.reduce((sum, found) => (stays(found.file) ? sum + found.bytes : sum), 0);
        let count = 0;
        for (const found of files) {
            if (stays(found.file)) continue;
            if (!found.file.endsWith(ENDING)) {
                if (Date.now() - found.changed > LEFT_AFTER) remove(found.file);
                continue;
            }
            bytes += found.bytes;
            count++;
            if (count > limits.files || bytes > limits.bytes) remove(found.file);
        }
        tidyPrograms();
    };
    return {
        path,
        has: name => fs.existsSync(path(name)),
        belong(name, program) {
            const named = `${name}-${program}`;
            fs.renameSync(plainPath(name), plainPath(named));
            return named;
        },
        pin(name, pinned) {
            const [from, to] = pinned ? [plainPath(name), pinnedPath(name)] : [pinnedPath(name), plainPath(name)];
            if (fs.existsSync(from)) fs.renameSync(from, to);
        },
        prepare() {
            fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
            fs.chmodSync(folder, 0o700);
        },
        tidy,
        remove(name) {
            remove(plainPath(name));
            remove(pinnedPath(name));
            tidyPrograms();
        },
        clear() {
            const found = listed();
            for (const { file } of found) remove(file);
            return found.filter(({ file }) => file.endsWith(ENDING)).length;
        },
    };
}

/** The program whose name stands behind that of its rows. */
function programOf(file: string): string {
    const [name = ''] = basename(file).split('.');
    return name.slice(name.indexOf('-') + 1);
}

function namesIn(folder: string): readonly string[] {
    return fs.existsSync(folder) ? fs.readdirSync(folder) : [];
}
