import type { Dictionary } from '#engine/values/dictionary.ts';
import { jsonText, textOf } from '#engine/values/text.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import { MIXED, type Type } from '#language/program/types.ts';
import { arrayText } from './array-text.ts';
import type { CellForm } from './session.ts';

/** The text of a value as a column takes it; null for a null. */
export function cellText(dictionary: Dictionary, id: ValueId, type: Type, form: CellForm): string | null {
    if (dictionary.isNull(id)) return null;
    switch (form.kind) {
        case 'json':
            return type.kind === 'json' ? textOf(dictionary, id, type, String) : jsonText(dictionary, id, type);
        case 'array': {
            if (!isList(dictionary, id)) break;
            const element = type.kind === 'list' || type.kind === 'set' ? type.element : MIXED;
            const { element: inner } = form;
            return arrayText(dictionary.membersOf(id).map(member => cellText(dictionary, member, element, inner)));
        }
        case 'boolean':
            if (dictionary.kind(id) === 'boolean') return id === 1 ? '1' : '0';
            break;
        case 'decimal':
            if (dictionary.isNumber(id) && !dictionary.isInteger(id)) return String(dictionary.numberOf(id));
            break;
        default:
            break;
    }
    return dictionary.isNumber(id) && dictionary.isInteger(id) && form.kind !== 'text'
        ? String(dictionary.bigintOf(id))
        : textOf(dictionary, id, type, String);
}

function isList(dictionary: Dictionary, id: ValueId): boolean {
    const kind = dictionary.kind(id);
    return kind === 'list' || kind === 'set';
}
