import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { actions } from './actions.ts';
import { checks } from './checks.ts';
import { measures } from './measures.ts';
import { notebookActions } from './notebook-actions.ts';
import { restrictedChecks } from './restricted-checks.ts';

interface Request {
    readonly id: number;
    readonly action?: string;
    readonly check?: string;
    readonly args?: readonly unknown[];
}

const FUNCTIONS = new Map<string, (...args: never[]) => Promise<unknown>>(
    [actions, measures, notebookActions, checks, restrictedChecks].flatMap(functions => Object.entries(functions)),
);

/** Does inside the extension host what the tests outside ask for, until they close the connection. */
export function run(): Promise<void> {
    const socket = connect(process.env.RULELANG_TEST_PIPE ?? '');
    createInterface({ input: socket }).on('line', async line => {
        const { id, action, check, args = [] } = JSON.parse(line) as Request;
        const answer = await perform(action ?? check ?? '', args);
        socket.write(`${JSON.stringify({ id, ...answer })}\n`);
    });
    return new Promise(resolve => socket.once('close', () => resolve()));
}

async function perform(name: string, args: readonly unknown[]): Promise<{ result?: unknown; error?: string }> {
    const called = FUNCTIONS.get(name);
    if (called === undefined) return { error: `there is no ${name}` };
    try {
        return { result: (await called(...(args as never[]))) ?? null };
    } catch (reason) {
        return { error: reason instanceof Error ? (reason.stack ?? reason.message) : String(reason) };
    }
}
