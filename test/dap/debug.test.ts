import { join } from 'node:path';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { afterEach, expect, test } from 'vitest';
import { type BreakpointsToSet, DebugClient } from './debug-client.ts';

const REACH = `edge("a", "b"). edge("b", "c"). edge("c", "d").
reach(X, Y) <- edge(X, Y).
reach(X, Z) <-
    reach(X, Y), edge(Y, Z).
% Nothing stands here.
@output("sink").
sink(X) <- reach(_, X), not edge(X, _).
`;

const SAMPLES = join(import.meta.dirname, '../../samples');

const clients: DebugClient[] = [];
afterEach(() => {
    for (const client of clients.splice(0)) client.kill();
});

function client(
    files: Readonly<Record<string, string>> = { 'p.rulelang': REACH },
    args: readonly string[] = [],
    folder?: string,
): DebugClient {
    const made = new DebugClient(files, args, folder);
    clients.push(made);
    return made;
}

async function launched(
    args: object = {},
    set: BreakpointsToSet = {},
    text = REACH,
): Promise<{ client: DebugClient; stopped: DebugProtocol.Event }> {
    const made = client({ 'p.rulelang': text });
    return { client: made, stopped: await made.launch('p.rulelang', args, set) };
}

const breakpoint = (...lines: number[]): BreakpointsToSet => ({ rules: { 'p.rulelang': lines.map(line => ({ line })) } });
const top = async (one: DebugClient): Promise<string> => (await one.stack())[0]?.name ?? '';

test('a breakpoint on a rule stops at each of its matches, with variables, premises and the rows so far', async () => {
    const { client, stopped } = await launched({}, breakpoint(4));
    expect(stopped.body).toMatchObject({ reason: 'breakpoint', threadId: 1 });
    const stack = await client.stack();
    expect(stack.map(({ name, line, source }) => `${name} ${source?.name}:${line}`)).toEqual([
        'reach("a","c") p.rulelang:3',
        'reach("a","b") p.rulelang:2',
        'edge("a","b") p.rulelang:1',
    ]);
    expect(stack[0]?.source?.path).toBe(client.path('p.rulelang'));
    expect(await client.scope('Match')).toEqual(['X = "a"', 'Z = "c"', 'Y = "b"']);
    expect(await client.scope('Premises')).toEqual(['1 = reach("a","b")', '2 = edge("b","c")']);
    expect(await client.scope('Relations')).toEqual(['edge/2 = 3 rows', 'reach/2 = 3 rows', 'sink/1 = 0 rows']);
    expect(await client.rows('reach')).toEqual(['reach("a","b")', 'reach("b","c")', 'reach("c","d")']);
    await client.stops(() => client.request('continue'));
    expect(await top(client)).toBe('reach("b","d")');
    expect(await client.rows('reach(X, "c")')).toEqual(['reach("a","c")', 'reach("b","c")']);
    await client.stops(() => client.request('continue'));
    const end = await client.stops(() => client.request('continue'));
    expect(end.body.reason).toBe('end');
    expect(await client.rows('sink(_)')).toEqual(['sink("d")']);
    expect((await client.stops(() => client.request('continue'))).event).toBe('terminated');
    expect(client.events.find(({ event }) => event === 'exited')?.body).toEqual({ exitCode: 0 });
    expect(await client.close()).toBe(0);
});

