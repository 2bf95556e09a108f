import fs from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { isDataFile, protectedTarget } from '#server/files/path-rule.ts';
import type { RunEnd } from '#server/protocol/runs.ts';
import { startServices } from '../api/services.ts';
import { folderWith, rulelang } from '../cli/command-line.ts';
import { LanguageClient } from '../lsp/language-client.ts';

/** What builds, tools, shells and servers act on, whatever it ends in. */
const NEVER =
    `rulelang.json RuleLang.JSON rulelang.json. rulelang.json.gz rulelang.j\u017fon rulelang.json\u200b \uff52ulelang.json x.rulelang x.rulelang.gz
Makefile GNUmakefile makefile.txt Gemfile Gemfile.lock Vagrantfile Brewfile Dockerfile Jenkinsfile SConstruct BUILD BUILD.bazel WORKSPACE meson.build
CMakeLists.txt CMakePresets.json requirements.txt requirements-dev.txt dev-requirements.txt constraints.txt package.json package-lock.json tsconfig.json
tsconfig.build.json composer.json deno.json jsconfig.json appsettings.Development.json vercel.json cypress.config.json
docker-compose.yml docker-compose.override.yml compose.yaml pyproject.toml setup.cfg tox.ini pom.xml build.xml Cargo.toml Cargo.lock yarn.lock
pnpm-lock.yaml go.mod conanfile.txt x.rake x.R x.nix x.tf x.vim x.el x.ninja x.gradle x.bzl x.csproj x.sh x.PY x.js x.ipynb x.xlsm
id_rsa id_rsa.pub id_ed25519 known_hosts known_hosts.txt authorized_keys authorized_keys2 server.pem server.key server.crt x.p12 x.kdbx
credentials.json client_secret.json service-account.json secrets.txt passwd .bashrc .env .csv node_modules`.split(/\s+/u);

/** No data by their names, and nothing that must not be there. */
const ASKED =
    'x.html x.svg x.yml x.yaml x.toml x.xml x.sql x.cfg x.ini x.conf x.log x.csv.bak x.dat config out x. csv x.csv. x.csv\u200b x.csv~ x.json5 x.gz x.zst x.csv.zip';

const DATA =
    'x.csv x.TSV x.txt x.json x.ndjson x.parquet x.xlsx x.md x.png x.sqlite x.db x.nt x.nq x.ttl x.rdf x.jsonld x.csv.gz x.json.zst a.b.csv people.json notes.txt readme.md requirements.csv tokens.csv rulelang.csv project.json tasks.json settings.json app.json';

const writing = (name: string): string => `@bind("o", "csv", "out", "${name}"). @output("o"). o(X) <- a(X). a("puts 1").`;

describe('names of what runs write', () => {
    test.each(NEVER)('%s is never written', name => {
        expect([name, protectedTarget([name])]).toEqual([name, expect.any(String)]);
    });
    test.each(ASKED.split(' '))('%s is asked for', name => {
        expect([name, isDataFile(name)]).toEqual([name, false]);
    });
    test.each(DATA.split(' '))('%s is written', name => {
        expect([name, isDataFile(name), protectedTarget([name])]).toEqual([name, true, undefined]);
    });
});

