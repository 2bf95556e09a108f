/** The kinds of places where the sources of a type are. */
export type SourcePlaceKind = 'files' | 'database file' | 'server';

/** A type of sources that a run reads or writes here: all that the language, connectors, services and dialogs know of it. */
export interface ConnectedSource {
    /** The name that people read. */
    readonly label: string;
    readonly aliases?: readonly string[];
    /** The name in the platform's contract, if it is another one. */
    readonly contract?: string;
    readonly kind: SourcePlaceKind;
    readonly direction: 'in' | 'both';
    /** The meaning of the third and the fourth argument of a bind. */
    readonly outer: string;
    readonly inner: string;
    /** Options of its own, in the notation of `data-sources.ts`. */
    readonly options: string;
    /** Names of files that are of this type, by their endings without the dot, the usual one first. */
    readonly endings?: readonly string[];
    /** Further endings that a user may choose for this type; files in folders are not taken for it. */
    readonly furtherEndings?: readonly string[];
    /** Files may be packed, with a second ending `gz` or `zst`. */
    readonly mayBePacked?: boolean;
    /** Options that a file needs, by the ending of its name. */
    readonly optionsByEnding?: Readonly<Record<string, Readonly<Record<string, string>>>>;
    /** The usual port of a server. */
    readonly port?: number;
    /** Columns are texts unless something types them (9.4). */
    readonly isText?: boolean;
    /** `@qbind` asks it with a query. */
    readonly isQueried?: boolean;
    /** A run reads no more columns and rows than its rules need. */
    readonly isSelective?: boolean;
    /** Rows can be deleted and changed by key columns (8.11). */
    readonly keyedWrites?: boolean;
}

export const CSV_OPTIONS = `useHeaders:boolean=false delimiter=, recordSeparator quoteMode:(minimal|all|non_numeric|none)=minimal nullString=\\N
multiline:boolean=false encoding=UTF-8 decimal:(.|,)=. thousands`;
/** Of files that are text; without it the name of a file says how it is packed. */
const PACKED = 'compression:(none|uncompressed|gzip|zstd)';
const ENCRYPTION = 'sslmode:(disable|require|verify-ca|verify-full) sslrootcert';

const FILES = { kind: 'files', direction: 'both', outer: 'directory', inner: 'file' } as const;
const DATABASE = { direction: 'both', inner: 'table', isQueried: true, isSelective: true, keyedWrites: true } as const;
const SERVER = { ...DATABASE, kind: 'server', outer: 'database or schema', options: ENCRYPTION } as const;
const LINES = { multiline: 'false' } as const;

/** The connected types, in the order in which dialogs offer them. Each has a connector. */
export const CONNECTED_SOURCES = {
    csv: {
        ...FILES,
        label: 'CSV',
        options: `${CSV_OPTIONS} ${PACKED}`,
        endings: ['csv', 'tsv'],
        furtherEndings: ['txt'],
        mayBePacked: true,
        optionsByEnding: { tsv: { delimiter: '\\t' } },
        isText: true,
    },
    json: {
        ...FILES,
        label: 'JSON',
        options: `multiline:boolean=true encoding=UTF-8 ${PACKED}`,
        endings: ['json', 'ndjson', 'jsonl'],
        mayBePacked: true,
        optionsByEnding: { ndjson: LINES, jsonl: LINES },
    },
    parquet: {
        ...FILES,
        label: 'Parquet',
        options: 'compression:(none|uncompressed|snappy|gzip|zstd|lz4)=snappy',
        endings: ['parquet', 'parq', 'pq'],
        isSelective: true,
    },
    excel: { ...FILES, label: 'Excel', options: 'useHeaders:boolean=false dataAddress', endings: ['xlsx'] },
    text: {
        ...FILES,
        label: 'Text',
        options: `documentType encoding=UTF-8 ${PACKED}`,
        endings: ['txt', 'text', 'md', 'log'],
        mayBePacked: true,
        isText: true,
    },
    binary: {
        ...FILES,
        label: 'PDF',
        aliases: ['binaryfile'],
        contract: 'binaryfile',
        direction: 'in',
        options: 'documentType encoding=UTF-8',
        endings: ['pdf'],
    },
    sqlite: {
        ...DATABASE,
        label: 'SQLite',
        kind: 'database file',
        outer: 'file',
        options: '',
        endings: ['sqlite', 'sqlite3', 'db'],
    },
    postgresql: { ...SERVER, label: 'PostgreSQL', aliases: ['postgres'], port: 5432 },
    mysql: { ...SERVER, label: 'MySQL', port: 3306 },
    mariadb: { ...SERVER, label: 'MariaDB', port: 3306 },
} as const satisfies Readonly<Record<string, ConnectedSource>>;

