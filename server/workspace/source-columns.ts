import { fileURLToPath } from 'node:url';
import { bindKey } from '#language/analysis/binds.ts';
import type { AnalysisOptions, MissingFile, RefusedBind } from '#language/analysis/program-facts.ts';
import type { OpenDocument } from '#language/document/open-document.ts';
import type { Bind, SourceSchema } from '#language/program/analysed-program.ts';
import type { SqlReader } from '#language/program/sql-reading.ts';
import { type Files, nodeFiles } from '#server/files/open-granted.ts';
import { UnusualTarget } from '#server/files/write-granted.ts';
import { parameterTexts } from '#server/sources/bind-parameters.ts';
import type { MaybePromise, SourceAccess } from '#server/sources/connector.ts';
import { missingSource, peekSource, refusedBind, toldRefused, verifiedBinds } from '#server/sources/connectors.ts';
import { type EditorAccess, editorGrants } from './editor-grants.ts';
import { filePath } from './folders.ts';
import { loadSqlReader } from './sql-reader.ts';

/** The columns of the data files that documents bind, read from the front of files inside the workspace folders. */
export interface SourceColumns {
    /** What is known of the sources of a document. */
    known(uri: string): KnownSources;
    /** Looks up the columns that a document still asks for, and has it analysed again as long as that finds some. */
    completing(uri: string, document: OpenDocument, again: (sources: KnownSources) => OpenDocument): OpenDocument;
    forget(uri: string): void;
    forgetAll(): void;
}

/** Columns, and files that are not there, by the keys of binds; and what reads SQL, once a document has some. */
export type KnownSources = Required<Pick<AnalysisOptions, 'schemas' | 'missingFiles' | 'refusedBinds'>> &
    Pick<AnalysisOptions, 'sql' | 'scripts'>;

/** What a look at a file tells: its columns, that it is not there, or that a run would end at the bind; nothing where it cannot be read. */
export interface Answer {
    readonly schema?: SourceSchema;
    readonly missing?: MissingFile;
    readonly refused?: RefusedBind;
}

/** Analysis asks for columns, and an answer can only raise further questions about other binds. */
const ROUNDS = 4;
/** Answers kept per document, and found out at once: each version of a bind that is being typed is another question. */
const KEPT = 500;
/** What may be read of a file without trust. */
const FRONT = 1 << 16;

/** Records that are looked at for texts to offer, of files whose folder is trusted. */
const RECORDS = 500;

/** What the columns are looked up for, and who hears of those that were not known at once. */
export interface SourceColumnsHost {
    readonly roots: () => readonly string[];
    readonly isTrusted: () => boolean;
    /** Hosts and secrets that a trusted folder reaches. */
    readonly reached?: Pick<EditorAccess, 'hosts' | 'secrets'>;
    /** A source of the document has answered: `known` has more than when it was last asked. */
    readonly answered: (uri: string) => void;
    /** What is known of scripts. */
    readonly scripts?: AnalysisOptions['scripts'];
    /** How a source is looked up. */
    readonly look?: (bind: Bind, access: SourceAccess, records: number) => MaybePromise<Answer>;
}

