/** Checks of messages between a view and its host. A message that differs in any way from its schema is dropped. */
export type Check<T> = (value: unknown) => value is T;
export type Checked<C> = C extends Check<infer T> ? T : never;

interface Optional<T> {
    readonly optional: Check<T>;
}

type Fields = Readonly<Record<string, Check<unknown> | Optional<unknown>>>;

type Shape<F extends Fields> = { readonly [K in keyof F as F[K] extends Check<unknown> ? K : never]: Checked<F[K]> } & {
    readonly [K in keyof F as F[K] extends Check<unknown> ? never : K]?: F[K] extends Optional<infer T> ? T : never;
};

/** The longest text of a message that is no cell text. */
const TEXT_LIMIT = 1_000_000;

export function isText(value: unknown): value is string {
    return typeof value === 'string' && value.length <= TEXT_LIMIT;
}

/** Text of any length: a whole cell, copied rows. */
export function isLongText(value: unknown): value is string {
    return typeof value === 'string';
}

export function isCount(value: unknown): value is number {
    return Number.isSafeInteger(value) && (value as number) >= 0;
}

export function isNumber(value: unknown): value is number {
    return typeof value === 'number' && Number.isFinite(value);
}

export function isFlag(value: unknown): value is boolean {
    return typeof value === 'boolean';
}

export function oneOf<const V extends string | boolean>(...values: readonly V[]): Check<V> {
    return (value): value is V => (values as readonly unknown[]).includes(value);
}

export function listOf<T>(item: Check<T>, limit = 100_000): Check<readonly T[]> {
    return (value): value is readonly T[] => Array.isArray(value) && value.length <= limit && value.every(item);
}

export function optional<T>(check: Check<T>): Optional<T> {
    return { optional: check };
}

/** An object with these fields and no others. */
export function shape<F extends Fields>(fields: F): Check<Shape<F>> {
    const names = Object.keys(fields);
    return (value): value is Shape<F> => {
        if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
        if (!Object.keys(value).every(name => Object.hasOwn(fields, name))) return false;
        return names.every(name => {
            const field = fields[name];
            const found: unknown = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
            if (field === undefined) return false;
            return typeof field === 'function' ? field(found) : found === undefined || field.optional(found);
        });
    };
}

export function either<C extends readonly Check<unknown>[]>(...checks: C): Check<Checked<C[number]>> {
    return (value): value is Checked<C[number]> => checks.some(check => check(value));
}
