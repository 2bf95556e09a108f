import fs from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rulelang } from '../cli/command-line.ts';
import { callsTo } from './calls.ts';
import { type Answered, type Services, startServices } from './services.ts';

let services: Services;
let viewer: string;
const { post, get, data } = callsTo(() => services);

interface Fact {
    readonly node: number;
    readonly text: string;
    readonly origin?: { readonly label: string; readonly kind: string };
    readonly expandable: boolean;
}
interface Derivation {
    readonly rule: string;
    readonly place: string;
    readonly premises: readonly Fact[];
}
interface Explained {
    readonly explanation_id: string;
    readonly changed_files: readonly string[];
    readonly fact: Fact;
    readonly derivations: readonly Derivation[];
    readonly words: string;
}

interface Absence {
    readonly fact: string;
    readonly kind: string;
    readonly reasons: readonly {
        readonly rule?: object;
        readonly holds: readonly object[];
        readonly lacks: readonly {
            readonly words: string;
            readonly places: readonly { readonly label: string }[];
            readonly node?: number;
        }[];
    }[];
}
interface Missing {
    readonly explanation_id: string;
    readonly changed_files: readonly string[];
    readonly absence?: Absence;
    readonly first?: { readonly words: string; readonly places: readonly { readonly label: string }[] };
    readonly facts?: readonly Fact[];
    readonly count?: number;
}

const asked = (concept: string, row: number, more: Record<string, string> = {}): Promise<Answered> =>
    get(`/concepts/p/explain?${new URLSearchParams({ concept_name: concept, row: String(row), ...more })}`, { token: viewer });
const explained = (...args: Parameters<typeof asked>): Promise<Explained> => data(asked(...args));
const expanded = (id: string, node: number, all = false): Promise<Derivation[]> =>
    data(get(`/concepts/p/expand?explanation_id=${id}&node=${node}&all=${all}`, { token: viewer }));
const save = (definition: string) => data(post('/concepts/p/save', { definition }));
const run = (concept: string, body: object = {}) => data<{ execution_id: string }>(post(`/concepts/p/run/${concept}`, body));
const refusal = async (answer: Promise<Answered>): Promise<unknown> => (await answer).body.code;

const PEOPLE = 'name,city\nAda,Rome\nBo,Pisa\nCy,Rome\n';

beforeAll(async () => {
    services = await startServices({ 'people.csv': PEOPLE });
    viewer = (await rulelang(services.folder, ['token', '--role', 'viewer', '--data-dir', services.data])).stdout.trim();
    await data(post('/projects/save', { project: { id: 'p', name: 'One' } }));
    await save('town("Rome", 3).\ntown("Pisa", 1).\n@output("town").');
    await save('@param("least", 2).\nlarge(T, N) :- town(T, N), N >= ?least.');
    await save(
        '@bind("person", "csv", ".", "people.csv").\n\nlives(P, T) :- person(P, T), large(T, _).\n@bind("lives", "csv", "out", "lives.csv").',
    );
    await run('large', { params: { least: 1 } });
    await run('lives');
});
afterAll(() => services.stop());

