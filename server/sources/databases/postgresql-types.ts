import type { CellForm } from './session.ts';

const FORMS: Readonly<Record<string, CellForm['kind'] & ('integer' | 'decimal' | 'boolean' | 'date' | 'timestamp' | 'json' | 'none')>> = {
    int2: 'integer',
    int4: 'integer',
    int8: 'integer',
    oid: 'integer',
    float4: 'decimal',
    float8: 'decimal',
    numeric: 'decimal',
    bool: 'boolean',
    date: 'date',
    timestamp: 'timestamp',
    timestamptz: 'timestamp',
    json: 'json',
    jsonb: 'json',
    bytea: 'none',
};

/** The form of a type by its name, or by that of its elements, and its modifier; what is not known is read as its text. */
export function formOf(type: string, element: string | null, modifier: number): CellForm {
    if (element !== null) {
        const form = formOf(element, null, modifier);
        return form.kind === 'none' ? form : { kind: 'array', element: form };
    }
    if (type === 'numeric' && hasNoFraction(modifier)) return { kind: 'integer' };
    return { kind: Object.hasOwn(FORMS, type) ? (FORMS[type] ?? 'text') : 'text' };
}

/** Whether numbers of a `numeric(p, s)` are whole: the lowest 11 bits of its modifier are the scale, with a sign, beyond a header of four. */
function hasNoFraction(modifier: number): boolean {
    const scale = (((modifier - 4) & 0x7ff) ^ 0x400) - 0x400;
    return modifier >= 4 && scale <= 0;
}
