import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import * as protocol from 'vscode-languageserver/node';
import { LanguageClient } from '../lsp/language-client.ts';

const PAGE = join(fileURLToPath(new URL('../..', import.meta.url)), 'docs/language-server.md');
const SECTION = /(?<=<!-- what a running server declares -->\n)[\s\S]*?(?=<!-- end of what it declares -->)/u;

interface Method {
    readonly method: string;
    readonly client: string;
    readonly server: string;
}

/** The requests and notifications of the protocol that a server declares, with the capabilities of both sides. */
const METHODS: readonly Method[] = Object.values(protocol).flatMap((one: unknown) => {
    const { method, messageDirection, capabilities } = (one ?? {}) as {
        readonly method?: string;
        readonly messageDirection?: string;
        readonly capabilities?: { readonly client?: string; readonly server?: string };
    };
    if (method === undefined || messageDirection !== 'clientToServer' || capabilities?.server === undefined) return [];
    return [{ method, client: capabilities.client ?? '', server: capabilities.server }];
});

/** What a client declares that can all of these. */
function able(): object {
    const all: Record<string, unknown> = {};
    for (const { client } of METHODS) if (client !== '') put(all, client.split('.'));
    put(all, ['workspace', 'diagnostics', 'refreshSupport'], true);
    all.textDocument = { ...(all.textDocument as object), rename: { prepareSupport: true } };
    put(all, ['textDocument', 'codeAction', 'codeActionLiteralSupport', 'codeActionKind'], { valueSet: [] });
    put(all, ['textDocument', 'codeAction', 'resolveSupport', 'properties'], ['edit']);
    put(all, ['textDocument', 'codeAction', 'dataSupport'], true);
    return all;
}

function put(into: Record<string, unknown>, [name = '', ...more]: readonly string[], value?: unknown): void {
    if (more.length === 0) into[name] ??= value ?? {};
    else {
        if (typeof into[name] !== 'object') into[name] = {};
        put(into[name] as Record<string, unknown>, more, value);
    }
}

function at(value: unknown, path: string): unknown {
    return path.split('.').reduce<unknown>((inside, name) => (inside as Record<string, unknown> | undefined)?.[name], value);
}

async function declared(capabilities: object): Promise<object> {
    const client = await LanguageClient.start({ capabilities, trusted: true, lenses: capabilities !== NONE });
    await client.stop();
    return client.initialized.capabilities;
}

const NONE = {};

test('the table of the protocol is what a running server declares (npx vitest run test/docs --update rewrites it)', async () => {
    const [most, least] = [await declared(able()), await declared(NONE)];
    const isThere = (capabilities: object, { server }: Method): boolean => ![undefined, false].includes(at(capabilities, server) as never);
    const known = METHODS.filter(method => isThere(most, method) || isThere(least, method));
    const others = METHODS.filter(method => !known.includes(method)).map(({ method }) => `\`${method}\``);
    const rows = known.map(method => [`\`${method.method}\``, isThere(least, method) ? 'always' : `clients with \`${method.client}\``]);
    const width = Math.max(...rows.map(([name = '']) => name.length));
    const lines = rows.sort(([a = ''], [b = '']) => (a < b ? -1 : 1)).map(([name = '', who]) => `| ${name.padEnd(width)} | ${who} |`);
    const table = [`| ${'method'.padEnd(width)} | answered |`, `|${'-'.repeat(width + 2)}|---|`, ...lines];
    const text = `\n${table.join('\n')}\n\nNot answered: ${others.sort().join(', ')}.\n\n`;
    expect(known.length).toBeGreaterThan(30);
    await expect(readFileSync(PAGE, 'utf8').replace(SECTION, () => text)).toMatchFileSnapshot(PAGE);
});
