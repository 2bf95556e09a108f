import { endWithParent } from '#server/processes/end-with-parent.ts';
import { speakLocale } from '#server/words/speak-locale.ts';

/** A message of a process that answers questions. */
export type FromWorker<Answer> =
    | { readonly kind: 'answered'; readonly answer: Answer }
    /** An unforeseen error that it threw. */
    | { readonly kind: 'failed'; readonly error: unknown };

/** Lets this process answer questions for the one that started it. */
export function answerQuestions<Question, Answer>(answer: (question: Question) => Answer | Promise<Answer>): void {
    speakLocale();
    endWithParent();
    const tell = (told: FromWorker<Answer>): void => void process.send?.(told);
    process.on('uncaughtException', error => tell({ kind: 'failed', error }));
    process.on('message', async (question: Question) => tell({ kind: 'answered', answer: await answer(question) }));
}