export type ConnectedType = keyof typeof CONNECTED_SOURCES;

export const CONNECTED_TYPES = Object.keys(CONNECTED_SOURCES) as readonly ConnectedType[];

/** The descriptions of the connected types, in the same order. */
export const SOURCES: readonly ConnectedSource[] = Object.values(CONNECTED_SOURCES);

/** The connected types whose sources are files of one format. */
export type FileType = { [T in ConnectedType]: (typeof CONNECTED_SOURCES)[T]['kind'] extends 'files' ? T : never }[ConnectedType];

/** The names of the connected types in the platform's contract. */
export type ContractType = { [T in ConnectedType]: (typeof CONNECTED_SOURCES)[T] extends { contract: infer N } ? N : T }[ConnectedType];

/** The description of a connected type; undefined for other types. */
export function connectedSource(type: string): ConnectedSource | undefined {
    return isConnected(type) ? CONNECTED_SOURCES[type] : undefined;
}

/** Whether a run reads or writes the type here; the others are described for programs that run elsewhere. */
export function isConnected(type: string): type is ConnectedType {
    return Object.hasOwn(CONNECTED_SOURCES, type);
}

/** Whether sources of a type are files of one format. */
export function isFileType(type: string): type is FileType {
    return connectedSource(type)?.kind === 'files';
}

/** Whether the files of a type may have a row that names their columns. */
export function isHeaded(type: string): boolean {
    return connectedSource(type)?.options.includes('useHeaders') === true;
}

/** Whether `@qbind` asks sources of a type with a query. */
export function isQueried(type: string): boolean {
    return connectedSource(type)?.isQueried === true;
}

/** Whether a run reads no more of a source of this type than its rules need. */
export function isSelective(type: string): boolean {
    return connectedSource(type)?.isSelective === true;
}

export function contractName(type: ConnectedType): ContractType {
    const { contract }: ConnectedSource = CONNECTED_SOURCES[type];
    return (contract ?? type) as ContractType;
}

/** The type of a file and the options that it needs, by its name in any letter case; a packed one has its own ending before `gz` or `zst`. */
export function sourceOfFile(
    path: string,
): { readonly type: ConnectedType; readonly options: Readonly<Record<string, string>> } | undefined {
    const name = path.toLowerCase();
    const packed = PACKED_ENDINGS.find(ending => name.endsWith(`.${ending}`));
    const plain = packed === undefined ? name : name.slice(0, -packed.length - 1);
    for (const type of CONNECTED_TYPES) {
        const { endings = [], mayBePacked, optionsByEnding }: ConnectedSource = CONNECTED_SOURCES[type];
        const ending = endings.find(one => plain.endsWith(`.${one}`));
        if (ending !== undefined && (mayBePacked || packed === undefined)) return { type, options: optionsByEnding?.[ending] ?? {} };
    }
    return undefined;
}

/** Second endings of packed files. */
export const PACKED_ENDINGS: readonly string[] = ['gz', 'zst'];

/** All endings of files that a connected type reads, and of packed ones. */
export function readEndings(): readonly string[] {
    return [...SOURCES.flatMap(({ endings = [] }) => endings), ...PACKED_ENDINGS];
}
