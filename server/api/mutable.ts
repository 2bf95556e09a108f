/** Data of an answer, which are plain values: only their types are read-only. */
export function mutable<T>(value: T): Mutable<T> {
    return value as Mutable<T>;
}

type Mutable<T> = T extends string | number | boolean | undefined
    ? T
    : T extends readonly (infer E)[]
      ? Mutable<E>[]
      : { -readonly [K in keyof T]: Mutable<T[K]> };
