import { JsonText, jsonOf } from '#server/protocol/json-text.ts';

/** The value of a parameter as the user wrote it; an empty one means the default. */
export interface WrittenParameter {
    readonly name: string;
    readonly written: string;
}

/** The parameters of a concept's run. */
export function paramsOf(written: readonly WrittenParameter[]): Record<string, JsonText | string> {
    return Object.fromEntries(written.flatMap(({ name, written: text }) => (text === '' ? [] : [[name, jsonValueOf(text)]])));
}

/** How the value of a parameter would be written. */
export function writtenAs(value: unknown): string {
    return typeof value === 'string' ? value : jsonOf(value);
}

/** Returns the type of a default, as programs name types; a number may have been written with or without decimals. */
export function typeOfDefault(value: unknown): string | undefined {
    if (Array.isArray(value)) return 'list';
    return typeof value === 'number' ? 'double' : typeof value === 'boolean' ? 'boolean' : undefined;
}

/** Reads numbers, truth values and lists as JSON; any other text stays a text. */
function jsonValueOf(written: string): JsonText | string {
    try {
        const value: unknown = JSON.parse(written);
        return value === null || (typeof value === 'object' && !Array.isArray(value)) ? written : new JsonText(written);
    } catch {
        return written;
    }
}
