import { describe, expect, it } from 'vitest';
import type { PredicateKey } from '#language/program/analysed-program.ts';
import { check, outcomeOf, runOptions } from '../support/conformance.ts';
import { evaluateNaive } from './naive.ts';

async function run(text: string, maxRounds = 100) {
    const { program } = check(text);
    return evaluateNaive(program, { ...runOptions('.'), limits: { ...runOptions('.').limits, maxRounds } });
}

describe('the naive evaluator', () => {
    it('answers like a database', async () => {
        const outcome = await run('e(1, 2). e(2, 3). @output("t"). t(X, Y) <- e(X, Y). t(X, Z) <- t(X, Y), e(Y, Z).');
        if (!outcome.ok) throw new Error('stopped');
        const { database, statistics } = outcome;
        const rows = database.relation('t/2' as PredicateKey);
        const [one, three] = [database.dictionary.number(1), database.dictionary.number(3)];
        const found: number[] = [];
        rows?.match([0], [one], row => found.push(row));
        expect(rows?.count).toBe(3);
        expect(found.length).toBe(2);
        expect(rows?.find([one, three])).toBeGreaterThanOrEqual(0);
        expect(rows?.find([three, one])).toBe(-1);
        expect(statistics.facts).toBe(5);
    });

    it('ends a recursion without end', async () => {
        const outcome = await run('n(0). n(Y) <- n(X), Y = X + 1. @output("n").', 20);
        expect(outcome.ok).toBe(false);
        expect(outcome.reports.map(report => report.code)).toEqual(['RT031']);
    });

    it('refuses what it does not evaluate', async () => {
        const outcome = await run('q(X) <- MATCH (a:t) RETURN a. @output("q").');
        expect(outcomeOf(outcome).reports).toEqual(['RT062']);
    });
});
