import { type Disposable, workspace } from 'vscode';
import { readEndings } from '#language/library/connected-sources.ts';

/** Programs, data files and scripts. */
const INPUTS = `**/*.{${['rulelang', 'py', ...readEndings()].join(',')}}`;
/** Several files are often saved together. */
const PAUSE = 200;

/** Runs something whenever what test cases may read has changed, once more where it did while that went on. */
export function onInputsChanged(run: () => Promise<void>): Disposable {
    const watcher = workspace.createFileSystemWatcher(INPUTS);
    let timer: ReturnType<typeof setTimeout> | undefined;
    let running = false;
    let waits = false;
    const go = async (): Promise<void> => {
        if (running) {
            waits = true;
            return;
        }
        running = true;
        do {
            waits = false;
            await run();
        } while (waits);
        running = false;
    };
    const soon = (): void => {
        clearTimeout(timer);
        timer = setTimeout(() => void go(), PAUSE);
    };
    const listening = [watcher.onDidChange(soon), watcher.onDidCreate(soon), watcher.onDidDelete(soon)];
    return {
        dispose: () => {
            clearTimeout(timer);
            for (const one of [watcher, ...listening]) one.dispose();
        },
    };
}
