import type { Dictionary } from '#engine/values/dictionary.ts';
import { textOf } from '#engine/values/text.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import type { Type } from '#language/program/types.ts';
import { pairsOf } from '#server/compute/known-type.ts';
import { quotedName, quotedText } from '#server/compute/sql-text.ts';

/** How the values of a type are written in SQL. */
export interface LiteralWriter {
    /** The type in SQL. */
    readonly type: string;
    /** NULL for labelled nulls. */
    readonly text: (id: ValueId) => string;
}

/** Writes values as the tables of queries have them elsewhere. */
export function literalWriter(type: Type, dictionary: Dictionary): LiteralWriter {
    const { type: named, text } = scalarWriter(type, dictionary);
    return { type: named, text: id => (dictionary.isNull(id) ? 'NULL' : text(id)) };
}

function scalarWriter(type: Type, dictionary: Dictionary): LiteralWriter {
    switch (type.kind) {
        case 'int':
        case 'long':
            return { type: 'BIGINT', text: id => String(dictionary.bigintOf(id)) };
        case 'double':
        case 'float':
            // With an exponent, a number is a double; without one it is a decimal.
            return { type: 'DOUBLE', text: id => dictionary.numberOf(id).toExponential() };
        case 'boolean':
            return { type: 'BOOLEAN', text: id => String(id === 1) };
        case 'date':
            return { type: 'DATE', text: id => `(DATE '1970-01-01' + ${dictionary.daysOf(id)})` };
        case 'timestamp':
            return { type: 'TIMESTAMP', text: id => `make_timestamp(${dictionary.microsOf(id)})` };
        case 'list':
        case 'set': {
            const element = literalWriter(type.element, dictionary);
            return { type: `${element.type}[]`, text: id => `[${dictionary.membersOf(id).map(element.text).join(', ')}]` };
        }
        case 'map': {
            const [key, value] = [literalWriter(type.key, dictionary), literalWriter(type.value, dictionary)];
            return {
                type: `MAP(${key.type}, ${value.type})`,
                text: id => {
                    const pairs = pairsOf(dictionary, id);
                    return `map([${pairs.map(([k]) => key.text(k)).join(', ')}], [${pairs.map(([, v]) => value.text(v)).join(', ')}])`;
                },
            };
        }
        case 'struct': {
            const fields = (type.fields ?? []).map(({ name, type: of }) => ({ name, writer: literalWriter(of, dictionary) }));
            if (fields.length === 0) break;
            return {
                type: `STRUCT(${fields.map(({ name, writer }) => `${quotedName(name)} ${writer.type}`).join(', ')})`,
                text: id => {
                    const members = new Map(pairsOf(dictionary, id).map(([name, value]) => [dictionary.stringOf(name), value]));
                    const entries = fields.map(({ name, writer }) => {
                        const member = members.get(name);
                        return `${quotedName(name)}: ${member === undefined ? 'NULL' : writer.text(member)}`;
                    });
                    return `{${entries.join(', ')}}`;
                },
            };
        }
        default:
            break;
    }
    return {
        type: 'VARCHAR',
        text: id => quotedText(dictionary.kind(id) === 'string' ? dictionary.stringOf(id) : textOf(dictionary, id, type, String)),
    };
}
