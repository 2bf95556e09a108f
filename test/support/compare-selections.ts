import { expect } from 'vitest';
import type { RunOptions } from '#engine/contracts/run-options.ts';
import type { SourceAccess } from '#server/sources/connector.ts';
import { runConnectors } from '#server/sources/connectors.ts';
import { RUN_OPTIONS, run } from '../engine/evaluate/run-program.ts';
import { fc } from './fast-check.ts';

/** A table that programs read, and what `@bind("t", …)` says of it. */
export interface SelectedTable {
    readonly bind: string;
    readonly access: SourceAccess;
    readonly columns: readonly SelectedColumn[];
}

/** A column with its type in a model, and terms of its values and of others that are near them. */
export interface SelectedColumn {
    readonly name: string;
    readonly type: string;
    readonly terms: readonly string[];
}

/** Terms of all types, for columns of which some are rows. */
export const SELECTED_TERMS = {
    integers: ['0', '1', '-1', '5', '6', '2147483647', '-2147483648', '9007199254740993', '9223372036854775807', '-9223372036854775808'],
    doubles: ['0.0', '0.1', '-0.1', '2.5', '5.5', '1.0E300', '-1.0E300', '5.0E-324', '0.30000000000000004'],
    texts: ['""', '"a"', '"A"', '"a "', '"ä"', '"b"', '"Z"', '"z"', '"𝄞"', '"\uffee"', '"it\'s \\\\ x"'],
    dates: ['2031-04-09', '2031-04-10', '1000-01-01', '9999-12-31'],
    timestamps: ['2031-04-09 00:00:00', '2031-04-09 10:15:00', '2031-04-09 10:15:00.000001', '9999-12-31 23:59:59.999999'],
    booleans: ['#T', '#F'],
} as const;

const TESTS = ['<', '<=', '>', '>=', '=', '==', '!='];

/** Runs random programs over a table with all rows and with those that are asked for: they answer the same, and read less. */
export async function compareSelections({ bind, access, columns }: SelectedTable, numRuns: number, seed = 7): Promise<void> {
    const read = { whole: 0, chosen: 0 };
    await fc.assert(
        fc.asyncProperty(programs(columns), fc.boolean(), async (rules, isTyped) => {
            const model = isTyped ? `@model("t", "[${columns.map(({ name, type }) => `'${name}:${type}'`).join(', ')}]").` : '';
            const text = `@bind("t", ${bind}). ${model}\n@output("o").\n${rules}`;
            const answer = async (readsAll: boolean, count: (rows: number) => void) => {
                const { facts, outcome } = await run(text, options(access, readsAll, count));
                return { told: outcome.ok ? [] : outcome.reports.map(({ message }) => message), facts: outcome.ok ? facts('o') : [] };
            };
            const whole = await answer(true, rows => {
                read.whole += rows;
            });
            const chosen = await answer(false, rows => {
                read.chosen += rows;
            });
            expect({ text, ...chosen }).toEqual({ text, ...whole });
        }),
        { numRuns, seed, endOnFailure: true },
    );
    expect(read.chosen).toBeLessThan(read.whole / 2);
}

function options(access: SourceAccess, readsAll: boolean, count: (rows: number) => void): Partial<RunOptions> {
    const connectors = runConnectors(access);
    return {
        goalsOnly: true,
        readsAll,
        connectors: {
            ...connectors,
            source: bind => {
                const source = connectors.source(bind);
                return (
                    source && {
                        ...source,
                        load: target =>
                            source.load({
                                ...target,
                                addRows: (ids, rows, line) => {
                                    count(rows);
                                    target.addRows?.(ids, rows, line);
                                },
                                add: (row, line) => {
                                    count(1);
                                    target.add(row, line);
                                },
                            }),
                    }
                );
            },
        },
        limits: RUN_OPTIONS.limits,
    };
}

function programs(columns: readonly SelectedColumn[]): fc.Arbitrary<string> {
    const anyTerm = fc.constantFrom(...Object.values(SELECTED_TERMS).flat());
    const termOf = ({ terms }: SelectedColumn): fc.Arbitrary<string> =>
        fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...terms) }, anyTerm);
    const numbered = columns.map((column, at) => ({ column, at }));
    const condition = fc.constantFrom(...numbered).chain(({ column, at }) =>
        fc.oneof(
            {
                weight: 6,
                arbitrary: fc.tuple(fc.constantFrom(...TESTS), termOf(column)).map(([test, term]) => `X${at} ${test} ${term}`),
            },
            {
                weight: 2,
                arbitrary: fc.tuple(fc.constantFrom(...TESTS), termOf(column)).map(([test, term]) => `${term} ${test} X${at}`),
            },
            { weight: 1, arbitrary: fc.constantFrom(`is_null(X${at})`, `!is_null(X${at})`) },
        ),
    );
    const atom = (names: readonly number[], sparse: boolean): fc.Arbitrary<string> =>
        fc.tuple(...numbered.map(({ column, at }) => fc.tuple(fc.nat(5), termOf(column), fc.constant(at)))).map(cells => {
            const terms = cells.map(([choice, term, at]) => {
                if (names.includes(at)) return `X${at}`;
                return choice === 0 || (sparse && choice === 1) ? term : '_';
            });
            return `t(${terms.join(', ')})`;
        });
    const rule = fc
        .tuple(
            fc.oneof({ weight: 9, arbitrary: fc.array(condition, { minLength: 1, maxLength: 3 }) }, fc.constant([])),
            fc.subarray(
                columns.map((_, at) => at),
                { maxLength: 2 },
            ),
            fc.nat(4),
        )
        .chain(([conditions, shown, kind]) => {
            const tested = conditions.map(text => Number(/X(\d+)/u.exec(text)?.[1]));
            const names = [...new Set([...tested, ...shown])];
            const head = `o(${[...shown.map(at => `X${at}`), '0', '0'].slice(0, 2).join(', ')})`;
            const negated = kind === 0 ? atom(names.slice(0, 1), true).map(text => [`not ${text}`]) : fc.constant([]);
            return fc
                .tuple(atom(names, false), negated)
                .map(([positive, others]) => `${head} <- ${[positive, ...others, ...conditions].join(', ')}.`);
        });
    return fc.array(rule, { minLength: 1, maxLength: 2 }).map(rules => rules.join('\n'));
}