describe('a stored row is explained', () => {
    test('by the rule, the premises and where they were given, down through all concepts', async () => {
        const { explanation_id: id, changed_files: changed, fact, derivations, words } = await explained('lives', 1);
        expect([fact.text, changed]).toEqual(['lives("Cy","Rome")', []]);
        expect(derivations).toEqual([
            {
                rule: 'lives(P,T) <- person(P,T), large(T,_)',
                place: 'lives:3',
                premises: [
                    expect.objectContaining({
                        text: 'person("Cy","Rome")',
                        origin: { kind: 'source', label: 'people.csv:4' },
                        expandable: false,
                    }),
                    expect.objectContaining({ text: 'large("Rome",3)', origin: { kind: 'concept', label: 'large' }, expandable: true }),
                ],
            },
        ]);
        expect(words).toContain('lives("Cy","Rome")');
        const [large] = await expanded(id, derivations[0]?.premises[1]?.node ?? -1);
        expect(large).toMatchObject({ rule: 'large(T,N) <- town(T,N), N>=?least', place: 'large:2' });
        expect(large?.premises).toMatchObject([{ text: 'town("Rome",3)', origin: { kind: 'concept', label: 'town' }, expandable: true }]);
        expect(await expanded(id, large?.premises[0]?.node ?? -1)).toEqual([{ rule: 'town("Rome",3).', place: 'town:1', premises: [] }]);
        expect(await expanded(id, large?.premises[0]?.node ?? -1, true)).toHaveLength(1);
    });

    test('in the same process as long as its rows stay', async () => {
        const { explanation_id: first } = await explained('lives', 0);
        expect((await explained('lives', 1, { all: 'true' })).explanation_id).toBe(first);
        const before = await explained('large', 0);
        expect(before.fact.text).toBe('large("Pisa",1)');
        expect(before.explanation_id).not.toBe(first);
        // Two are kept; the one that was asked least recently goes.
        expect((await explained('lives', 0)).explanation_id).toBe(first);
        await run('town');
        await explained('town', 0);
        expect(await refusal(get(`/concepts/p/expand?explanation_id=${before.explanation_id}&node=1`))).toBe('explanation_not_found');
        expect((await explained('lives', 0)).explanation_id).toBe(first);
    });

    test('by what it was made with, not by what is saved now', async () => {
        await save('large(T, N) :- town(T, N), N > 1000.');
        await save('town("Rome", 30).\n@output("town").');
        const { derivations } = await explained('large', 1);
        expect(derivations[0]?.rule).toBe('large(T,N) <- town(T,N), N>=?least');
        expect((await explained('large', 0)).fact.text).toBe('large("Pisa",1)');
    });

    test('and no file is written meanwhile', async () => {
        fs.rmSync(join(services.folder, 'out'), { recursive: true });
        await data(
            post('/concepts/p/save', {
                definition:
                    '@bind("person", "csv", ".", "people.csv").\nnames(P) :- person(P, _).\n@bind("names", "csv", "out", "names.csv").',
            }),
        );
        await run('names');
        fs.rmSync(join(services.folder, 'out'), { recursive: true });
        expect((await explained('names', 2)).fact.text).toBe('names("Cy")');
        expect(fs.existsSync(join(services.folder, 'out'))).toBe(false);
    });

    test('with its made-up values', async () => {
        await save('mayor(T, M) :- town(T, N), N > 0.');
        await save('boss(M, Q) :- mayor(_, M).');
        await run('boss');
        const { fact, derivations, explanation_id: id } = await explained('boss', 0);
        expect(fact.text).toMatch(/^boss\(z\d+,z\d+\)$/u);
        const [mayor] = derivations[0]?.premises ?? [];
        const [made] = await expanded(id, mayor?.node ?? -1);
        expect(mayor?.text).toMatch(/^mayor\("Rome",z\d+\)$/u);
        expect(made?.premises.map(({ text }) => text)).toEqual(['town("Rome",30)']);
    });

    test('with all derivations, and the contributions to an aggregate', async () => {
        await save(
            'edge("a", "b", 1). edge("a", "c", 2). edge("b", "c", 4).\nsum(X, S) :- edge(X, _, W), S = msum(W).\nsum2(X) :- edge(X, _, _).\n@output("sum2").',
        );
        await run('sum2');
        expect((await explained('sum2', 0, { all: 'true' })).derivations).toHaveLength(2);
        expect((await explained('sum2', 0)).derivations).toHaveLength(1);
        await save(
            'weights(X, S) :- sums(X, S).\nsums(X, S) :- arc(X, _, W), S = sum(W).\narc("a", "b", 1). arc("a", "c", 2).\n@output("weights").',
        );
        await run('weights');
        const { derivations, explanation_id: id } = await explained('weights', 0);
        const [group] = (await expanded(id, derivations[0]?.premises[0]?.node ?? -1))[0]?.premises ?? [];
        expect(group).toMatchObject({ kind: 'group', expandable: true });
        expect(await expanded(id, group?.node ?? -1)).toMatchObject([{ gives: ['1'] }, { gives: ['2'] }]);
    });
});