describe('the command line', () => {
    test('writes another name only where it is granted by name, and some never', async () => {
        const folder = folderWith({ 'p.rulelang': writing('x.html'), 'never.rulelang': writing('requirements.txt') });
        const out = join(folder, 'out');
        const refused = await rulelang(folder, ['run', 'p.rulelang']);
        expect([refused.code, refused.stderr.replaceAll(/\s+/gu, ' ')]).toEqual([
            1,
            expect.stringContaining(`add --allow-write ${out}/x.html`),
        ]);
        expect((await rulelang(folder, ['run', 'p.rulelang', '--allow-write', 'out'])).code).toBe(1);
        expect(fs.existsSync(out)).toBe(false);
        expect((await rulelang(folder, ['run', 'p.rulelang', '--allow-write', 'out/x.html'])).code).toBe(0);
        expect(fs.readFileSync(join(out, 'x.html'), 'utf8')).toContain('puts 1');
        const never = await rulelang(folder, ['run', 'never.rulelang', '--allow-write', 'out/requirements.txt']);
        expect([never.code, never.stderr]).toEqual([1, expect.stringContaining('runs do not write files that builds and tools act on')]);
        expect(fs.readdirSync(out)).toEqual(['x.html']);
    });

    test('a file elsewhere is granted by name, and nothing beside it', async () => {
        const folder = folderWith({ 'app/p.rulelang': writing('x.yml').replace('"out"', '"../else"'), 'else/keep.csv': 'a\n' });
        const app = join(folder, 'app');
        expect((await rulelang(app, ['run', 'p.rulelang', '--allow-write', '../else/y.yml'])).code).toBe(1);
        expect((await rulelang(app, ['run', 'p.rulelang', '--allow-write', '../else/x.yml'])).code).toBe(0);
        expect(fs.readdirSync(join(folder, 'else')).sort()).toEqual(['keep.csv', 'x.yml']);
    });

    test('a link of the granted name is not followed, and neither is one to a folder with settings', async () => {
        const folder = folderWith({
            'p.rulelang': writing('x.html'),
            'q.rulelang': writing('../linked/settings.json'),
            'rulelang.json': '{}',
        });
        fs.mkdirSync(join(folder, 'out'));
        fs.mkdirSync(join(folder, '.vscode'));
        fs.symlinkSync(join(folder, 'rulelang.json'), join(folder, 'out/x.html'));
        fs.symlinkSync(join(folder, '.vscode'), join(folder, 'linked'));
        expect((await rulelang(folder, ['run', 'p.rulelang', '--allow-write', 'out/x.html'])).code).toBe(1);
        expect((await rulelang(folder, ['run', 'q.rulelang', '--allow-write', 'linked/settings.json'])).code).toBe(1);
        expect(fs.readFileSync(join(folder, 'rulelang.json'), 'utf8')).toBe('{}');
        expect(fs.readdirSync(join(folder, '.vscode'))).toEqual([]);
    });
});

test('the services write data alone', async () => {
    const services = await startServices();
    const evaluate = async (name: string): Promise<string> => {
        const body = JSON.stringify({ program: writing(name) });
        const headers = { authorization: `Bearer ${services.token}`, 'content-type': 'application/json' };
        return (await fetch(`${services.base}/api/v1/rulelang/evaluate`, { method: 'POST', headers, body })).text();
    };
    for (const name of ['x.html', 'CMakeLists.txt', 'rulelang.json', 'x.csv.', 'Gemfile'])
        expect([name, await evaluate(name)]).toEqual([name, expect.stringContaining('source_unavailable')]);
    expect(await evaluate('x.csv')).toContain('success');
    expect(fs.readdirSync(join(services.folder, 'out'))).toEqual(['x.csv']);
    expect(await services.stop()).toBe(0);
});

describe('the editor', () => {
    let client: LanguageClient;
    afterEach(() => client.stop());

    const run = async (name: string): Promise<RunEnd> => {
        const ended = client.next('rulelang/runEnded');
        await client.request('rulelang/run', { uri: client.uri(name) });
        return await ended;
    };
    const questions = (): number => client.received.filter(({ method }) => method === 'window/showMessageRequest').length;

    test('asks, once for a text', async () => {
        client = await LanguageClient.start({ trusted: true, agrees: true });
        await client.open('p.rulelang', writing('x.html'));
        expect((await run('p.rulelang')).outcome).toBe('finished');
        expect(fs.readdirSync(join(client.folder, 'out'))).toEqual(['x.html']);
        expect((await run('p.rulelang')).outcome).toBe('finished');
        expect(questions()).toBe(1);
        await client.open('never.rulelang', writing('tsconfig.json'));
        expect((await run('never.rulelang')).outcome).toBe('failed');
        expect(questions()).toBe(1);
    });

    test('writes nothing where it is not allowed', async () => {
        client = await LanguageClient.start({ trusted: true });
        await client.open('p.rulelang', writing('x.html'));
        const { outcome, notices } = await run('p.rulelang');
        expect([outcome, notices[0]?.message]).toEqual(['failed', expect.stringContaining('allow it when the editor asks')]);
        expect(questions()).toBe(1);
        expect(fs.existsSync(join(client.folder, 'out'))).toBe(false);
    });
});
