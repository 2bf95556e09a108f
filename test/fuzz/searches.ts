import { chase } from './chase.ts';
import { equalities, equalityExplanations, features, generated, outputs, recursiveEqualities, variations } from './generated.ts';
import { anyBytes, mutatedAnswers, mutatedPrograms } from './mutated.ts';
import { randomFailures } from './random-failures.ts';
import { randomPrograms } from './random-programs.ts';
import { randomQuestions } from './random-questions.ts';
import type { Search } from './search.ts';

/** What `npm run fuzz` goes on with. */
export const SEARCHES: readonly Search[] = [
    randomPrograms,
    randomFailures,
    randomQuestions,
    generated,
    equalities,
    recursiveEqualities,
    equalityExplanations,
    features,
    outputs,
    variations,
    mutatedAnswers,
    mutatedPrograms,
    anyBytes,
    chase,
];
