import fs from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answered, answered, rawRequest, type Services, startServices, statusOf } from './services.ts';

let services: Services;

beforeAll(async () => {
    services = await startServices({ 'people.csv': 'ada\n' });
});
afterAll(async () => expect(await services.stop()).toBe(0));

const send = async (method: string, path: string, init: RequestInit = {}): Promise<Answered> =>
    answered(await fetch(`${services.engine}${path}`, { method, ...init }));
const evaluate = (...fields: readonly (readonly [string, string])[]): Promise<Answered> =>
    send('POST', '/evaluate', { body: new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])) });

describe('evaluate', () => {
    test('a program', async () => {
        const { status, body, headers } = await evaluate(['program', 'b(X,Y) :- a(X,Y). a(1,3). @output("b").']);
        expect([status, body]).toEqual([
            200,
            { id: 1, resultSet: { b: [[1, 3]] }, types: { b: ['INT', 'INT'] }, columnNames: { b: ['X', 'Y'] } },
        ]);
        expect(headers.has('access-control-allow-origin')).toBe(false);
        expect((await evaluate(['program', 'a(1).'])).body).toEqual({ id: 2, resultSet: {}, types: {}, columnNames: {} });
    });

    test('what would be if something were otherwise', async () => {
        const whatIf = (fields: Record<string, string>) => send('POST', '/whatIf', { body: new URLSearchParams(fields) });
        const program = 'b(X,Y) :- a(X,Y). a(1,3). a(2,5). @output("b").';
        expect((await whatIf({ program, without: 'a(2, _)', with: 'a(4,4)' })).body).toEqual({
            id: expect.any(Number),
            added: { b: [[4, 4]] },
            removed: { b: [[2, 5]] },
            rows: { b: 2 },
            types: { b: ['INT', 'INT'] },
            columnNames: { b: ['X', 'Y'] },
        });
        expect((await whatIf({ program })).body).toMatchObject({ status: 400, error: 'MISSING_PARAMETER' });
        expect((await whatIf({ program, without: 'c(1)' })).body).toMatchObject({ status: 500, error: 'EVALUATION_FAILED' });
    });

    test('the query counts where the form has nothing', async () => {
        const inQuery = `/evaluate?program=${encodeURIComponent('q(1). @output("q").')}`;
        expect((await send('POST', inQuery)).body.resultSet).toEqual({ q: [[1]] });
        expect((await send('POST', inQuery, { body: new URLSearchParams({ program: 'f(1). @output("f").' }) })).body.resultSet).toEqual({
            f: [[1]],
        });
        const parts = new FormData();
        parts.set('program', new Blob(['@include("x"). @include("y"). m(X) :- x(X), y(X). @output("m").']), 'main.rulelang');
        for (const name of ['x', 'y']) parts.append('modules', `@module("${name}"). ${name}(1).`);
        expect((await send('POST', '/evaluate', { body: parts })).body.resultSet).toEqual({ m: [[1]] });
    });

    test.each([
        [['@module("m2").b(X) :- a(X).@output("b").'], '@module("m1").@include("m2").a(1).', { b: [[1]] }],
        [['@module("x"). x(1). @module("m2"). @include("x"). b(X) :- x(X). @output("b").'], '@include("m2"). a(1).', { b: [[1]] }],
        [['@module("x"). x(1).', '@module("y"). b(X) :- x(X). @output("b").'], '@include("x"). @include("y").', { b: [[1]] }],
        [['@module("unused"). z(1). @output("z").'], 'a(1). @output("a").', { a: [[1]] }],
        [['before(1). @output("before"). @module("m"). b(1). @output("b").'], '@include("m"). a(1).', { b: [[1]] }],
    ])('modules %j', async (modules, program, resultSet) => {
        const fields = modules.map((text, i) => [i === 0 ? 'otherPrograms' : 'modules', text] as const);
        expect((await evaluate(['program', program], ...fields)).body.resultSet).toEqual(resultSet);
    });

    test.each([
        ['no program', [], 400, 'MISSING_PARAMETER'],
        ['a blank one', [['program', ' ']], 400, 'MISSING_PARAMETER'],
        ['a missing module', [['program', '@include("m"). a(1).']], 400, 'MALFORMED_PROGRAM'],
        ['one that fails', [['program', 'b(0). a(X) :- b(Y), X = 1/Y. @output("a").']], 500, 'EVALUATION_FAILED'],
        ['one that is too large', [['program', `a("${'x'.repeat(1024 * 1024)}").`]], 413, 'TOO_LARGE'],
    ] as const)('%s', async (_, fields, status, error) => {
        const { status: found, body } = await evaluate(...fields);
        expect([found, body.error, body.status]).toEqual([status, error, status]);
        expect(body.timestamp).toMatch(/^\d{4}-.*Z$/u);
        expect(body.message).toMatch(/./u);
    });

    test('places of problems', async () => {
        const { body } = await evaluate(['program', 'a(1).\nb(X :- a(X).']);
        expect([body.error, body.status]).toEqual(['MALFORMED_PROGRAM', 400]);
        expect(body.message).toMatch(/^line 2:\d+ /u);
        expect(body.diagnostics).toMatchObject([{ line: 2, severity: 'error' }]);
    });

    test('without a token only files of its own folder in the data directory', async () => {
        const read = (folder: string, file: string, token?: string): Promise<Answered> => {
            const fields = new URLSearchParams({ program: `@bind("p","csv","${folder}","${file}"). q(X) :- p(X). @output("q").` });
            return send('POST', '/evaluate', { body: fields, headers: token === undefined ? {} : { authorization: `Bearer ${token}` } });
        };
        const own = join(services.data, 'disk/engine');
        fs.writeFileSync(join(own, 'own.csv'), 'bo\n');
        expect((await read('', 'own.csv')).body.resultSet).toEqual({ q: [['bo']] });
        expect((await read('', 'people.csv', services.token)).body.resultSet).toEqual({ q: [['ada']] });
        expect((await read(own, 'own.csv', services.token)).body.resultSet).toEqual({ q: [['bo']] });
        expect((await read('', 'people.csv', 'x')).body.error).toBe('UNAUTHORIZED');
        const written = await evaluate(['program', `p(1). @output("p"). @bind("p","csv","${services.folder}","planted.csv").`]);
        expect([written.status, written.body.error]).toEqual([500, 'EVALUATION_FAILED']);
        expect(fs.existsSync(join(services.folder, 'planted.csv'))).toBe(false);
        expect((await evaluate(['program', 'p(1). @output("p"). @bind("p","csv","","own-too.csv").'])).status).toBe(200);
        expect(fs.readFileSync(join(own, 'own-too.csv'), 'utf8')).toBe('1\n');
        fs.writeFileSync(`${services.folder}-outside.csv`, 'secret\n');
        for (const [folder, file] of [
            [services.folder, 'people.csv'],
            ['/etc', 'passwd'],
            ['..', `${services.folder.split('/').at(-1)}-outside.csv`],
            [join(services.data, 'auth'), 'token'],
        ] as const) {
            const found = await read(folder, file);
            expect([found.status, found.body.error]).toEqual([500, 'EVALUATION_FAILED']);
            expect(found.text).not.toMatch(/secret|root:/u);
        }
    });

    test('JSON is no form', async () => {
        const found = await send('POST', '/evaluate', { body: '{"program":"a(1)."}', headers: { 'content-type': 'application/json' } });
        expect([found.status, found.body.error]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    });

    test('a body of more than 10 MiB, or of more than 2 MiB without a token', async () => {
        const sized = async (bytes: number, headers: Record<string, string>): Promise<unknown[]> => {
            const found = await send('POST', '/evaluate', { body: Buffer.alloc(bytes), headers: { 'content-type': 'text/x', ...headers } });
            return [found.status, found.body.error];
        };
        const authorization = `Bearer ${services.token}`;
        expect(await sized(10 * 1024 * 1024 + 1, { authorization })).toEqual([413, 'TOO_LARGE']);
        expect(await sized(2 * 1024 * 1024 + 1, { authorization })).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
        expect(await sized(2 * 1024 * 1024 + 1, {})).toEqual([413, 'TOO_LARGE']);
    });

    test('bodies without a token that do not come are given up, and hold up nobody', async () => {
        const head =
            'POST /evaluate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 9\r\n\r\n';
        const slow = Array.from({ length: 80 }, () => rawRequest(services.engine, head));
        const form = new URLSearchParams({ program: 'a(1). @output("a").' });
        const headers = { authorization: `Bearer ${services.token}` };
        expect((await send('POST', '/evaluate', { body: form, headers })).status).toBe(200);
        const statuses = (await Promise.all(slow)).map(statusOf).sort();
        expect(statuses.filter(status => status === 500).length).toBe(64);
        expect(statuses.filter(status => status === 503).length).toBe(16);
    });

    test('one at a time, the others wait', async () => {
        const all = await Promise.all(Array.from({ length: 3 }, () => evaluate(['program', 'a(1). @output("a").'])));
        const ids = all.map(({ body }) => body.id as number);
        expect(new Set(ids).size).toBe(3);
    });
});

describe('origins', () => {
    test.each([
        [{ origin: 'https://evil.com' }, false],
        [{ origin: 'null' }, false],
        [{ origin: 'http://localhost.evil.com' }, false],
        [{ origin: 'http://localhost:3000.evil.com' }, false],
        [{ origin: 'http://127.0.0.1@evil.com' }, false],
        [{ origin: 'file://' }, false],
        [{ 'sec-fetch-site': 'cross-site' }, false],
        [{ origin: 'http://localhost:3000' }, false],
        [{ origin: 'http://127.0.0.1:1' }, false],
        [{ origin: 'https://127.0.0.1:PORT' }, false],
        [{ origin: 'http://127.0.0.1:PORT' }, true],
        [{ origin: 'http://localhost:PORT' }, true],
        [{ 'sec-fetch-site': 'same-origin' }, true],
    ])('%j is allowed: %s', async (headers, isAllowed) => {
        const { port } = new URL(services.engine);
        const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value.replace('PORT', port)}\r\n`);
        for (const [method, path] of [
            ['GET', '/actuator/health'],
            ['GET', '/nowhere'],
        ]) {
            const raw = await rawRequest(
                services.engine,
                `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${lines.join('')}Connection: close\r\n\r\n`,
            );
            expect(statusOf(raw) === 403).toBe(!isAllowed);
            expect(raw.toLowerCase()).not.toContain('access-control');
        }
    });
});

describe('routes', () => {
    test.each([
        ['GET', '/evaluate', 405],
        ['OPTIONS', '/evaluate', 405],
        ['POST', '/actuator/health', 405],
        ['DELETE', '/config-info/set', 405],
        ['GET', '/', 404],
        ['GET', '/%zz', 404],
        ['POST', '/evaluate/', 404],
        ['POST', '/api/v1/rulelang/evaluate', 404],
    ])('%s %s answers %d', async (method, path, status) => {
        const found = await send(method, path);
        expect([found.status, found.body.error]).toEqual([status, status === 404 ? 'ROUTE_NOT_FOUND' : 'METHOD_NOT_ALLOWED']);
        expect(found.headers.has('allow')).toBe(status === 405);
    });

    test('health', async () => {
        const { status, body } = await send('GET', '/actuator/health');
        expect([status, body]).toEqual([
            200,
            {
                status: 'UP',
                components: {
                    distributedEvaluation: { status: 'UNKNOWN', details: { mode: 'local' } },
                    diskSpace: {
                        status: 'UP',
                        details: { total: expect.any(Number), free: expect.any(Number), threshold: 10485760, exists: true },
                    },
                    ping: { status: 'UP' },
                },
            },
        ]);
    });
});

describe('properties', () => {
    const set = (path: string, text: string): Promise<Answered> =>
        send('POST', `/config-info/${path}`, { body: text, headers: { 'content-type': 'application/json' } });
    const kept = (): string => fs.readFileSync(join(services.data, 'engine/engine.properties'), 'utf8');

    test('one and several, kept in a file of the owner', async () => {
        const found = await set('set', '{"key":"database.password","value":" canary=\\\\\\n"}');
        expect([found.status, found.body.status]).toEqual([200, 'SUCCESS']);
        expect(found.text).not.toContain('canary');
        expect((await set('setAll', '{"s3aAccessKey":"a","aws.accessKey":"b: #"}')).body.status).toBe('SUCCESS');
        expect((await set('setAll', '{}')).body.status).toBe('SUCCESS');
        expect(kept()).toBe('aws.accessKey=b: #\ndatabase.password=\\ canary=\\\\\\n\ns3aAccessKey=a\n');
        await set('set', '{"key":"s3aAccessKey","value":"c"}');
        expect(kept()).toBe('aws.accessKey=b: #\ndatabase.password=\\ canary=\\\\\\n\ns3aAccessKey=c\n');
        expect(fs.statSync(join(services.data, 'engine/engine.properties')).mode & 0o777).toBe(0o600);
        expect(services.log()).not.toContain('canary');
    });

    test('that nothing reads are kept, and said to be so', async () => {
        const message = async (pairs: object): Promise<unknown> => (await set('setAll', JSON.stringify(pairs))).body.message;
        expect(await message({ s3aAccessKey: 'c', 'database.password': 'd', 'csv.delimiter': ',' })).toBe(
            '3 properties set; nothing in this version reads s3aAccessKey, database.password: the names are as in csv.delimiter, postgresql.password',
        );
        expect(await message({ 'csv.delimiter': ',' })).toBe('Property set');
        expect(await message({ 'csv.sheet': 'a' })).toContain('nothing in this version reads csv.sheet');
    });

    test.each([
        ['set', '{'],
        ['set', '[]'],
        ['set', '{}'],
        ['set', '{"key":"a"}'],
        ['set', '{"key":5,"value":"x"}'],
        ['set', '{"key":"1a","value":"x"}'],
        ['set', '{"key":"a b","value":"x"}'],
        ['set', '{"key":"a\\n","value":"x"}'],
        ['setAll', '[]'],
        ['setAll', '{"fine":"x","bad":5}'],
        ['setAll', '{"fine":"x","1bad":"x"}'],
    ])('%s %s fails', async (path, text) => {
        const found = await set(path, text);
        expect([found.status, found.body.status]).toEqual([400, 'FAILURE']);
        expect(kept()).not.toContain('fine');
    });
});

describe('programs of the repository', () => {
    const path = '/evaluateFromRepoWithParams';
    const repository = (): string => join(services.data, 'engine/repository');
    const ask = (fields: Readonly<Record<string, string>>, at = path): Promise<Answered> =>
        send('POST', at, { body: new URLSearchParams(fields) });

    const VALUES: readonly (readonly [string, unknown])[] = [
        ['A=1', 1],
        [' B = -3 ', -3],
        ['C=2.5', 2.5],
        ['D=#T', true],
        ['E=false', false],
        ['F="5"', '5'],
        ['G="a, b=c"', 'a, b=c'],
        ['H="say ""hi"""', 'say "hi"'],
        ["I='#T'", '#T'],
        ['J=plain text', 'plain text'],
        ["K=it's", "it's"],
        ['L=a=b', 'a=b'],
        ['M=2024-05-01', '2024-05-01'],
        ['N=[1, 2, 3]', [1, 2, 3]],
        ['O=["a,b", \'c\']', ['a,b', 'c']],
        ['P=[]', []],
    ];

    beforeAll(() => {
        fs.mkdirSync(join(repository(), 'sub'), { recursive: true });
        fs.writeFileSync(join(repository(), 'sub/echo.rulelang'), '@param("X", 0). a(V) :- V = ?X. @output("a").');
        fs.writeFileSync(
            join(repository(), 'undeclared.rulelang'),
            `a(${VALUES.map(([text]) => `?${text.trim().charAt(0)}`)}). @output("a").`,
        );
        fs.writeFileSync(join(repository(), 'bad.rulelang'), 'a(');
        fs.writeFileSync(`${services.data}/outside.rulelang`, 'a(1). @output("a").');
        fs.symlinkSync(`${services.data}/outside.rulelang`, join(repository(), 'link.rulelang'));
    });

    test('parameters come before defaults', async () => {
        expect((await ask({ programName: 'sub/echo.rulelang' })).body.resultSet).toEqual({ a: [[0]] });
        expect((await send('POST', `${path}?programName=sub/echo.rulelang&params=X%3D6`)).body).toEqual({
            id: expect.any(Number),
            resultSet: { a: [[6]] },
            types: { a: ['INT'] },
            columnNames: { a: ['V'] },
        });
    });

    test('params are values of every kind', async () => {
        const params = [...VALUES.map(([text]) => text), 'unused=1'].join();
        const row = VALUES.map(([, value]) => value);
        expect((await ask({ programName: 'undeclared.rulelang', params })).body.resultSet).toEqual({ a: [row] });
    });

    test.each([
        [{}, 'MISSING_PARAMETER'],
        [{ programName: ' ' }, 'MISSING_PARAMETER'],
        [{ programName: 'nowhere.rulelang' }, 'NOT_FOUND'],
        [{ programName: 'sub' }, 'NOT_FOUND'],
        [{ programName: 'link.rulelang' }, 'INVALID_PARAMETER'],
        [{ programName: '../../outside.rulelang' }, 'INVALID_PARAMETER'],
        [{ programName: 'sub/../sub/echo.rulelang' }, 'INVALID_PARAMETER'],
        [{ programName: 'sub\\echo.rulelang' }, 'INVALID_PARAMETER'],
        [{ programName: '/etc/passwd' }, 'INVALID_PARAMETER'],
        [{ programName: 'a\0b' }, 'INVALID_PARAMETER'],
        [{ programName: '~/x' }, 'INVALID_PARAMETER'],
        [{ programName: 'file:x' }, 'INVALID_PARAMETER'],
        [{ programName: 'sub/echo.rulelang', params: 'X' }, 'INVALID_PARAMETER'],
        [{ programName: 'sub/echo.rulelang', params: '=1' }, 'INVALID_PARAMETER'],
        [{ programName: 'sub/echo.rulelang', params: 'X="a' }, 'INVALID_PARAMETER'],
        [{ programName: 'sub/echo.rulelang', params: 'X=1,' }, 'INVALID_PARAMETER'],
        [{ programName: 'bad.rulelang' }, 'MALFORMED_PROGRAM'],
    ] as [Record<string, string>, string][])('%j is %s', async (fields, error) => {
        const found = await ask(fields);
        expect([found.status, found.body.error]).toEqual([400, error]);
        expect(found.text).not.toContain(services.data);
    });

    test('properties are set before the evaluation and stay, also where it fails', async () => {
        const at = `${path}Prop`;
        const properties = (): string => fs.readFileSync(join(services.data, 'engine/engine.properties'), 'utf8');
        const set = await ask({ programName: 'sub/echo.rulelang', params: 'X=2', prop: 'a.b=1, c="x, y"' }, at);
        expect(set.body.resultSet).toEqual({ a: [[2]] });
        expect((await ask({ programName: 'bad.rulelang', prop: 'd=canary-property' }, at)).body.error).toBe('MALFORMED_PROGRAM');
        for (const line of ['a.b=1', 'c=x, y', 'd=canary-property']) expect(properties().split('\n')).toContain(line);
        for (const prop of ['1a=2', 'a b=2', 'a', '=x', `${'x'.repeat(129)}=1`]) {
            const found = await ask({ programName: 'sub/echo.rulelang', prop }, at);
            expect([found.status, found.body.error]).toEqual([400, 'INVALID_PARAMETER']);
        }
        expect((await ask({ programName: 'sub/echo.rulelang' }, at)).status).toBe(200);
        expect(services.log()).not.toContain('canary');
        expect((await ask({ programName: 'x' }, `${path}Props`)).body.error).toBe('ROUTE_NOT_FOUND');
        expect((await send('GET', at)).body.error).toBe('METHOD_NOT_ALLOWED');
    });
});
