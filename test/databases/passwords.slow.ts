import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Ended, ended, folderWith, start } from '../cli/command-line.ts';
import { rulelang } from '../cli/in-process.ts';
import { LanguageClient } from '../lsp/language-client.ts';
import { postgresqlShop } from './shop.ts';

/** Passwords that a program holds or its user grants are in nothing that the command line or the language server tells. */
// No other run on this machine has the same.
const CANARY = `canary${randomBytes(4).toString('hex')}`;
const PASSWORD = `pw-${CANARY}`;
const { port, owner, database, execute } = await postgresqlShop('passwords', PASSWORD);
execute(
    `CREATE TABLE owns (owner text, company text, share float8); CREATE TABLE big (id numeric); CREATE TABLE found (name text);
INSERT INTO owns VALUES ('ada', 'acme', 0.6), ('acme', 'bolt', 0.7); INSERT INTO big VALUES (1e300);`,
);

const source = (credentials: string): string => `postgresql host='127.0.0.1', port=${port}, username='${owner}', ${credentials}`;
const program = (bound: string, rules = ''): string =>
    `@bind("owns", "${bound}", "${bound.includes('url=') ? 'public' : database}", "owns").\ncontrols(X, Y) :- owns(X, Y, S), S > 0.5.\ncontrols(X, Z) :- controls(X, Y), controls(Y, Z).\n@output("controls").\n${rules}`;

/** How a program says the password: in its text, in an address, and as a name that is granted. */
const CREDENTIALS = {
    written: source(`password='${PASSWORD}'`),
    address: source(`url='postgresql://${owner}:${PASSWORD}@127.0.0.1:${port}/${database}'`),
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the program has it.
    granted: source("password='${APP_PW}'"),
};

const folder = folderWith({});
const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
const GRANTS = ['--allow-net', `127.0.0.1:${port}`, '--allow-net', '127.0.0.1:1'];
/** What processes have been given and have told. */
const told: string[] = [];

/** Does a command in a process, and keeps what it tells, and what the system tells of it and of its children meanwhile. */
async function asked(...args: readonly string[]): Promise<Ended> {
    const isGranted = args.includes('--secret');
    const child = start(folder, args, { NO_COLOR: '1', ...(isGranted && { APP_PW: PASSWORD }) });
    child.stdin?.end();
    const look = (): void => {
        // Where the environment has the password, it is its place.
        for (const pid of family(String(child.pid)))
            told.push(contentOf(`/proc/${pid}/cmdline`), isGranted ? '' : contentOf(`/proc/${pid}/environ`));
    };
    look();
    const looking = setInterval(look, 20);
    const answer = await ended(child);
    clearInterval(looking);
    told.push(answer.stdout, answer.stderr);
    return answer;
}

/** A process with its children, and theirs. */
function family(pid: string): string[] {
    const children = contentOf(`/proc/${pid}/task/${pid}/children`).split(' ');
    return [pid, ...children.filter(child => child !== '').flatMap(family)];
}

function contentOf(file: string): string {
    try {
        return readFileSync(file, 'utf8');
    } catch {
        return '';
    }
}

const shown = (text: string): string => text.split('\n').find(line => line.includes(CANARY)) ?? '';

