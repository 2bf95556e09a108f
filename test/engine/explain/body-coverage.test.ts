import { describe, expect, test } from 'vitest';
import type { Database } from '#engine/contracts/database.ts';
import { evaluate } from '#engine/engine.ts';
import { type BodyCoverage, bodyCoverage } from '#engine/explain/body-coverage.ts';
import { evaluateNaive } from '../../naive/naive.ts';
import { check, runOptions } from '../../support/conformance.ts';
import { seededRandom } from '../../support/program-variations.ts';
import { smallProgram } from '../../support/why-not-programs.ts';

async function evaluated(text: string, evaluator: typeof evaluate): Promise<Database | undefined> {
    const { program, errors } = check(text);
    if (errors.length > 0) return undefined;
    const goals = new Set(program.predicates.keys());
    const outcome = await evaluator(program, { ...runOptions('.', new Map(), program.program), goals });
    return outcome.ok ? outcome.database : undefined;
}

async function coverageOf(text: string): Promise<(BodyCoverage | undefined)[]> {
    const database = await evaluated(text, evaluate);
    if (database === undefined) throw new Error('the program fails');
    return database.program.rules.map(rule => bodyCoverage(database, rule, () => undefined));
}

/** What the items of the first rule did: `r` for reached, `h` for held, `f` for failed, `*` after what tests nothing. */
async function toldOf(text: string): Promise<Record<string, string>> {
    const [first] = await coverageOf(text);
    const marks = (first?.items ?? []).map(one => [
        one.text,
        `${one.reached ? 'r' : ''}${one.held ? 'h' : ''}${one.failed ? 'f' : ''}${one.tests ? '' : '*'}`,
    ]);
    return Object.fromEntries(marks) as Record<string, string>;
}

describe('what an item of a body did', () => {
    test('held, failed, or both, and what was not reached', async () => {
        expect(await toldOf('p(X) <- q(X), r(X), X < 9, s(X).\nq(1). q(2). r(1). s(3).\n')).toEqual({
            'q(X)': 'rh*',
            'r(X)': 'rhf',
            'X < 9': 'rh',
            's(X)': 'rf',
        });
        expect(await toldOf('p(X) <- q(X, X), r(X).\nq(1, 2). r(1).\n')).toEqual({ 'q(X, X)': 'rf', 'r(X)': '' });
    });

    test('a test counts where its variables have values, wherever it is written', async () => {
        expect(await toldOf('p(X) <- X > 1, not r(X), q(X).\nq(1). q(2). q(3). r(3).\n')).toEqual({
            'X > 1': 'rhf',
            'not r(X)': 'rhf',
            'q(X)': 'rh*',
        });
    });

    test('conditions and negations of groups count the groups', async () => {
        const text = 'p(X, N) <- q(X, Y), N = sum(Y), N > 3, not r(N).\nq(1, 2). q(1, 3). q(2, 1). q(3, 4). r(4).\n';
        expect(await toldOf(text)).toEqual({ 'q(X, Y)': 'rh*', 'N > 3': 'rhf', 'not r(N)': 'rhf' });
    });

    test('recursion counts over the facts at the end', async () => {
        expect(await toldOf('reach(X, Z) <- reach(X, Y), e(Y, Z), X != Z.\nreach(X, Y) <- e(X, Y).\ne(1, 2). e(2, 1).\n')).toEqual({
            'reach(X, Y)': 'rh*',
            'e(Y, Z)': 'rh',
            'X != Z': 'rf',
        });
    });

    test('more matches than are looked at say nothing of what was not seen', async () => {
        const numbers = Array.from({ length: 100 }, (_, n) => `q(${n}).`).join(' ');
        const [first] = await coverageOf(`p(X) <- q(X), q(Y), q(Z), X + Y + Z > 1000.\n${numbers}`);
        expect(first).toMatchObject({ cutShort: true });
        expect(first?.items.map(({ held }) => held)).toEqual([true, true, true, false]);
    });
});

/** The items of a body, as the programs of `smallProgram` have them. */
function itemsOf(rule: string): { readonly head: string; readonly items: readonly string[] } {
    const [head = '', body = ''] = rule.replace(/\.$/u, '').split(' <- ');
    return { head, items: body.split(/, (?![^(]*\))/u) };
}

