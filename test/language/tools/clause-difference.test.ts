import { describe, expect, test } from 'vitest';
import { printClause } from '#language/program/print.ts';
import { readProgram } from '#language/read-program.ts';
import { clauseDifference } from '#language/tools/clause-difference.ts';
import { fc } from '../../support/fast-check.ts';

function difference(before: string, after: string): string[] {
    const [old, now] = [before, after].map(text => readProgram(text, 'a.rulelang').value.clauses);
    return clauseDifference(old ?? [], now ?? []).map(edit => {
        const was = 'before' in edit ? printClause(edit.before) : '';
        const is = 'after' in edit ? printClause(edit.after) : '';
        return `${edit.kind}: ${[was, is].filter(Boolean).join(' → ')}`;
    });
}

describe('what was edited', () => {
    test('is nothing where order, layout and comments are others', () => {
        const before = '% all\np(X) <- q(X, Y), Y > 3.\nq(1, 2). q(2, 5).\n@output("p").\n';
        const after = '@output("p").\n%% about p\nq(2,5).\n\np( X ) <-\n  q(X,Y), % more\n  Y>3 .\nq(1,2).\n';
        expect(difference(before, after)).toEqual([]);
    });
    test('is a clause that is more, less, or another', () => {
        const before = 'p(X) <- q(X, Y), Y > 3.\nr(X) <- p(X).\nq(1, 2).\n@output("p").\n';
        const after = 's(X) <- r(X).\np(X) <- q(X, Y), Y > 4.\nq(1, 2).\n@output("p").\n@output("s").\n';
        expect(difference(before, after)).toEqual([
            'added: s(X) <- r(X).',
            'changed: p(X) <- q(X, Y), Y > 3. → p(X) <- q(X, Y), Y > 4.',
            'removed: r(X) <- p(X).',
            'added: @output("s").',
        ]);
    });
    test('pairs the clauses that are most alike, and none that have little in common', () => {
        const before = 'p(X) <- a(X), X > 1.\np(X) <- b(X, Y), not c(Y).\n';
        const after = 'p(X) <- b(X, Y), not c(Y), Y > 2.\np(X) <- a(X), X > 2.\n';
        expect(difference(before, after)).toEqual([
            'changed: p(X) <- b(X, Y), not c(Y). → p(X) <- b(X, Y), not c(Y), Y > 2.',
            'changed: p(X) <- a(X), X > 1. → p(X) <- a(X), X > 2.',
        ]);
        expect(difference('p(X) <- a(X).', 'p("one", 2, [3, 4], "five six") .')).toEqual([
            'removed: p(X) <- a(X).',
            'added: p("one", 2, [3, 4], "five six").',
        ]);
    });
    test('tells what an annotation is about', () => {
        const bind = (file: string): string => `@bind("own", "csv", ".", "${file}").\n@bind("name", "csv", ".", "names.csv").\n`;
        expect(difference(bind('a.csv'), bind('b.csv'))).toEqual([
            'changed: @bind("own", "csv", ".", "a.csv"). → @bind("own", "csv", ".", "b.csv").',
        ]);
        expect(difference('@output("p").', '@post("p", "limit(3)").')).toEqual([
            'removed: @output("p").',
            'added: @post("p", "limit(3)").',
        ]);
    });
    test('counts clauses that are there more than once', () => {
        expect(difference('p(1). p(1). p(1).', 'p(1).')).toEqual(['removed: p(1).', 'removed: p(1).']);
    });
    test('of many clauses is found soon', () => {
        const facts = (from: number): string => Array.from({ length: 5000 }, (_, at) => `p(${from + at}).`).join('\n');
        expect(difference(facts(0), facts(5000))).toHaveLength(10_000);
    });
    test('leads from one program to the other, whatever they are', () => {
        const clause = fc.constantFrom(
            'p(1).',
            'p(2).',
            'q(X) <- p(X).',
            'q(X) <- p(X), X > 1.',
            '@output("q").',
            'r(X, Y) <- q(X), p(Y).',
        );
        fc.assert(
            fc.property(fc.array(clause), fc.array(clause), (before, after) => {
                const [old, now] = [before, after].map(texts => readProgram(texts.join('\n'), 'a').value.clauses);
                const edits = clauseDifference(old ?? [], now ?? []);
                const removed = new Set(edits.flatMap(edit => ('before' in edit ? [edit.before] : [])));
                const added = edits.flatMap(edit => ('after' in edit ? [edit.after] : []));
                const made = [...(old ?? []).filter(own => !removed.has(own)), ...added].map(printClause);
                expect(made.sort()).toEqual((now ?? []).map(printClause).sort());
            }),
        );
    });
});
