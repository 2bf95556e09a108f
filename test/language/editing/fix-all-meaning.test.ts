import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evaluate } from '#engine/engine.ts';
import { type OpenDocument, openDocument } from '#language/document/open-document.ts';
import { fixAll } from '#language/editing/fix-all.ts';
import { check, observe } from '../../support/conformance.ts';
import { factsText, readExpectation } from '../../support/expected-facts.ts';
import { generatedProgram } from '../../support/generated-program.ts';
import { HABITS } from '../../support/habits.ts';
import { mutatedProgram } from '../../support/mutated-program.ts';

const program = { folder: '.', expectation: readExpectation('') };

const open = (text: string): OpenDocument => openDocument(text, 'p.rulelang');

function fixed(text: string): string {
    return fixAll(open(text), new Map(), open).text;
}

const errorsOf = (text: string): number => open(text).problems.filter(({ severity }) => severity === 'error').length;

const factsOf = async (text: string): Promise<string> => factsText((await observe(program, text, evaluate)).facts);

/** Lines and habits to change them by, chosen by numbers. */
const changes = fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 1, maxLength: 4 });

/** The program with some lines as people write them, and with the same lines as the language does. */
function habitual(text: string, chosen: readonly (readonly [number, number])[]): { readonly written: string; readonly habit: string } {
    const lines = text.split('\n').map(line => ({ written: line, habit: line }));
    for (const [line, which] of chosen) {
        const habits = HABITS[which % HABITS.length];
        const taking = lines.filter(({ written, habit }) => written === habit && habits?.habit(habit) !== undefined);
        const taken = taking[line % taking.length];
        if (taken !== undefined && habits !== undefined) {
            taken.habit = habits.habit(taken.habit) ?? taken.habit;
            taken.written = habits.written(taken.written) ?? taken.written;
        }
    }
    return { written: lines.map(({ written }) => written).join('\n'), habit: lines.map(({ habit }) => habit).join('\n') };
}

const RUNS = 25;

describe('what is fixed without anybody looking at it', () => {
    test('keeps the facts of a program that runs', async () => {
        await fc.assert(
            fc.asyncProperty(generatedProgram, async text => {
                const after = fixed(text);
                if (after !== text) expect(await factsOf(after), after).toBe(await factsOf(text));
            }),
            { numRuns: RUNS },
        );
    });

    test('gives habits of other languages the meaning that they have there', async () => {
        await fc.assert(
            fc.asyncProperty(generatedProgram, changes, async (text, chosen) => {
                const { written, habit } = habitual(text, chosen);
                const after = fixed(habit);
                expect(errorsOf(after), after).toBeLessThanOrEqual(errorsOf(habit));
                const before = check(habit).errors.length === 0 ? await factsOf(habit) : await factsOf(written);
                if (check(after).errors.length === 0) expect(await factsOf(after), `${habit}\n\n${after}`).toBe(before);
            }),
            { numRuns: RUNS },
        );
    });

    test('brings no error to a program with any mistakes', () => {
        fc.assert(
            fc.property(
                generatedProgram.chain(text => mutatedProgram([text])),
                ({ text }) => {
                    const after = fixed(text);
                    expect(errorsOf(after), `${text}\n\n${after}`).toBeLessThanOrEqual(errorsOf(text));
                },
            ),
            { numRuns: RUNS },
        );
    });
});
