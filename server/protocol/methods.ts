import type { Of, Shape } from './shape.ts';

/** Requests, by method name: what they are asked with, and what they are answered with. All that handles them follows from this. */
export type Methods = Readonly<Record<string, Method>>;

interface Method {
    readonly params: Shape<unknown>;
    readonly result: Shape<unknown>;
    /** What other parameters are said to lack: `a code`. */
    readonly needs?: string;
}

export type ParamsOf<T extends Methods, M extends keyof T> = Of<T[M]['params']>;
export type ResultOf<T extends Methods, M extends keyof T> = Of<T[M]['result']>;

/** One request, by the method that asks it. */
export type AskedBy<T extends Methods> = { [M in keyof T]: { readonly method: M; readonly params: ParamsOf<T, M> } }[keyof T];
