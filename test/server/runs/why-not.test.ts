import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ExplainedDerivation, RevealedPlace, RunEnd } from '#server/protocol/runs.ts';
import type { Absence, AskablePredicate, WhyNotAnswer } from '#server/protocol/why-not.ts';
import { LanguageClient, RequestError } from '../../lsp/language-client.ts';

const NAME = 'staff.rulelang';
const STAFF = `@output("chief").
@output("nobody").
@bind("works", "csv useHeaders=true", "", "works.csv").
@bind("void", "csv useHeaders=true", "", "void.csv").
@mapping("works", 2, "share", "int").
chief(X, Y) <- works(X, Y, S), S > 50, not retired(X).
nobody(X) <- works(X, Y, S), S > 900.
nobody(X) <- ghost(X).
nobody(X) <- works(X, Y, S), not works(X, Y, S).
nobody(X) <- works(X, _, _), office(X, "Rome").
nobody(X) <- works(X, Y, S), T = sum(S, <X>), T > 1000.
ghost(X) <- spirit(X, Y), Y > 3.
spirit(X, Y) <- haunts(X, Y), void(X, Y).
haunts(X, Y) <- spirit(X, Y).
idle(X) <- works(X, _, S), S < 35.
retired(X) <- age(X, A), A > 64.
age("Bo", 70).
office("Ida", "Oslo").
`;
const FILES = { 'works.csv': 'who,where,share\nAda,Mill,60\nBo,Mill,80\nIda,Forge,30\n', 'void.csv': 'a,b\n' };

let client: LanguageClient;
let run: number;

// One server and one run for all: questions change nothing.
beforeAll(async () => {
    client = await LanguageClient.start({ trusted: true, files: FILES });
    await client.open(NAME, STAFF);
    const ended = client.next('rulelang/runEnded');
    await client.request('rulelang/run', { uri: client.uri(NAME) });
    const end: RunEnd = await ended;
    expect(end.outcome, JSON.stringify(end.notices)).toBe('finished');
    ({ run } = end);
});
afterAll(() => client.stop());

type Absent = Extract<WhyNotAnswer, { kind: 'absent' }>;
type Present = Extract<WhyNotAnswer, { kind: 'present' }>;

async function ask<K extends WhyNotAnswer['kind']>(kind: K, question: string, of = run): Promise<Extract<WhyNotAnswer, { kind: K }>> {
    const answer: WhyNotAnswer = await client.request('rulelang/whyNot', { run: of, question });
    expect(answer.kind).toBe(kind);
    return answer as Extract<WhyNotAnswer, { kind: K }>;
}

const absent = (question: string, of = run): Promise<Absent> => ask('absent', question, of);
const present = (question: string): Promise<Present> => ask('present', question);
const deeper = (node: number | undefined): Promise<Absence> => client.request('rulelang/absence', { run, node });
const reveal = (node: number | undefined): Promise<RevealedPlace | null> => client.request('rulelang/reveal', { run, node });

async function failure(method: string, params: object): Promise<RequestError> {
    try {
        await client.request(method, { run, ...params });
    } catch (error) {
        if (error instanceof RequestError) return error;
        throw error;
    }
    throw new Error(`${method} was answered`);
}

const line = (text: string): number => STAFF.split('\n').indexOf(text);

