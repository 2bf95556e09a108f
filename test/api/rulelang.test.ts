import fs from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callsTo, V1 } from './calls.ts';
import { type Answered, type Services, startServices } from './services.ts';

let services: Services;
const { call, post, get } = callsTo(() => services);

beforeAll(async () => {
    services = await startServices({ 'people.csv': 'ada,36\nbob,41\n' });
});
afterAll(() => services.stop());

describe('rule tools', () => {
    test('analyze', async () => {
        const found = await post('/rulelang/analyze', { program: 'expensive(P) :- products(P,R), R > 100.' });
        expect(found.body).toEqual({
            data: { headPredicates: ['expensive'], inputPredicates: ['products'] },
            message: 'Program analyzed',
            status: 'success',
        });
    });

    test('analyze of SQL', async () => {
        const sql = { program: 'with t as (select * from a) select * from t join b on 1=1', conceptType: 'sql' };
        expect((await post('/rulelang/analyze', { ...sql, conceptName: 'c' })).body.data).toEqual({
            headPredicates: ['c'],
            inputPredicates: ['a', 'b'],
        });
        for (const more of [{}, { conceptName: '' }]) {
            const { body } = await post('/rulelang/analyze', { ...sql, ...more });
            expect(body.details?.fields).toMatchObject([{ path: 'conceptName', issue: 'missing' }]);
        }
        expect((await post('/rulelang/analyze', { program: 'a(1).', conceptName: '' })).status).toBe(200);
        expect((await post('/rulelang/analyze', { ...sql, program: 'drop table a', conceptName: 'c' })).body.code).toBe('sql_invalid');
    });

    test.each(['x', 'SQL', ''])("concept type '%s'", async conceptType => {
        const { status, body } = await post('/rulelang/analyze', { program: 'a(1).', conceptType });
        expect([status, body.code, body.message]).toEqual([
            400,
            'invalid_concept_type',
            `Unknown concept type '${conceptType}'; use 'logic' or 'sql'`,
        ]);
    });

    test('a program that does not parse, again and again', async () => {
        for (let i = 0; i < 3; i++) {
            const { status, body } = await post('/rulelang/analyze', { program: 'a(1).\nb(X :- a(X).' });
            expect([status, body.code]).toEqual([422, 'program_invalid']);
            expect(body.message).toMatch(/^Program is not valid: line 2, column \d+: /u);
            expect(body.details?.diagnostics).toMatchObject([{ severity: 'error', line: 2, code: expect.stringMatching(/^RL/u) }]);
        }
    });

    test('parse-binds and build-bind', async () => {
        const annotation = '@bind("p","csv useHeaders=true","/data","p.csv").';
        const parsed = await post('/rulelang/parse-binds', { program: `${annotation}\n% all\nq(X) :- p(X).`, outputPredicate: '' });
        expect(parsed.body.data).toEqual({
            code: '% all\nq(X) :- p(X).',
            binds: {
                input: [
                    {
                        predicate: 'p',
                        annotation,
                        kind: 'bind',
                        source_type: 'csv',
                        options: { useHeaders: 'true' },
                        container: '/data',
                        target: 'p.csv',
                    },
                ],
                output: [],
            },
        });
        const built = await post('/rulelang/build-bind', { bindAnnotation: annotation, predicateName: 'out', isOutput: true });
        expect(built.body).toMatchObject({
            data: { annotation: '@bind("out","csv useHeaders=true","/data","out.csv").' },
            message: 'Bind annotation built',
        });
        expect((await post('/rulelang/build-bind', { bindAnnotation: 'a(1).', predicateName: 'out' })).body.code).toBe('bind_invalid');
        expect((await post('/rulelang/build-bind', { bindAnnotation: annotation, predicateName: 'not' })).body.code).toBe(
            'validation_error',
        );
    });

    test('a large program keeps nobody waiting', async () => {
        const program = 'a(X) :- b(X, "some text"), c(X), not d(X).\n'.repeat(5_000);
        let isDone = false;
        const large = post('/rulelang/analyze', { program }).then(found => {
            isDone = true;
            return found;
        });
        for (; !isDone; await new Promise(resolve => setTimeout(resolve, 20))) expect((await get('/rulelang/status')).status).toBe(200);
        expect((await large).body.data).toEqual({ headPredicates: ['a'], inputPredicates: ['b', 'c', 'd'] });
    });
});

