import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { Database } from '#engine/contracts/database.ts';
import { say } from '#language/program/say.ts';
import { refuse } from '#server/notices/refusal.ts';
import type { ChainRun } from '#server/protocol/chain-run.ts';
import type { ExplainingMethods, ExplainingQuestion } from '#server/protocol/explaining.ts';
import { answerBy, type Handlers } from '#server/protocol/methods.ts';
import type { ExplainingInput, FromProcess } from '#server/protocol/run-process.ts';
import { speakLocale } from '#server/words/speak-locale.ts';
import { type Answers, answerQuestions, type Stops } from './answer-questions.ts';
import { evaluateChain } from './evaluate-chain.ts';
import { explainedChain } from './explained-chain.ts';
import { relayedCalls } from './relayed-calls.ts';
import { runExplanations } from './run-explanations.ts';
import { hasQueries, withQueries } from './with-queries.ts';

/** The thread that explains the facts of a run; or evaluates a chain, and explains the rows of its last step. */
const port = parentPort;
if (port === null) throw new Error('this is no thread');

const input = workerData as ExplainingInput | ChainRun;
const send = (message: FromProcess): void => port.postMessage(message);

speakLocale();
const { providers, hear } = relayedCalls(send);
answerQuestions<ExplainingQuestion>(
    {
        postMessage: message => port.postMessage(message),
        receive: () => receiveMessageOnPort(port)?.message,
        on: (_, listener) => port.on('message', listener),
    },
    stops => ('steps' in input ? chainExplanations(input, stops) : runExplanations(input, stops, providers)),
    hear,
);

function chainExplanations(run: ChainRun, { checkpoint }: Stops<ExplainingQuestion>): Answers<ExplainingQuestion> {
    let explained: Handlers<ExplainingMethods> | undefined;
    let databases: readonly Database[] = [];
    const evaluated = (async () => {
        const { end, progress, steps } = await evaluateChain(run, providers, send);
        send({ kind: 'ended', end, chain: progress });
        return { steps, changed: progress.changed ?? [] };
    })();
    return {
        async prepare(question) {
            const { steps, changed } = await evaluated;
            databases = steps.map(({ results }) => results.database);
            explained ??= explainedChain(steps, changed, checkpoint);
            const handlers = explained;
            if (isAboutAbsence(question))
                await withQueries(databases, run.limits.maxMemory, checkpoint, () => answerBy(handlers, question, undefined));
        },
        isReady: question => explained !== undefined && !(isAboutAbsence(question) && databases.some(hasQueries)),
        answer: question => answerBy(explained ?? refuse(say`Nothing was evaluated`), question, undefined),
    };
}

function isAboutAbsence({ method }: ExplainingQuestion): boolean {
    return method === 'rulelang/whyNot' || method === 'rulelang/absence';
}
