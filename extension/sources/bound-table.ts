import type { PlatformClient } from '#server/client/platform-client.ts';
import type { Source } from './source.ts';

type BindEntry = Awaited<ReturnType<PlatformClient['parseBinds']>>['binds']['input'][number];

/** How a source speaks SQL. */
export interface Dialect {
    quoted(name: string): string;
    /** The type of texts in a cast. */
    readonly text: string;
    readonly length: string;
    /** Cells are texts, whatever they mean. */
    readonly isText: boolean;
}

/** A table that was connected, in programs that ask for its rows. */
export interface BoundTable {
    readonly source: Source;
    /** None where the source answers no queries. */
    readonly dialect: Dialect | undefined;
    /** A program whose output `name` is what a query over the table gives. */
    answer(name: string, width: number, query: (table: string) => string): string;
    /** A program whose output `name` has rows of the table, `limit` at most; rows that are the same are one. */
    rows(name: string, limit: number): string;
}

const double = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const backticks = (name: string): string => `\`${name.replaceAll('`', '``')}\``;
const LOCAL: Dialect = { quoted: double, text: 'VARCHAR', length: 'length', isText: false };
const MYSQL: Dialect = { quoted: backticks, text: 'CHAR', length: 'char_length', isText: false };

const FILES: Readonly<Record<string, Dialect>> = { csv: { ...LOCAL, isText: true }, json: LOCAL, parquet: LOCAL };
const DATABASES: Readonly<Record<string, Dialect>> = { postgresql: LOCAL, sqlite: LOCAL, mysql: MYSQL, mariadb: MYSQL };

/** Names that a query in an option of a bind can hold: others would be read as the end of a text or as an escape. */
const PLAIN = /^[^'\\\p{Cc}]+$/u;

/** Takes the bind of a source apart; a password that nobody keeps is written into it, for one evaluation. */
export async function boundTable(client: PlatformClient, source: Source, password?: string): Promise<BoundTable> {
    const { binds } = await client.parseBinds({ body: { program: source.bind_annotation } });
    const [bind] = binds.input;
    if (bind?.source_type === undefined) throw new TypeError(`a bind without a source: ${source.bind_annotation}`);
    const { predicate, source_type: type, options = {}, container = '', target = '' } = bind;
    const { selectedColumns: _, ...others } = options;
    const given = password === undefined ? {} : { password };
    const isFile = Object.hasOwn(FILES, type);
    const names = source.columns.map(({ name }) => name);
    const isAsked =
        names.every(name => !name.includes('${') && (!isFile || PLAIN.test(name))) &&
        new Set(names.map(name => name.toLowerCase())).size === names.length &&
        !(isFile && options.query !== undefined);
    const dialect = isAsked ? (FILES[type] ?? DATABASES[type]) : undefined;
    const table = ({ quoted }: Dialect, own: string): string => {
        const written = bind.query ?? options.query;
        if (written !== undefined) return `(${written}) AS t`;
        if (isFile) return own;
        return options.database === undefined || container === '' ? quoted(target) : `${quoted(container)}.${quoted(target)}`;
    };
    const program = (name: string, own: string, width: number, written: string): string => {
        const columns = Array.from({ length: width }, (__, at) => `C${at}`).join(', ');
        return `${written}\n${name}(${columns}) <- ${own}(${columns}).\n@output("${name}").\n`;
    };
    return {
        source,
        dialect,
        answer(name, width, query) {
            if (dialect === undefined) throw new TypeError(`${type} answers no queries`);
            const own = isFile ? `${predicate}_${name}` : predicate;
            const text = query(table(dialect, own));
            const { query: __, ...left } = others;
            const written = isFile
                ? bindText('bind', own, sourceText(type, { ...left, query: text }), container, target)
                : bindText('qbind', `${predicate}_${name}`, sourceText(type, { ...left, ...given }), container, text);
            return program(name, `${predicate}_${name}`, width, written);
        },
        rows(name, limit) {
            const own = `${predicate}_${name}`;
            const text = sourceText(type, { ...options, ...given });
            const last = bind.kind === 'qbind' ? (bind.query ?? '') : target;
            const written = bindText(bind.kind ?? 'bind', own, text, container, last);
            return `${program(name, own, names.length, written)}@post("${name}","limit(${limit})").\n`;
        },
    };
}

function bindText(kind: NonNullable<BindEntry['kind']>, ...parts: readonly string[]): string {
    return `@${kind}(${parts.map(stringText).join(',')}).`;
}

function stringText(text: string): string {
    return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '""').replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('\r', '\\r')}"`;
}

/** `type key='value', …`. */
function sourceText(type: string, options: Readonly<Record<string, string>>): string {
    const written = Object.entries(options).map(([key, value]) => `${key}=${optionText(key, value)}`);
    return written.length === 0 ? type : `${type} ${written.join(', ')}`;
}

/** A quote ends a text only before a comma or the end, and there is no escape for it. */
function optionText(key: string, value: string): string {
    if (key === 'selectedColumns' || /^\d+$/u.test(value)) return value;
    const escaped = value.replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('\r', '\\r');
    return /'\s*(?:,|$)/u.test(escaped) ? `"${escaped}"` : `'${escaped}'`;
}
