import { dataSourceNamed } from '#language/library/data-sources.ts';
import { printString } from '#language/program/print-constant.ts';

/** Where a connection leads, and what opens it: neither belongs into the options of a bind to a file. */
const CONNECTION = new Set(['url', 'protocol', 'host', 'port', 'database', 'username', 'password', 'query']);

/** What a bind to a file says. */
export interface FileBind {
    readonly type: string;
    /** Those that its type knows are written. */
    readonly options: ReadonlyMap<string, string>;
    readonly folder: string;
    readonly name: string;
}

/** The annotation that reads a file into a predicate; it holds no secret. */
export function fileBind(predicate: string, { type, options, folder, name }: FileBind): string {
    const known = dataSourceNamed(type)?.options;
    const written = [...options].flatMap(([key, value]) => {
        const option = known?.get(key);
        if (option === undefined || option.secret || CONNECTION.has(key)) return [];
        return [key === 'selectedColumns' ? `${key}=${value}` : `${key}=${quoted(value)}`];
    });
    const source = written.length === 0 ? type : `${type} ${written.join(', ')}`;
    return `@bind(${[predicate, source, folder, name].map(text => printString(text.replaceAll('${', () => '$${'))).join(',')}).`;
}

/** The value of an option: a quote before a comma would end it. */
function quoted(value: string): string {
    const quote = /'\s*,/u.test(value) ? '"' : "'";
    return `${quote}${value}${quote}`;
}
