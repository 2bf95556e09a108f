import fs from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { maskedText } from '#server/secrets/secret-shapes.ts';
import { withoutSecrets } from '#server/secrets/without-secrets.ts';
import { usualDataDirectory } from '#server/store/data-directory.ts';

/** Lines that are kept. */
export const MOST = 1000;
const LONGEST = 10_000;

/** The file with the lines that were typed, with the state of the user's other applications. */
export function historyFile(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
    if (platform === 'win32' || platform === 'darwin') return join(usualDataDirectory(environment, platform), 'history');
    const state = environment.XDG_STATE_HOME;
    return join(state === undefined || state === '' ? join(homedir(), '.local', 'state') : state, 'rulelang', 'history');
}

/** The lines of earlier sessions, the newest first; none where they cannot be read. */
export function readHistory(file: string): string[] {
    try {
        return fs
            .readFileSync(file, 'utf8')
            .split('\n')
            .filter(line => line !== '')
            .slice(-MOST)
            .reverse();
    } catch {
        return [];
    }
}

/** Keeps the lines, the newest first, for this user alone. A failure to write them is ignored. */
export function keepHistory(file: string, lines: readonly string[]): void {
    const kept = lines.filter(mayBeKept).slice(0, MOST).reverse();
    const unfinished = `${file}.${process.pid}`;
    try {
        fs.mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
        fs.writeFileSync(unfinished, kept.map(line => `${line}\n`).join(''), { mode: 0o600, flag: 'wx' });
        fs.renameSync(unfinished, file);
    } catch {
        fs.rmSync(unfinished, { force: true });
    }
}

/** No secret, and nothing that begins with a blank, as in a shell. */
function mayBeKept(line: string): boolean {
    return !/^\s|\n/u.test(line) && line.length <= LONGEST && withoutSecrets(line) === line && maskedText(line) === line;
}
