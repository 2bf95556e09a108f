interface System {
    readonly platform: string;
    readonly env: Readonly<Record<string, string>>;
    readonly ppid: number;
    readonly argv: readonly string[];
    readonly execArgv: readonly string[];
    cwd(): string;
    constrainedMemory(): number;
    /** Set where a worker stands in the place of a process. */
    on(event: string, listener: (message: never) => void): void;
    send?(message: unknown): void;
}

/** The part of `process` that programs use if a browser runs them: there is no environment, and no parent process. */
export const process: System = {
    platform: 'linux',
    env: {},
    ppid: 0,
    argv: [],
    execArgv: [],
    cwd: () => '/',
    constrainedMemory: () => 0,
    on: () => undefined,
};

/** Runs an action after other messages, in the place of Node's: a timer would wait longer each time. */
export function setImmediate<A extends readonly unknown[]>(action: (...given: A) => void, ...given: A): void {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => {
        port1.close();
        action(...given);
    });
    port1.start();
    port2.postMessage(undefined);
}
