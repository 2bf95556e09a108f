import { type Static, type TArray, type TObject, type TOptional, type TProperties, type TSchema, Type } from 'typebox';
import type { JsonText } from '../json-text.ts';

/**
 * Our additions to JSON Schema, with which TypeBox describes requests. The validator obeys these words and the OpenAPI document shows them.
 */
export interface OwnWords {
    /** Most bytes of UTF-8; more is `payload_too_large`. */
    readonly 'x-max-bytes'?: number;
    /** The meaning of null in a required field. */
    readonly 'x-null'?: string;
    /** `""` and blanks are a value. */
    readonly 'x-may-be-empty'?: boolean;
    /** The object is kept as it is written, with the order of its members and the digits of its numbers. */
    readonly 'x-as-written'?: boolean;
    /** The code that a wrong value is answered with instead of `validation_error`. */
    readonly 'x-code'?: 'invalid_scope' | 'invalid_concept_type' | 'invalid_compute';
}

/** A text with a limit of bytes. */
export function text(maxBytes: number, options: { readonly description?: string; readonly mayBeEmpty?: boolean } = {}) {
    const { description, mayBeEmpty } = options;
    return Type.String({
        'x-max-bytes': maxBytes,
        ...(description !== undefined && { description }),
        ...(mayBeEmpty === true && { 'x-may-be-empty': true }),
    });
}

/** One of a few words, for which a code of its own may stand. */
export function oneOf<const T extends string>(words: readonly T[], code?: OwnWords['x-code']) {
    return Type.Unsafe<T>({ type: 'string', enum: words, ...(code !== undefined && { 'x-code': code }) });
}

type Defaulted<S extends TSchema> = TOptional<S> & { readonly '~defaulted': true };

/** A field that may be left out, and the value that counts then. */
export function defaulted<S extends TSchema>(schema: S, value: Static<S>): Defaulted<S> {
    return Type.Optional({ ...schema, default: value } as S) as unknown as Defaulted<S>;
}

/** A field that may be left out. */
export function optional<S extends TSchema>(schema: S) {
    return Type.Optional(schema) as TOptional<S>;
}

type IsAbsent<S> = S extends { '~defaulted': true } ? false : S extends { '~optional': true } ? true : false;

/** The fields that a handler gets; defaults are filled in. */
export type Read<O extends TObject> =
    O extends TObject<infer P extends TProperties>
        ? { readonly [K in keyof P as IsAbsent<P[K]> extends true ? never : K]: ReadValue<P[K]> } & {
              readonly [K in keyof P as IsAbsent<P[K]> extends true ? K : never]?: ReadValue<P[K]>;
          }
        : never;

type ReadValue<S extends TSchema> = S extends KeptText
    ? JsonText
    : S extends TObject
      ? Read<S>
      : S extends TArray<infer E extends TSchema>
        ? ReadValue<E>[]
        : Static<S>;

/** The fields that a client sends; one with a default may be left out, and null means absent. */
export type Sent<O extends TObject> =
    O extends TObject<infer P extends TProperties>
        ? { readonly [K in keyof P as P[K] extends { '~optional': true } ? never : K]: SentValue<P[K]> } & {
              readonly [K in keyof P as P[K] extends { '~optional': true } ? K : never]?: SentValue<P[K]> | null;
          }
        : never;

type SentValue<S extends TSchema> = S extends KeptText ? Static<S> | JsonText : Static<S>;

export const KIBIBYTE = 1024;
export const MEBIBYTE = 1024 * KIBIBYTE;

/** The text of a program or of a definition. */
export const PROGRAM_TEXT = text(MEBIBYTE, { description: 'The text of a program, as UTF-8 at most 1 MiB.' });

/** A name that people read; not empty. */
export function named(maxLength: number) {
    return Type.String({ maxLength });
}

/** An object of any members. */
export function opaque() {
    return Type.Record(Type.String(), Type.Unknown());
}

export interface KeptText {
    readonly '~asWritten': true;
}
type AsWritten = ReturnType<typeof opaque> & KeptText;

/** An object of any members in a request, which a handler gets as it is written. */
export function asWritten({ maxBytes, description }: { readonly maxBytes?: number; readonly description?: string } = {}): AsWritten {
    return Type.Record(Type.String(), Type.Unknown(), {
        'x-as-written': true,
        ...(maxBytes !== undefined && { 'x-max-bytes': maxBytes }),
        ...(description !== undefined && { description }),
    }) as unknown as AsWritten;
}

/** An answer for keeping, which a client gets as it is written. */
export function keptAsWritten<S extends TObject>(schema: S): S & KeptText {
    return { ...schema, 'x-as-written': true } as unknown as S & KeptText;
}

/** Words that routes have in the place of an id. */
const ROUTE_WORDS = 'run|save|list|fetch|cleanup|rename|load|copy';
export const PROJECT_ID_PATTERN = `^(?!(?:${ROUTE_WORDS})$)[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$`;
/** Concepts, scripts and parameters are named so. */
export const NAME_PATTERN = '^[A-Za-z_][A-Za-z0-9_]{0,127}$';
/** `""` is as good as absent. */
export const NAME_OR_NOTHING = { pattern: `${NAME_PATTERN}|^$`, 'x-may-be-empty': true } as const;

export const SCOPE = defaulted(oneOf(['user', 'organization'], 'invalid_scope'), 'user');

const COMPUTE_BACKENDS = ['local', 'duckdb', 'postgresql', 'spark', 'trino', 'databricks', 'snowflake', 'bigquery'] as const;

const short = (): ReturnType<typeof Type.String> => Type.String({ maxLength: 4096, 'x-may-be-empty': true });

/** The back end of an evaluation. */
export const COMPUTE = Type.Object(
    {
        backend: oneOf(COMPUTE_BACKENDS),
        source_id: optional(short()),
        connection: optional(
            Type.Object({
                host: optional(short()),
                port: optional(Type.Integer({ minimum: 0, maximum: 65_535 })),
                database: optional(short()),
                schema: optional(short()),
                catalog: optional(short()),
                username: optional(short()),
                password: optional(short()),
                token: optional(short()),
                warehouse: optional(short()),
                httpPath: optional(short()),
                project: optional(short()),
                dataset: optional(short()),
            }),
        ),
        options: optional(Type.Record(Type.String(), short(), { maxProperties: 1000 })),
        timeout_seconds: optional(Type.Integer({ minimum: 1, maximum: 600 })),
    },
    { 'x-code': 'invalid_compute' },
);

/** Values of parameters by name; null means not supplied, and an object is `invalid_param_value`. */
export const PARAMETERS = asWritten({ maxBytes: MEBIBYTE, description: 'Texts, numbers, booleans and lists of them, by name.' });