test('steps go by match, rule, round and stratum, and back again', async () => {
    const { client, stopped } = await launched({ stopOnEntry: true });
    expect(stopped.body.reason).toBe('entry');
    const seen: string[] = [];
    const go = async (command: string, args?: object): Promise<string> => {
        await client.stops(() => client.request(command, args));
        return await top(client);
    };
    const first = [await client.scope('Match'), await client.scope('Relations')];
    expect(await top(client)).toBe('reach("a","b")');
    expect(await go('stepIn')).toBe('reach("b","c")');
    expect(await go('next')).toBe('reach("a","c")');
    expect(await go('stepBack')).toBe('reach("c","d")');
    expect(await go('stepOut')).toBe('reach("a","c")');
    expect(await go('stride', { by: 'stratum' })).toBe('sink("d")');
    expect(await go('stride', { by: 'round', back: true })).toBe('reach("a","d")');
    expect(await go('stride', { by: 'stratum', back: true })).toBe('reach("a","b")');
    for (let name = await top(client); !name.startsWith('the end'); name = await go('stepIn')) seen.push(name);
    expect(seen.sort()).toEqual([...(await client.rows('reach')), ...(await client.rows('sink'))].sort());
    for (let left = seen.length; left > 0; left--) await go('stepBack');
    expect([await client.scope('Match'), await client.scope('Relations')]).toEqual(first);
    expect((await client.stops(() => client.request('stepBack'))).body.reason).toBe('entry');
    await expect(client.request('stride', { by: 'mile' })).rejects.toThrow('A stride is one of match, rule, round, stratum');
});

test('conditions, hit counts and log points hold whichever way one comes', async () => {
    const { client } = await launched(
        {},
        {
            rules: {
                'p.rulelang': [
                    { line: 2, logMessage: 'from {X} to {Y}, {reach} rows' },
                    { line: 3, condition: 'Z = "d", reach(X, "c")' },
                    { line: 7, hitCondition: '1' },
                ],
            },
        },
    );
    expect(await top(client)).toBe('reach("b","d")');
    const logged = client.events.filter(({ event, body }) => event === 'output' && body.output.startsWith('from'));
    expect(logged.map(({ body }) => `${body.line}: ${body.output}`)).toEqual([
        '2: from "a" to "b", 0 rows\n',
        '2: from "b" to "c", 1 rows\n',
        '2: from "c" to "d", 2 rows\n',
    ]);
    await client.stops(() => client.request('continue'));
    expect(await top(client)).toBe('reach("a","d")');
    await client.stops(() => client.request('continue'));
    expect(await top(client)).toBe('sink("d")');
    await client.stops(() => client.request('reverseContinue'));
    expect(await top(client)).toBe('reach("a","d")');
    const { breakpoints } = await client.request('setBreakpoints', {
        source: { path: client.path('p.rulelang') },
        breakpoints: [{ line: 5 }, { line: 4, hitCondition: '2' }, { line: 4, condition: 'X >' }, { line: 4, hitCondition: 'often' }],
    });
    expect(breakpoints.map(({ verified, line }: DebugProtocol.Breakpoint) => [verified, line])).toEqual([
        [false, 5],
        [true, 3],
        [false, 3],
        [false, 3],
    ]);
    expect(breakpoints[0].message).toBe('No rule stands in this line');
    await client.stops(() => client.request('reverseContinue'));
    expect(await top(client)).toBe('reach("b","d")');
});

test('it stops where rows are derived that are asked for, also by a variable that is repeated', async () => {
    const { client, stopped } = await launched({}, { facts: [{ name: 'reach("b",X)' }, { name: 'none' }, { name: 'reach(X,X)' }] });
    expect(stopped.body).toMatchObject({ reason: 'function breakpoint' });
    expect(await top(client)).toBe('reach("b","c")');
    await client.stops(() => client.request('continue'));
    expect(await top(client)).toBe('reach("b","d")');
    expect((await client.stops(() => client.request('continue'))).body.reason).toBe('end');
    const { breakpoints } = await client.request('setFunctionBreakpoints', { breakpoints: [{ name: 'reach(1)' }, { name: 'sink' }] });
    expect(breakpoints[0]).toMatchObject({ verified: false, message: "'reach' has 2 columns, not 1" });
    await client.stops(() => client.request('reverseContinue'));
    expect(await top(client)).toBe('sink("d")');
});

