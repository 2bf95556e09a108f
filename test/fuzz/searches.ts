import { chase } from './chase.ts';
import { documentEdits } from './document-edits.ts';
import { EDITED_KINDS, editedCorpus } from './edited-kinds.ts';
import { firstDerivation } from './first-derivation.ts';
import { fixedHabits, fixedMistakes, fixedPrograms } from './fixed.ts';
import { equalities, equalityExplanations, features, generated, outputs, recursiveEqualities, variations } from './generated.ts';
import { editedPrograms, editedRows } from './held-programs.ts';
import { longBodies } from './long-bodies.ts';
import { moduleEdits } from './module-edits.ts';
import { anyBytes, mutatedAnswers, mutatedPrograms } from './mutated.ts';
import { providedCalls } from './provided-calls.ts';
import { pushedPrograms } from './pushed-programs.ts';
import { randomFailures } from './random-failures.ts';
import { randomPrograms } from './random-programs.ts';
import { randomQuestions } from './random-questions.ts';
import { replayed } from './replayed.ts';
import type { Search } from './search.ts';
import { translatedQueries } from './translated-queries.ts';
import { trueAnswers, trueReasons } from './true-answers.ts';

/** What `npm run fuzz` goes on with. */
export const SEARCHES: readonly Search[] = [
    randomPrograms,
    pushedPrograms,
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
    longBodies,
    providedCalls,
    firstDerivation,
    replayed,
    trueAnswers,
    trueReasons,
    translatedQueries,
    editedPrograms,
    editedRows,
    ...EDITED_KINDS,
    editedCorpus,
    documentEdits,
    moduleEdits,
    fixedPrograms,
    fixedHabits,
    fixedMistakes,
];