describe('a fact that is missing', () => {
    test('is told by its nearest reason, whose place is the literal', async () => {
        const { absence, first } = await absent('chief("Ida", _)');
        expect(absence).toMatchObject({ fact: 'chief("Ida",_)', kind: 'missing', limits: [] });
        const [reason] = absence.reasons;
        expect(reason?.rule).toMatchObject({ text: 'chief(X,Y) <- works(X,Y,S), S>50, not retired(X)', place: { label: `${NAME}:6` } });
        expect(reason?.lacks.map(({ words }) => words)).toEqual(['S > 50 does not hold: S is 30; off by 20']);
        expect(first?.words).toBe('S > 50 does not hold: S is 30; off by 20');
        const at = line('chief(X, Y) <- works(X, Y, S), S > 50, not retired(X).');
        expect(await reveal(first?.places[0]?.node)).toEqual({
            uri: client.uri(NAME),
            range: { start: { line: at, character: 31 }, end: { line: at, character: 37 } },
        });
        expect((await reveal(reason?.rule?.place.node))?.range.start).toEqual({ line: at, character: 0 });
    });

    test('tells apart which changes of rules would do, what else they would do, and where', async () => {
        const { absence } = await absent('chief("Mill", "Ada")');
        const [edit] = absence.edits ?? [];
        expect(edit?.holds).toEqual([]);
        expect(edit?.changes).toBe('This would also add or remove 1 other fact.');
        const at = line('chief(X, Y) <- works(X, Y, S), S > 50, not retired(X).');
        expect((await reveal(edit?.lacks[0]?.places[0]?.node))?.range.start.line).toBe(at);
    });

    test('leads to the facts that hold, and to their lines of data', async () => {
        const { absence } = await absent('chief("Ida", _)');
        const [holding] = absence.reasons[0]?.holds ?? [];
        expect(holding).toMatchObject({
            text: 'works("Ida","Forge",30)',
            fact: { origin: { kind: 'source', label: 'works.csv:4' }, expandable: false },
        });
        expect(await reveal(holding?.fact?.node)).toMatchObject({ uri: client.uri('works.csv'), range: { start: { line: 3 } } });
    });

    test('that a negation stops names the fact, which is explained in turn', async () => {
        const { absence } = await absent('chief("Bo", "Mill")');
        const lack = absence.reasons.flatMap(({ lacks }) => lacks).find(({ fact }) => fact !== undefined);
        expect(lack?.words).toBe('not retired(X) does not hold: retired("Bo") is there, because of age("Bo",70)');
        expect(lack?.fact).toMatchObject({ text: 'retired("Bo")', expandable: true });
        const derivations: readonly ExplainedDerivation[] = await client.request('rulelang/expand', {
            run,
            node: lack?.fact?.node,
            all: false,
        });
        expect(derivations[0]?.premises.map(({ text }) => text)).toEqual(['age("Bo",70)']);
    });

    test('is looked for where the run did not need its predicate', async () => {
        const { absence } = await absent('idle("Ada")');
        expect(absence.reasons[0]?.lacks[0]?.words).toBe('S < 35 does not hold: S is 60; off by 25');
        expect((await present('idle(_)')).facts.map(({ text }) => text)).toEqual(['idle("Ida")']);
        expect((await present('chief(_, _)')).count).toBe(1);
    });
});

describe('a predicate without facts', () => {
    test('tells for each rule how far it comes and where it stops', async () => {
        const { absence, first } = await absent('nobody(_)');
        expect(absence).toMatchObject({ fact: 'nobody(_)', kind: 'empty', limits: [] });
        expect(absence.reasons.map(({ holds, lacks }) => [holds, lacks.map(({ words }) => words)])).toEqual([
            [[{ text: 'works(X, Y, S)', note: '3 matches' }], ['S > 900 holds for none of the 3 matches: in the first, S is 60']],
            [[], ['ghost has no facts']],
            [
                [{ text: 'works(X, Y, S)', note: '3 matches' }],
                ['not works(X, Y, S) holds for none of the 3 matches: in the first, works("Ada","Mill",60) is there'],
            ],
            [
                [{ text: 'works(X, _, _)', note: '3 matches' }],
                ['no fact joins office(X, "Rome") with the 3 matches: in the first, office("Ada","Rome") is missing'],
            ],
            [[{ text: 'works(X, Y, S)', note: '3 matches' }], ['for nobody("Ada"), T > 1000 does not hold: T is 60']],
        ]);
        expect(first).toBeUndefined();
        const literal = await reveal(absence.reasons[0]?.lacks[0]?.places[0]?.node);
        expect(literal?.range).toMatchObject({ start: { line: 6, character: 29 }, end: { line: 6, character: 36 } });
    });

    test('leads down to the data, and not round in circles', async () => {
        const { absence } = await absent('nobody(_)');
        const ghost = await deeper(absence.reasons[1]?.lacks[0]?.node);
        const spirit = await deeper(ghost.reasons[0]?.lacks[0]?.node);
        expect(spirit).toMatchObject({ fact: 'spirit(_,_)', kind: 'empty', reasons: [{ lacks: [{ words: 'haunts has no facts' }] }] });
        const haunts = await deeper(spirit.reasons[0]?.lacks[0]?.node);
        expect(haunts.reasons[0]?.lacks[0]).toEqual({ words: 'spirit has no facts', places: [expect.anything()], near: [] });
        const nothing = await absent('void(_, _)');
        expect(nothing.absence.reasons).toMatchObject([{ holds: [], lacks: [{ words: 'void.csv gives no rows for void' }] }]);
        expect(nothing.first?.words).toBe('void.csv gives no rows for void');
    });
});