test('unknown values and equalities are stopped at like exceptions', async () => {
    const text = `person("ada"). person("bob"). dept("bob", "law").
dept(X, D) <- person(X).
D = E <- dept(X, D), dept(X, E).
@output("dept").
`;
    const { client, stopped } = await launched({}, { filters: [{ filterId: 'nulls' }, { filterId: 'merges' }] }, text);
    expect(stopped.body).toMatchObject({ reason: 'exception', text: 'Unknown values: dept("ada",z1)' });
    expect(await client.request('exceptionInfo')).toMatchObject({ exceptionId: 'Unknown values', description: 'dept("ada",z1)' });
    expect(await client.scope('Match')).toEqual(['X = "ada"', 'D = z1']);
});

test('expressions are answered with values, rows and words that say what is wrong', async () => {
    const { client } = await launched({}, breakpoint(3));
    const ask = async (expression: string): Promise<string> => (await client.request('evaluate', { expression })).result;
    expect(await ask('X')).toBe('"a"');
    expect(await ask('concat(X, Z)')).toBe('"ac"');
    expect(await ask('Z == "c"')).toBe('#T');
    expect(await ask('not reach(X, Z)')).toBe('#T');
    expect(await ask('reach("a", X)')).toBe('1 row');
    expect(await ask('reach/2')).toBe('3 rows');
    for (const wrong of ['W', 'reach(1)', 'X +', 'nothing(X)', 'msum(X)', '1 / 0', '']) await expect(ask(wrong), wrong).rejects.toThrow();
    const [, frame] = await client.stack();
    expect((await client.request('evaluate', { expression: 'Y', frameId: frame?.id })).result).toBe('"b"');
});

test('a row is gone back to from what rests on it', async () => {
    const { client } = await launched({ stopAtEnd: true }, { facts: [{ name: 'sink' }] });
    const stack = await client.stack();
    expect(stack.map(({ name }) => name)).toEqual(['sink("d")', 'reach("c","d")', 'edge("c","d")']);
    await client.stops(() => client.request('restartFrame', { frameId: stack[1]?.id }));
    expect(await top(client)).toBe('reach("c","d")');
    expect(await client.rows('reach')).toEqual(['reach("a","b")', 'reach("b","c")']);
    await expect(client.request('restartFrame', { frameId: 2 })).rejects.toThrow('This is given, no step derives it');
});

test('rows of a relation come in parts', async () => {
    const facts = Array.from({ length: 2500 }, (_, i) => `n(${i}).`).join(' ');
    const { client } = await launched({}, {}, `${facts}\n@output("m").\nm(X) <- n(X), X > 9.\n`);
    const { variablesReference, indexedVariables } = await client.request('evaluate', { expression: 'm' });
    expect(indexedVariables).toBe(2490);
    const part = await client.request('variables', { variablesReference, filter: 'indexed', start: 2400, count: 3 });
    expect(part.variables.map(({ name, value }: DebugProtocol.Variable) => `${name} ${value}`)).toEqual([
        '[2400] m(2410)',
        '[2401] m(2411)',
        '[2402] m(2412)',
    ]);
    const [row] = part.variables;
    expect(await client.children(row.variablesReference)).toMatchObject([{ name: 'X', value: '2410' }]);
    const all = await client.children(variablesReference);
    expect([all.length, all.at(-1)?.value]).toEqual([1001, 'and 1,490 more']);
});

test('a program in error is refused with its problems, and a run that fails ends with its code', async () => {
    const wrong = client({ 'p.rulelang': 'p(X) <- q(Y).\n' });
    await wrong.request('initialize', { adapterID: 'rulelang' });
    await expect(wrong.request('launch', { program: 'p.rulelang' })).rejects.toThrow(/The program has errors/u);
    expect(wrong.output()).toContain('error RL');
    await expect(wrong.request('launch', { program: 'none.rulelang' })).rejects.toThrow(/none.rulelang/u);
    await expect(wrong.request('launch', {})).rejects.toThrow("'program' has to be the path of a program");
    await expect(wrong.request('stackTrace', { threadId: 1 })).rejects.toThrow('There is nothing to go through');
    await expect(wrong.request('attach')).rejects.toThrow('A program is launched');

    const { client: failed, stopped } = await launched({}, {}, 'n(1). n(0).\n@output("p").\np(X) <- n(Y), X = 1 / Y.\n');
    expect(stopped.event).toBe('terminated');
    expect(failed.output()).toContain('RT011');
    expect(failed.events.find(({ event }) => event === 'exited')?.body).toEqual({ exitCode: 1 });
});

