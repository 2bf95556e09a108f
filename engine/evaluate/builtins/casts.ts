import { structSchema, typeNamed } from '#language/library/type-names.ts';
import { printType, type ScalarKind, type Type } from '#language/program/types.ts';
import { castValue, truncateValue } from '../../values/cast.ts';
import { fromJson, jsonSource, mapOf } from '../../values/from-json.ts';
import { type Json, readJson } from '../../values/json.ts';
import { setOf } from '../../values/set-of.ts';
import { jsonText } from '../../values/text.ts';
import type { ValueId } from '../../values/value-id.ts';
import { type Builtin, type CallSite, eager, type Family, type Implementation } from './builtin.ts';

/** An impossible conversion gives an unknown value and RT021 (D-49). */
function cast(kind: ScalarKind): Builtin {
    return eager(
        ({ dictionary, types, unreadable }) =>
            args =>
                castValue(dictionary, args[0]!, { kind }, types[0]!) ?? unreadable(args, kind),
    );
}

/** As `cast`, for numbers without their fractions. */
function truncate(kind: 'int' | 'long'): Builtin {
    return eager(
        ({ dictionary, unreadable }) =>
            args =>
                truncateValue(dictionary, args[0]!, kind) ?? unreadable(args, kind),
    );
}

/** Casts (6.7). */
export const CAST_FUNCTIONS: Family = [
    ['as_string', cast('string')],
    ['as_int', truncate('int')],
    ['as_long', truncate('long')],
    ['as_double', cast('double')],
    ['as_float', cast('float')],
    ['as_boolean', cast('boolean')],
    ['as_date', cast('date')],
    ['as_timestamp', cast('timestamp')],
    ['as_json', eager(asJson)],
    ['as_list', eager(site => asCollection(site, 'list'))],
    ['as_set', eager(site => asCollection(site, 'set'))],
    ['as_struct', eager(asStruct)],
    ['as_map', eager(asMap)],
];

function asJson({ dictionary, types }: CallSite): Implementation {
    return args => dictionary.string(jsonText(dictionary, args[0]!, types[0]!));
}

/** A collection as the other kind, or a JSON array with elements of a named type; a text with a colon is a schema. */
function asCollection(site: CallSite, kind: 'list' | 'set'): Implementation {
    const { dictionary, undefinedFor } = site;
    const convert = jsonConverter(site);
    const typeOf = remembered((text: string) => (text.includes(':') ? structSchema(text) : typeNamed(text)));
    return args => {
        const from = dictionary.kind(args[0]!);
        if (args.length === 1) {
            if (from !== 'list' && from !== 'set') return undefinedFor(args);
            const members = dictionary.membersOf(args[0]!);
            return kind === 'list' ? dictionary.list(members) : setOf(dictionary, members);
        }
        const element = from === 'string' ? typeOf(dictionary.stringOf(args[1]!)) : undefined;
        return element === undefined ? undefinedFor(args) : convert(args, { kind, element }, 'array');
    };
}

function asStruct(site: CallSite): Implementation {
    const { dictionary, undefinedFor } = site;
    const convert = jsonConverter(site);
    const typeOf = remembered(structSchema);
    return args => {
        const type = typeOf(dictionary.stringOf(args[1]!));
        return type === undefined ? undefinedFor(args) : convert(args, type, 'object');
    };
}

function asMap(site: CallSite): Implementation {
    const { dictionary, undefinedFor } = site;
    const convert = jsonConverter(site);
    const typeOf = remembered(typeNamed);
    return args => {
        const key = typeOf(dictionary.stringOf(args[1]!));
        const value = typeOf(dictionary.stringOf(args[2]!));
        if (key === undefined || value === undefined) return undefinedFor(args);
        switch (dictionary.kind(args[0]!)) {
            case 'string':
                return convert(args, { kind: 'map', key, value }, 'object');
            case 'map':
            case 'struct':
                return mapOf(dictionary, castEntries(site, args, key, value));
            default:
                return undefinedFor(args);
        }
    };
}

/** The entries of a map or struct, converted; where that is impossible there is an unknown value. */
function castEntries({ dictionary, types, warnUnreadable }: CallSite, args: Int32Array, key: Type, value: Type): [ValueId, ValueId][] {
    const from = types[0]!;
    const members = dictionary.membersOf(args[0]!);
    const converted = (id: ValueId, to: Type, of: Type, at: number): ValueId => {
        const cast = castValue(dictionary, id, to, of);
        if (cast !== undefined) return cast;
        warnUnreadable(printType(to), jsonText(dictionary, id, of));
        return dictionary.labelledNull('as_map', [...args, dictionary.number(at)], false);
    };
    return Array.from({ length: members.length / 2 }, (_, i) => {
        const [name, member] = [members[2 * i]!, members[2 * i + 1]!];
        const fields = from.kind === 'struct' ? from.fields : undefined;
        const keyType: Type = from.kind === 'map' ? from.key : { kind: from.kind === 'struct' ? 'string' : 'mixed' };
        const field = fields?.find(one => dictionary.kind(name) === 'string' && one.name === dictionary.stringOf(name))?.type;
        const valueType: Type = from.kind === 'map' ? from.value : (field ?? { kind: 'mixed' });
        return [converted(name, key, keyType, 2 * i), converted(member, value, valueType, 2 * i + 1)];
    });
}

/** Reads the first argument as JSON. Inside of it each gap is an unknown value of its own; a text of another shape gives one alone. */
function jsonConverter({ dictionary, unreadable, warnUnreadable }: CallSite) {
    return (args: Int32Array, type: Type, shape: Json['kind']): ValueId => {
        const json = readJson(dictionary.stringOf(args[0]!));
        if (json?.kind !== shape) return unreadable(args, printType(type));
        let gaps = 0;
        const absent = (): ValueId => dictionary.labelledNull(`as_${type.kind}`, [...args, dictionary.number(gaps++)], false);
        return fromJson(dictionary, json, type, {
            absent,
            unreadable: (part, wanted) => {
                const text = jsonSource(part);
                warnUnreadable(printType(wanted), text.length > 60 ? `${text.slice(0, 57)}...` : text);
                return absent();
            },
        });
    };
}

/** The function, with its last result kept: the argument is nearly always a constant. */
function remembered<T>(compute: (text: string) => T): (text: string) => T {
    let last: { readonly text: string; readonly result: T } | undefined;
    return text => {
        if (last?.text !== text) last = { text, result: compute(text) };
        return last.result;
    };
}
