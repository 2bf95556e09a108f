/** How a command line of rulelang is started, with what its environment has besides. */
export interface StartedCommand {
    readonly file: string;
    readonly before: readonly string[];
    readonly env: Readonly<Record<string, string>>;
}

/**
 * Returns how to start `command`, a program or a `cli.js`. The process of the extension is Node, too; a variable says so if it could also
 * be a window.
 */
export function commandLine(command: string): StartedCommand {
    if (!/\.[cm]?js$/u.test(command)) return { file: command, before: [], env: {} };
    return { file: process.execPath, before: [command], env: { ELECTRON_RUN_AS_NODE: '1' } };
}
