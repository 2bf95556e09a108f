import { parentPort } from 'node:worker_threads';
import { type ReadQuestion, readAnswer } from './read-question.ts';

parentPort?.on('message', (question: ReadQuestion) => parentPort?.postMessage(readAnswer(question)));
