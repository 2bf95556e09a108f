import { countCodePoints } from '#language/program/code-points.ts';
import { elementTexts, JsonText, memberTexts } from '#server/protocol/json-text.ts';
import { apiError } from '#server/protocol/platform/api-error.ts';
import type { FieldFault } from '#server/protocol/platform/errors.ts';

/** The words of a schema that requests are described with. */
interface Schema {
    readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
    readonly properties?: Readonly<Record<string, Schema>>;
    readonly required?: readonly string[];
    readonly patternProperties?: Readonly<Record<string, Schema>>;
    readonly additionalProperties?: Schema;
    readonly items?: Schema;
    readonly enum?: readonly unknown[];
    readonly default?: unknown;
    readonly pattern?: string;
    readonly minLength?: number;
    readonly maxLength?: number;
    readonly minimum?: number;
    readonly maximum?: number;
    readonly maxItems?: number;
    readonly maxProperties?: number;
    readonly propertyNames?: { readonly pattern?: string };
    readonly 'x-max-bytes'?: number;
    readonly 'x-may-be-empty'?: boolean;
    readonly 'x-null'?: string;
    readonly 'x-as-written'?: boolean;
    readonly 'x-code'?: 'invalid_scope' | 'invalid_concept_type' | 'invalid_compute';
}

const SHOWN = 100;
/** Faults to list one by one; of further ones only the count. */
const MOST_FAULTS = 1000;

/**
 * The known fields of a query and of a body, with defaults for those that are absent or null. All faults are found before
 * one is answered: what is too large comes before what is wrong, and a code of its own where nothing else is wrong. `written` is
 * the text that the body was read from; fields that are kept as they are written need it.
 */
export function validated<Q, B>(
    query: { readonly schema: object; readonly given: URLSearchParams },
    body: { readonly schema: object; readonly given: unknown; readonly written?: string },
): { readonly query: Q; readonly body: B } {
    const reading = new Reading();
    const read = {
        query: reading.read(query.schema as Schema, queryValues(query.schema as Schema, query.given), '', undefined) as Q,
        body: reading.read(body.schema as Schema, body.given, '', body.written) as B,
    };
    reading.refuse();
    return read;
}

/** The known parameters of a query by name, the last of each. */
function queryValues({ properties = {} }: Schema, given: URLSearchParams): ReadonlyMap<string, unknown> {
    return new Map(
        [...given].flatMap(([name, text]) => {
            const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
            return property === undefined ? [] : [[name, queryValue(property, text)] as const];
        }),
    );
}

/** Numbers and booleans in their only form; other texts stay and are found wrong. */
function queryValue({ type }: Schema, text: string): unknown {
    if (type === 'integer') return /^[0-9]+$/u.test(text) ? Number(text) : new BadText(text);
    if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : new BadText(text);
    return text;
}

/** A text in a query that is not a value of its type. */
class BadText {
    readonly text: string;

    constructor(text: string) {
        this.text = text;
    }
}

class Reading {
    readonly #faults: FieldFault[] = [];
    #count = 0;
    #coded: { readonly code: NonNullable<Schema['x-code']>; readonly value: unknown; readonly fault: FieldFault } | undefined;
    #codedCount = 0;
    #tooLarge: { readonly path: string; readonly limit: number } | undefined;
    #code: Schema['x-code'];

    read(schema: Schema, value: unknown, path: string, written: string | undefined): unknown {
        const outer = this.#code;
        this.#code = schema['x-code'] ?? outer;
        const read = this.#readTyped(schema, value, path, keepsText(schema) ? written : undefined);
        this.#code = outer;
        return read;
    }

