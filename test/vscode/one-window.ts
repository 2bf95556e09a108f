import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const LOCK = join(tmpdir(), 'rulelang-vscode.lock');
const HOLDER = join(LOCK, 'pid');

/** Waits until no other process has a window open: two of them are too much for a small machine. Answers how to let go. */
export async function oneWindow(): Promise<() => void> {
    while (!take()) {
        if (!isHeld()) rmSync(LOCK, { recursive: true, force: true });
        await new Promise(resolve => setTimeout(resolve, 500));
    }
    return () => rmSync(LOCK, { recursive: true, force: true });
}

function take(): boolean {
    try {
        mkdirSync(LOCK);
        writeFileSync(HOLDER, String(process.pid));
        return true;
    } catch {
        return false;
    }
}

/** The process that has the window is alive. One that has just taken it may not have said who it is. */
function isHeld(): boolean {
    try {
        process.kill(Number(readFileSync(HOLDER, 'utf8')), 0);
        return true;
    } catch (reason) {
        return (reason as NodeJS.ErrnoException).code === 'ENOENT';
    }
}
