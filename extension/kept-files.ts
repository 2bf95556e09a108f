import fs from 'node:fs';
import { join } from 'node:path';

/** Files with rows, as many and as large as they may be together; the oldest go first. */
export interface KeptFiles {
    /** Where the rows with this name are, or are to be. */
    path(name: string): string;
    has(name: string): boolean;
    /** Makes the folder, for its owner alone. */
    prepare(): void;
    /** Removes what is too much. */
    tidy(): void;
    remove(name: string): void;
    /** Removes all of them. Answers how many there were. */
    clear(): number;
}

export interface KeptLimits {
    readonly files: number;
    readonly bytes: number;
}

const ENDING = '.rows';
/** What a process that was killed has left behind; what is younger may be in the making. */
const LEFT_AFTER = 3_600_000;

export function keptFiles(folder: string, limits: KeptLimits): KeptFiles {
    const path = (name: string): string => join(folder, `${name}${ENDING}`);
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
    const tidy = (): void => {
        let bytes = 0;
        let count = 0;
        for (const found of listed()) {
            if (!found.file.endsWith(ENDING)) {
                if (Date.now() - found.changed > LEFT_AFTER) remove(found.file);
                continue;
            }
            bytes += found.bytes;
            count++;
            if (count > limits.files || bytes > limits.bytes) remove(found.file);
        }
    };
    return {
        path,
        has: name => fs.existsSync(path(name)),
        prepare() {
            fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
            fs.chmodSync(folder, 0o700);
        },
        tidy,
        remove: name => remove(path(name)),
        clear() {
            const found = listed();
            for (const { file } of found) remove(file);
            return found.filter(({ file }) => file.endsWith(ENDING)).length;
        },
    };
}

function namesIn(folder: string): readonly string[] {
    return fs.existsSync(folder) ? fs.readdirSync(folder) : [];
}
