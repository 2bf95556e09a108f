import { readAnswer } from './read-question.ts';
import { answerQuestions } from './worker-process.ts';

answerQuestions(readAnswer);
