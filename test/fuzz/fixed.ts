import { expect } from 'vitest';
import { evaluate } from '#engine/engine.ts';
import { type OpenDocument, openDocument } from '#language/document/open-document.ts';
import { fixAll } from '#language/editing/fix-all.ts';
import { check, observe } from '../support/conformance.ts';
import { factsText, readExpectation } from '../support/expected-facts.ts';
import { generatedProgram } from '../support/generated-program.ts';
import { HABITS } from '../support/habits.ts';
import { mutatedProgram } from '../support/mutated-program.ts';
import { seededRandom } from '../support/program-variations.ts';
import { sampled } from './sampled.ts';
import type { Search } from './search.ts';

const program = { folder: '.', expectation: readExpectation('') };

const open = (text: string): OpenDocument => openDocument(text, 'p.rulelang');

function fixed(text: string): string {
    return fixAll(open(text), new Map(), open).text;
}

const errorsOf = (text: string): number => open(text).problems.filter(({ severity }) => severity === 'error').length;

const factsOf = async (text: string): Promise<string> => factsText((await observe(program, text, evaluate)).facts);

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

/** Fixing what nobody needs to look at keeps the facts of a program that runs. */
export const fixedPrograms: Search<true> = {
    name: 'fixed-programs',
    text: sampled(generatedProgram),
    async check(text) {
        if (check(text).errors.length > 0) return undefined;
        const after = fixed(text);
        if (after !== text) expect(await factsOf(after), after).toBe(await factsOf(text));
        return true;
    },
};

/** It gives habits of other languages the meaning that they have there. */
export const fixedHabits: Search<true> = {
    name: 'fixed-habits',
    text: sampled(generatedProgram),
    async check(text, seed) {
        if (check(text).errors.length > 0) return undefined;
        const random = seededRandom(seed);
        const number = (): number => Math.floor(random() * 2 ** 31);
        const chosen = Array.from({ length: 1 + Math.floor(random() * 4) }, () => [number(), number()] as const);
        const { written, habit } = habitual(text, chosen);
        const after = fixed(habit);
        expect(errorsOf(after), after).toBeLessThanOrEqual(errorsOf(habit));
        const before = check(habit).errors.length === 0 ? await factsOf(habit) : await factsOf(written);
        if (check(after).errors.length === 0) expect(await factsOf(after), `${habit}\n\n${after}`).toBe(before);
        return true;
    },
};

/** It brings no error to a program with any mistakes. */
export const fixedMistakes: Search<true> = {
    name: 'fixed-mistakes',
    text: sampled(generatedProgram.chain(text => mutatedProgram([text])).map(({ text }) => text)),
    check(text) {
        const after = fixed(text);
        expect(errorsOf(after), after).toBeLessThanOrEqual(errorsOf(text));
        return true;
    },
};
