import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readArguments, UsageError } from '#server/cli/arguments.ts';
import type { Command } from '#server/cli/command.ts';
import { concept } from '#server/cli/commands/concept.ts';
import { data } from '#server/cli/commands/data.ts';
import { model } from '#server/cli/commands/model.ts';
import { project } from '#server/cli/commands/project.ts';
import { commandHelp } from '#server/cli/help.ts';
import { platformClient } from '#server/client/platform-client.ts';
import { type Services, startServices } from '../api/services.ts';
import { startModelServer } from '../model/model-server.ts';
import { type Ended, ended, folderWith, start } from './command-line.ts';

const TOWN = '@output("town").\ntown("Rome", 2800000).\ntown("Pisa, Italy", 90000).\n';
const BIG = '@param("least", 1000000).\n@output("big").\nbig(T, P) :- town(T, P), P > ?least.\n';
const FILES = {
    'people.tsv': 'name\tage\nAda\t36\nBob\t41\n',
    'town.rulelang': TOWN,
    'big.rulelang': BIG,
    'pay.csv': 'name,pay\nann,9\nbob,100\n',
    'most.rulelang': '@bind("pay", "csv useHeaders=true", ".", "pay.csv").\n@output("most").\nmost(M) :- pay(_, P), M = max(P).\n',
    'broken.rulelang': 'p(1).\nq(X) :- p(X.\n',
};

let services: Services;

beforeAll(async () => {
    services = await startServices(FILES);
});
afterAll(() => services.stop());

function ask(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
    return ended(start(services.folder, [...args, '--data-dir', services.data], { RULELANG_TOKEN: '', ...env }));
}

describe('projects and concepts of a service', () => {
    test('are saved, run, fetched and listed', async () => {
        expect(await ask(['project', 'save', 'towns', 'Towns'])).toMatchObject({ code: 0, stderr: "Created project 'towns'\n" });
        const saved = await ask(['concept', 'save', 'towns', 'town.rulelang', 'absent.rulelang', 'broken.rulelang', 'big.rulelang']);
        expect(saved.code).toBe(1);
        expect(saved.stdout.replaceAll(/ +$/gmu, '')).toBe(
            'concept  columns         depends on  saved\n' +
                '-------  --------------  ----------  -------\n' +
                'town     town_0, town_1              created\n' +
                'big      T, P            town        created\n',
        );
        expect(saved.stderr).toContain("error RT064: 'absent.rulelang' does not exist");
        expect(saved.stderr).toContain('error program_invalid: Program is not valid: ');
        expect(saved.stderr).toContain('  ┌─ broken.rulelang:2:10\n2 │ q(X) :- p(X.\n');

        const ran = await ask(['concept', 'run', 'towns', 'big', '--param', 'least=1000', '--format', 'csv']);
        expect(ran).toMatchObject({ code: 0, stdout: 'T,P\n"Pisa, Italy",90000\nRome,2800000\n', stderr: '' });
        const [table, json, lines, listed, refused] = await Promise.all([
            ask(['concept', 'fetch', 'towns', 'big']),
            ask(['concept', 'fetch', 'towns', 'big', '--format', 'json']),
            ask(['concept', 'fetch', 'towns', 'big', '--order-by', '1:desc', '--page-size', '1', '--format', 'ndjson']),
            ask(['concept', 'list', 'towns']),
            ask(['concept', 'run', 'towns', 'big', '--param', 'least=many']),
        ]);
        expect(table).toMatchObject({
            stdout: 'T                  P\n-----------  -------\nPisa, Italy    90000\nRome         2800000\n',
            stderr: 'page 1 of 1 · 2 rows\n',
        });
        const rows = [
            ['Pisa, Italy', 90000],
            ['Rome', 2800000],
        ];
        expect(JSON.parse(json.stdout)).toEqual({
            resultSet: { big: rows },
            types: { big: ['STRING', 'INT'] },
            columnNames: { big: ['T', 'P'] },
        });
        expect(lines.stdout).toBe('{"T":"Rome","P":2800000}\n');
        expect(listed.stdout).toMatch(/^big +T, P +town +logic +2 +up to date$/mu);
        expect(refused).toMatchObject({ code: 1, stdout: '' });
        expect(refused.stderr.replaceAll(/\s+/gu, ' ')).toContain("error RT080: Parameter 'least' must be int, but 'many' is not");
    });

    test('a run says what is wrong with a concept, as a run of its program does', async () => {
        await ask(['project', 'save', 'told', 'Told']);
        const told = "warning RL4023: Column 'pay' of 'pay' is text, in whose order '9' comes behind\n  '100'";
        expect((await ask(['concept', 'save', 'told', 'most.rulelang'])).stderr).toContain(told);
        const ran = await ask(['concept', 'run', 'told', 'most', '--format', 'csv']);
        expect(ran).toMatchObject({ code: 0, stdout: 'M\n9\n' });
        expect(ran.stderr).toContain(told);
        expect(ran.stderr).toContain('  ┌─ most:3:');
    });

    test('go into a file and come back as a new project', async () => {
        const client = platformClient({ baseUrl: services.base, token: services.token, fetch });
        await client.saveProject({ body: { project: { id: 'kept', name: 'Kept' } } });
        expect(await ask(['project', 'export', 'kept', '--to', 'kept.json'])).toMatchObject({ code: 0, stderr: "Wrote 'kept.json'\n" });
        const text = fs.readFileSync(join(services.folder, 'kept.json'), 'utf8');
        expect(text).toBe(`${JSON.stringify(JSON.parse(text), undefined, 2)}\n`);
        const metadata = '"metadata": {\n      "b, {": 12345678901234567890,\n      "1": [\n        1.0,\n        "\\""\n      ]\n    }';
        fs.writeFileSync(join(services.folder, 'kept.json'), text.replace('"metadata": {}', metadata));
        const { stdout } = await ask(['project', 'import', 'kept.json']);
        expect((await ask(['project', 'export', stdout.trim()])).stdout).toContain(metadata);
    });
});