    refuse(): void {
        if (this.#tooLarge !== undefined) throw apiError('payload_too_large', [this.#tooLarge.path, this.#tooLarge.limit]);
        if (this.#coded !== undefined && this.#count === this.#codedCount) {
            const { code, value, fault } = this.#coded;
            const details = { fields: this.#faults };
            if (code !== 'invalid_compute') throw apiError(code, [shown(value)], { details });
            throw apiError(code, [`${fault.path} ${issueText(fault)}`], { details });
        }
        const [first] = this.#faults;
        if (first === undefined) return;
        throw apiError('validation_error', [first.path, issueText(first), this.#count - 1], { details: { fields: this.#faults } });
    }

    #readTyped(schema: Schema, value: unknown, path: string, written: string | undefined): unknown {
        if (schema.type === undefined) return value;
        switch (schema.type) {
            case 'object':
                return this.#object(schema, value, path, written);
            case 'array': {
                if (!Array.isArray(value)) return this.#fault(path, 'wrong_type', 'array', value);
                if (schema.maxItems !== undefined && value.length > schema.maxItems)
                    return this.#fault(path, 'out_of_range', `at most ${schema.maxItems} items`, value);
                const texts = written === undefined ? [] : elementTexts(written);
                return value.map((one, i) => this.read(schema.items ?? {}, one, `${path}[${i}]`, texts[i]));
            }
            case 'string':
                return this.#text(schema, value, path);
            case 'integer':
            case 'number':
                return this.#number(schema, value, path);
            case 'boolean':
                return typeof value === 'boolean' ? value : this.#fault(path, 'wrong_type', 'boolean', value);
        }
    }

    /** Fields by name in an object without prototype. */
    #object(schema: Schema, value: unknown, path: string, written: string | undefined): unknown {
        if (!isObject(value)) return this.#fault(path, 'wrong_type', 'object', value);
        const most = schema['x-max-bytes'];
        if (most !== undefined && Buffer.byteLength(JSON.stringify(value)) > most) {
            this.#tooLarge ??= { path, limit: most };
            return undefined;
        }
        if (schema['x-as-written']) return new JsonText(written ?? JSON.stringify(value));
        const texts = written === undefined ? undefined : memberTexts(written);
        const read: Record<string, unknown> = Object.create(null);
        const under = (name: string): string => (path === '' ? name : `${path}.${name}`);
        if (schema.properties === undefined) {
            const [element = schema.additionalProperties ?? {}] = Object.values(schema.patternProperties ?? {});
            const fields = fieldsIn(value);
            const pattern = new RegExp(schema.propertyNames?.pattern ?? '', 'u');
            for (const [name, one] of fields) {
                if (!pattern.test(name)) this.#fault(under(shown(name)), 'bad_format', `a name that matches ${pattern.source}`, name);
                read[name] = this.read(element, one, under(shown(name)), texts?.get(name));
            }
            if (schema.maxProperties !== undefined && fields.length > schema.maxProperties)
                this.#fault(path, 'out_of_range', `at most ${schema.maxProperties} entries`, value);
            return read;
        }
        if (schema.additionalProperties !== undefined) for (const [name, one] of fieldsIn(value)) read[name] = one;
        for (const [name, property] of Object.entries(schema.properties)) {
            const sent = fieldOf(value, name);
            const given = sent === null ? (property['x-null'] ?? null) : sent;
            if (given !== undefined && given !== null) read[name] = this.read(property, given, under(name), texts?.get(name));
            else if (schema.required?.includes(name)) this.#fault(under(name), 'missing', property.type ?? 'value', given);
            else if (property.default !== undefined) read[name] = property.default;
        }
        return read;
    }

    #text(schema: Schema, value: unknown, path: string): unknown {
        if (typeof value !== 'string') return this.#fault(path, 'wrong_type', 'string', value);
        if (schema.enum !== undefined)
            return schema.enum.includes(value) ? value : this.#fault(path, 'not_allowed', `one of ${schema.enum.join(', ')}`, value);
        const most = schema['x-max-bytes'];
        if (most !== undefined && (value.length > most || Buffer.byteLength(value) > most)) {
            this.#tooLarge ??= { path, limit: most };
            return undefined;
        }
        if (schema.maxLength !== undefined && countCodePoints(value) > schema.maxLength)
            return this.#fault(path, 'too_long', `at most ${schema.maxLength} characters`, value);
        if (schema['x-may-be-empty'] !== true && value.trim() === '') return this.#fault(path, 'missing', 'non-empty string', value);
        if (schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(value))
            return this.#fault(path, 'bad_format', `text that matches ${schema.pattern}`, value);
        return value;
    }

    #number({ type, minimum, maximum }: Schema, value: unknown, path: string): unknown {
        if (value instanceof BadText) return this.#fault(path, 'bad_format', 'integer', value);
        if (typeof value !== 'number' || (type === 'integer' && !Number.isInteger(value)))
            return this.#fault(path, 'wrong_type', type ?? 'number', value);
        const isBelow = minimum !== undefined && value < minimum;
        if (isBelow || (maximum !== undefined && value > maximum))
            return this.#fault(path, 'out_of_range', `${minimum ?? ''}..${maximum ?? ''}`, value);
        return value;
    }

    #fault(path: string, issue: FieldFault['issue'], expected: string, value: unknown): undefined {
        const isBadText = value instanceof BadText;
        const fault: FieldFault = { path, issue: isBadText ? 'bad_format' : issue, expected, actual: actual(value) };
        if (++this.#count <= MOST_FAULTS) this.#faults.push(fault);
        if (this.#code !== undefined && ++this.#codedCount === 1)
            this.#coded = { code: this.#code, value: isBadText ? value.text : value, fault };
        return undefined;
    }
}

/** Whether a value, or something in it, is kept as it is written. */
function keepsText(schema: Schema): boolean {
    if (schema['x-as-written']) return true;
    return [...Object.values(schema.properties ?? {}), ...(schema.items === undefined ? [] : [schema.items])].some(keepsText);
}

type Fields = ReadonlyMap<string, unknown> | Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Fields {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fieldOf(fields: Fields, name: string): unknown {
    if (fields instanceof Map) return fields.get(name);
    return Object.hasOwn(fields, name) ? (fields as Readonly<Record<string, unknown>>)[name] : undefined;
}

function fieldsIn(fields: Fields): (readonly [string, unknown])[] {
    return fields instanceof Map ? [...fields] : Object.entries(fields);
}

/** Names the type of the actual value, and not the value, which may be a secret. */
function actual(value: unknown): string {
    if (value === undefined) return 'absent';
    if (value === null) return 'null';
    if (value instanceof BadText) return 'string';
    if (Array.isArray(value)) return 'array';
    return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value;
}

function issueText({ issue, expected, actual }: FieldFault): string {
    switch (issue) {
        case 'missing':
            return 'is missing';
        case 'wrong_type':
            return `must be ${expected}, not ${actual}`;
        case 'out_of_range':
            return `must ${expected.startsWith('at most') ? 'have' : 'be in'} ${expected}`;
        case 'bad_format':
            return `must be ${expected}`;
        case 'too_long':
            return `must have ${expected}`;
        case 'not_allowed':
            return `must be ${expected}`;
    }
}

/** A value in a message: short, and on one line. */
export function shown(value: unknown): string {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
    const cut = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a terminal.
    return cut.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');
}
