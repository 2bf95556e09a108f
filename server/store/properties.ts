import type { DataDirectory } from './data-directory.ts';

/** The properties of the engine, kept in a file of its data directory. Values may be secrets. */
export interface Properties {
    all(): ReadonlyMap<string, string>;
    /** Sets properties; all of them are kept once this returns, or none. */
    set(values: ReadonlyMap<string, string>): void;
}

const FILE = 'engine/engine.properties';

export function propertiesIn(data: DataDirectory): Properties {
    const all = (): Map<string, string> => readProperties(data.read(FILE)?.toString() ?? '');
    return {
        all,
        set: values => data.write(FILE, printProperties(new Map([...all(), ...values]))),
    };
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
    ['n', '\n'],
    ['r', '\r'],
    ['t', '\t'],
    ['f', '\f'],
]);

/** Reads `key=value` lines; `#` and `!` begin comments, `\` escapes. */
function readProperties(text: string): Map<string, string> {
    const lines = text.split(/\r\n|\r|\n/u).filter(line => !/^\s*(?:[#!]|$)/u.test(line));
    return new Map(
        lines.map(line => {
            const at = /(?<!\\)(?:\\\\)*[=:]/u.exec(line);
            const end = at === null ? line.length : at.index + at[0].length - 1;
            return [unescaped(line.slice(0, end).trim()), unescaped(line.slice(end + 1).trimStart())];
        }),
    );
}

function unescaped(text: string): string {
    return text.replaceAll(/\\(?:u([0-9A-Fa-f]{4})|([\s\S]))/gu, (_, code: string | undefined, letter: string) =>
        code === undefined ? (ESCAPES.get(letter) ?? letter) : String.fromCharCode(Number.parseInt(code, 16)),
    );
}

function printProperties(properties: ReadonlyMap<string, string>): string {
    const lines = [...properties].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, value]) => `${key}=${escaped(value)}\n`);
    return lines.join('');
}

function escaped(value: string): string {
    return value
        .replaceAll('\\', '\\\\')
        .replaceAll('\n', '\\n')
        .replaceAll('\r', '\\r')
        .replaceAll('\t', '\\t')
        .replaceAll('\f', '\\f')
        .replace(/^\s/u, '\\$&');
}
