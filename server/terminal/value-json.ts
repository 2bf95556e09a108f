import type { Dictionary } from '#engine/values/dictionary.ts';
import { elementType, keyType, type NullLabel, numberText, printsAsInteger, textOf } from '#engine/values/text.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import { MIXED, type Type } from '#language/program/types.ts';

/** The JSON form of values that JSON itself lacks. */
export interface JsonStyle {
    /** A null that a rule invented, or one that stands for a missing value. */
    readonly null: (label: string, isInvented: boolean) => string;
    /** Integers beyond it are texts. */
    readonly largestInteger: bigint;
    /** The text of a timestamp, as the language writes it. */
    readonly timestamp: (text: string) => string;
    /** A further `$` distinguishes an object that only has the key `$null` from a null. */
    readonly escapesNulls: boolean;
}

const COMMAND_LINE: JsonStyle = {
    // What is missing has no label where nothing but its value is known.
    null: label => (label === '' ? 'null' : `{"$null":${JSON.stringify(label)}}`),
    largestInteger: 2n ** 53n,
    timestamp: text => JSON.stringify(text),
    escapesNulls: true,
};

/** A value as the command line's JSON shows it (3.8, 12.5): nulls are objects, integers beyond 2^53 strings. */
export function valueJson(dictionary: Dictionary, id: ValueId, type: Type, label: NullLabel, style: JsonStyle = COMMAND_LINE): string {
    const member = (of: ValueId, as: Type): string => valueJson(dictionary, of, as, label, style);
    switch (dictionary.kind(id)) {
        case 'null':
            return style.null(label(id), dictionary.isInvented(id));
        case 'number':
            return numberJson(dictionary, id, type, style);
        case 'boolean':
        case 'string':
        case 'date':
        case 'timestamp': {
            const text = textOf(dictionary, id, type, label);
            if (dictionary.kind(id) === 'timestamp') return style.timestamp(text);
            return dictionary.kind(id) === 'boolean' ? text : JSON.stringify(text);
        }
        case 'list':
        case 'set':
            return `[${dictionary.membersOf(id).map(of => member(of, elementType(type)))}]`;
        case 'struct':
        case 'map': {
            const pairs = pairsOf(dictionary.membersOf(id));
            const texts = pairs.map(
                ([key, value]) => [textOf(dictionary, key, keyType(type), label), member(value, valueType(type, dictionary, key))] as const,
            );
            const isLikeNull = style.escapesNulls && texts.length === 1 && texts[0]?.[0] === '$null';
            return `{${texts.map(([key, value]) => `${JSON.stringify(isLikeNull ? `$${key}` : key)}:${value}`)}}`;
        }
    }
}

function numberJson(dictionary: Dictionary, id: ValueId, type: Type, { largestInteger }: JsonStyle): string {
    const text = numberText(dictionary, id, type);
    if (!printsAsInteger(dictionary, id, type)) return text;
    const value = dictionary.bigintOf(id);
    return value > largestInteger || value < -largestInteger ? `"${text}"` : text;
}

function pairsOf(members: readonly ValueId[]): [ValueId, ValueId][] {
    const pairs: [ValueId, ValueId][] = [];
    for (let i = 0; i + 1 < members.length; i += 2) pairs.push([members[i] ?? 0, members[i + 1] ?? 0]);
    return pairs;
}

function valueType(type: Type, dictionary: Dictionary, key: ValueId): Type {
    if (type.kind === 'map') return type.value;
    if (type.kind !== 'struct') return MIXED;
    const name = dictionary.stringOf(key);
    return type.fields?.find(field => field.name === name)?.type ?? MIXED;
}
