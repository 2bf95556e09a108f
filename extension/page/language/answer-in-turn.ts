import type { LanguageAnswer, LanguageQuestion } from './messages.ts';

/** Answers the questions that come to this worker, one after the other: what they are about changes between them. */
export function answerInTurn(answers: object): void {
    const answerOf = answers as Readonly<Record<string, (params: unknown) => unknown>>;
    let last: Promise<unknown> = Promise.resolve();
    const answered = async ({ id, method, params }: LanguageQuestion): Promise<LanguageAnswer> => {
        try {
            return { id, result: await answerOf[method]?.(params) };
        } catch (error) {
            return { id, failed: error instanceof Error ? error.message : String(error) };
        }
    };
    addEventListener('message', ({ data }: MessageEvent<LanguageQuestion>) => {
        last = last.then(() => answered(data)).then(answer => postMessage(answer));
    });
}
