import { describe, test } from 'vitest';
import { fixedHabits, fixedMistakes, fixedPrograms } from '../../fuzz/fixed.ts';
import { searched } from '../../fuzz/search.ts';

describe('what is fixed without anybody looking at it', () => {
    test('keeps the facts of a program that runs', () => searched(fixedPrograms, 20_777, 4));

    test('gives habits of other languages the meaning that they have there', () => searched(fixedHabits, 20_777, 4));

    test('brings no error to a program with any mistakes', () => searched(fixedMistakes, 20_777, 4));
});
