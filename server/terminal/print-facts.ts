import type { Dictionary } from '#engine/values/dictionary.ts';
import { elementType, keyType, type NullLabel, termText } from '#engine/values/text.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import { MIXED, type Type } from '#language/program/types.ts';
import type { NamedRows } from './print-json.ts';

/**
 * The row as a clause that reads back to the same fact: `p(1, "x").` What only a rule can say stands in its body, structs and maps as the calls
 * that make them, a null that a rule invented as a Skolem term with the number of its label, so that it is the same in all facts:
 * `p(Z1) <- Z1 = #z(1).` A missing value is `null`, a fresh one.
 */
export function factClause({ name, dictionary, columns, at }: NamedRows, row: number, label: NullLabel): string {
    const nulls = new Map<string, string>();
    const conditions: string[] = [];
    const written: Terms = {
        dictionary,
        label,
        nullTerm: text => {
            const number = text.replace(/^\D+/u, '');
            const variable = `Z${number}`;
            nulls.set(variable, `${variable} = #z(${number})`);
            return variable;
        },
    };
    const terms = columns.map(({ type }, column) => {
        const id = at(row, column);
        const text = expressionText(id, type, written);
        if (isConstant(dictionary, id) || dictionary.isNull(id)) return text;
        conditions.push(`V${column} = ${text}`);
        return `V${column}`;
    });
    const body = [...nulls.values(), ...conditions].join(', ');
    return `${name}(${terms.join(', ')})${body === '' ? '' : ` <- ${body}`}.`;
}

interface Terms {
    readonly dictionary: Dictionary;
    readonly label: NullLabel;
    /** Returns a term for an invented null, by its label. */
    readonly nullTerm: (label: string) => string;
}

/** A value that facts take as it is: a missing one is the constant `null`. */
function isConstant(dictionary: Dictionary, id: ValueId): boolean {
    switch (dictionary.kind(id)) {
        case 'null':
            return !dictionary.isInvented(id);
        case 'list':
        case 'set':
            return dictionary.membersOf(id).every(member => isConstant(dictionary, member));
        case 'struct':
        case 'map':
            return false;
        default:
            return true;
    }
}

function expressionText(id: ValueId, type: Type, terms: Terms): string {
    const { dictionary, label, nullTerm } = terms;
    const members = (of: Type): string =>
        dictionary
            .membersOf(id)
            .map(member => expressionText(member, of, terms))
            .join(', ');
    switch (dictionary.kind(id)) {
        case 'null':
            return dictionary.isInvented(id) ? nullTerm(label(id)) : 'null';
        case 'list':
            return `[${members(elementType(type))}]`;
        case 'set':
            return `{${members(elementType(type))}}`;
        case 'struct':
            return `struct(${members(MIXED)})`;
        case 'map':
            return `collections:map(${members(keyType(type))})`;
        default:
            return termText(dictionary, id, type, label);
    }
}
