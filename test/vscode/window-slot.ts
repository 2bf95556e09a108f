import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A window waits more than it works; a fourth is too much for a small machine. */
const SLOTS = [0, 1, 2].map(number => join(tmpdir(), `rulelang-vscode-${number}.lock`));
const holderOf = (slot: string): string => join(slot, 'pid');

/** Waits until fewer windows are open than there may be, of whatever process. Answers how to let go. */
export async function windowSlot(): Promise<() => void> {
    for (;;) {
        const slot = SLOTS.find(take);
        if (slot !== undefined) return () => rmSync(slot, { recursive: true, force: true });
        for (const other of SLOTS) if (!isHeld(other)) rmSync(other, { recursive: true, force: true });
        await new Promise(resolve => setTimeout(resolve, 50));
    }
}

function take(slot: string): boolean {
    try {
        mkdirSync(slot);
        writeFileSync(holderOf(slot), String(process.pid));
        return true;
    } catch {
        return false;
    }
}

/** The process that has the window is alive. One that has just taken it may not have said who it is. */
function isHeld(slot: string): boolean {
    try {
        process.kill(Number(readFileSync(holderOf(slot), 'utf8')), 0);
        return true;
    } catch (reason) {
        return (reason as NodeJS.ErrnoException).code === 'ENOENT';
    }
}
