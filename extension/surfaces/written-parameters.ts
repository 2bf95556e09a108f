import { JsonText, jsonOf } from '#server/protocol/json-text.ts';

/** What was written for a parameter; nothing means that its default counts. */
export interface WrittenParameter {
    readonly name: string;
    readonly written: string;
}

/** What a concept is run with. */
export function paramsOf(written: readonly WrittenParameter[]): Record<string, JsonText | string> {
    return Object.fromEntries(written.flatMap(({ name, written: text }) => (text === '' ? [] : [[name, jsonValueOf(text)]])));
}

/** How the value of a parameter would be written. */
export function writtenAs(value: unknown): string {
    return typeof value === 'string' ? value : jsonOf(value);
}

/** What values a default calls for, as programs call their types; a number may have been written with or without decimals. */
export function typeOfDefault(value: unknown): string | undefined {
    if (Array.isArray(value)) return 'list';
    return typeof value === 'number' ? 'double' : typeof value === 'boolean' ? 'boolean' : undefined;
}

/** Numbers, truth values and lists as JSON has them; whatever is no JSON is a text. */
function jsonValueOf(written: string): JsonText | string {
    try {
        const value: unknown = JSON.parse(written);
        return value === null || (typeof value === 'object' && !Array.isArray(value)) ? written : new JsonText(written);
    } catch {
        return written;
    }
}
