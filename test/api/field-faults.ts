/** The words of a schema that faults are made from. */
export interface FieldSchema {
    readonly type?: string;
    readonly properties?: Readonly<Record<string, FieldSchema>>;
    readonly required?: readonly string[];
    readonly patternProperties?: Readonly<Record<string, FieldSchema>>;
    readonly propertyNames?: { readonly pattern?: string };
    readonly items?: FieldSchema;
    readonly enum?: readonly string[];
    readonly pattern?: string;
    readonly maxLength?: number;
    readonly minimum?: number;
    readonly maximum?: number;
    readonly maxItems?: number;
    readonly 'x-max-bytes'?: number;
    readonly 'x-may-be-empty'?: boolean;
    readonly 'x-null'?: string;
    readonly 'x-code'?: string;
}

/** A request body with one thing wrong, and what the answer must say about it. */
export interface Fault {
    readonly what: string;
    readonly body: unknown;
    readonly status: 400 | 413;
    readonly code: string;
    readonly field?: { readonly path: string; readonly issue: string };
}

/** Texts of which one fits every pattern that fields have. */
const SAMPLES = ['abc', 'http://e.org/', '1', 'a b'];
/** A value of each JSON type. */
const VALUES: readonly (readonly [string, unknown])[] = [
    ['string', 'abc'],
    ['integer', 7],
    ['number', 1.5],
    ['boolean', true],
    ['array', []],
    ['object', {}],
];

/** A value that the schema allows: with everything that it names where `whole`, else only what it requires. */
export function sampleOf(schema: FieldSchema, whole = false): unknown {
    switch (schema.type) {
        case 'object': {
            const names = Object.keys(schema.properties ?? {}).filter(name => whole || schema.required?.includes(name));
            return Object.fromEntries(names.map(name => [name, sampleOf(schema.properties?.[name] ?? {}, whole)]));
        }
        case 'array':
            return [];
        case 'integer':
        case 'number':
            return schema.minimum ?? 1;
        case 'boolean':
            return false;
        case 'string':
            return schema.enum?.[0] ?? SAMPLES.find(text => new RegExp(schema.pattern ?? '', 'u').test(text));
        default:
            return 'abc';
    }
}

/** Everything that can be wrong with one field of a body, field by field. */
export function* faultsOf(body: FieldSchema): Iterable<Fault> {
    const base = sampleOf(body);
    for (const [what, value] of VALUES)
        if (what !== 'object')
            yield { what: `body is ${what}`, body: value, status: 400, code: 'validation_error', field: at('', 'wrong_type') };
    yield* faultsIn(body, '', undefined, value => value, base);
}

type Put = (value: unknown) => unknown;

function* faultsIn(schema: FieldSchema, path: string, code: string | undefined, put: Put, base: unknown): Iterable<Fault> {
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
        const inner = path === '' ? name : `${path}.${name}`;
        const rest = Object.fromEntries(Object.entries(base as object).filter(([other]) => other !== name));
        const own = field['x-code'] ?? code;
        const putField: Put = value => put({ ...rest, [name]: value });
        if (schema.required?.includes(name)) {
            yield fault(`${inner} is absent`, put(rest), own, at(inner, 'missing'));
            if (field['x-null'] === undefined) yield fault(`${inner} is null`, putField(null), own, at(inner, 'missing'));
        }
        yield* faultsOfField(field, inner, own, putField);
    }
}

function* faultsOfField(field: FieldSchema, path: string, code: string | undefined, put: Put): Iterable<Fault> {
    const { type, maximum, minimum, maxLength, maxItems, 'x-max-bytes': maxBytes } = field;
    if (type === undefined) return;
    const isWrong = (what: string, value: unknown, issue: string): Fault => fault(`${path} is ${what}`, put(value), code, at(path, issue));
    for (const [kind, value] of VALUES)
        if (kind !== type && !(type === 'number' && kind === 'integer')) yield isWrong(kind, value, 'wrong_type');
    if (field.enum !== undefined) yield isWrong('an unknown word', 'nonsense', 'not_allowed');
    if (field.pattern !== undefined) yield isWrong('badly formed', '\u0000 \n"\\', 'bad_format');
    if (type === 'string' && field.enum === undefined && field['x-may-be-empty'] !== true)
        for (const blank of ['', ' \t']) yield isWrong(`'${blank}'`, blank, 'missing');
    if (minimum !== undefined) yield isWrong('too small', minimum - 1, 'out_of_range');
    if (maximum !== undefined) yield isWrong('too large', maximum + 1, 'out_of_range');
    if (maxLength !== undefined) yield isWrong('too long', 'x'.repeat(maxLength + 1), 'too_long');
    if (maxItems !== undefined) yield isWrong('too many', Array(maxItems + 1).fill(sampleOf(field.items ?? {})), 'out_of_range');
    if (maxBytes !== undefined) {
        // Fewer characters than bytes are allowed.
        const large = 'é'.repeat(maxBytes / 2 + 1);
        const body = put(type === 'object' ? { large } : large);
        yield { what: `${path} has too many bytes`, body, status: 413, code: 'payload_too_large' };
    }
    if (type === 'array' && field.items !== undefined) {
        const { items } = field;
        yield* faultsOfField(items, `${path}[0]`, items['x-code'] ?? code, value => put([value]));
        if (items.properties !== undefined) yield* faultsIn(items, `${path}[0]`, code, value => put([value]), sampleOf(items));
    }
    if (type !== 'object') return;
    if (field.properties !== undefined) yield* faultsIn(field, path, code, put, sampleOf(field));
    const [entry] = Object.values(field.patternProperties ?? {});
    const name = SAMPLES.find(text => new RegExp(field.propertyNames?.pattern ?? '', 'u').test(text)) ?? 'abc';
    if (entry !== undefined) yield* faultsOfField(entry, `${path}.${name}`, entry['x-code'] ?? code, value => put({ [name]: value }));
}

function fault(what: string, body: unknown, code: string | undefined, field: NonNullable<Fault['field']>): Fault {
    return { what, body, status: 400, code: code ?? 'validation_error', field };
}

function at(path: string, issue: string): NonNullable<Fault['field']> {
    return { path, issue };
}
