import { mountFiles } from '#server/browser/file-system.ts';
import { NO_PROVIDERS } from '#server/browser/no-providers.ts';
import type { ExplainingQuestion } from '#server/protocol/explaining.ts';
import type { Answered } from '#server/protocol/run-process.ts';
import { answerQuestions } from '#server/runs/answer-questions.ts';
import { runExplanations } from '#server/runs/run-explanations.ts';
import type { ToExplain } from './messages.ts';

/** Explains one run: first it hears which, and then the questions. */
addEventListener(
    'message',
    ({ data: { input, files } }: MessageEvent<ToExplain>) => {
        mountFiles(files);
        answerQuestions<ExplainingQuestion>(
            {
                postMessage: (message: Answered) => postMessage(message),
                receive: () => undefined,
                on: (_, listener) => void addEventListener('message', event => listener(event.data)),
            },
            stops => runExplanations(input, stops, NO_PROVIDERS),
        );
    },
    { once: true },
);
