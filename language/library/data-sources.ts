import { say, translated } from '#language/program/say.ts';
import { CONNECTED_SOURCES, type ConnectedSource, CSV_OPTIONS } from './connected-sources.ts';

/** The values that an option takes. */
export type OptionKind =
    | { readonly kind: 'text' | 'boolean' | 'integer' | 'number' }
    | { readonly kind: 'choice'; readonly choices: readonly string[] };

export interface SourceOption {
    readonly key: string;
    readonly value: OptionKind;
    readonly default?: string;
    readonly required: boolean;
    /** The value must not stand in the program (RL6110). */
    readonly secret: boolean;
    /** Whose it is: this source's, that of everything that is read or written, of a server, or of what is written as statements. */
    readonly group: OptionGroup;
}

export type OptionGroup = 'own' | 'rows' | 'connection' | 'statements';

export interface DataSource {
    readonly type: string;
    readonly aliases: readonly string[];
    readonly direction: 'in' | 'out' | 'both';
    /** The meaning of the third and the fourth argument of a bind. */
    readonly outer: string;
    readonly inner: string;
    /** These are a directory and a file. */
    readonly isFile: boolean;
    /** Its columns are texts unless something types them (9.4). */
    readonly isText: boolean;
    /** Its own options and the common ones, by key. */
    readonly options: ReadonlyMap<string, SourceOption>;
    /** The treatment of a target that exists, if `saveMode` is not written (D-70). */
    readonly saveMode: 'overwrite' | 'errorIfExists';
    /** Rows can be deleted and changed by key columns (8.11). */
    readonly keyedWrites: boolean;
    /** Keys with this prefix are passed through unchecked. */
    readonly passThrough?: string;
}

/**
 * One option as text: `key`, with `:boolean`, `:integer`, `:number` or `:(a|b)` behind it for the kind of value, `=x`
 * for the default and `!` at the end for a required one.
 */
function option(text: string, group: OptionGroup): SourceOption {
    const required = text.endsWith('!');
    const match = /^([^:=!]+)(?::(boolean|integer|number|\([^)]*\)))?(?:=(.*?))?!?$/u.exec(text);
    const [, key = text, kind, standard] = match ?? [];
    return { key, value: optionKind(kind), required, secret: isSecret(key), group, ...(standard !== undefined && { default: standard }) };
}

function optionKind(text: string | undefined): OptionKind {
    if (text === 'boolean' || text === 'integer' || text === 'number') return { kind: text };
    return text === undefined ? { kind: 'text' } : { kind: 'choice', choices: text.slice(1, -1).split('|') };
}

/** Keys whose values are never logged nor shown (9.6). */
export function isSecret(key: string): boolean {
    if (/^(?:partitionKey|sortKey|secondaryIndexPartitionKey|secondaryIndexSortKey)$/u.test(key)) return false;
    return /^(?:password|token|apikey|apiKey|sessionToken|gcpAccessToken)$|Secret|Key/u.test(key);
}

/** Returns the name of the host's secret for an option: `API_KEY` for `apiKey`. */
export function secretName(key: string): string {
    return key
        .replace(/([a-z])([A-Z])/g, '$1_$2')
        .replace(/\W/g, '_')
        .toUpperCase();
}

/** `coalesce` is a flag to some and a number of files to others. */
const COMMON = `saveMode:(overwrite|append|errorIfExists|error|ignore) repartition:integer coalesce compression selectedColumns
query nullGenerationMode:(NEW_NULL|SAME_NULL) outputFormat`;

const CONNECTION = `url protocol host port:integer database username password s3aAccessKey s3aSecretKey batchSize:integer
fetchSize:integer`;

const RDF_MAPPING = `baseIri mode:(entity|triple)=entity subjectColumn graphIri emitOntology:boolean=true predicateColumn objectColumn
subjectTypeColumn objectTypeColumn literalTypes`;

function optionsOf(text: string, group: OptionGroup = 'own'): ReadonlyMap<string, SourceOption> {
    const words = text.split(/\s+/u).filter(word => word !== '');
    return new Map(words.map(word => option(word, group)).map(entry => [entry.key, entry]));
}

/** Types that do not replace a table unless the bind says so. */
const KEEPING: ReadonlySet<string> = new Set(['snowflake', 'databricks']);

function source(
    types: string,
    direction: DataSource['direction'],
    outer: string,
    inner: string,
    options: string,
    {
        passThrough,
        keyedWrites = false,
        isText = false,
    }: { readonly passThrough?: string; readonly keyedWrites?: boolean; readonly isText?: boolean } = {},
): DataSource {
    const [type = '', ...aliases] = types.split(' ');
    return {
        type,
        aliases,
        direction,
        outer,
        inner,
        isFile: outer === 'directory' && inner === 'file',
        isText,
        saveMode: KEEPING.has(type) ? 'errorIfExists' : 'overwrite',
        keyedWrites,
        options: new Map([
            ...optionsOf(CONNECTION, 'connection'),
            ...optionsOf(COMMON, 'rows'),
            ...optionsOf(options),
            ...optionsOf(direction === 'in' ? '' : RDF_MAPPING, 'statements'),
        ]),
        ...(passThrough !== undefined && { passThrough }),
    };
}

const RDF_FORMATS = 'ntriples|nquads|turtle|rdfxml|jsonld|nt|n-triples|nq|n-quads|ttl|rdf/xml|xml|owl|json-ld|jsonld11';

