import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { type Browser, chromium, type FrameLocator, type Page } from 'playwright-core';
import { CHROMIUM } from '../support/chromium.ts';
import { installVsCode, type RunningServer, serveVsCode } from './code-server.ts';
import type { actions } from './modules/actions.ts';
import type { measures } from './modules/measures.ts';
import type { notebookActions } from './modules/notebook-actions.ts';
import { unzip } from './unzip.ts';
import { windowSlot } from './window-slot.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** In each frame: remembers what a view tells the editor to keep for it. */
const REMEMBER_KEPT = `{
    let tell;
    Object.defineProperty(globalThis, '__vscode_post_message__', {
        configurable: true,
        get: () => tell,
        set: given => {
            tell = (command, data, ...more) => {
                if (command === 'do-update-state') globalThis.keptByView = data;
                return given(command, data, ...more);
            };
        },
    });
}`;
/**
 * In each frame: nothing turns or fades. Each step of a sign that turns would draw the window anew, sixty times a second. Views write their
 * document anew, without this; they follow `reducedMotion`.
 */
const STAND_STILL = `{
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('*, ::before, ::after { animation: none !important; transition: none !important; }');
    document.adoptedStyleSheets.push(sheet);
}`;
/** The extension host may start slowly on a machine that does other things. */
const START_LIMIT = 300_000;
const CALL_LIMIT = 300_000;

type Actions = typeof actions & typeof measures & typeof notebookActions;

/** A VS Code window with the packaged extension, seen from both sides: the extension host and the page. */
export interface VsCode {
    readonly page: Page;
    readonly workspace: string;
    /** Where the extension keeps what is not of a workspace. */
    readonly storage: string;
    /** Runs a function of the test modules inside the extension host. */
    host<N extends keyof Actions>(name: N, ...args: Parameters<Actions[N]>): Promise<Awaited<ReturnType<Actions[N]>>>;
    /** Runs one of the checks inside the extension host; it throws what the check throws. */
    check(name: string): Promise<void>;
    /** The content of the results view that is shown. */
    results(): FrameLocator;
    /** Opens the window anew. */
    reload(): Promise<void>;
    /** Ends the extension host as a crash of the machine would, and opens the window anew. */
    kill(): Promise<void>;
    close(): Promise<void>;
}

export interface VsCodeOptions {
    readonly trusted: boolean;
    /** The folder that is open has nothing in it, instead of the samples. */
    readonly empty?: true;
    readonly settings?: Readonly<Record<string, unknown>>;
    readonly size?: { readonly width: number; readonly height: number };
    /** Of the pixels, for pictures. */
    readonly scale?: number;
    /** Where the language model of the editor is, which speaks as OpenAI does; without one there is none. */
    readonly model?: string;
    /** In which extensions are to speak; VS Code itself speaks English. */
    readonly language?: string;
    /** Variables of the environment of the editor. */
    readonly environment?: Readonly<Record<string, string>>;
}