function variablesIn(text: string): string[] {
    return [...new Set(text.match(/\b[A-Z]\b/gu) ?? [])];
}

/** What each item did, from rules for what stands before it and for it, which the naive evaluator matches. */
class Plain {
    readonly rules: string[] = [];
    readonly #asked: { readonly item: string; readonly before: string; readonly after: string; readonly shared: number }[] = [];

    constructor(rule: string, number: number) {
        const { head, items } = itemsOf(rule);
        const aggregate = items.findIndex(item => item.startsWith('N = '));
        const key = variablesIn(head).filter(name => name !== 'N');
        let [before, shared] = ['', [] as string[]];
        for (const [at, item] of items.entries()) {
            if (at === aggregate) {
                const grouped = `w${number}g`;
                this.rules.push(`${grouped}(0${key.map(name => `,${name}`).join('')},N) <- ${items.slice(0, at + 1).join(', ')}.`);
                [before, shared] = [grouped, [...key, 'N']];
                continue;
            }
            const ofGroups = aggregate >= 0 && at > aggregate;
            const body = ofGroups ? `${before}(0${shared.map(name => `,${name}`).join('')}), ${item}` : items.slice(0, at + 1).join(', ');
            const variables = ofGroups ? shared : [...new Set([...shared, ...(item.startsWith('not ') ? [] : variablesIn(item))])];
            const after = `w${number}x${at}`;
            this.rules.push(`${after}(0${variables.map(name => `,${name}`).join('')}) <- ${body}.`);
            this.#asked.push({ item, before, after, shared: shared.length });
            [before, shared] = [after, variables];
        }
    }

    told(database: Database): { item: string; reached: boolean; held: boolean; failed: boolean }[] {
        const rowsOf = (name: string, width: number): Set<string> => {
            const key = [...database.program.predicates.values()].find(one => one.name === name)?.key;
            const rows = key === undefined ? undefined : database.relation(key);
            return new Set(
                Array.from(
                    { length: rows?.count ?? 0 },
                    (_, row) =>
                        rows?.columns
                            .slice(0, width + 1)
                            .map(column => column[row])
                            .join() ?? '',
                ),
            );
        };
        return this.#asked.map(({ item, before, after, shared }) => {
            const [had, has] = [before === '' ? undefined : rowsOf(before, shared), rowsOf(after, shared)];
            const failed = had === undefined ? has.size === 0 : [...had].some(row => !has.has(row));
            return { item, reached: had === undefined || had.size > 0, held: has.size > 0, failed };
        });
    }
}

test('random programs: as the naive evaluator matches what stands before each item', async () => {
    const seen = { rules: 0, held: 0, failed: 0, both: 0, unreached: 0, ofGroups: 0 };
    for (let seed = 1; seed <= 25; seed++) {
        const text = smallProgram(seededRandom(seed));
        const database = await evaluated(text, evaluate);
        if (database === undefined) continue;
        const rules = text.split('\n').filter(line => line.includes('<-'));
        const plain = rules.map((rule, number) => new Plain(rule, number));
        const reference = await evaluated(`${text}\n${plain.flatMap(one => one.rules).join('\n')}`, evaluateNaive as typeof evaluate);
        if (reference === undefined) throw new Error(`the reference fails\n${text}\n${plain.flatMap(one => one.rules).join('\n')}`);
        for (const [number, rule] of rules.entries()) {
            const expected = plain[number]?.told(reference) ?? [];
            const analysed = database.program.rules[number];
            const found = analysed && bodyCoverage(database, analysed, () => undefined);
            const spaceless = (item: string): string => item.replaceAll(' ', '');
            const told = found?.items.map(({ text: item, reached, held, failed, tests }) => ({
                item: spaceless(item),
                reached,
                held,
                // What tests nothing may fail after the walk has seen enough.
                failed: tests ? failed : expected.find(one => spaceless(one.item) === spaceless(item))?.failed,
            }));
            expect(told, `${rule}\n${text}`).toEqual(expected.map(one => ({ ...one, item: spaceless(one.item) })));
            seen.rules++;
            for (const { reached, held, failed, item } of expected) {
                if (held) seen.held++;
                if (failed) seen.failed++;
                if (held && failed) seen.both++;
                if (!reached) seen.unreached++;
                if (item.startsWith('N >')) seen.ofGroups++;
            }
        }
    }
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(3);
});
