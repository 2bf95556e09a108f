import { describe, expect, test } from 'vitest';
import { evaluate } from '#engine/engine.ts';
import { listPredicate, nullLabels } from '#engine/results/listing.ts';
import { Dictionary } from '#engine/values/dictionary.ts';
import { compareValues } from '#engine/values/order.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import { MIXED } from '#language/program/types.ts';
import { factClause } from '#server/terminal/print-facts.ts';
import { check, runOptions } from '../../support/conformance.ts';
import { fc } from '../../support/fast-check.ts';

/** The facts of `p` in a program as clauses. */
async function clausesOf(text: string): Promise<readonly string[]> {
    const { program, errors } = check(`${text}\n@output("p").\n`);
    expect(errors).toEqual([]);
    const outcome = await evaluate(program, runOptions('.'));
    if (!outcome.ok) throw new Error(JSON.stringify(outcome));
    const { database } = outcome;
    const label = nullLabels(database.dictionary);
    return database.program.outputs.flatMap(key => {
        const listing = listPredicate(database, key);
        return Array.from({ length: listing.count }, (_, row) => factClause(listing, row, label));
    });
}

/** Makes a value in a dictionary. */
type Maker = (dictionary: Dictionary) => ValueId;

const text = fc.string({ unit: 'binary', maxLength: 8 }).map(
    (value): Maker =>
        dictionary =>
            dictionary.string(value),
);
const number = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })).map(
    (value): Maker =>
        dictionary =>
            dictionary.number(value),
);
const long = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(
    (value): Maker =>
        dictionary =>
            dictionary.bigint(value),
);
const date = fc.integer({ min: -100_000, max: 100_000 }).map(
    (days): Maker =>
        dictionary =>
            dictionary.date(days),
);
const timestamp = fc.bigInt({ min: 0n, max: 4n * 10n ** 15n }).map(
    (micros): Maker =>
        dictionary =>
            dictionary.timestamp(micros),
);
const boolean = fc.boolean().map(
    (value): Maker =>
        dictionary =>
            dictionary.boolean(value),
);
/** A column of dates and timestamps is one of timestamps when it is read: values have times of one kind. */
function valueWith(time: fc.Arbitrary<Maker>): fc.Arbitrary<Maker> {
    return fc.letrec<{ readonly value: Maker }>(tie => {
        const members = fc.array(tie('value'), { maxLength: 3 });
        const entries = fc.uniqueArray(fc.tuple(fc.stringMatching(/^[a-z]{1,3}$/u), tie('value')), {
            minLength: 1,
            maxLength: 3,
            selector: ([name]) => name,
        });
        const all = (dictionary: Dictionary, makers: readonly Maker[]): ValueId[] => makers.map(make => make(dictionary));
        const pairs = (dictionary: Dictionary, made: readonly (readonly [string, Maker])[]): ValueId[] =>
            made
                .toSorted(([one], [other]) => (one < other ? -1 : 1))
                .flatMap(([name, make]) => [dictionary.string(name), make(dictionary)]);
        /** Sets hold each member once, in the order of values. */
        const ordered = (dictionary: Dictionary, ids: readonly ValueId[]): ValueId[] =>
            [...new Set(ids)].sort((one, other) => compareValues(dictionary, one, other));
        return {
            value: fc.oneof(
                { maxDepth: 2, withCrossShrink: true },
                fc.oneof(text, number, long, time, boolean),
                members.map(
                    (makers): Maker =>
                        dictionary =>
                            dictionary.list(all(dictionary, makers)),
                ),
                members.map(
                    (makers): Maker =>
                        dictionary =>
                            dictionary.set(ordered(dictionary, all(dictionary, makers))),
                ),
                entries.map(
                    (made): Maker =>
                        dictionary =>
                            dictionary.struct(pairs(dictionary, made)),
                ),
                entries.map(
                    (made): Maker =>
                        dictionary =>
                            dictionary.map(pairs(dictionary, made)),
                ),
            ),
        };
    }).value;
}

describe('facts', () => {
    test('read back to the same facts, whatever values they have', async () => {
        const rowsWith = (value: fc.Arbitrary<Maker>) => fc.array(fc.tuple(value, value), { minLength: 1, maxLength: 4 });
        await fc.assert(
            fc.asyncProperty(fc.oneof(rowsWith(valueWith(date)), rowsWith(valueWith(timestamp))), async rows => {
                const dictionary = new Dictionary();
                const ids = rows.map(row => row.map(make => make(dictionary)));
                const columns = ['a', 'b'].map(name => ({ name, type: MIXED, cast: false }));
                const at = (row: number, column: number): ValueId => ids[row]?.[column] ?? 0;
                const listing = { name: 'p', dictionary, columns, count: ids.length, at };
                const written = ids.map((_, row) => factClause(listing, row, String));
                // In a list of doubles, integers are written as such.
                const plain = (clauses: readonly string[]): Set<string> =>
                    new Set(clauses.map(clause => clause.replaceAll(/(\d)\.0(?!\d)/gu, '$1')));
                expect(plain(await clausesOf(written.join('\n')))).toEqual(plain(written));
            }),
            { numRuns: 150 },
        );
    });

    test('have nulls that are the same in all of them', async () => {
        const program = 'q(X, Z) :- r(X). p(X, Z) :- q(X, Z). p(Y, Z) :- q(X, Z), s(X, Y). r("a"). r("b"). s("a", "c").';
        const clauses = await clausesOf(program);
        expect(clauses).toEqual(['p("a", Z1) <- Z1 = #z(1).', 'p("b", Z2) <- Z2 = #z(2).', 'p("c", Z1) <- Z1 = #z(1).']);
        expect(await clausesOf(clauses.join('\n'))).toEqual(clauses);
    });

    test('have a fresh null where a value is missing, and what a rule must make in its body', async () => {
        const program = 'p(null, [1, null], S) <- r(Z), S = struct("of", Z, "in", {1}). r(Z) <- t(X), Z = #f(X). t(1).';
        const clauses = await clausesOf(program);
        expect(clauses).toEqual(['p(null, [1, null], V2) <- Z1 = #z(1), V2 = struct("of", Z1, "in", {1}).']);
        expect(await clausesOf(clauses.join('\n'))).toEqual(clauses);
    });
});