describe('what has changed', () => {
    test('in a file is told with the explanation, or is why there is none', async () => {
        await run('names');
        fs.writeFileSync(join(services.folder, 'people.csv'), 'name,city\nZoe,Rome\nAda,Rome\n');
        const found = await explained('names', 0);
        expect([found.fact.text, found.changed_files, found.derivations[0]?.premises[0]?.origin?.label]).toEqual([
            'names("Ada")',
            ['people.csv'],
            'people.csv:3',
        ]);
        const { status, body } = await asked('names', 1);
        expect([status, body.code, body.message]).toEqual([
            422,
            'not_explainable',
            "A row of 'names' cannot be explained: this row does not come about any more: people.csv changed since it was stored",
        ]);
        fs.rmSync(join(services.folder, 'people.csv'));
        await run('names').catch(() => undefined);
        fs.writeFileSync(join(services.folder, 'people.csv'), PEOPLE);
    });

    test('among the rows is not mixed up', async () => {
        const { execution_id: first } = await run('names');
        expect((await explained('names', 0, { execution_id: first })).fact.text).toBe('names("Ada")');
        await run('names');
        expect(await refusal(asked('names', 0, { execution_id: first }))).toBe('results_replaced');
        expect(await refusal(asked('names', 4))).toBe('validation_error');
    });
});

test('what is not there is not explained', async () => {
    expect(await refusal(asked('nowhere', 0))).toBe('concept_not_found');
    await save('never(T) :- town(T, _).');
    expect(await refusal(asked('never', 0))).toBe('results_not_found');
    expect(await refusal(get('/concepts/p/expand?explanation_id=x&node=1'))).toBe('explanation_not_found');
});

describe('a missing row is explained', () => {
    const missing = (concept: string, question: string): Promise<Answered> =>
        get(`/concepts/p/missing?${new URLSearchParams({ concept_name: concept, question })}`, { token: viewer });
    const why = (concept: string, question: string): Promise<Missing> => data(missing(concept, question));
    const deeper = (id: string, node: number | undefined): Promise<Absence> =>
        data(get(`/concepts/p/absence?explanation_id=${id}&node=${node}`, { token: viewer }));
    beforeAll(async () => {
        await save('village("Bern", 4).\nvillage("Como", 1).\n@output("village").');
        await save('@param("least", 2).\nlively(V) :- village(V, N), N >= ?least.');
        await save('visit(P, V) :- person(P, _), lively(V).\n@bind("person", "csv", ".", "people.csv").');
        await save('nobody(V) :- village(V, N), N > 1000.');
        await save('none(V) :- nobody(V).');
        await Promise.all(['visit', 'none'].map(concept => run(concept)));
    });

    test('by what came nearest to it, down through the concepts that it rests on', async () => {
        const { explanation_id: id, changed_files: changed, absence, first } = await why('visit', 'visit("Ada", "Como")');
        expect([absence?.fact, absence?.kind, changed]).toEqual(['visit("Ada","Como")', 'missing', []]);
        const [reason] = absence?.reasons ?? [];
        expect(reason?.rule).toMatchObject({ text: 'visit(P,V) <- person(P,_), lively(V)', place: { label: 'visit:1' } });
        expect(reason?.holds).toMatchObject([{ fact: { text: 'person("Ada","Rome")', origin: { label: 'people.csv:2' } } }]);
        expect(reason?.lacks.map(({ words }) => words)).toEqual(['lively("Como") is not given']);
        const below = await deeper(id, reason?.lacks[0]?.node);
        expect(below.reasons[0]?.lacks[0]?.words).toMatch(/^N >= \?least does not hold: N is 1/u);
        expect(below.reasons[0]?.lacks[0]?.places[0]?.label).toBe('lively:2');
        expect(first).toMatchObject({ words: below.reasons[0]?.lacks[0]?.words, places: [{ label: 'lively:2' }] });
    });

    test('or is there', async () => {
        const { absence, facts, count } = await why('visit', 'visit(_, "Bern")');
        expect([absence, count, facts?.[0]?.text]).toEqual([undefined, 4, 'visit("Ada","Bern")']);
    });

    test('and so is a concept without any', async () => {
        const { explanation_id: id, absence, first } = await why('none', 'none(_)');
        expect([absence?.kind, absence?.reasons[0]?.lacks[0]?.words]).toEqual(['empty', 'nobody has no facts']);
        const below = await deeper(id, absence?.reasons[0]?.lacks[0]?.node);
        expect(below.reasons[0]?.lacks[0]?.words).toBe('N > 1000 holds for none of the 2 matches: in the first, N is 4');
        expect(first?.places[0]?.label).toBe('nobody:1');
    });

    test.each(['visit("Ada"', 'lively("Bern")', 'visit("Ada")', 'visit(_, _) :- person(_, _)'])(
        '%s is no question about it',
        async question => {
            const { body } = await missing('visit', question);
            expect([body.code, body.message]).toEqual([
                'validation_error',
                'Invalid request: question must be a row of visit, with _ for any value: visit(_, _)',
            ]);
        },
    );
});

