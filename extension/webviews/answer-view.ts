import { type CancellationToken, CancellationTokenSource } from 'vscode';

type Reply =
    | { readonly kind: 'answer'; readonly request: number; readonly result: unknown }
    | { readonly kind: 'refusal'; readonly request: number; readonly message: string };

/** Answers what a view asks. */
export interface AnsweredView<Q> {
    respond(question: Q): Promise<void>;
    /** The view does not wait for an answer any more. */
    giveUp(request: number): void;
    dispose(): void;
}

/** Sends the view the answer to each of its questions, or why there is none, which `failed` hears too. */
export function answerView<Q extends { readonly request: number }>(
    answer: (question: Q, token: CancellationToken) => Promise<unknown>,
    post: (reply: Reply) => void,
    failed: (question: Q, why: string) => void,
): AnsweredView<Q> {
    const asked = new Map<number, CancellationTokenSource>();
    return {
        async respond(question) {
            const { request } = question;
            const given = new CancellationTokenSource();
            asked.set(request, given);
            try {
                post({ kind: 'answer', request, result: await answer(question, given.token) });
            } catch (reason) {
                if (given.token.isCancellationRequested) return;
                const message = reason instanceof Error ? reason.message : String(reason);
                failed(question, message);
                post({ kind: 'refusal', request, message });
            } finally {
                asked.delete(request);
                given.dispose();
            }
        },
        giveUp: request => asked.get(request)?.cancel(),
        dispose() {
            for (const given of asked.values()) given.cancel();
        },
    };
}