describe('sources of data', () => {
    test('are connected, listed, read by a program, and removed', async () => {
        const connected = await ask(['data', 'connect', 'people.tsv', '--rows']);
        expect(connected).toMatchObject({ code: 0, stderr: '' });
        expect(connected.stdout).toMatch(/^people +file +csv +2 +name, age +[\da-f-]{36}$/mu);
        const [source] = JSON.parse((await ask(['data', 'list', '--format', 'json'])).stdout);
        expect(source.bind_annotation).toBe(
            `@bind("people","csv useHeaders='true', delimiter='\\\\t'",${JSON.stringify(services.folder)},"people.tsv").`,
        );

        const { stdout: program } = await ask(['data', 'infer', 'people.tsv', '--model']);
        expect(program).toContain('people(Name, Age) <- people_source(Name, Age).');
        expect(program).toContain('".", "people.tsv").');
        fs.writeFileSync(join(services.folder, 'people.rulelang'), program);
        const ran = await ended(start(services.folder, ['run', 'people.rulelang', '--format', 'csv']));
        expect(ran).toMatchObject({ code: 0, stdout: 'name,age\nAda,36\nBob,41\n' });

        const [removed, again] = [await ask(['data', 'remove', source.id]), await ask(['data', 'remove', source.id])];
        expect(removed).toMatchObject({ code: 0, stderr: `Removed '${source.id}'\n` });
        expect(again).toMatchObject({ code: 1, stderr: `rulelang data: there is no source '${source.id}'\n` });
        expect(JSON.parse((await ask(['data', 'list', '--format', 'json'])).stdout)).toEqual([]);
    });

    test('that cannot be reached are told, without a password', async () => {
        const absent = await ask(['data', 'connect', 'absent.csv']);
        expect(absent).toMatchObject({ code: 1, stdout: '' });
        expect(absent.stderr).toContain("rulelang data: the source cannot be connected: 'absent.csv' does not exist");
        const database = ['data', 'connect', 'postgresql://app@127.0.0.1:1/shop', '--secret', 'SHOP_PASSWORD'];
        const refused = await ask(database, { SHOP_PASSWORD: 'tops3cret' });
        expect(refused).toMatchObject({ code: 1, stdout: '' });
        expect(refused.stderr).toContain('rulelang data: the source cannot be connected: ');
        expect(refused.stderr).not.toContain('tops3cret');
    });
});