test('explanations have a short queue of their own, in which they can be stopped: no run waits for them', async () => {
    fs.writeFileSync(join(services.folder, 'most.csv'), '1\n');
    await save(
        '@bind("most", "csv", ".", "most.csv"). n(1). n(Y) :- n(X), most(M), Y = X + 1, X < as_int(M). deep(X) :- n(X). @output("deep").',
    );
    await save('quick(1). @output("quick").');
    await run('deep');
    // Evaluated again for an explanation, it does not end.
    fs.writeFileSync(join(services.folder, 'most.csv'), '2000000000\n');
    const running = (): Promise<{ state: string; concept: unknown }[]> => data(get('/rulelang/running'));
    const waiting = Array.from({ length: 9 }, () => refusal(asked('deep', 0)));
    await expect.poll(async () => (await running()).map(({ state }) => state)).toEqual(['running', ...Array(8).fill('waiting')]);
    expect((await running())[0]?.concept).toEqual({ scope: 'user', project_id: 'p', concept_name: 'deep', purpose: 'explanation' });
    const { status, headers, body } = await asked('deep', 0);
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'engine_busy', '1']);
    await run('quick');
    expect(await data(get('/rulelang/status'))).toMatchObject({ status: 'ready', waiting: 0 });
    expect(await data(get('/rulelang/stop'))).toEqual({ stopped: 9 });
    expect(await Promise.all(waiting)).toEqual(Array(9).fill('evaluation_stopped'));
});

test('what nobody waits for any more is given up; other parts of the explanation stay', async () => {
    await save('n(0). n(Y) :- n(X), Y = X + 1, X < 3000. many(1) :- n(A), n(B), n(C). @output("many").');
    await run('many');
    const { explanation_id: id, fact } = await explained('many', 0);
    const caller = new AbortController();
    const all = get(`/concepts/p/expand?explanation_id=${id}&node=${fact.node}&all=true`, { token: viewer, signal: caller.signal });
    // All of it would take hours.
    setTimeout(() => caller.abort(), 200);
    await expect(all).rejects.toThrow();
    expect(await expanded(id, fact.node)).toMatchObject([{ premises: [{ text: 'n(0)' }, { text: 'n(0)' }, { text: 'n(0)' }] }]);
});
