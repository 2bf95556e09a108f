import type { Of, Shape } from './shape.ts';

/** Requests, by method name: what they are asked with, and what they are answered with. All that handles them follows from this. */
export type Methods = Readonly<Record<string, Method>>;

interface Method {
    readonly params: Shape<unknown>;
    readonly result: Shape<unknown>;
    /** The object of the error for wrong parameters: `a code`. */
    readonly needs?: string;
}

export type ParamsOf<T extends Methods, M extends keyof T> = Of<T[M]['params']>;
export type ResultOf<T extends Methods, M extends keyof T> = Of<T[M]['result']>;

/** Asks about the run at hand, without naming it. After the signal aborts, no caller waits for the answer. */
export type AskRun<T extends Methods> = <M extends keyof T>(
    method: M,
    params: Omit<ParamsOf<T, M>, 'run'>,
    signal?: AbortSignal,
) => Promise<ResultOf<T, M>>;

/** How requests are answered. The context is what an answer is given besides: the number of the question, or a signal. */
export type Handlers<T extends Methods, Context = void> = {
    readonly [M in keyof T]: (params: ParamsOf<T, M>, context: Context) => ResultOf<T, M> | Promise<ResultOf<T, M>>;
};

/** Answers a question by its method. */
export function answerBy<T extends Methods, Context>(
    handlers: Handlers<T, Context>,
    { method, params }: AskedBy<T>,
    context: Context,
): unknown {
    // The parameters of a question are those of its method.
    return handlers[method](params as never, context);
}

/** Answers all requests in one way: hands them on, or refuses them. */
export function inOneWay<T extends Methods, Context>(
    methods: T,
    answer: (question: AskedBy<T>, context: Context) => unknown,
): Handlers<T, Context> {
    const handler = (method: string) => (params: unknown, context: Context) => answer({ method, params } as AskedBy<T>, context);
    return Object.fromEntries(Object.keys(methods).map(method => [method, handler(method)])) as Handlers<T, Context>;
}

/** One request, by the method that asks it. */
export type AskedBy<T extends Methods> = { [M in keyof T]: { readonly method: M; readonly params: ParamsOf<T, M> } }[keyof T];