/** The .vsix, unpacked: what users install, not what lies in the working tree. Not to be changed: several windows share it. */
export function unpackedExtension(): string {
    if (process.env.UNPACKED_EXTENSION !== undefined) return process.env.UNPACKED_EXTENSION;
    execFileSync(process.execPath, ['scripts/package.mjs', '--built'], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
    const system = `rulelang-${process.platform}-${process.arch}-`;
    const archive = readdirSync(join(ROOT, 'dist')).find(name => name.startsWith(system) && name.endsWith('.vsix'));
    const folder = mkdtempSync(join(tmpdir(), 'rulelang-extension-'));
    unzip(join(ROOT, 'dist', archive ?? ''), 'extension/', folder);
    return folder;
}

/** A copy of the samples, with a program that has problems; or nothing. */
function newWorkspace(isEmpty: boolean): string {
    const folder = mkdtempSync(join(tmpdir(), 'rulelang-workspace-'));
    if (isEmpty) return folder;
    cpSync(join(ROOT, 'samples'), folder, { recursive: true });
    cpSync(join(ROOT, 'test/vscode/programs'), join(folder, 'programs'), { recursive: true });
    return folder;
}

/** Bundles a test module, for the extension host to load. */
async function bundledModule(name: string, folder: string): Promise<string> {
    const outfile = join(folder, `${name}.cjs`);
    await build({
        entryPoints: [join(ROOT, `test/vscode/modules/${name}.ts`)],
        outfile,
        bundle: true,
        platform: 'node',
        target: 'node20',
        format: 'cjs',
        external: ['vscode'],
        logLevel: 'warning',
    });
    return outfile;
}

export async function startVsCode(extension: string, options: VsCodeOptions): Promise<VsCode> {
    const letGo = await windowSlot();
    const root = installVsCode();
    const state = mkdtempSync(join(tmpdir(), 'rulelang-vscode-'));
    const workspace = newWorkspace(options.empty === true);
    const driver = await bundledModule('driver', state);
    writeSettings(state, options);
    if (options.model !== undefined)
        cpSync(join(ROOT, 'test/vscode/model'), join(state, 'extensions/test.model-1.0.0'), { recursive: true });
    const pipe = join(state, 'driver.sock');
    const link = await openLink(pipe);
    let server: RunningServer | undefined;
    let browser: Browser | undefined;
    const close = async (): Promise<void> => {
        await browser?.close();
        server?.stop();
        letGo();
        link.server.close();
        for (const folder of [state, workspace]) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    };
    try {
        server = await serveVsCode(root, state, {
            ...options.environment,
            RULELANG_TEST_PIPE: pipe,
            ...(options.model !== undefined && { RULELANG_TEST_MODEL: options.model }),
        });
        browser = await chromium.launch(CHROMIUM);
        const context = await browser.newContext({
            viewport: options.size ?? { width: 1440, height: 900 },
            deviceScaleFactor: options.scale ?? 1,
            permissions: ['clipboard-read', 'clipboard-write'],
            reducedMotion: 'reduce',
        });
        await context.addInitScript(REMEMBER_KEPT);
        await context.addInitScript(STAND_STILL);
        if (options.language !== undefined) await context.addInitScript(`globalThis._VSCODE_NLS_LANGUAGE = '${options.language}'`);
        const page = await context.newPage();
        page.setDefaultTimeout(CALL_LIMIT);
        await page.exposeFunction('codeAutomationExit', () => undefined);
        await page.exposeFunction('codeAutomationLog', (...said: unknown[]) => {
            if (process.env.VSCODE_LOG) console.log(...said);
        });
        const { port } = server;
        const remote = (path: string): string => `vscode-remote://127.0.0.1:${port}${path}`;
        const payload = [
            ['extensionDevelopmentPath', remote(extension)],
            ...(options.model === undefined ? [] : [['enableProposedApi', '']]),
            ['extensionTestsPath', remote(driver)],
            ['skipWelcome', 'true'],
        ];
        const query = `folder=${encodeURIComponent(workspace)}&payload=${encodeURIComponent(JSON.stringify(payload))}`;
        const address = `http://127.0.0.1:${port}/?${query}`;
        await page.goto(address);
        let call = await link.driver(START_LIMIT);
        return {
            page,
            workspace,
            storage: join(state, 'User/globalStorage/rulelang.rulelang'),
            host: (name, ...args) => call({ action: name, args }) as ReturnType<VsCode['host']> as never,
            check: async name => {
                await call({ check: name });
            },
            reload: async () => {
                const loaded = page.waitForEvent('load');
                call({ action: 'command', args: ['workbench.action.reloadWindow'] }).catch(() => undefined);
                await loaded;
                call = await link.driver(START_LIMIT);
            },
            kill: async () => {
                const { pid } = (await call({ action: 'usage' })) as Awaited<ReturnType<Actions['usage']>>;
                process.kill(pid, 'SIGKILL');
                // The window that is left would start another host, and end it when it is opened anew.
                await page.goto('about:blank');
                await server?.hostsEnded();
                link.forgetDrivers();
                await page.goto(address);
                call = await link.driver(START_LIMIT);
            },
            results: () => page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame'),
            close,
        };
    } catch (reason) {
        await close();
        throw reason;
    }
}

function writeSettings(state: string, { trusted, settings }: VsCodeOptions): void {
    const folder = join(state, 'User');
    if (!existsSync(folder)) mkdirSync(folder);
    const all = {
        'security.workspace.trust.enabled': !trusted,
        'security.workspace.trust.startupPrompt': 'never',
        'security.workspace.trust.banner': 'never',
        'telemetry.telemetryLevel': 'off',
        'extensions.autoUpdate': false,
        'extensions.autoCheckUpdates': false,
        'extensions.ignoreRecommendations': true,
        'workbench.startupEditor': 'none',
        'workbench.tips.enabled': false,
        'chat.commandCenter.enabled': false,
        'editor.minimap.enabled': false,
        'files.simpleDialog.enable': true,
        'remote.autoForwardPorts': false,
        ...settings,
    };
    writeFileSync(join(folder, 'settings.json'), JSON.stringify(all));
}

interface Answer {
    readonly id: number;
    readonly result?: unknown;
    readonly error?: string;
}

type Call = (request: { readonly action?: string; readonly check?: string; readonly args?: readonly unknown[] }) => Promise<unknown>;

interface Link {
    readonly server: Server;
    /** Waits for the driver in the extension host; what it answers are calls into it. */
    driver(limit: number): Promise<Call>;
    /** Those that have connected until now are not waited for. */
    forgetDrivers(): void;
}

async function openLink(pipe: string): Promise<Link> {
    const server = createServer();
    await new Promise<void>(resolve => server.listen(pipe, resolve));
    const connections: Socket[] = [];
    let arrived = (_: Socket): void => undefined;
    server.on('connection', socket => {
        connections.push(socket);
        arrived(socket);
    });
    let taken = 0;
    /** A window that is opened anew connects once more. */
    const next = async (): Promise<Socket> => {
        const at = taken++;
        const socket = connections[at];
        return socket ?? (await new Promise(resolve => (arrived = resolve)));
    };
    return {
        server,
        forgetDrivers: () => {
            taken = connections.length;
        },
        async driver(limit) {
            const late = new Promise<never>((_, reject) => {
                setTimeout(() => reject(new Error('the extension host did not start')), limit).unref();
            });
            return callsOver(await Promise.race([next(), late]));
        },
    };
}

function callsOver(socket: Socket): Call {
    const pending = new Map<number, { resolve(result: unknown): void; reject(reason: Error): void }>();
    let calls = 0;
    socket.on('error', () => undefined);
    createInterface({ input: socket }).on('line', line => {
        const answer = JSON.parse(line) as Answer;
        const asked = pending.get(answer.id);
        pending.delete(answer.id);
        if (answer.error === undefined) asked?.resolve(answer.result);
        else asked?.reject(new Error(answer.error));
    });
    return request =>
        new Promise((resolve, reject) => {
            const id = ++calls;
            const late = setTimeout(() => reject(new Error(`no answer from the window: ${JSON.stringify(request)}`)), CALL_LIMIT);
            const done = (): void => clearTimeout(late);
            pending.set(id, {
                resolve: result => {
                    done();
                    resolve(result);
                },
                reject: reason => {
                    done();
                    reject(reason);
                },
            });
            socket.write(`${JSON.stringify({ ...request, id })}\n`);
        });
}
