import { parentPort } from 'node:worker_threads';
import { speakLocale } from '#server/words/speak-locale.ts';
import { type ReadQuestion, readAnswer } from './read-question.ts';

speakLocale();
parentPort?.on('message', (question: ReadQuestion) => parentPort?.postMessage(readAnswer(question)));
