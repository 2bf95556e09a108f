import { once } from 'node:events';
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import type { Answered, Asking, CallAnswer } from '#server/protocol/run-process.ts';
import { answerQuestions } from '#server/runs/answer-questions.ts';

type Question = 'long' | 'short' | 'unready';

let channel: MessageChannel;
afterEach(() => channel.port1.close());

/** So often a question looks whether it is stopped, that one which is not takes many minutes. */
const ENDLESS = 1e10;

/** The answers in their order, to messages that are sent first and while the long question is answered. */
async function answers(first: readonly Asking<Question>[], meanwhile: readonly Asking<Question>[], count: number) {
    channel = new MessageChannel();
    const { port1, port2 } = channel;
    const told: Answered[] = [];
    const port = {
        postMessage: (message: Answered) => port2.postMessage(message),
        receive: () => receiveMessageOnPort(port2)?.message,
        on: (event: 'message', listener: (message: Asking<Question> | CallAnswer) => void) => port2.on(event, listener),
    };
    answerQuestions<Question>(port, ({ checkpoint }) => ({
        prepare: async () => undefined,
        isReady: question => question !== 'unready',
        answer(question) {
            if (question !== 'long') return question;
            for (const message of meanwhile) port1.postMessage(message);
            for (let n = 0; n < ENDLESS; n++) checkpoint();
            return 'came to its end';
        },
    }));
    for (const message of first) port1.postMessage(message);
    while (told.length < count) told.push(...((await once(port1, 'message')) as Answered[]));
    return told;
}

test('a question that is stopped while it is answered ends, and the others are answered', async () => {
    const long = { kind: 'ask', id: 1, question: 'long' } as const;
    const unready = { kind: 'ask', id: 2, question: 'unready' } as const;
    const short = { kind: 'ask', id: 3, question: 'short' } as const;
    expect(await answers([long, unready], [short, { kind: 'stop', id: 1 }], 3)).toEqual([
        { kind: 'answer', id: 3, result: 'short' },
        { kind: 'refused', id: 1, message: 'The run was stopped by you' },
        { kind: 'answer', id: 2, result: 'unready' },
    ]);
});

test('a question that is stopped while it waits is not answered', async () => {
    const long = { kind: 'ask', id: 1, question: 'long' } as const;
    const unready = { kind: 'ask', id: 2, question: 'unready' } as const;
    const stops = [2, 1].map(id => ({ kind: 'stop', id }) as const);
    expect(await answers([long, unready, { ...unready, id: 3 }], stops, 2)).toMatchObject([{ id: 1 }, { id: 3 }]);
});
