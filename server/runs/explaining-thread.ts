import { parentPort, workerData } from 'node:worker_threads';
import type { ExplainingInput, ExplainingQuestion } from '#server/protocol/explaining.ts';
import { answerQuestions } from './answer-questions.ts';
import { runExplanations } from './run-explanations.ts';

/** The thread that explains the facts of a run. */
const port = parentPort;
if (port === null) throw new Error('this is no thread');

answerQuestions<ExplainingQuestion>(port, stops => runExplanations(workerData as ExplainingInput, stops));
