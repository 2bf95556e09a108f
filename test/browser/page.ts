import { type BrowserAnswer, type BrowserProgram, evaluateHere } from './evaluate-here.ts';

declare const PROGRAMS: readonly BrowserProgram[];
declare const document: { readonly body: { textContent: string }; title: string };
declare const Worker: new (url: string) => { onmessage: (event: { data: BrowserAnswer }) => void; onerror: (event: unknown) => void };

/** Evaluates in the page and in a worker of it, and shows both answers. */
const worker = new Worker('/worker.js');
const inWorker = new Promise<BrowserAnswer>((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = reject;
});
const show = (answer: unknown): void => {
    document.body.textContent = JSON.stringify(answer);
    document.title = 'done';
};
Promise.all([evaluateHere(PROGRAMS), inWorker]).then(show, error => show({ failed: String(error) }));