describe('a question', () => {
    test('is checked before it is asked', async () => {
        const check = (question: string): Promise<unknown> => client.request('rulelang/checkQuestion', { run, question });
        expect(await check('chief("Ida", _)')).toEqual({});
        expect(await check('chief(Ida, _).')).toEqual({ remark: 'Ida stands for any value; as a text it would be "Ida"' });
        expect(await check('chief("Ida"')).toMatchObject({ problem: expect.stringContaining('not a fact') });
        expect(await check('chef("Ida", _)')).toEqual({ problem: "The program has no predicate 'chef'; did you mean 'chief'?" });
        expect(await check('chief("Ida")')).toEqual({ problem: "'chief' has 2 columns, not 1" });
        expect(await check('chief(X, Y) <- works(X, Y, _)')).toMatchObject({ problem: expect.stringContaining('not a fact') });
    });

    test('that cannot be asked is refused with the same words', async () => {
        expect((await failure('rulelang/whyNot', { question: 'chef(_)' })).message).toContain("did you mean 'chief'?");
        expect((await failure('rulelang/whyNot', { question: 'chief(z9, _)' })).message).toContain('unknown values');
        expect((await failure('rulelang/absence', { node: 4242 })).message).toContain('no longer kept');
        expect((await failure('rulelang/whyNot', { question: 7 })).code).toBe(-32602);
        expect((await failure('rulelang/absence', { node: -1 })).code).toBe(-32602);
        expect((await failure('rulelang/whyNot', { run: 4242, question: 'chief(_, _)' })).data).toBe('unknown-run');
    });

    test('can be about every predicate: outputs first, then what is derived, then what is given', async () => {
        const predicates: readonly AskablePredicate[] = await client.request('rulelang/predicates', { run });
        expect(predicates.map(({ key, kind, facts }) => [key, kind, facts])).toEqual(
            expect.arrayContaining([
                ['chief/2', 'output', 1],
                ['nobody/1', 'output', 0],
                ['retired/1', 'derived', 1],
                ['works/3', 'given', 3],
                ['idle/1', 'derived', undefined],
            ]),
        );
        const kinds = predicates.map(({ kind }) => ['output', 'derived', 'given'].indexOf(kind));
        expect(kinds).toEqual([...kinds].sort());
        expect(predicates.find(({ key }) => key === 'works/3')?.columns).toEqual(['who', 'where', 'share']);
    });
});

describe('an explanation that takes long', () => {
    const ENDLESS = 'number(0). number(M) <- number(N), M = N + 1, N < 1000000000.\n';
    const chiefs = { run: 0, view: { output: 'chief/2' }, row: 0, all: false };

    test('lets rows and other explanations be asked for meanwhile, and ends when nobody waits for it', async () => {
        await client.open('endless.rulelang', `${STAFF}${ENDLESS}`);
        const ended = client.next('rulelang/runEnded');
        const { run: endless } = await client.request('rulelang/run', { uri: client.uri('endless.rulelang') });
        expect((await ended).outcome).toBe('finished');

        const long = client.ask('rulelang/whyNot', { run: endless, question: 'number(-1)' });
        let isAnswered = false;
        void long.answer.then(() => {
            isAnswered = true;
        });
        const page = await client.request('rulelang/page', { run: endless, view: { output: 'chief/2' }, offset: 0, limit: 5 });
        expect(page.cells).toHaveLength(1);
        const explanation = await client.request('rulelang/explain', { ...chiefs, run: endless });
        expect(explanation.fact.text).toBe('chief("Ada","Mill")');
        expect(await client.request('rulelang/expand', { run: endless, node: explanation.fact.node, all: true })).toHaveLength(1);
        expect((await absent('chief("Ida", _)', endless)).absence.kind).toBe('missing');
        expect(isAnswered).toBe(false);

        client.notify('$/cancelRequest', { id: long.id });
        expect((await long.answer).error).toMatchObject({ code: -32800 });
        expect(await client.request('rulelang/explain', { ...chiefs, run: endless })).toMatchObject({
            fact: { text: 'chief("Ada","Mill")' },
        });
        expect((await absent('idle("Ada")', endless)).absence.kind).toBe('missing');
    });
});