describe('the language model', () => {
    test('is set, shown and tried, and its key is printed nowhere', async () => {
        const server = await startModelServer();
        const env = { MODEL_KEY: 'canary-key-7Q' };
        const none = await ask(['model', 'test']);
        expect(none).toMatchObject({ code: 1, stdout: '' });
        expect(none.stderr).toContain('error llm_not_configured: ');
        const set = ['--address', server.baseUrl, '--model', 'm-1', '--secret', 'MODEL_KEY', '--temperature', '0'];
        expect(await ask(['model', 'set', ...set], env)).toMatchObject({ code: 0, stderr: 'Saved. To try it: rulelang model test\n' });
        server.script({ text: ['ready\n'] });
        const tried = await ask(['model', 'test']);
        expect(tried).toMatchObject({ code: 0, stdout: 'ready\n' });
        expect(tried.stderr).toMatch(/^m-1 of chat-completions answered after \d+\.\d s: \d+ tokens sent, \d+ answered\n/u);
        expect(tried.stderr).toContain('1 of 1,000 requests of this month are used, 999 are left');
        expect(server.requests[0]).toMatchObject({
            headers: { authorization: 'Bearer canary-key-7Q' },
            body: { model: 'm-1', temperature: 0 },
        });
        const shown = await ask(['model', 'show']);
        expect(shown.stdout).toMatch(/^model +m-1$/mu);
        expect(shown.stdout).toMatch(/^key +kept by the services$/mu);
        server.script({ status: 401, body: 'no such key' });
        const refused = await ask(['model', 'test']);
        expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('error llm_failed: ') });
        const moved = await ask(['model', 'set', '--provider', 'mistral', '--address', 'default']);
        expect(moved.stderr).toContain('The key for chat-completions is forgotten');
        expect(JSON.parse((await ask(['model', 'show', '--format', 'json'])).stdout)).toMatchObject({
            provider: 'mistral',
            address: 'default',
            key: 'none',
            usage: { current: 2, limit: 1000 },
        });
        expect((await ask(['model', 'set', '--provider', 'openia'])).stderr).toContain("'openia' is no provider; did you mean openai?");
        for (const { stdout, stderr } of [none, tried, shown, refused, moved]) expect(`${stdout}${stderr}`).not.toContain(env.MODEL_KEY);
        await server.stop();
    });

    test('makes rules of the words in a file', async () => {
        const server = await startModelServer();
        await ask(['model', 'set', '--provider', 'chat-completions', '--address', server.baseUrl]);
        await ask(['project', 'save', 'words', 'Words']);
        fs.writeFileSync(join(services.folder, 'wish.txt'), 'a fact p of 1\n');
        server.script({ text: ['```\np(1).\n@output("p").\n```'] });
        const written = await ask(['translate', 'nl', 'wish.txt', '--project', 'words']);
        expect(written).toMatchObject({ code: 0, stderr: 'p: 1 row\n', stdout: expect.stringContaining('p(1).') });
        expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('a fact p of 1');
        await server.stop();
    });

    test('is changed by options that are right', () => {
        const asked =
            (...args: readonly string[]) =>
            () =>
                model.job(readArguments(args, model.options));
        expect(asked('set')).toThrow('say what to set');
        expect(asked('set', '--temperature', 'warm')).toThrow("option '--temperature' takes a number from 0 to 2, not 'warm'");
        expect(asked('set', '--secret', 'RULELANG_NO_SUCH_KEY')).toThrow("the environment has no variable 'RULELANG_NO_SUCH_KEY'");
        expect(asked('test', '--provider', 'openai')).toThrow("'test' takes no option '--provider'");
    });
});

