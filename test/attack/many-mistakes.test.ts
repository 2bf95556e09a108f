import { expect, test, vi } from 'vitest';
import { analyse } from '#language/analysis/analyse.ts';
import { typesIn } from '#language/library/expression-type.ts';
import { visitExpression } from '#language/program/subexpressions.ts';
import { readProgram } from '#language/read-program.ts';
import { parseWithGrammar } from '#language/syntax/parser.ts';

vi.mock('#language/syntax/parser.ts', { spy: true });

const MANY = 20_000;

/** What took 13 s for a text of 1 MiB: the grammar was asked about each clause, and some two hundred patterns looked for in it. */
test('clauses with a bracket that nothing closes are told without the grammar, and with few patterns of other languages', () => {
    const text = Array.from({ length: MANY }, (_, i) => `p${i}(X <- q.`).join('\n');
    const search = vi.spyOn(String.prototype, 'search');
    const { problems } = readProgram(text, 'main');
    const searches = search.mock.calls.length;
    search.mockRestore();
    expect(problems.filter(({ code }) => code === 'RL0005').length).toBe(MANY);
    expect(vi.mocked(parseWithGrammar)).not.toHaveBeenCalled();
    expect(searches / MANY).toBeLessThan(60);
});

/** What took over a minute for a text of 1 MiB: each problem was put among all that the clause had already. */
test('a clause with a mistake in each of its heads is checked', () => {
    const { value } = readProgram(
        `@output("h0").\np(1).\n${Array.from({ length: 3 * MANY }, (_, i) => `h${i}(X)`).join()} <- p(X).`,
        'main',
    );
    expect(analyse(value).problems.filter(({ code }) => code === 'RL1110').length).toBe(3 * MANY - 1);
});

/** What took 15 s for a text of 1 MiB: the type of each sum was found from all that it is made of. */
test('the types of expressions within each other are found once', () => {
    const { value } = readProgram(`q(Y) <- p(X), Y = ${'X + '.repeat(900)}X.`, 'main');
    const [rule] = value.clauses;
    if (rule?.kind !== 'rule' || rule.body.kind !== 'items') throw new Error(rule?.kind);
    const variable = vi.fn(() => ({ kind: 'int' }) as const);
    const typeOf = typesIn({ variable, parameter: () => ({ kind: 'mixed' }) });
    for (const item of rule.body.items) if (item.kind === 'expression') visitExpression(item.expression, typeOf);
    expect(variable.mock.calls.length).toBeLessThanOrEqual(2 * 902);
});
