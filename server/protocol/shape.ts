/** Whether a value that came from another process has a shape; unknown keys make it wrong. */
export type Shape<T> = (value: unknown) => value is T;

type Fields = Readonly<Record<string, Shape<unknown>>>;
type Of<S> = S extends Shape<infer T> ? T : never;

export const isText: Shape<string> = value => typeof value === 'string';
export const isFlag: Shape<boolean> = value => typeof value === 'boolean';

export function isTextUpTo(length: number): Shape<string> {
    return (value): value is string => typeof value === 'string' && value.length <= length;
}

/** A whole number from 0 to the limit. */
export function isCountUpTo(limit: number): Shape<number> {
    return (value): value is number => typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= limit;
}

export function isOneOf<const T extends string>(...texts: readonly T[]): Shape<T> {
    const known: ReadonlySet<unknown> = new Set(texts);
    return (value): value is T => known.has(value);
}

export function isListOf<T>(element: Shape<T>, longest: number): Shape<readonly T[]> {
    return (value): value is readonly T[] => Array.isArray(value) && value.length <= longest && value.every(element);
}

/** An object with any keys, all values of one shape. */
export function isRecordOf<T>(element: Shape<T>, most: number): Shape<Readonly<Record<string, T>>> {
    return (value): value is Readonly<Record<string, T>> => {
        const entries = entriesOf(value);
        return entries !== undefined && entries.length <= most && entries.every(([, one]) => element(one));
    };
}

/** An object with these keys; those of `optional` may be missing or undefined. */
export function isObject<R extends Fields, O extends Fields = Readonly<Record<never, never>>>(
    required: R,
    optional?: O,
): Shape<{ readonly [K in keyof R]: Of<R[K]> } & { readonly [K in keyof O]?: Of<O[K]> }> {
    const shapes = new Map([...Object.entries(optional ?? {}), ...Object.entries(required)]);
    const needed = Object.keys(required);
    return (value): value is never => {
        const entries = entriesOf(value)?.filter(([, one]) => one !== undefined);
        if (entries === undefined) return false;
        const names = new Set(entries.map(([name]) => name));
        return needed.every(name => names.has(name)) && entries.every(([name, one]) => shapes.get(name)?.(one) ?? false);
    };
}

function entriesOf(value: unknown): [string, unknown][] | undefined {
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : undefined;
}