function connected(type: string, { aliases = [], direction, outer, inner, options, ...others }: ConnectedSource): DataSource {
    return source([type, ...aliases].join(' '), direction, outer, inner, options, others);
}

function relational(types: string): DataSource {
    return source(types, 'both', 'database or schema', 'table', '', { keyedWrites: true });
}

function warehouse(types: string, options = ''): DataSource {
    return source(types, 'both', 'database, project or catalog', 'table', `warehouse ${options}`);
}

/** The data sources of 9.2 with their options (9.3). */
const DATA_SOURCES: readonly DataSource[] = [
    ...Object.entries(CONNECTED_SOURCES).map(([type, about]) => connected(type, about)),
    source('http_csv', 'in', 'base address', 'path', CSV_OPTIONS, { isText: true }),
    source('iceberg', 'both', 'catalog and namespace', 'table', 'snapshot-id as-of-timestamp:integer branch tag'),
    source(
        'cobol',
        'in',
        'directory',
        'file',
        `copybook! cobolPreset:(flat-fixed-ebcdic|flat-fixed-ascii|mainframe-v|mainframe-vb|custom)=flat-fixed-ebcdic encoding
        ebcdic_code_page record_format:(F|V|VB) cobolFlattenPolicy:(dotted|keepNested)=dotted cobolFileExtensions`,
        { passThrough: 'cobrix.' },
    ),
    ...['oracle', 'sqlserver', 'db2'].map(types => relational(types)),
    ...['h2', 'sybase', 'teradata', 'clickhouse'].map(types => relational(types)),
    ...['redshift', 'snowflake', 'hive', 'presto'].map(type => warehouse(type)),
    warehouse('bigquery', 'credentialsFile authMode gcpAccessToken parentProject billingProjectId'),
    warehouse('databricks', 'OAuth2ClientId OAuth2Secret authMode token inCluster:boolean'),
    source('neo4j', 'both', 'database', 'label or relationship pattern', 'authenticationType partitions'),
    source('mongodb', 'both', 'database', 'collection', ''),
    source(
        'dynamodb',
        'both',
        'region',
        'table',
        `region sessionToken endpointOverride partitionKey sortKey billingMode:(PAY_PER_REQUEST|PROVISIONED)=PAY_PER_REQUEST
        readCapacity:integer=5 writeCapacity:integer=5 writeBatchSize:integer=25 readPageSize:integer=100 totalSegments:integer=8
        inferSampleLimit:integer=64 secondaryIndexName secondaryIndexPartitionKey secondaryIndexSortKey`,
    ),
    source(
        'qdrant',
        'both',
        'ignored',
        'collection',
        `queryVector limit:integer=10 scoreThreshold:number includeVector:boolean=false filter scrollPageSize:integer=100
        concept:boolean=true vectorDimension:integer distance:(Cosine|Euclid|Dot|Manhattan)=Cosine toEmbedField
        toEmbedFieldPos:integer embeddingField embeddingFieldPos:integer batchSize:integer=64 shardNumber:integer=1
        replicationFactor:integer=1 embeddingModel useTls:boolean apiKey`,
    ),
    source('rdf', 'out', 'directory', 'name', `format:(${RDF_FORMATS})=ntriples singleFile:boolean=false`),
    source(
        'api',
        'in',
        'base address',
        'path with query',
        'responseFormat:(json|csv|xml)=json authType:(basic|bearer|apikey) token apikey headers delimiter',
    ),
    source('console', 'out', 'nothing', 'nothing', ''),
];

/** Says that a bind of a type without a connector does nothing here. */
export function notConnected(): string {
    return say`Not read or written here: no connector for it is installed.`;
}

/** Says what the third and the fourth argument of a bind to the source are. */
export function argumentsOfSource({ outer, inner }: DataSource): string {
    return say`Third argument: ${translated(outer)}. Fourth argument: ${translated(inner)}.`;
}

/** Finds the likely delimiter of a CSV record that was read as one cell; files of other countries and programs have others. */
export function otherDelimiter(record: readonly string[]): string | undefined {
    const [cell] = record;
    return record.length === 1 ? [';', '\t', '|'].find(sign => cell?.includes(sign)) : undefined;
}

const BY_TYPE: ReadonlyMap<string, DataSource> = new Map(
    DATA_SOURCES.flatMap(entry => [entry.type, ...entry.aliases].map(type => [type, entry] as const)),
);

/** The options of `@chase` and `@explain` besides those of their target (11.2, 11.3). */
export const PROVENANCE_OPTIONS: Readonly<Record<'chase' | 'explain', ReadonlyMap<string, SourceOption>>> = {
    chase: optionsOf('forNeo4jBulkImport:boolean=false'),
    explain: optionsOf('predicates chase:boolean=true'),
};

/** The data source of a type word, in any letter case. */
export function dataSourceNamed(type: string): DataSource | undefined {
    return BY_TYPE.get(type.toLowerCase());
}

export function dataSourceTypes(): Iterable<string> {
    return BY_TYPE.keys();
}

/** Describes the values that an option takes. */
export function optionKindText(kind: OptionKind): string {
    switch (kind.kind) {
        case 'text':
            return say`text`;
        case 'boolean':
            return say`true or false`;
        case 'integer':
            return say`a whole number`;
        case 'number':
            return say`a number`;
        case 'choice':
            return say`one of ${kind.choices.join(', ')}`;
    }
}
