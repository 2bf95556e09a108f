import fs from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type Ended, ended, folderWith, start } from '../cli/command-line.ts';
import { LanguageClient } from '../lsp/language-client.ts';
import { startPostgresql } from './start-server.ts';

/** Passwords that a program holds or its user grants are in nothing that the command line or the language server tells. */
const CANARY = 'canary7f3a';
const PASSWORD = `pw-${CANARY}`;
const postgresql = await startPostgresql();
postgresql.execute(
    `CREATE ROLE app LOGIN PASSWORD '${PASSWORD}'; CREATE DATABASE shop OWNER app;
\\c shop
SET ROLE app; CREATE TABLE owns (owner text, company text, share float8); CREATE TABLE big (id numeric); CREATE TABLE found (name text);
INSERT INTO owns VALUES ('ada', 'acme', 0.6), ('acme', 'bolt', 0.7); INSERT INTO big VALUES (1e300);`,
);
const { port } = postgresql;

const source = (credentials: string, more = ''): string =>
    `postgresql host='127.0.0.1', port=${more === 'nobody' ? 1 : port}, username='app', ${credentials}${more.startsWith(',') ? more : ''}`;
const program = (bound: string, rules = ''): string =>
    `@bind("owns", "${bound}", "${bound.includes('url=') ? 'public' : 'shop'}", "owns").\ncontrols(X, Y) :- owns(X, Y, S), S > 0.5.\ncontrols(X, Z) :- controls(X, Y), controls(Y, Z).\n@output("controls").\n${rules}`;

/** How a program says the password: in its text, in an address, and as a name that is granted. */
const CREDENTIALS = {
    written: source(`password='${PASSWORD}'`),
    address: source(`url='postgresql://app:${PASSWORD}@127.0.0.1:${port}/shop'`),
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the program has it.
    granted: source("password='${APP_PW}'"),
};

const folder = folderWith({});
const write = (name: string, text: string): void => fs.writeFileSync(join(folder, name), text);
const GRANTS = ['--allow-net', `127.0.0.1:${port}`, '--allow-net', '127.0.0.1:1'];
const told: string[] = [];
/** Runs a command, and keeps what it tells, and what the system tells of it meanwhile. */
async function asked(...args: readonly string[]): Promise<Ended> {
    const child = start(folder, args, { APP_PW: PASSWORD, NO_COLOR: '1' });
    child.stdin?.end();
    const look = setInterval(() => {
        for (const pid of fs.readdirSync('/proc').filter(name => /^\d+$/u.test(name))) told.push(commandLine(pid));
    }, 50);
    const answer = await ended(child);
    clearInterval(look);
    told.push(answer.stdout, answer.stderr);
    return answer;
}

function commandLine(pid: string): string {
    try {
        return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    } catch {
        return '';
    }
}

const shown = (text: string): string => text.split('\n').find(line => line.includes(CANARY)) ?? '';
afterAll(() => postgresql.stop());

describe.each(Object.entries(CREDENTIALS))('a password that is %s', (name, bound) => {
    const file = `${name}.rulelang`;
    write(file, program(bound));
    const grants = name === 'granted' ? [...GRANTS, '--secret', 'APP_PW'] : GRANTS;

    test.each([
        ['run', []],
        ['run', ['--format', 'json', '--stats']],
        ['run', ['--format', 'csv', '--profile', 'text']],
        ['run', ['--profile', 'json', '--profile-to', 'profile.json']],
        ['check', []],
        ['check', ['--format', 'json']],
        ['explain', ['controls("ada", "bolt")']],
        ['explain', ['controls("ada", "bolt")', '--format', 'json']],
        ['explain', ['controls("bolt", "ada")']],
        ['explain', ['controls("bolt", "ada")', '--format', 'json']],
        ['binds', []],
        ['graph', []],
        ['analyze', []],
    ])('is not told by %s %j', async (command, more) => {
        const needsGrants = command === 'run' || command === 'check' || command === 'explain';
        const { code, stdout, stderr } = await asked(command, file, ...(needsGrants ? grants : []), ...more);
        expect([shown(stdout), shown(stderr)]).toEqual(['', '']);
        expect([code, stderr]).toEqual([command === 'explain' && more[0]?.includes('bolt", "ada') ? 1 : 0, stderr]);
    });

    /** What goes wrong where the bind stands, so that its line is shown, and what the server says. */
    test.each([
        ['a table that is not there', (text: string) => text.replace('"owns").', '"owms").')],
        ['a database that is not there', (text: string) => text.replace(/"(?:shop|public)"/u, '"shep"')],
        ['a server that is not there', (text: string) => text.replaceAll(`port=${port}`, 'port=1').replaceAll(`:${port}/`, ':1/')],
        ['another user', (text: string) => text.replace("username='app'", "username='nobody'").replace('//app:', '//nobody:')],
        ['another password', (text: string) => text.replaceAll(CANARY, `${CANARY}x`)],
        ['an option that is unknown', (text: string) => text.replace("username='app'", "user='app', fetchsice=3")],
        ['a table of another width', (text: string) => text.replace('"owns").', '"big").')],
        ['a mapping of a column that is not there', (text: string) => `${text}@mapping("owns", 0, "owmer", "string").\n`],
        ['a quote too many', (text: string) => text.replace("username='app'", "username='app''")],
        ['a bracket too few', (text: string) => text.replace('"owns").', '"owns".')],
        ['a type that is unknown', (text: string) => text.replace('"postgresql', '"postgresl')],
        ['a table that takes no such rows', (text: string) => `${text}@bind("controls", "${bound}", "shop", "found").\n`],
        [
            'a query that fails',
            (text: string) => `${text}@qbind("q", "${bound}", "shop", "SELECT nothing FROM owns"). r(X) :- q(X). @output("r").\n`,
        ],
    ])('is not told with %s', async (what, change) => {
        const wrong = `wrong-${name}.rulelang`;
        write(wrong, change(program(bound)));
        for (const args of [
            ['run', wrong, ...grants],
            ['check', wrong, ...grants],
            ['check', wrong, ...grants, '--format', 'json'],
            ['check', wrong, ...grants, '--format', 'sarif'],
            ['explain', wrong, 'controls("ada", "bolt")', ...grants],
            ['binds', wrong],
        ]) {
            const { code, stdout, stderr } = await asked(...args);
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
        const text = `${program(bound)}@bind("owms", "${bound}", "shop", "owms").\nx(X) :- owms(X).\n@output("x").\n`;
        await client.open('p.rulelang', text);
        const textDocument = { uri: client.uri('p.rulelang') };
        const before = client.received.length;
        for (let round = 0; round < 2; round++) {
            for (const method of ['hover', 'completion', 'signatureHelp', 'definition'])
                for (const character of [3, 8, 20, 60, bound.length + 20])
                    await client.request(`textDocument/${method}`, { textDocument, position: { line: 0, character } });
            for (const method of ['documentSymbol', 'codeLens', 'documentLink', 'foldingRange'])
                await client.request(`textDocument/${method}`, { textDocument });
            await new Promise(resolve => setTimeout(resolve, 1500));
        }
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

test('is in no list of processes, and in no file that was written', () => {
    expect(told.filter(text => text.includes(CANARY)).map(shown)).toEqual([]);
    const files = fs.readdirSync(folder).filter(name => !name.endsWith('.rulelang'));
    expect(files).toContain('profile.json');
    for (const name of files) expect(fs.readFileSync(join(folder, name), 'utf8')).not.toContain(CANARY);
});
