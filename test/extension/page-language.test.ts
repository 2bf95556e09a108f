import { expect, test } from 'vitest';
import { languageService } from '#extension/page/language/language-service.ts';

const LARGE = '@param("least", 200000).\nlarge(N, P) <- town(N, P), P > ?least.\n@output("large").\n';
const TOWN = {
    name: 'town',
    columns: [
        { name: 'name', type: 'STRING' },
        { name: 'people', type: 'INT' },
    ],
};

function opened(text: string) {
    const service = languageService();
    void service.open({ text, relations: [TOWN] });
    return service;
}

test('problems follow the changes of a text, and know what other concepts supply', async () => {
    const service = opened(LARGE);
    expect(await service.problems(null)).toEqual([]);
    void service.change([{ start: LARGE.length, end: LARGE.length, text: 'few(X) <- large(X, _)' }]);
    const [found] = await service.problems(null);
    expect(found).toMatchObject({ code: 'RL0001', severity: 'error' });
    expect(found?.fixes.map(({ edits }) => edits)).toEqual([[{ start: LARGE.length + 21, end: LARGE.length + 21, text: '.' }]]);
    void service.supply([]);
    expect((await service.problems(null)).map(({ code }) => code)).toContain('RL1101');
});

test('what may be written: relations of other concepts, and nothing after a blank', async () => {
    const service = opened(`${LARGE}few(X) <- tow`);
    const offset = LARGE.length + 13;
    const found = await service.complete({ offset, typed: 'w' });
    expect(found?.items[0]).toMatchObject({ label: 'town', kind: 'predicate' });
    expect(found?.start).toBe(offset - 3);
    expect(await service.complete({ offset: LARGE.length + 10, typed: ' ' })).toBeNull();
    expect(await service.complete({ offset: LARGE.length + 10 })).not.toBeNull();
});

test('columns of other concepts have the types that their rows have', async () => {
    const service = opened(LARGE);
    expect(JSON.stringify(await service.hover(LARGE.indexOf('town')))).toContain('town(name: string, people: int)');
    void service.supply([
        {
            ...TOWN,
            columns: [
                { name: 'name', type: 'STRING' },
                { name: 'people', type: 'UNKNOWN' },
            ],
        },
    ]);
    const anew = JSON.stringify(await service.hover(LARGE.indexOf('town')));
    expect(anew).toContain('name: string');
    expect(anew).not.toContain('people: int');
});

test('where names come from: this text, or another concept', async () => {
    const service = opened(LARGE);
    expect(await service.define(LARGE.indexOf('town'))).toEqual({ kind: 'concept', name: 'town' });
    const head = LARGE.indexOf('large');
    expect(await service.define(LARGE.lastIndexOf('large'))).toEqual({ kind: 'here', start: head, end: head + 5 });
    expect(await service.define(LARGE.indexOf('<-'))).toEqual({ kind: 'none' });
});

test('another name, in the text and for a copy of it', async () => {
    const service = opened(LARGE);
    const offset = LARGE.indexOf('P)');
    expect(await service.rename({ offset })).toEqual({ kind: 'name', name: 'P' });
    expect(await service.rename({ offset, to: 'Many' })).toMatchObject({ kind: 'edits' });
    expect(await service.rename({ offset, to: 'not a name' })).toMatchObject({ kind: 'refused' });
    expect(await service.renamed({ text: LARGE, from: 'large', to: 'big' })).toBe(LARGE.replaceAll(/\blarge\b/gu, 'big'));
    expect(await service.renamed({ text: LARGE, from: 'large', to: 'Not one' })).toBeNull();
});

test('queries are read once a text has one', async () => {
    const service = opened('names(X) <- SELECT nam FROM town.\n@output("names").\n');
    expect((await service.problems(null)).map(({ message }) => message)).toEqual([expect.stringContaining("'nam'")]);
});

test('colours, cards, signatures, layout', async () => {
    const text = LARGE.replace('large(N, P) <-', 'large(N,P):-');
    const service = opened(text);
    expect(await service.tokens({ start: 0, end: 40 })).toContainEqual(expect.objectContaining({ type: 'predicate', length: 5 }));
    expect((await service.hover(text.indexOf('@param') + 2))?.markdown).toContain('param');
    expect((await service.signature(text.indexOf('200000')))?.label).toMatch(/param\(/u);
    const [edit] = await service.format(null);
    expect(edit && text.slice(0, edit.start) + edit.text + text.slice(edit.end)).toBe(LARGE);
});
