import { say } from '#language/program/say.ts';
import { apiError } from '#server/protocol/platform/api-error.ts';
import type { Model, ModelAnswer, ModelMessage, ModelQuestion } from './model.ts';

/** A judgement of an answer: a value, or a complaint in words for the model. */
export type Judged<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly said: string };

/** Answers of a model that are given back to it, with what is wrong. */
const MOST_REPAIRS = 2;

/** Asks a model until its answer is accepted. `judge` hears when an answer is the last one: it accepts that, or throws. */
export async function repairedAnswer<T>(
    model: Model,
    { messages: first, ...question }: ModelQuestion,
    judge: (answer: ModelAnswer, isLast: boolean) => Promise<Judged<T>> | Judged<T>,
): Promise<T> {
    const messages: ModelMessage[] = [...first];
    for (let repairs = 0; ; repairs++) {
        const answer = await model.complete({ ...question, messages });
        const { text, reason } = answer;
        if (reason === 'refused')
            throw apiError('llm_failed', [text === '' ? say`it refuses to answer` : say`it refuses to answer: ${text}`]);
        const found = await judge(answer, repairs === MOST_REPAIRS);
        if (found.ok) return found.value;
        if (repairs === MOST_REPAIRS) throw new TypeError('the last answer was neither accepted nor refused');
        const cut = reason === 'length' ? 'Your answer was cut off at the most tokens; write less beside what is asked for.\n' : '';
        messages.push({ role: 'assistant', text: text === '' ? '(nothing)' : text }, { role: 'user', text: `${cut}${found.said}` });
    }
}
