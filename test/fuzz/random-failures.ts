import { expect } from 'vitest';
import type { RunOutcome } from '#engine/contracts/database.ts';
import { evaluate } from '#engine/engine.ts';
import { termText } from '#engine/values/text.ts';
import type { AnalysedProgram } from '#language/program/analysed-program.ts';
import { MIXED } from '#language/program/types.ts';
import { hasErrors, programOf, RUN_OPTIONS } from '../engine/evaluate/run-program.ts';
import { evaluateNaive } from '../naive/naive.ts';
import { someVariants } from './pass-variants.ts';
import type { Search } from './search.ts';

const MOST = '9223372036854775807';
const VALUES = [MOST, '9223372036854775806', '-9223372036854775807', '0', '1', '2', '3', '4'];

/** Programs in which arithmetic often fails end as in the reference evaluator; tells which failed. */
export const randomFailures: Search<'failed' | 'ended'> = {
    name: 'random-failures',
    text: failingProgram,
    async check(text, seed) {
        const program = programOf(text);
        if (hasErrors(program)) return undefined;
        const expected = answer(program, await evaluateNaive(program, RUN_OPTIONS));
        for (const variant of someVariants(seed)) {
            const outcome = await evaluate(program, { ...RUN_OPTIONS, ...variant });
            // Where one match is enough, others need not be computed.
            if (outcome.ok && expected.length === 0 && !variant.disabledPasses?.has('first-match')) continue;
            expect({ variant, answer: answer(program, outcome) }).toEqual({ variant, answer: expected });
            if (!outcome.ok) expect(outcome.reports.at(-1)?.match).toMatchObject({ isMore: false });
        }
        return expected.length === 0 ? 'failed' : 'ended';
    },
};

/** The facts; none of a run that has failed, whatever it found first. */
function answer(program: AnalysedProgram, outcome: RunOutcome): string[] {
    if (!outcome.ok) return [];
    const { dictionary } = outcome.database;
    return [...program.predicates.keys()].map(key => {
        const relation = outcome.database.relation(key);
        const rows = Array.from({ length: relation?.count ?? 0 }, (_, row) =>
            (relation?.columns ?? []).map(column => termText(dictionary, column[row] ?? 0, MIXED, String)).join(','),
        );
        return `${key}: ${rows.sort().join(' ')}`;
    });
}

/** Layers of rules whose arithmetic fails for some of their values. */
function failingProgram(seed: number): string {
    let state = (seed * 2654435761 + 12345) >>> 0;
    const random = (below: number): number => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return Math.floor((state / 2 ** 32) * below);
    };
    const pick = <T>(items: readonly T[]): T => items[random(items.length)] as T;
    const value = (): string => (random(4) === 0 ? pick(VALUES) : pick(VALUES.slice(3)));
    const clauses: string[] = [];
    for (const name of ['a', 'b', 'c']) for (let i = 2 + random(4); i > 0; i--) clauses.push(`${name}(${value()}, ${value()}).`);
    const known = ['a', 'b', 'c'];
    for (let layer = 0; layer < 4; layer++) {
        const head = `r${layer}`;
        for (let rules = 1 + random(2); rules > 0; rules--) clauses.push(rule(head));
        known.push(head);
    }
    return clauses.join('\n');

    function rule(head: string): string {
        const names = ['X', 'Y', 'Z', 'W'];
        const used = new Set<string>();
        const atom = (of: readonly string[]): string => {
            const terms = [pick(of), pick(of)];
            for (const term of terms) used.add(term);
            return `${pick(known)}(${terms.join(', ')})`;
        };
        const isRecursive = random(3) === 0;
        const items = Array.from({ length: 1 + random(3) }, () => atom(names));
        if (isRecursive) items.push(`${head}(${pick(names)}, ${pick([...used])})`);
        const variable = (): string => pick([...used]);
        const operand = (): string => (random(3) === 0 ? pick(['1', '2', MOST]) : variable());
        const expression = (): string =>
            pick([
                () => `${variable()} + ${operand()}`,
                () => `${variable()} - ${operand()}`,
                () => `${variable()} * ${operand()}`,
                () => `math:mod(${variable()}, ${operand()})`,
                () => `-${variable()}`,
                () => `(${variable()} + 1) * ${operand()}`,
            ])();
        const positive = [...used];
        for (const name of ['U', 'V'].slice(random(3))) {
            items.push(`${name} = ${expression()}`);
            used.add(name);
        }
        for (let i = random(3); i > 0; i--)
            items.push(random(2) === 0 ? `${variable()} ${pick(['<', '!=', '>='])} ${operand()}` : `${expression()} > ${operand()}`);
        if (random(3) === 0) items.push(`not ${pick(known)}(${variable()}, ${variable()})`);
        if (isRecursive) return `${head}(${pick(positive)}, ${pick(positive)}) <- ${shuffled(items).join(', ')}.`;
        if (random(4) === 0) {
            const key = pick(positive);
            items.push(`S = max(${variable()})`, ...(random(2) === 0 ? [`T = ${key} + S`, 'S > 1'] : ['T = S']));
            return `${head}(${key}, T) <- ${shuffled(items).join(', ')}.`;
        }
        return `${head}(${variable()}, ${random(4) === 0 ? `${variable()} + 1` : variable()}) <- ${shuffled(items).join(', ')}.`;
    }

    function shuffled(items: readonly string[]): string[] {
        return items
            .map(item => ({ item, at: random(1000) }))
            .sort((one, other) => one.at - other.at)
            .map(({ item }) => item);
    }
}