describe('tokens and addresses', () => {
    test('the token of the data directory goes to its services alone, a given one to the address it is given for', async () => {
        const seen: (string | undefined)[] = [];
        const other = await listening((request, response) => {
            seen.push(request.headers.authorization);
            if (seen.length === 1) response.writeHead(503, { 'Retry-After': '1' }).end('{"status":"error","code":"engine_busy"}');
            else response.writeHead(200).end('{"status":"success","message":"","data":[]}');
        });
        try {
            const without = await ask(['project', 'list', '--server', other.url]);
            expect(without).toMatchObject({ code: 1, stderr: expect.stringContaining(`${other.url} needs a token of its own`) });
            expect(seen).toEqual([]);
            const given = await ask(['project', 'list', '--server', other.url, '--format', 'json'], { RULELANG_TOKEN: 'secret' });
            expect(given).toMatchObject({ code: 0, stdout: '[]\n', stderr: 'The service is busy; trying again in 1 s\n' });
            expect(seen).toEqual(['Bearer secret', 'Bearer secret']);
        } finally {
            other.close();
        }
    });

    test('no token follows a redirection, or goes unencrypted elsewhere', async () => {
        const seen: string[] = [];
        const target = await listening((request, response) => {
            seen.push(request.url ?? '');
            response.end('{}');
        });
        const redirecting = await listening((_, response) => response.writeHead(307, { Location: target.url }).end());
        try {
            const [redirected, plain, wrong] = await Promise.all([
                ask(['project', 'list', '--server', redirecting.url], { RULELANG_TOKEN: 'secret' }),
                ask(['project', 'list', '--server', 'http://rules.example.org'], { RULELANG_TOKEN: 'secret' }),
                ask(['project', 'list', '--server', services.base.replace('127.0.0.1', 'localhost')], { RULELANG_TOKEN: 'secret' }),
            ]);
            expect(redirected).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be reached: unexpected redirect') });
            expect(seen).toEqual([]);
            expect(plain).toMatchObject({ code: 1, stderr: expect.stringContaining('use an address with https://') });
            expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('error token_invalid: Invalid token') });
        } finally {
            redirecting.close();
            target.close();
        }
    });

    test('without services the remedy is told, and no data directory is made', async () => {
        const folder = folderWith({});
        const { code, stderr } = await ended(start(folder, ['concept', 'list', 'p', '--data-dir', 'data']));
        expect({ code, stderr }).toEqual({
            code: 1,
            stderr: "rulelang concept: no services run in 'data'; start them with 'rulelang serve'\n",
        });
        expect(fs.readdirSync(folder)).toEqual([]);
    });
});

test('a command line that cannot be meant is refused before anybody is asked', () => {
    const lines: [Command, readonly string[], string][] = [
        [concept, ['lst', 'p'], "cannot 'lst': choose list, save, run, fetch"],
        [concept, ['list', 'p', '--page', '2'], "'list' takes no option '--page'"],
        [concept, ['run', 'p'], 'name the concept, too'],
        [concept, ['save', 'p', 'a', 'b', '--output', 'c'], "option '--output' is for one program"],
        [concept, ['fetch', 'p', 'c', '--page-size', '1001'], "option '--page-size' needs a number from 1 to 1000"],
        [project, ['save', 'p'], 'needs ID and NAME'],
        [data, ['connect'], 'name the source: a file, or TYPE://USER@HOST:PORT/DATABASE'],
        [data, ['connect', 'people'], "'people' does not tell by its name what it is; give --type"],
        [
            data,
            ['infer', 'postgresql://app:secret@host/shop'],
            'everybody on this machine sees a password in a command; give it with --secret NAME',
        ],
        [data, ['infer', 'mysql://h/d', '--secret', 'NO_SUCH_VARIABLE'], "the environment has no variable 'NO_SUCH_VARIABLE'"],
        [data, ['infer', 'a.csv', '--rows'], "'infer' takes no option '--rows'"],
        [data, ['remove'], 'name the sources to remove by their ids, or give --all'],
        [project, [], 'say what to do: choose list, save, export, import'],
    ];
    for (const [command, args, message] of lines)
        expect(() => command.job(readArguments(args, command.options))).toThrow(new UsageError(message));
});

test('their help fits a terminal', () => {
    for (const command of [concept, project, data]) {
        const lines = commandHelp(command).split('\n');
        expect(lines.filter(line => line.length > 80)).toEqual([]);
    }
});

async function listening(listener: http.RequestListener): Promise<{ url: string; close(): void }> {
    const server = http.createServer(listener);
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}
