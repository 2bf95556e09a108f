import { say } from '#language/program/say.ts';
import { JsonText, memberTexts } from '#server/protocol/json-text.ts';
import { type DataDirectory, StoreUnavailable } from './data-directory.ts';

export type Scope = 'user' | 'organization';

/** The configuration of the user: values by key, kept in the data directory. */
export interface Configuration {
    /** Loads the saved values. */
    load(scope: Scope): ReadonlyMap<string, JsonText>;
    /** Adds and replaces values; undefined takes one away. All of them are kept once this returns, or none. */
    save(scope: Scope, values: ReadonlyMap<string, JsonText | undefined>): void;
}

/** The configuration in a data directory. One that cannot be read is left as it is, and told by an error. */
export function configurationIn(data: DataDirectory): Configuration {
    const load = (scope: Scope): Map<string, JsonText> => {
        const text = data.read(fileOf(scope))?.toString();
        if (text === undefined) return new Map();
        if (!isConfiguration(text)) throw new StoreUnavailable(say`${fileOf(scope)} cannot be read`);
        return new Map(Array.from(memberTexts(text), ([key, json]) => [key, new JsonText(json)] as const));
    };
    return {
        load,
        save: (scope, values) => {
            const all = load(scope);
            for (const [key, value] of values) {
                if (value === undefined) all.delete(key);
                else all.set(key, value);
            }
            const lines = Array.from(all, ([key, { text }]) => ` ${JSON.stringify(key)}: ${text}`);
            data.write(fileOf(scope), `{\n${lines.join(',\n')}\n}`);
        },
    };
}

/** The values by key, as JavaScript has them. */
export function plainValues(values: ReadonlyMap<string, JsonText>): ReadonlyMap<string, unknown> {
    return new Map(Array.from(values, ([key, { value }]) => [key, value] as const));
}

function isConfiguration(text: string): boolean {
    try {
        const value: unknown = JSON.parse(text);
        return typeof value === 'object' && value !== null && !Array.isArray(value);
    } catch {
        return false;
    }
}

function fileOf(scope: Scope): string {
    return `configuration/${scope}.json`;
}
