import { describe, expect, test } from 'vitest';
import { type PlanOptions, planProgram } from '#engine/plan/plan-program.ts';
import { programOf, run } from '../evaluate/run-program.ts';

/** Which columns of a predicate convert what rules put into them. */
function converting(text: string, predicate: string, options: PlanOptions = {}): string[] {
    const relation = [...planProgram(programOf(text), options).relations.values()].find(({ key }) => key === predicate);
    return (relation?.columns ?? []).flatMap(({ name, cast }) => (cast ? [name] : []));
}

const EDGE = `@model("edge", "['from:int', 'to:int']"). edge(1, 2). edge(2, "3"). edge(3, "x").`;
const PATH = `${EDGE} @model("path", "['from:int', 'to:int']"). path(X, Y) <- edge(X, Y). path(X, Z) <- path(X, Y), edge(Y, Z).`;

test('a recursion converts nothing that was read from columns of the same type', async () => {
    expect(converting(PATH, 'path/2')).toEqual([]);
    const text = `${PATH} @output("path").`;
    const [all, none] = [await run(text), await run(text, { disabledPasses: new Set(['idle-casts']) })];
    expect(all.facts('path')).toEqual(none.facts('path'));
    expect(all.codes).toEqual(none.codes);
    expect(all.codes).toEqual(['RT021']);
});

describe('a column converts', () => {
    test.each([
        ['what is computed', `${EDGE} @model("p", "['a:int', 'b:int']"). p(X, Z) <- edge(X, Y), Z = Y / 2.`, ['b']],
        ['what is written', `${EDGE} @model("p", "['a:int', 'b:string']"). p(X, 7) <- edge(X, _).`, ['b']],
        ['what has another type', `${EDGE} @model("p", "['a:string', 'b:int']"). p(X, Y) <- edge(X, Y).`, ['a']],
        ['what no model has converted', `@model("p", "['a:int', 'b:int']"). e(1, "2"). p(X, Y) <- e(X, Y).`, ['a', 'b']],
        ['what one of several rules puts into it', `${PATH} path(X, Y) <- edge(Y, X), Y > 1. path(X, Z) <- edge(X, Y), Z = Y * 2.`, ['to']],
        ['facts', `${PATH} path(7, "8").`, ['from', 'to']],
        ['what equality heads may change', `${PATH} X = Y <- edge(X, Y), path(Y, X).`, ['from', 'to']],
    ])('%s', (_, text, expected) => {
        const predicate = text.includes('p(X') && text.includes('"p"') ? 'p/2' : 'path/2';
        expect(converting(text, predicate)).toEqual(expected);
    });

    test('everything without the pass', () => {
        expect(converting(PATH, 'path/2', { disabledPasses: new Set(['idle-casts']) })).toEqual(['from', 'to']);
    });
});