export function sourceColumns({ roots, isTrusted, reached = {}, answered, scripts, look = peek }: SourceColumnsHost): SourceColumns {
    const known = new Map<string, Map<string, Answer>>();
    const knownOf = (uri: string): Map<string, Answer> => {
        const own = known.get(uri) ?? new Map<string, Answer>();
        known.set(uri, own);
        return own;
    };
    let sql: SqlReader | undefined;
    /** Documents that wait for it. */
    const waiting = new Set<string>();
    const askForSql = (uri: string): void => {
        if (waiting.size === 0) {
            void loadSqlReader().then(reader => {
                sql = reader;
                for (const one of waiting) answered(one);
                waiting.clear();
            });
        }
        waiting.add(uri);
    };
    const sourcesOf = (own: ReadonlyMap<string, Answer>): KnownSources => ({
        ...foundIn(own),
        ...(sql && { sql }),
        ...(scripts && { scripts }),
    });
    /** An answer that came later counts where nobody has forgotten the question. */
    const tell = (uri: string, own: Map<string, Answer>, key: string, answer: Answer): void => {
        if (known.get(uri) !== own || !own.has(key)) return;
        own.set(key, answer);
        if (!isEmpty(answer)) answered(uri);
    };
    return {
        known: uri => sourcesOf(knownOf(uri)),
        completing: (uri, first, again) => {
            const own = knownOf(uri);
            if (first.analysed.needsSql) askForSql(uri);
            let document = first;
            for (let round = 0; round < ROUNDS; round++) {
                const needs = new Set(document.analysed.schemaNeeds);
                const asked = verifiedBinds(document.analysed)
                    .filter(bind => !own.has(bindKey(bind)))
                    .slice(0, KEPT);
                if (asked.length === 0) break;
                const access = accessOf(uri, document, { roots: roots(), ...(isTrusted() && reached) });
                if (own.size + asked.length > KEPT) own.clear();
                for (const bind of asked) {
                    const key = bindKey(bind);
                    const refused = access && isTrusted() ? refusedHere(bind, access) : undefined;
                    const isLooked = access !== undefined && refused === undefined && needs.has(bind);
                    const answer = isLooked ? look(bind, access, isTrusted() ? RECORDS : 0) : { ...(refused && { refused }) };
                    own.set(key, answer instanceof Promise ? {} : answer);
                    if (answer instanceof Promise) void answer.then(later => tell(uri, own, key, later));
                }
                if (asked.every(bind => isEmpty(own.get(bindKey(bind))))) break;
                document = again(sourcesOf(own));
            }
            return document;
        },
        forget: uri => {
            known.delete(uri);
        },
        forgetAll: () => known.clear(),
    };
}

function isEmpty(answer: Answer | undefined): boolean {
    return answer?.schema === undefined && answer?.missing === undefined && answer?.refused === undefined;
}

function foundIn(own: ReadonlyMap<string, Answer>): KnownSources {
    return {
        schemas: new Map([...own].flatMap(([key, { schema }]) => (schema === undefined ? [] : [[key, schema] as const]))),
        missingFiles: new Map([...own].flatMap(([key, { missing }]) => (missing === undefined ? [] : [[key, missing] as const]))),
        refusedBinds: new Map([...own].flatMap(([key, { refused }]) => (refused === undefined ? [] : [[key, refused] as const]))),
    };
}

/** How the binds of a document reach their files; undefined where they reach none. */
function accessOf(uri: string, { analysed }: OpenDocument, editor: EditorAccess): SourceAccess | undefined {
    const { roots } = editor;
    if (!uri.startsWith('file:') || roots.length === 0) return undefined;
    return {
        grants: editorGrants(editor),
        programFile: fileURLToPath(uri),
        pathOf: filePath,
        currentFolder: roots[0] ?? '',
        parameters: parameterTexts(analysed.parameters, new Map()),
        files: frontOnly(),
    };
}

/** Why a run would end at a bind, but for what the editor asks about when it comes to it. */
function refusedHere(bind: Bind, access: SourceAccess): RefusedBind | undefined {
    const refused = refusedBind(bind, access);
    return refused === undefined || refused instanceof UnusualTarget ? undefined : toldRefused(refused);
}

function peek(bind: Bind, access: SourceAccess, records: number): MaybePromise<Answer> {
    return after(peekSource(bind, access, records), schema =>
        schema === undefined ? after(missingSource(bind, access), missing => (missing === undefined ? {} : { missing })) : { schema },
    );
}

/** What is made of a value, at once where the value is there. */
function after<T, R>(value: MaybePromise<T>, use: (value: T) => MaybePromise<R>): MaybePromise<R> {
    return value instanceof Promise ? value.then(use) : use(value);
}

/** The file system, with files that end after their front. */
function frontOnly(): Files {
    const left = new Map<number, number>();
    const readSync = (fd: number, into: NodeJS.ArrayBufferView, offset: number, length: number, position: number | null): number => {
        const rest = left.get(fd) ?? FRONT;
        const got = nodeFiles.readSync(fd, into, offset, Math.min(length, rest), position);
        left.set(fd, rest - got);
        return got;
    };
    return { ...nodeFiles, readSync: readSync as Files['readSync'] };
}
