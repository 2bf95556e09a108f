import { expect, test } from 'vitest';
import { readProgram } from '#language/read-program.ts';
import { clauseDifference } from '#language/tools/clause-difference.ts';
import { mixedProgram } from '#server/runs/mixed-program.ts';
import { runEdits } from '#server/runs/run-difference.ts';

function made(text: string, given: Readonly<Record<string, unknown>> = {}, module?: string) {
    const files = module === undefined ? [] : [{ file: '/w/m.rulelang', text: module }];
    const target = { kind: 'module' as const, file: '/w/m.rulelang' };
    const includes = module === undefined ? [] : [{ from: '/w/a.rulelang', name: 'm.rulelang', target }];
    return {
        about: { inputs: { program: 'd', given, sources: [] } },
        program: { text, file: '/w/a.rulelang', currentFolder: '/w', modules: { files, includes } },
    };
}

const before = made('% all\np(X) <- q(X). % one\nq(1).\nr(X) <-\n  p(X).\n', { a: 1, b: 2 });
const after = made('@include("m.rulelang").\nr(X) <- p(X).\np(X) <- q(X), X > 0.\ns(3).\n', { a: 4, c: 3 }, 't(1).');
const edits = runEdits(before, after);
const mixed = (...chosen: number[]) =>
    mixedProgram(
        before,
        after,
        chosen.flatMap(at => edits[at] ?? []),
    );

test('a program without edits is the earlier one, and knows the modules of the later one', () => {
    const { program, parameters } = mixed();
    expect(program.text).toBe(before.program.text);
    expect(program.modules.files).toEqual([{ file: '/w/m.rulelang', text: '' }]);
    expect(program.modules.includes).toHaveLength(1);
    expect(parameters).toEqual(new Map(Object.entries({ a: 1, b: 2 })));
});

test('edits take the place of clauses, cut them out, and stand at the end of their file', () => {
    const numberOf = (wanted: string): number => edits.findIndex(({ change }) => 'after' in change && change.after?.startsWith(wanted));
    expect(mixed(numberOf('p(X)')).program.text).toBe('% all\np(X) <- q(X), X > 0. % one\nq(1).\nr(X) <-\n  p(X).\n');
    expect(mixed(numberOf('s(3)'), numberOf('t(1)')).program).toMatchObject({
        text: `${before.program.text}\ns(3).\n`,
        modules: { files: [{ text: '\nt(1).\n' }] },
    });
    const removal = edits.findIndex(({ change }) => change.kind === 'removed');
    expect(mixed(removal).program.text).toBe('% all\np(X) <- q(X). % one\n\nr(X) <-\n  p(X).\n');
});

test('parameters become those of the later run, one by one', () => {
    const numberOf = (name: string): number => edits.findIndex(({ change }) => change.kind === 'parameter' && change.name === name);
    expect(Object.fromEntries(mixed(numberOf('a')).parameters)).toEqual({ a: 4, b: 2 });
    expect(Object.fromEntries(mixed(numberOf('b')).parameters)).toEqual({ a: 1 });
    expect(Object.fromEntries(mixed(numberOf('a'), numberOf('b'), numberOf('c')).parameters)).toEqual({ a: 4, c: 3 });
});

test('with all edits it says what the later one says', () => {
    const { program } = mixed(...edits.keys());
    const texts = [program.text, ...program.modules.files.map(({ text }) => text)].join('\n');
    const own = [after.program.text, ...after.program.modules.files.map(({ text }) => text)].join('\n');
    expect(clauseDifference(readProgram(texts, 'x').value.clauses, readProgram(own, 'x').value.clauses)).toEqual([]);
});
