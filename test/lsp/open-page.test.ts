import fs from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Services, startServices } from '../api/services.ts';
import { folderWith } from '../cli/command-line.ts';
import { LanguageClient, type Message } from './language-client.ts';

let services: Services;
/** Where the data of the user's applications are, those of the services among them. */
let home: string;
/** What stands in for the opener of the system, which notes what it is given. */
let programs: string;
let client: LanguageClient;

const SHOWS = { window: { showDocument: { support: true } } };
const LENS = {
    range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
    command: { title: 'Open platform page', command: 'rulelang.openPage' },
};

beforeAll(async () => {
    services = await startServices();
    home = folderWith({});
    fs.symlinkSync(services.data, join(home, 'rulelang'));
    programs = folderWith({ 'xdg-open': '#!/bin/sh\nprintf %s "$1" > "$(dirname "$0")/opened"\n' });
    fs.chmodSync(join(programs, 'xdg-open'), 0o755);
});
afterAll(() => services.stop());
afterEach(() => client.stop());

async function start(options: {
    readonly shows?: boolean;
    readonly capabilities?: object;
    readonly home?: string;
    readonly trusted?: boolean;
}): Promise<void> {
    const environment = { XDG_DATA_HOME: options.home ?? home, PATH: `${programs}:${process.env.PATH}` };
    client = await LanguageClient.start({ door: 'command line', trusted: true, ...options, environment });
    await client.open('p.rulelang', 'p(1).\n@output("p").\n');
}

const lenses = () => client.request('textDocument/codeLens', { textDocument: { uri: client.uri('p.rulelang') } });
const run = () => client.request('workspace/executeCommand', { command: 'rulelang.openPage' });
const shown = (): Message[] => client.received.filter(({ method }) => method === 'window/showDocument');

async function expectAddress(text: string): Promise<void> {
    const [base, token = ''] = text.split('/#token=');
    expect(base).toBe(services.base);
    const answer = await fetch(`${base}/api/v1/users/get-role`, { headers: { authorization: `Bearer ${token}` } });
    expect(((await answer.json()) as { data: unknown }).data).toEqual({ role: 'viewer' });
}

test('where a data directory cannot be read, no lens is there', async () => {
    const unreadable = folderWith({});
    fs.mkdirSync(join(unreadable, 'rulelang/lock'), { recursive: true });
    await start({ shows: true, capabilities: SHOWS, home: unreadable });
    expect(await lenses()).toEqual([]);
});

test.skipIf(process.platform !== 'linux')('an editor that can show addresses is given that of the page', async () => {
    await start({ shows: true, capabilities: SHOWS });
    expect(client.initialized.capabilities).toMatchObject({ executeCommandProvider: { commands: ['rulelang.openPage', 'rulelang.show'] } });
    expect(await lenses()).toEqual([LENS]);
    expect(await run()).toBe(null);
    expect(shown().map(({ params }) => params)).toEqual([{ uri: expect.any(String), external: true }]);
    await expectAddress(shown()[0]?.params.uri);
    expect(fs.existsSync(join(programs, 'opened'))).toBe(false);
    await expect(client.request('workspace/executeCommand', { command: 'rulelang.other' })).rejects.toThrow("no command 'rulelang.other'");
    expect(client.log.join('')).toBe('');
});

test.skipIf(process.platform !== 'linux').each([
    ['has no way to show one', {}],
    ['fails to show it', SHOWS],
])('the page is opened for an editor that %s', async (_, capabilities) => {
    await start({ capabilities });
    expect(await run()).toBe(null);
    await expectAddress(fs.readFileSync(join(programs, 'opened'), 'utf8'));
    fs.rmSync(join(programs, 'opened'));
});

test.skipIf(process.platform !== 'linux')('where no services run there is no lens, and the command says what to do', async () => {
    const empty = folderWith({});
    await start({ home: empty });
    expect(await lenses()).toEqual([]);
    expect(fs.readdirSync(empty)).toEqual([]);
    await expect(run()).rejects.toThrow("start them with 'rulelang serve'");
});

test.skipIf(process.platform !== 'linux')('in a workspace that is not trusted nothing is started, made or opened', async () => {
    const empty = folderWith({});
    for (const [data, capabilities] of [
        [home, SHOWS],
        [empty, {}],
    ] as const) {
        await start({ home: data, capabilities, shows: true, trusted: false });
        expect(await lenses()).toEqual([]);
        await expect(run()).rejects.toThrow('in a workspace that is trusted');
        expect(shown()).toEqual([]);
        await client.stop();
    }
    expect(fs.readdirSync(empty)).toEqual([]);
    expect(fs.existsSync(join(programs, 'opened'))).toBe(false);
});
