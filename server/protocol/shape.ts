/** Whether a value that came from another process has a shape; types are inferred from shapes. */
export type Shape<T> = (value: unknown) => value is T;
/** The type of the values that have the shape: `Of<typeof isRange>`. */
export type Of<S> = S extends Shape<infer T> ? T : never;

/** A key that may be missing or undefined. */
interface Optional<T> {
    readonly optional: Shape<T>;
}

type Fields = Readonly<Record<string, Shape<unknown> | Optional<unknown>>>;

type WithFields<F extends Fields> = Flat<
    { readonly [K in keyof F as F[K] extends Optional<unknown> ? never : K]: Of<F[K]> } & {
        readonly [K in keyof F as F[K] extends Optional<unknown> ? K : never]?: F[K] extends Optional<infer T> ? T : never;
    }
>;
/** So that an editor shows the fields. */
type Flat<T> = { [K in keyof T]: T[K] };

/** The limit of a list that may be long. */
const LONG = 1 << 20;

export const isText: Shape<string> = value => typeof value === 'string';
export const isFlag: Shape<boolean> = value => typeof value === 'boolean';
export const isNumber: Shape<number> = (value): value is number => typeof value === 'number' && Number.isFinite(value);
/** A whole number from 0 on. */
export const isCount: Shape<number> = countUpTo(Number.MAX_SAFE_INTEGER);
export const isBytes: Shape<Uint8Array> = value => value instanceof Uint8Array;
export const isIntegers: Shape<Int32Array> = value => value instanceof Int32Array;
export const isAnything: Shape<unknown> = (value): value is unknown => value !== undefined;

export function textUpTo(length: number): Shape<string> {
    return (value): value is string => typeof value === 'string' && value.length <= length;
}

/** A whole number from 0 to the limit. */
export function countUpTo(limit: number): Shape<number> {
    return (value): value is number => typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= limit;
}

export function oneOf<const T extends string | boolean | null>(...values: readonly T[]): Shape<T> {
    const known: ReadonlySet<unknown> = new Set(values);
    return (value): value is T => known.has(value);
}

export function either<S extends readonly Shape<unknown>[]>(...shapes: S): Shape<Of<S[number]>> {
    return (value): value is Of<S[number]> => shapes.some(shape => shape(value));
}

export function listOf<T>(element: Shape<T>, longest = LONG): Shape<readonly T[]> {
    return (value): value is readonly T[] => Array.isArray(value) && value.length <= longest && value.every(one => element(one));
}

/** An object with any keys, all values of one shape. */
export function recordOf<T>(element: Shape<T>, most: number): Shape<Readonly<Record<string, T>>> {
    return (value): value is Readonly<Record<string, T>> => {
        const entries = entriesOf(value);
        return entries !== undefined && entries.length <= most && entries.every(([, one]) => element(one));
    };
}

export function optional<T>(shape: Shape<T>): Optional<T> {
    return { optional: shape };
}

/** An object with these keys and no others. */
export function object<F extends Fields>(fields: F): Shape<WithFields<F>> {
    const known = new Map(
        Object.entries(fields).map(([name, field]) =>
            typeof field === 'function' ? [name, { shape: field, isNeeded: true }] : [name, { shape: field.optional, isNeeded: false }],
        ),
    );
    const needed = [...known.values()].filter(({ isNeeded }) => isNeeded).length;
    // Thousands of objects are looked at, each of them without making anything.
    return (value): value is WithFields<F> => {
        if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
        let found = 0;
        for (const name of Object.keys(value)) {
            const one = (value as Readonly<Record<string, unknown>>)[name];
            if (one === undefined) continue;
            const field = known.get(name);
            if (field?.shape(one) !== true) return false;
            if (field.isNeeded) found++;
        }
        return found === needed;
    };
}

function entriesOf(value: unknown): [string, unknown][] | undefined {
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : undefined;
}
