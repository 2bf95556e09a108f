import { isNumeric, MIXED, type Type } from '#language/program/types.ts';
import { castText, castValue } from './cast.ts';
import type { Dictionary } from './dictionary.ts';
import type { Json } from './json.ts';
import { readNumber } from './read-number.ts';
import { setOf } from './set-of.ts';
import type { ValueId } from './value-id.ts';

/** Values where JSON has none: `null` and missing members, and values that cannot be read as the type. */
export interface Gaps {
    /** An unknown value of its own. */
    readonly absent: () => ValueId;
    readonly unreadable: (json: Json, type: Type) => ValueId;
}

/** The value of a JSON text as a type; without a type, arrays are lists and objects are structs. */
export function fromJson(dictionary: Dictionary, json: Json, type: Type, gaps: Gaps): ValueId {
    const inner = (part: Json, of: Type): ValueId => fromJson(dictionary, part, of, gaps);
    if (json.kind === 'null') return gaps.absent();
    switch (type.kind) {
        case 'list':
        case 'set': {
            if (json.kind !== 'array') break;
            const items = json.items.map(item => inner(item, type.element));
            return type.kind === 'list' ? dictionary.list(items) : setOf(dictionary, items);
        }
        case 'struct':
            return json.kind === 'object' ? structOf(dictionary, json, type.fields, gaps) : gaps.unreadable(json, type);
        case 'map': {
            if (json.kind !== 'object') break;
            const members = Array.from(json.members, ([key, value]) => [
                inner({ kind: 'string', text: key }, type.key),
                inner(value, type.value),
            ]);
            return mapOf(dictionary, members as [ValueId, ValueId][]);
        }
        case 'string':
            return dictionary.string(json.kind === 'string' || json.kind === 'number' ? json.text : jsonSource(json));
        case 'json':
            return dictionary.string(jsonSource(json));
        case 'mixed':
        case 'unknown':
            if (json.kind === 'array') return inner(json, { kind: 'list', element: MIXED });
            return json.kind === 'object'
                ? inner(json, { kind: 'struct' })
                : (scalar(dictionary, json, type) ?? gaps.unreadable(json, type));
        default:
            return scalar(dictionary, json, type) ?? gaps.unreadable(json, type);
    }
    return gaps.unreadable(json, type);
}

/** The fields that the type names, by name; all members where it names none. */
function structOf(
    dictionary: Dictionary,
    { members }: Extract<Json, { kind: 'object' }>,
    fields: Extract<Type, { kind: 'struct' }>['fields'],
    gaps: Gaps,
): ValueId {
    const wanted = fields ?? Array.from(members.keys(), name => ({ name, type: MIXED }));
    return dictionary.struct(
        wanted.flatMap(({ name, type }) => {
            const member = members.get(name);
            return [dictionary.string(name), member === undefined ? gaps.absent() : fromJson(dictionary, member, type, gaps)];
        }),
    );
}

/** A map; the last of several entries with one key counts, in the place of the first. */
export function mapOf(dictionary: Dictionary, entries: Iterable<readonly [ValueId, ValueId]>): ValueId {
    return dictionary.map([...new Map(entries)].flat());
}

function scalar(dictionary: Dictionary, json: Json, type: Type): ValueId | undefined {
    switch (json.kind) {
        case 'boolean':
            return castValue(dictionary, dictionary.boolean(json.value), type, MIXED);
        case 'string':
            return castText(dictionary, json.text, type);
        case 'number': {
            if (isNumeric(type)) return castText(dictionary, json.text, type);
            const number = numberOfJson(dictionary, json.text);
            return number === undefined ? undefined : castValue(dictionary, number, type, MIXED);
        }
        case 'null':
        case 'array':
        case 'object':
            return undefined;
    }
}

/** The value of a number as JSON writes it; undefined for a whole number that neither a long nor a double holds. */
export function numberOfJson(dictionary: Dictionary, text: string): ValueId | undefined {
    const value = readNumber(text);
    return typeof value === 'bigint' ? dictionary.bigint(value) : value === undefined ? undefined : dictionary.number(value);
}

/** JSON as compact text. */
export function jsonSource(json: Json): string {
    switch (json.kind) {
        case 'null':
            return 'null';
        case 'boolean':
            return String(json.value);
        case 'number':
            return json.text;
        case 'string':
            return JSON.stringify(json.text);
        case 'array':
            return `[${json.items.map(jsonSource).join()}]`;
        case 'object':
            return `{${Array.from(json.members, ([name, value]) => `${JSON.stringify(name)}:${jsonSource(value)}`).join()}}`;
    }
}