const ENDLESS = 'n(1). n(Y) :- n(X), Y = X + 1, X < 100000000000. @output("n").';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const form = (fields: Readonly<Record<string, string>>): string => new URLSearchParams(fields).toString();

async function untilStatus(holds: (status: { running: number; waiting: number }) => boolean): Promise<void> {
    for (;;) {
        const { data } = (await get('/rulelang/status')).body;
        if (holds(data as { running: number; waiting: number })) return;
        await new Promise(resolve => setTimeout(resolve, 20));
    }
}

describe('evaluation', () => {
    const evaluate = (program: string, more: object = {}): Promise<Answered> => post('/rulelang/evaluate', { program, ...more });

    let first = 0;
    test('values of every kind, and names that objects have', async () => {
        const program =
            'a(1, 9007199254740993, 2.5, "t", #T, 2024-05-01, 2024-05-01 10:00:00, [1,2], {2,1}). b(X, Z) :- a(X,_,_,_,_,_,_,_,_). e(X) :- a(X,2,_,_,_,_,_,_,_). constructor(1). toString(2). @output("a"). @output("b"). @output("e"). @output("constructor"). @output("toString").';
        const { status, body, text } = await evaluate(program);
        expect(status).toBe(200);
        expect(body).toMatchObject({ message: 'Program evaluated', status: 'success' });
        expect(body.data).toMatchObject({
            id: expect.any(Number),
            resultSet: {
                a: [[1, '9007199254740993', 2.5, 't', true, '2024-05-01', '2024-05-01T10:00:00', [1, 2], [1, 2]]],
                b: [[1, '_:n1']],
                e: [],
            },
            types: { a: ['INT', 'INT', 'DOUBLE', 'STRING', 'BOOLEAN', 'DATE', 'DATETIME', 'LIST', 'SET'] },
            columnNames: { b: ['X', 'Z'], e: ['X'] },
        });
        expect(text).toContain('"e":[],"constructor":[[1]],"toString":[[2]]}');
        first = (body.data as { id: number }).id;
    });

    test('no outputs; numbers of evaluations go up', async () => {
        expect((await evaluate('a(1).')).body.data).toMatchObject({ id: first + 1, resultSet: {}, types: {}, columnNames: {} });
    });

    test('parameters', async () => {
        const names = ['absent', 'given', 'none', 'text'];
        const declared = names.map(name => `@param("${name}",1).`).join(' ');
        const params = { given: 7, none: null, text: '7', unused: 'x' };
        const found = await evaluate(`${declared} a(${names.map(name => `?${name}`)}). @output("a").`, { params });
        expect(found.body.data).toMatchObject({ resultSet: { a: [[1, 7, 1, 7]] } });
    });

    test('parameters that are not declared are values, not text of the program', async () => {
        const given = ['"), b(1', '5', '#T', '2024-05-01', '"a"', 5, 1.5, false, ['1', 2], 1e300];
        const program = `a(${given.map((_, i) => `?p${i}`)}). @output("a").`;
        const params = Object.fromEntries(given.map((value, i) => [`p${i}`, value]));
        const { data } = (await evaluate(program, { params })).body as { data: { types: { a: string[] } } };
        expect(data).toMatchObject({ resultSet: { a: [given] } });
        expect(data.types.a.at(-1)).toBe('DOUBLE');
    });

    test('parameters that are missing, or no values', async () => {
        const missing = await evaluate('a(X) :- X = ?city. @output("a").');
        expect([missing.status, missing.body.code, missing.body.details]).toEqual([422, 'missing_parameter', { parameters: ['city'] }]);
        const bad = await evaluate('a(?p).', { params: { p: { x: 1 } } });
        expect([bad.status, bad.body.code, bad.body.message]).toEqual([
            400,
            'invalid_param_value',
            "Parameter 'p' has an unsupported value",
        ]);
        expect((await evaluate('a(?p).', { params: [] })).body.code).toBe('validation_error');
    });

    test.each([
        [{ backend: 'local' }, 200, undefined],
        [null, 200, undefined],
        [{ backend: 'duckdb' }, 200, undefined],
        [{ backend: 'spark' }, 503, 'compute_unavailable'],
        [{ backend: 'nowhere' }, 400, 'invalid_compute'],
        [{}, 400, 'invalid_compute'],
        ['local', 400, 'invalid_compute'],
        [{ backend: 'local', timeout_seconds: 0 }, 400, 'invalid_compute'],
        [{ backend: 'local', timeout_seconds: 601 }, 400, 'invalid_compute'],
        [{ backend: 'local', options: { a: 1 } }, 400, 'invalid_compute'],
        [{ backend: 'local', connection: { port: 'x', password: 'canary' } }, 400, 'invalid_compute'],
    ])('compute %j answers %d', async (compute, status, code) => {
        const found = await evaluate('a(1). @output("a").', { compute });
        expect([found.status, found.body.code]).toEqual([status, code]);
        expect(found.text).not.toContain('canary');
    });

    test.each([
        ['a(X) :- ', 422, 'program_invalid'],
        ['a(X) :- b(Y), X = nowhere(Y). b(1). @output("a").', 422, 'program_invalid'],
        ['b(0). a(X) :- b(Y), X = 1 / Y. @output("a").', 422, 'evaluation_failed'],
        ['@include("nowhere"). a(1). @output("a").', 422, 'program_invalid'],
        ['', 400, 'validation_error'],
    ])('%s answers %d', async (program, status, code) => {
        const found = await evaluate(program);
        expect([found.status, found.body.code, found.body.data]).toEqual([status, code, null]);
    });

    test.each([
        ['@bind("a","postgresql","db","t"). b(X) :- a(X).', 'postgresql', 't'],
        ['@bind("a","csv","","people.csv"). a(X, Y) :- c(X, Y). @bind("c","json","/nowhere","c.json"). b(X) :- a(X, _).', 'json', 'c.json'],
        ['@qbind("a","oracle","oracle://ada:canary@h/db","select 1"). b(X) :- a(X).', 'oracle', 'oracle://h/db'],
        ['@bind("b","json","/nowhere/else","b.json"). b(1).', 'json', 'b.json'],
        ['@input("a"). b(X) :- a(X).', 'input', 'a'],
    ])('the source of %s is named', async (program, type, name) => {
        const { status, body, text } = await evaluate(`${program} @output("b").`);
        expect([status, body.code, body.data, body.details?.source]).toEqual([422, 'source_unavailable', null, { type, name }]);
        expect(body.message?.startsWith(`Cannot read ${type} source '${name}': `)).toBe(true);
        expect(text).not.toContain('canary');
    });

    test('files of the folder are read and written; those of the services are not', async () => {
        const binds = '@bind("people","csv","","people.csv"). @bind("p","csv","","written.csv").';
        const read = await evaluate(`${binds} p(N) :- people(N,_). @output("p").`);
        expect(read.body.data).toMatchObject({ resultSet: { p: [['ada'], ['bob']] } });
        expect(fs.readFileSync(join(services.folder, 'written.csv'), 'utf8')).toBe('ada\nbob\n');
        fs.symlinkSync(join(services.data, 'auth'), join(services.folder, 'link'));
        for (const folder of [join(services.data, 'auth'), 'link', `../${services.data.split('/').at(-1)}/auth`]) {
            const token = await evaluate(`@bind("t","csv","${folder}","token"). p(X) :- t(X). @output("p").`);
            expect([token.status, token.body.code]).toEqual([422, 'source_unavailable']);
            expect(token.text).not.toContain(services.token);
            const write = await evaluate(`p(1). @output("p"). @bind("p","csv","${folder}","x.csv").`);
            expect(write.status).toBe(422);
        }
        expect(fs.readdirSync(join(services.data, 'auth')).sort()).toEqual(['key', 'token']);
    });

    test('a time limit', async () => {
        const found = await evaluate(ENDLESS, { compute: { backend: 'local', timeout_seconds: 1 } });
        expect([found.status, found.body.code, found.body.message]).toEqual([504, 'evaluation_timeout', 'Evaluation exceeded 1 s']);
    });

    test('stop ends what runs and what waits', async () => {
        const running = [
            evaluate(ENDLESS),
            evaluate(ENDLESS),
            call('POST', `${V1}/rulelang/evaluateWithParams`, { text: form({ program: ENDLESS }), headers: FORM }),
        ];
        await untilStatus(({ running: now, waiting }) => now === 1 && waiting === 2);
        expect((await get('/rulelang/status')).body.data).toMatchObject({ status: 'busy' });
        expect((await get('/rulelang/stop')).body).toEqual({ data: { stopped: 3 }, message: 'Evaluation stopped', status: 'success' });
        const [first, second, third] = await Promise.all(running);
        for (const found of [first, second])
            expect([found?.status, found?.body.status, found?.body.code]).toEqual([409, 'conflict', 'evaluation_stopped']);
        expect([third?.status, third?.body.error]).toEqual([500, 'STOPPED']);
        expect((await get('/rulelang/stop')).body).toMatchObject({ data: { stopped: 0 }, message: 'No evaluation in progress' });
        await untilStatus(({ running: now }) => now === 0);
        expect((await get('/rulelang/status')).body).toMatchObject({
            message: 'Evaluation service status retrieved',
            data: { status: 'ready', running: 0, waiting: 0, timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/u) },
        });
    });

    describe('of what would be if something were otherwise', () => {
        const program =
            '@output("reach"). @output("n"). @param("least", 1). road("a", "b"). road("b", "c"). reach(X, Y) :- road(X, Y). reach(X, Z) :- reach(X, Y), road(Y, Z). n(X, N) :- reach(X, Y), N = mcount(1, <Y>), N >= ?least.';
        const whatIf = (more: object): Promise<Answered> => post('/rulelang/whatIf', { program, ...more });

        test('tells the rows that would come and go', async () => {
            const { status, body } = await whatIf({ without: ['road("b", _)'], with: ['road("b", "d").', 'reach(X, X) :- road(X, _)'] });
            expect({ status, message: body.message }).toEqual({ status: 200, message: 'Differences found' });
            expect(body.data).toEqual({
                id: expect.any(Number),
                added: {
                    reach: [
                        ['a', 'a'],
                        ['a', 'd'],
                        ['b', 'b'],
                        ['b', 'd'],
                    ],
                    n: [
                        ['a', 3],
                        ['b', 2],
                    ],
                },
                removed: {
                    reach: [
                        ['a', 'c'],
                        ['b', 'c'],
                    ],
                    n: [
                        ['a', 2],
                        ['b', 1],
                    ],
                },
                rows: { reach: 3, n: 2 },
                types: { reach: ['STRING', 'STRING'], n: ['STRING', 'INT'] },
                columnNames: { reach: ['X', 'Y'], n: ['X', 'N'] },
            });
            expect((await whatIf({ set: { least: 2 } })).body.data).toMatchObject({
                added: { n: [] },
                removed: { reach: [], n: [['b', 1]] },
            });
        });

        test('evaluates anew what results cannot follow', async () => {
            const why = 'Rules make values equal';
            const own = 'p("a"). p("b"). q(X, Y) :- p(X). Y = Z :- q(X, Y), q(X, Z). @output("q").';
            const { status, body } = await post('/rulelang/whatIf', { program: own, without: ['p("b")'] });
            expect({ status, data: body.data }).toMatchObject({
                status: 200,
                data: { added: { q: [] }, removed: { q: [['b', expect.any(String)]] }, rows: { q: 2 }, evaluatedAnew: why },
            });
            const { body: derived } = await post('/rulelang/whatIf', { program: own, without: ['q("b", _)'] });
            expect(derived.message).toContain(`Rows that rules derive cannot be taken away in this program: ${why}`);
        });

        test.each([
            [{ without: ['road("x", _)'] }, `No fact fits 'road("x", _)'`],
            [{ without: ['road(X'] }, `'road(X' is neither a fact nor a rule; write it as in a program`],
            [{ with: ['reach(X, Y) :- road(X, Y), Z > 3'] }, `The changed program has an error: 'Z' is used here but never bound`],
        ])('refuses %j', async (more, words) => {
            const { status, body } = await whatIf(more);
            expect({ status, code: body.code }).toEqual({ status: 422, code: 'evaluation_failed' });
            expect(body.message).toContain(words);
        });
    });

    test('a client that goes away takes its evaluation with it', async () => {
        const abort = new AbortController();
        const gone = evaluate(ENDLESS).catch(() => undefined);
        const left = post('/rulelang/evaluate', { program: ENDLESS }, { signal: abort.signal }).catch(() => undefined);
        await untilStatus(({ running, waiting }) => running === 1 && waiting === 1);
        abort.abort();
        await untilStatus(({ waiting }) => waiting === 0);
        await get('/rulelang/stop');
        await Promise.all([gone, left]);
        await untilStatus(({ running }) => running === 0);
    });

    test('the 33rd that would wait is refused', async () => {
        const all = Array.from({ length: 33 }, () => evaluate(ENDLESS));
        await untilStatus(({ running, waiting }) => running === 1 && waiting === 32);
        const refused = await evaluate(ENDLESS);
        expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([503, 'engine_busy', '1']);
        expect((await get('/rulelang/stop')).body.data).toEqual({ stopped: 33 });
        for (const found of await Promise.all(all)) expect(found.status).toBe(409);
    });

    test('a large result comes whole, and a reader that leaves ends it', async () => {
        const program =
            'd(0). d(1). d(2). d(3). d(4). d(5). d(6). d(7). d(8). d(9). p(A,B,C,D,E) :- d(A), d(B), d(C), d(D), d(E). @output("p").';
        const { body } = await evaluate(program);
        const rows = (body.data as { resultSet: { p: readonly (readonly number[])[] } }).resultSet.p;
        expect(rows.length).toBe(100_000);
        expect([rows[0], rows[99_999]]).toEqual([
            [0, 0, 0, 0, 0],
            [9, 9, 9, 9, 9],
        ]);
        const abort = new AbortController();
        const response = await fetch(`${services.base}${V1}/rulelang/evaluate`, {
            method: 'POST',
            headers: { authorization: `Bearer ${services.token}`, 'content-type': 'application/json' },
            body: JSON.stringify({ program }),
            signal: abort.signal,
        });
        await response.body?.getReader().read();
        abort.abort();
        await untilStatus(({ running }) => running === 0);
    });

    test('more rows than there may be', async () => {
        const program = `${Array.from({ length: 101 }, (_, i) => `d(${i}).`).join(' ')} p(A,B,C) :- d(A), d(B), d(C). @output("p").`;
        const found = await evaluate(program);
        expect([found.status, found.body.code, found.body.message]).toEqual([422, 'result_too_large', "More than 1000000 rows in 'p'"]);
    });
});
