import { JsonText } from './json-text.ts';

/** A value as it can be sent to another thread or process, where `revived` gives it again: of a class nothing would be left there. */
export function portable(value: unknown): unknown {
    if (value instanceof JsonText) return new Map([[JsonText.name, value.text]]);
    if (Array.isArray(value)) return value.map(portable);
    return isPlain(value) ? withMembers(value, portable) : value;
}

/** Objects are without prototype, for their keys may be any. */
export function revived(value: unknown): unknown {
    const kept = value instanceof Map ? value.get(JsonText.name) : undefined;
    if (typeof kept === 'string') return new JsonText(kept, true);
    if (Array.isArray(value)) return value.map(revived);
    return isPlain(value) ? withMembers(value, revived) : value;
}

function isPlain(value: unknown): value is object {
    return typeof value === 'object' && value !== null && !(value instanceof Map);
}

function withMembers(value: object, changed: (member: unknown) => unknown): object {
    const members: Record<string, unknown> = Object.create(null);
    for (const [name, member] of Object.entries(value)) members[name] = changed(member);
    return members;
}
