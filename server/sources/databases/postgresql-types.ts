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

/** The form of a type by its name, or by that of its elements; what is not known is read as its text. */
export function formOf(type: string, element: string | null): CellForm {
    if (element !== null) {
        const form = formOf(element, null);
        return form.kind === 'none' ? form : { kind: 'array', element: form };
    }
    return { kind: Object.hasOwn(FORMS, type) ? (FORMS[type] ?? 'text') : 'text' };
}
