import { NO_PROVIDERS } from '#server/browser/no-providers.ts';
import type { ExplainingQuestion } from '#server/protocol/explaining.ts';
import type { Answered, ExplainingInput } from '#server/protocol/run-process.ts';
import { answerQuestions } from '#server/runs/answer-questions.ts';
import { runExplanations } from '#server/runs/run-explanations.ts';

/** Explains one run. */
export function explain(input: ExplainingInput): void {
    answerQuestions<ExplainingQuestion>(
        {
            postMessage: (message: Answered) => postMessage(message),
            receive: () => undefined,
            on: (_, listener) => void addEventListener('message', event => listener(event.data)),
        },
        stops => runExplanations(input, stops, NO_PROVIDERS),
    );
}
