import fs from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { type Browser, chromium, type Page } from 'playwright-core';
import { CHROMIUM } from '../support/chromium.ts';
import { installVsCode } from './code-server.ts';
import { windowSlot } from './window-slot.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const TYPES: Readonly<Record<string, string>> = {
    '.css': 'text/css; charset=utf-8',
    '.html': 'text/html; charset=utf-8',
    '.js': 'text/javascript; charset=utf-8',
    '.json': 'application/json',
    '.svg': 'image/svg+xml',
    '.ttf': 'font/ttf',
    '.wasm': 'application/wasm',
};
/** An extension of the editor, which gives it the files of the test. */
const FILES = {
    name: 'files',
    publisher: 'test',
    version: '1.0.0',
    engines: { vscode: '^1.100.0' },
    browser: './main.js',
    activationEvents: ['onFileSystem:memory'],
    capabilities: { virtualWorkspaces: true, untrustedWorkspaces: { supported: true } },
};

/** VS Code as a page: its workbench in a browser, with extensions in a worker and no machine behind it. */
export interface WebEditor {
    readonly page: Page;
    close(): Promise<void>;
}

/** Opens one with the unpacked extension and a folder with these files, which are in the memory of the page alone. */
export async function openWebEditor(extension: string, files: ReadonlyMap<string, string>): Promise<WebEditor> {
    const letGo = await windowSlot();
    const root = installVsCode();
    const provider = await build({
        entryPoints: [join(HERE, 'modules/memory-files.ts')],
        bundle: true,
        format: 'cjs',
        external: ['vscode'],
        write: false,
        logLevel: 'warning',
    });
    const workbench = standingAlone(fs.readFileSync(join(root, 'out/vs/code/browser/workbench/workbench.js'), 'utf8'));
    const texts: Readonly<Record<string, () => string>> = {
        '/': () => pageOf(address()),
        '/out/vs/code/browser/workbench/workbench.js': () => workbench,
        '/files/package.json': () => JSON.stringify(FILES),
        '/files/main.js': () => provider.outputFiles[0]?.text ?? '',
        '/workspace.json': () => JSON.stringify([...files]),
        '/mint-key': () => '0123456789abcdef0123456789abcdef',
    };
    const folders: Readonly<Record<string, string>> = {
        '/out/': join(root, 'out'),
        '/extensions/': join(root, 'extensions'),
        '/node_modules/': join(root, 'node_modules'),
        '/rulelang/': extension,
    };
    const server = createServer((request, response) => {
        const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
        const text = texts[pathname];
        const folder = Object.keys(folders).find(prefix => pathname.startsWith(prefix));
        if (text !== undefined) send(response, pathname, text());
        else if (folder === undefined) response.writeHead(404).end();
        else sendFile(response, join(folders[folder] ?? '', decodeURIComponent(pathname.slice(folder.length))));
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const address = (): string => `127.0.0.1:${(server.address() as AddressInfo).port}`;
    let browser: Browser | undefined;
    const close = async (): Promise<void> => {
        await browser?.close();
        server.close();
        letGo();
    };
    try {
        browser = await chromium.launch(CHROMIUM);
        const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
        page.setDefaultTimeout(300_000);
        if (process.env.VSCODE_LOG) page.on('console', said => console.log(said.text()));
        await page.goto(`http://${address()}/?folder=${encodeURIComponent('memory:/work')}`);
        return { page, close };
    } catch (reason) {
        await close();
        throw reason;
    }
}

/** This workbench expects its server behind it, for extensions and for what users set; with neither it goes on as a page alone, as VS Code's own does. */
function standingAlone(workbench: string): string {
    const parts = [
        ['remoteAuthority:location.host', ''],
        ['this.userDataPath).with({scheme:K.vscodeRemote})', 'this.userDataPath).with({scheme:K.vscodeUserData})'],
    ] as const;
    return parts.reduce((text, [from, to]) => {
        if (!text.includes(from)) throw new Error(`the workbench has no ${from}`);
        return text.replace(from, to);
    }, workbench);
}

/** The page that opens the workbench, as the products do that are made of it. */
function pageOf(authority: string): string {
    const at = (path: string): object => ({ scheme: 'http', authority, path });
    const settings = {
        'security.workspace.trust.enabled': false,
        'workbench.startupEditor': 'none',
        'workbench.tips.enabled': false,
        'chat.commandCenter.enabled': false,
        'editor.minimap.enabled': false,
    };
    const configuration = {
        additionalBuiltinExtensions: ['/rulelang', '/files'].map(at),
        configurationDefaults: settings,
        userDataPath: '/',
        isEnabledFileDownloads: true,
        isEnabledFileUploads: true,
        isEnabledCoderGettingStarted: false,
        webviewEndpoint: `http://${authority}/out/vs/workbench/contrib/webview/browser/pre`,
        productConfiguration: { webEndpointUrlTemplate: '', extensionsGallery: undefined },
    };
    const quoted = JSON.stringify(configuration).replaceAll('&', '&amp;').replaceAll('"', '&quot;');
    return `<!DOCTYPE html>
<html>
<head>
<meta charset="utf-8">
<meta id="vscode-workbench-web-configuration" data-settings="${quoted}">
<meta id="vscode-workbench-auth-session" data-settings="">
<link rel="stylesheet" href="/out/vs/code/browser/workbench/workbench.css">
</head>
<body aria-label=""></body>
<script>globalThis._VSCODE_FILE_ROOT = 'http://${authority}/out/';</script>
<script type="module" src="/out/nls.messages.js"></script>
<script type="module" src="/out/vs/code/browser/workbench/workbench.js"></script>
</html>
`;
}

function sendFile(response: ServerResponse, file: string): void {
    if (fs.statSync(file, { throwIfNoEntry: false })?.isFile() !== true) response.writeHead(404).end();
    else send(response, file, fs.readFileSync(file));
}

function send(response: ServerResponse, name: string, content: string | Buffer): void {
    response.setHeader('content-type', TYPES[name === '/' ? '.html' : extname(name)] ?? 'application/octet-stream');
    // Extensions are loaded by a frame of their own.
    response.setHeader('access-control-allow-origin', '*');
    response.end(content);
}