describe.each(Object.entries(CREDENTIALS))('a password that is %s', (name, bound) => {
    const file = `${name}.rulelang`;
    write(file, program(bound));
    const grants = name === 'granted' ? [...GRANTS, '--secret', 'APP_PW'] : GRANTS;

    /** What a command tells in this process, where the password is granted in the environment alone. */
    const here = (...args: readonly string[]) => rulelang(folder, args, '', { NO_COLOR: '1', APP_PW: PASSWORD });
    const expectedOf = (args: readonly string[]): number => (args.includes('controls("bolt", "ada")') ? 1 : 0);

    test.each([
        ['run', file, ...grants, '--format', 'json', '--stats'],
        ['run', file, ...grants, '--profile', 'json', '--profile-to', `profile-${name}.json`],
        ['check', file, ...grants, '--format', 'json'],
        ['explain', file, 'controls("ada", "bolt")', ...grants],
    ])('is not told by the process of %s', async (...args) => {
        const { code, stdout, stderr } = await asked(...args);
        expect([shown(stdout), shown(stderr)]).toEqual(['', '']);
        expect([code, stderr]).toEqual([0, stderr]);
    });

    test('is not told by commands', async () => {
        for (const args of [
            ['run', file, ...grants],
            ['run', file, ...grants, '--format', 'json', '--stats'],
            ['run', file, ...grants, '--format', 'csv', '--profile', 'text'],
            ['check', file, ...grants],
            ['check', file, ...grants, '--format', 'json'],
            ['explain', file, 'controls("ada", "bolt")', ...grants],
            ['explain', file, 'controls("ada", "bolt")', ...grants, '--format', 'json'],
            ['explain', file, 'controls("bolt", "ada")', ...grants],
            ['explain', file, 'controls("bolt", "ada")', ...grants, '--format', 'json'],
            ['binds', file],
            ['graph', file],
            ['analyze', file],
        ]) {
            const { code, stdout, stderr } = await here(...args);
            expect([args, shown(stdout), shown(stderr)]).toEqual([args, '', '']);
            expect([args, code, stderr]).toEqual([args, expectedOf(args), stderr]);
        }
    });

    /** What goes wrong where the bind stands, so that its line is shown, and what the server says. */
    test.each([
        ['a table that is not there', (text: string) => text.replace('"owns").', '"owms").')],
        ['a database that is not there', (text: string) => text.replace(`"${database}"`, '"shep"').replace('"public"', '"shep"')],
        ['a server that is not there', (text: string) => text.replaceAll(`port=${port}`, 'port=1').replaceAll(`:${port}/`, ':1/')],
        ['another user', (text: string) => text.replace(`username='${owner}'`, "username='nobody'").replace(`//${owner}:`, '//nobody:')],
        ['another password', (text: string) => text.replaceAll(CANARY, `${CANARY}x`)],
        ['an option that is unknown', (text: string) => text.replace(`username='${owner}'`, `user='${owner}', fetchsice=3`)],
        ['a table of another width', (text: string) => text.replace('"owns").', '"big").')],
        ['a mapping of a column that is not there', (text: string) => `${text}@mapping("owns", 0, "owmer", "string").\n`],
        ['a quote too many', (text: string) => text.replace(`username='${owner}'`, `username='${owner}''`)],
        ['a bracket too few', (text: string) => text.replace('"owns").', '"owns".')],
        ['a type that is unknown', (text: string) => text.replace('"postgresql', '"postgresl')],
        ['a table that takes no such rows', (text: string) => `${text}@bind("controls", "${bound}", "${database}", "found").\n`],
        [
            'a query that fails',
            (text: string) => `${text}@qbind("q", "${bound}", "${database}", "SELECT nothing FROM owns"). r(X) :- q(X). @output("r").\n`,
        ],
    ])('is not told with %s', async (what, change) => {
        const wrong = `wrong-${name}.rulelang`;
        const text = change(program(bound));
        if (name === 'written') expect(text).not.toBe(program(bound));
        write(wrong, text);
        for (const args of [
            ['run', wrong, ...grants],
            ['check', wrong, ...grants],
            ['check', wrong, ...grants, '--format', 'json'],
            ['check', wrong, ...grants, '--format', 'sarif'],
            ['explain', wrong, 'controls("ada", "bolt")', ...grants],
            ['binds', wrong],
        ]) {
            const { code, stdout, stderr } = await here(...args);
            expect([what, args[0], shown(stdout), shown(stderr)]).toEqual([what, args[0], '', '']);
            if (args[0] === 'run' && name === 'written') expect([what, code === 0 ? stdout : 1]).toEqual([what, 1]);
        }
    });

    test('is not told to an editor', async () => {
        const client = await LanguageClient.start({
            trusted: true,
            allowNet: [`127.0.0.1:${port}`],
            ...(name === 'granted' && { secrets: ['APP_PW'] }),
            environment: { APP_PW: PASSWORD },
        });
        const text = `${program(bound)}@bind("owms", "${bound}", "${database}", "owms").\nx(X) :- owms(X).\n@output("x").\n`;
        await client.open('p.rulelang', text);
        const textDocument = { uri: client.uri('p.rulelang') };
        const before = client.received.length;
        const ask = async (): Promise<void> => {
            for (const method of ['hover', 'completion', 'signatureHelp', 'definition'])
                for (const character of [3, 8, 20, 60, bound.length + 20])
                    await client.request(`textDocument/${method}`, { textDocument, position: { line: 0, character } });
            for (const method of ['documentSymbol', 'codeLens', 'documentLink', 'foldingRange'])
                await client.request(`textDocument/${method}`, { textDocument });
        };
        // The database is asked in the background.
        await ask();
        const table = { line: 0, character: text.indexOf('"owns").') + 2 };
        const hover = async (): Promise<string> =>
            JSON.stringify(await client.request('textDocument/hover', { textDocument, position: table }));
        await expect.poll(hover, { timeout: 300_000 }).toContain('share');
        await ask();
        const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 5 } };
        await client.request('workspace/executeCommand', { command: 'rulelang.run', arguments: [textDocument.uri] }).catch(() => null);
        await client.request('textDocument/hover', { textDocument, position: range.start });
        expect(client.received.length).toBeGreaterThan(before + 40);
        const heard = JSON.stringify(client.received) + client.log.join('');
        await client.stop();
        expect(
            heard
                .split(CANARY)
                .slice(0, -1)
                .map(text => text.slice(-200)),
        ).toEqual([]);
    });
});

test('is in no list of processes, in no environment that has not been given it, and in no file that was written', () => {
    expect(told.filter(text => text.includes(CANARY)).map(shown)).toEqual([]);
    expect(told.filter(text => text.includes('rulelang')).length).toBeGreaterThan(Object.keys(CREDENTIALS).length);
    const files = readdirSync(folder).filter(name => !name.endsWith('.rulelang'));
    expect(files).toEqual(expect.arrayContaining(Object.keys(CREDENTIALS).map(name => `profile-${name}.json`)));
    for (const name of files) expect(readFileSync(join(folder, name), 'utf8')).not.toContain(CANARY);
});
