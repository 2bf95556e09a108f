import { it } from 'vitest';
import { equalities, equalityExplanations, recursiveEqualities } from '../fuzz/generated.ts';
import { searched } from '../fuzz/search.ts';

it('programs with equality heads give the same facts however they are evaluated', () => searched(equalities, 20_777, 8));

it('equality heads over nulls of a recursion give the same facts however they are evaluated', () =>
    searched(recursiveEqualities, 20_777, 8));

it('every fact has an explanation, whatever equality heads have replaced', () => searched(equalityExplanations, 20_777, 15));
