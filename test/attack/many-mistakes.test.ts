import { expect, test, vi } from 'vitest';
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
