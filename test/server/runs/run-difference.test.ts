import { describe, expect, test } from 'vitest';
import { readProgram } from '#language/read-program.ts';
import type { SourceState } from '#server/protocol/run-process.ts';
import { clauseLike, type MadeOf, runDifference, runEdits, sourceChanges } from '#server/runs/run-difference.ts';

interface Made {
    readonly text?: string;
    readonly modules?: Readonly<Record<string, string>>;
    readonly given?: Readonly<Record<string, unknown>>;
    readonly used?: Readonly<Record<string, string>>;
    readonly sources?: readonly SourceState[];
}

function made({ text, modules = {}, given = {}, used = {}, sources = [] }: Made): MadeOf {
    const files = Object.entries(modules).map(([name, own]) => ({ file: `/w/${name}`, text: own }));
    const includes = Object.keys(modules).map(name => ({
        from: '/w/a.rulelang',
        name,
        target: { kind: 'module' as const, file: `/w/${name}` },
    }));
    return {
        about: {
            parameters: Object.entries(used).map(([name, own]) => ({ name, text: own, given: name in given })),
            inputs: { program: 'd', given, sources },
        },
        program: text === undefined ? undefined : { text, file: '/w/a.rulelang', currentFolder: '/w', modules: { files, includes } },
    };
}

describe('what changed between two runs', () => {
    test('are clauses of the program and of its modules', () => {
        const before = made({ text: '@include("m.rulelang").\np(X) <- q(X).', modules: { 'm.rulelang': 'q(1). % one\nq(2).' } });
        const after = made({
            text: '@include("m.rulelang").\np(X) <- q(X), X > 1.',
            modules: { 'm.rulelang': 'q(2).\nq(1).\nr("a", 3).' },
        });
        expect(runDifference(before, after)).toEqual({
            changes: [
                { kind: 'changed', before: 'p(X) <- q(X).', after: 'p(X) <- q(X), X > 1.' },
                { kind: 'added', after: 'r("a", 3).', module: 'm.rulelang' },
            ],
            sources: [],
            known: true,
        });
    });
    test('are values of parameters, given or not, and none that are the same', () => {
        const text = '@param("least", 1).\np(1).';
        const before = made({ text, given: { least: 3, other: 'x', same: 2 }, used: { least: '3', most: '4' } });
        const after = made({ text, given: { same: 2, most: 5 }, used: { least: '1', most: '5' } });
        expect(runDifference(before, after).changes).toEqual([
            { kind: 'parameter', name: 'least', before: '3', after: '1' },
            { kind: 'parameter', name: 'other', before: '"x"' },
            { kind: 'parameter', name: 'most', before: '4', after: '5' },
        ]);
    });
    test('are many clauses together by what they are about', () => {
        const facts = Array.from({ length: 40 }, (_, at) => `q(${at}).`).join('\n');
        const edits = runEdits(made({ text: 'p(X) <- q(X).' }), made({ text: `p(X) <- q(X), X > 1.\n${facts}` }));
        expect(edits.map(({ change }) => change)).toEqual([
            { kind: 'changed', before: 'p(X) <- q(X).', after: 'p(X) <- q(X), X > 1.' },
            { kind: 'clauses', subject: 'q', added: 40, removed: 0, changed: 0 },
        ]);
        expect(edits[1]?.clauses).toHaveLength(40);
    });
    test('is not known where a program is not kept', () => {
        expect(runDifference(made({}), made({ text: 'p(1).' }))).toEqual({ changes: [], sources: [], known: false });
    });
    test('are sources, by their bytes where these are known, else by size and moment; a database is not known', () => {
        const before = [
            { name: 'touched.csv', stamp: '4 1', bytes: 4, digest: 'a' },
            { name: 'other.csv', stamp: '4 1', bytes: 4, digest: 'a' },
            { name: 'large.csv', stamp: '9999999 1', bytes: 9_999_999 },
            { name: 'many', stamp: 'a.csv 4 1 b.csv 4 1' },
            { name: 'shop' },
            { name: 'gone.csv', stamp: '4 1', bytes: 4 },
        ];
        const after = [
            { name: 'touched.csv', stamp: '4 2', bytes: 4, digest: 'a' },
            { name: 'other.csv', stamp: '4 2', bytes: 4, digest: 'b' },
            { name: 'large.csv', stamp: '9999999 2', bytes: 9_999_999 },
            { name: 'many', stamp: 'a.csv 4 1 b.csv 4 2' },
            { name: 'shop' },
            { name: 'new.csv', stamp: '4 1', bytes: 4 },
            { name: 'new shop' },
        ];
        expect(sourceChanges(before, after)).toEqual([
            { name: 'other.csv', kind: 'changed', before: 4, after: 4 },
            { name: 'large.csv', kind: 'changed', before: 9_999_999, after: 9_999_999 },
            { name: 'many', kind: 'changed' },
            { name: 'shop', kind: 'unknown' },
            { name: 'new shop', kind: 'unknown' },
        ]);
    });
});

test('a clause is found as it prints now, passwords or not, else the first about the same', () => {
    const { value } = readProgram('p(X) <-\n  q(X).\nq(2).\nq(1).\n@bind("r", "postgresql password=\'x1\'", "db", "t").\n', 'a');
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a parameter of the language.
    const lines = ['p(X) <- q(X).', 'q(1).', 'q', '@bind("r", "postgresql password=\'${PASSWORD}\'", "db", "t").', 's(1).'].map(
        text => clauseLike(value, text)?.place.line,
    );
    expect(lines).toEqual([0, 3, 2, 4, undefined]);
});