test('rows that violate a constraint can be looked at', async () => {
    const { client, stopped } = await launched({}, {}, `${REACH}#F <- sink(X), reach("a", X).\n`);
    expect(stopped.body.reason).toBe('end');
    expect(client.output()).toContain('RT041');
    expect(await client.rows('sink')).toEqual(['sink("d")']);
});

test('an endless evaluation ends at its limit, and when the client asks for it', async () => {
    const endless = '@output("n").\nn(0). n(M) <- n(N), M = N + 1.\n';
    const limited = client({ 'p.rulelang': endless }, ['--max-facts', '1000']);
    expect((await limited.launch('p.rulelang')).event).toBe('terminated');
    expect(limited.output()).toContain('RT031');

    const stopped = client({ 'p.rulelang': endless }, ['--max-rounds', '1000000000']);
    await stopped.request('initialize', { adapterID: 'rulelang' });
    await stopped.request('launch', { program: 'p.rulelang' });
    await stopped.request('configurationDone');
    const terminated = stopped.event('terminated');
    await stopped.request('terminate');
    await terminated;
    expect(await stopped.close()).toBe(0);
});

test('a restart evaluates the program that stands in its file by then', async () => {
    const { client } = await launched({}, { facts: [{ name: 'sink' }] });
    expect(await top(client)).toBe('sink("d")');
    const changed = new DebugClient({ 'p.rulelang': REACH.replace('edge("c", "d")', 'edge("c", "e")') }, [], client.folder);
    clients.push(changed);
    expect((await client.stops(() => client.request('restart', {}))).body.reason).toBe('function breakpoint');
    expect(await top(client)).toBe('sink("e")');
});

test('without debugging a program runs to its end', async () => {
    const { client, stopped } = await launched({ noDebug: true }, breakpoint(2));
    expect(stopped.event).toBe('terminated');
    expect(client.output()).toContain('7 rows are derived');
});

test.each(['control', 'reachability', 'parts'])('the sample %s is gone through', async name => {
    const one = client({}, [], join(SAMPLES, name));
    await one.launch(`${name}.rulelang`, { stopOnEntry: true });
    const first = await one.scope('Relations');
    for (let step = 0; step < 12; step++) {
        const before = await one.scope('Relations');
        expect((await one.stack()).length).toBeGreaterThan(1);
        await one.stops(() => one.request('stepIn'));
        await one.stops(() => one.request('stepBack'));
        expect(await one.scope('Relations'), await top(one)).toEqual(before);
        await one.stops(() => one.request('stepIn'));
    }
    const end = await one.stops(() => one.request('continue'));
    expect(end.body.reason).toBe('end');
    await one.stops(() => one.request('reverseContinue'));
    expect(await one.scope('Relations')).toEqual(first);
});

test('the call stack leads through groups to a line of a data file', async () => {
    const one = client({}, [], join(SAMPLES, 'control'));
    await one.launch('control.rulelang', {}, { facts: [{ name: 'head' }] });
    const stack = await one.stack();
    expect(stack.map(({ name }) => name.split('(')[0]).slice(0, 3)).toEqual(['head', 'controls', 'share']);
    expect(stack[3]?.name).toMatch(/^gives \d+$/u);
    expect(stack.at(-1)).toMatchObject({ presentationHint: 'subtle', source: { name: 'ownership.csv' } });
});
