import { type Static, type TObject, type TSchema, Type } from 'typebox';
import type { JsonText } from '../json-text.ts';
import type { ApiErrorCode } from './errors.ts';
import { type KeptText, MEBIBYTE, type Read, type Sent } from './schema.ts';

/** The description of one route: validation, the OpenAPI document and the client come from it. */
export interface RouteDescription {
    readonly method: 'GET' | 'POST' | 'DELETE';
    /** Below `/api/v1`, with `:name` for segments. */
    readonly path: `/${string}`;
    readonly summary: string;
    /** Tokens of the role `viewer` may call it. */
    readonly viewer: boolean;
    readonly query: TObject;
    readonly body: TObject;
    /** `form`: fields of a form; then `body` is not a JSON description. */
    readonly reads: 'json' | 'form';
    /** Levels that a JSON body may nest. */
    readonly deepest: number;
    /** Bytes of a body. */
    readonly largest: number;
    /** `raw`: the body of the answer is what the handler gives, without envelope. `lines`: so is each line of it. */
    readonly answers: 'envelope' | 'raw' | 'lines';
    readonly data: TSchema;
    /** The `message` of a success. */
    readonly message: string;
    /** Its errors beside those of every route. */
    readonly errors: readonly ApiErrorCode[];
}

type Defaults = Pick<RouteDescription, 'query' | 'body' | 'reads' | 'deepest' | 'largest' | 'answers' | 'errors'>;

const NOTHING = Type.Object({});
export const DEEPEST = 64;
const DEFAULTS = {
    query: NOTHING,
    body: NOTHING,
    reads: 'json',
    deepest: DEEPEST,
    largest: 10 * MEBIBYTE,
    answers: 'envelope',
    errors: [],
} as const satisfies Defaults;

/** A route; what is not said is usual. */
export function route<const R extends Omit<RouteDescription, keyof Defaults> & Partial<Defaults>>(
    description: R,
): Omit<typeof DEFAULTS, keyof R> & R {
    return { ...DEFAULTS, ...description };
}

type ParametersOf<P extends string> = P extends `${string}:${infer N}/${infer Rest}`
    ? N | ParametersOf<`/${Rest}`>
    : P extends `${string}:${infer N}`
      ? N
      : never;

/** The parts of a request that a handler gets. */
export interface RouteInput<R extends RouteDescription> {
    readonly path: { readonly [K in ParametersOf<R['path']>]: string };
    readonly query: Read<R['query']>;
    readonly body: Read<R['body']>;
}

/** The arguments of a client's call. */
export type RouteCall<R extends RouteDescription> = Part<'path', { readonly [K in ParametersOf<R['path']>]: string }> &
    Part<'query', Sent<R['query']>> &
    Part<'body', Sent<R['body']>>;

/** Nothing of a part that has no required fields needs to be given. */
type Part<K extends string, T> = Record<never, never> extends T ? { readonly [P in K]?: T } : { readonly [P in K]: T };

/** The data that a client gets. */
export type RouteData<R extends RouteDescription> = R['data'] extends KeptText ? JsonText : Static<R['data']>;

/** A handler's answer; objects of any members may stand as the program wrote them. */
export type RouteAnswer<R extends RouteDescription> = Answered<Static<R['data']>>;

type Answered<T> = T extends readonly (infer E)[]
    ? readonly Answered<E>[]
    : T extends object
      ? string extends keyof T
          ? T | JsonText
          : { readonly [K in keyof T]: Answered<T[K]> }
      : T;
