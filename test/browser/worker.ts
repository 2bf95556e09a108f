import { type BrowserProgram, evaluateHere } from './evaluate-here.ts';

declare const PROGRAMS: readonly BrowserProgram[];
declare const postMessage: (message: unknown) => void;

void evaluateHere(PROGRAMS).then(postMessage);
