import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { bindKey } from '#language/analysis/binds.ts';
import type {
    AnalysisOptions,
    HeldTarget,
    KnownScripts,
    MissingFile,
    RefusedBind,
    UnansweredQuery,
} from '#language/analysis/program-facts.ts';
import type { OpenDocument } from '#language/document/open-document.ts';
import { isFileType } from '#language/library/connected-sources.ts';
import type { Bind, Parameter, SourceSchema, SourceTable } from '#language/program/analysed-program.ts';
import { printExpression } from '#language/program/print.ts';
import type { SqlReader } from '#language/program/sql-reading.ts';
import { type TriableQueries, triableQueries } from '#server/compute/tried-queries.ts';
import { type Files, nodeFiles } from '#server/files/open-granted.ts';
import { UnusualTarget } from '#server/files/write-granted.ts';
import type { PythonUse } from '#server/protocol/run-process.ts';
import { knownScripts } from '#server/python/known-scripts.ts';
import { pythonUnavailable } from '#server/python/python-unavailable.ts';
import { parameterTexts } from '#server/sources/bind-parameters.ts';
import type { MaybePromise, SourceAccess } from '#server/sources/connector.ts';
import {
    missingSource,
    peekSource,
    refusedBind,
    stampOfSource,
    tablesOfSource,
    targetOf,
    toldRefused,
    verifiedBinds,
    writtenTwice,
} from '#server/sources/connectors.ts';
import { isDatabaseType } from '#server/sources/databases/dialects.ts';
import { type EditorAccess, editorGrants } from './editor-grants.ts';
import { filePath } from './folders.ts';
import { heldTargets, writtenBinds } from './held-targets.ts';
import type { FileQuestion } from './look-aside.ts';
import { loadSqlReader } from './sql-reader.ts';

/** Columns of sources for the documents that bind them: of files inside the workspace folders, and of granted hosts. */
export interface SourceColumns {
    /** The known sources of a document. */
    known(uri: string): KnownSources;
    /** Looks up the columns that a document still asks for, and has it analysed again as long as that finds some. */
    completing(uri: string, document: OpenDocument, again: (sources: KnownSources) => OpenDocument): OpenDocument;
    /** The tables among which a bind of the document names one; undefined as long as the source has not answered. */
    tables(document: OpenDocument, bind: Bind): readonly SourceTable[] | undefined;
    /**
     * Returns a stamp that changes with the file that a bind of the document reads; undefined if it reads none, or none that may be read.
     */
    stamp(document: OpenDocument, bind: Bind): string | undefined;
    /**
     * Called when the user looks at the document. It asks databases with old answers again, and queries whose files have changed. Meanwhile
     * it answers from the known sources.
     */
    refresh(uri: string): void;
    /** Looks again at files of the document that have come, gone or changed since they were looked at. */
    refreshFiles(uri: string): void;
    forget(uri: string): void;
    /** A document is the body of a concept, open or not yet, which is given these relations by others. */
    supply(uri: string, relations: ReadonlyMap<string, SourceSchema>): void;
    /** Called if files may have changed; databases and queries are asked again at the next `refresh`. */
    forgetAll(): void;
}

/** Columns, and files that are not there, by the keys of binds; and what reads SQL, once a document has some. */
export type KnownSources = Required<
    Pick<AnalysisOptions, 'schemas' | 'missingFiles' | 'refusedBinds' | 'heldTargets' | 'unansweredQueries'>
> &
    Pick<AnalysisOptions, 'sql' | 'scripts' | 'concept'>;

/** The result of looking at a source: its columns, that it is missing, or that a run would end at the bind; empty if it cannot be read. */
export interface Answer {
    readonly schema?: SourceSchema;
    readonly missing?: MissingFile;
    readonly refused?: RefusedBind;
    /** The target that it writes. */
    readonly target?: string;
}

/** Analysis asks for columns, and an answer can only raise further questions about other binds. */
const ROUNDS = 4;
/** Answers kept per document, and found out at once: each version of a bind that is being typed is another question. */
const KEPT = 500;
/** Bytes to read of a file without trust, and with it. */
const [FRONT, TRUSTED_FRONT] = [1 << 16, 1 << 23];

/** Records that are looked at for texts to offer, of files whose folder is trusted. */
const RECORDS = 500;
/** Milliseconds for which a bind has to stay as it is before a server or a query is asked: names come letter by letter. */
const TYPING = 400;
/** Milliseconds after which it is asked again. */
const FRESH = 10_000;
/** Milliseconds after the last edit until queries are tried. */
const TRIAL = 500;

/** The host of the documents: its folders and grants, and the listener for late answers. */
export interface SourceColumnsHost {
    readonly roots: () => readonly string[];
    readonly isTrusted: () => boolean;
    /** Hosts and secrets that a trusted folder reaches. */
    readonly reached?: () => Pick<EditorAccess, 'hosts' | 'secrets' | 'logins'>;
    /** A source of the document has answered: `known` has more than when it was last asked. */
    readonly answered: (uri: string) => void;
    /** Hears of what went wrong inside, behind the answers. */
    readonly failed: (error: unknown) => void;
    /** How scripts are run; nothing is said of them where it is absent. */
    readonly python?: PythonUse;
    /** Tries queries without rows in another process; none is tried where it is absent. */
    readonly tryQueries?: (queries: TriableQueries) => Promise<ReadonlyMap<string, UnansweredQuery>>;
    /** Asks files with the query of a bind in another process; none are asked where it is absent. */
    readonly askFiles?: (question: FileQuestion) => Promise<Answer>;
    /** How a source is looked up. */
    readonly look?: (bind: Bind, access: SourceAccess, records: number) => MaybePromise<Answer>;
    readonly list?: (bind: Bind, access: SourceAccess) => MaybePromise<readonly SourceTable[] | undefined>;
}

/** A bind whose source is asked behind the answers. */
interface AskedBehind {
    readonly bind: Bind;
    readonly access: SourceAccess;
    readonly look: () => MaybePromise<Answer>;
    /** When it was asked last. */
    asked: number;
    /** A stamp of its files at that time. */
    stamp: string | undefined;
}

/** A file that was looked at, with its stamp at that time; undefined where there was none. */
interface LookedAt {
    readonly bind: Bind;
    readonly access: SourceAccess;
    readonly stamp: string | undefined;
}

/** The known sources of one document. */
interface Known {
    readonly answers: Map<string, Answer>;
    /** The files behind the answers, but for those that are asked with a query. */
    readonly files: Map<string, LookedAt>;
    /** Binds that are asked behind the answers: those to databases, and those that ask files with a query. */
    readonly behind: Map<string, AskedBehind>;
    /** Lists of tables, by what leads to them, and when they were asked for. */
    readonly lists: Map<string, { tables: readonly SourceTable[] | undefined; asked: number }>;
    /** The keys of its binds as they are now. */
    current: ReadonlySet<string>;
    /** Binds whose target others before them write. */
    twice: ReadonlyMap<string, RefusedBind>;
    /** The queries that were tried last, as text, and those without answer. */
    trial: string | undefined;
    /** Its output binds at the last look at their targets, as text, and the state of the targets. */
    written: string | undefined;
    held: ReadonlyMap<string, HeldTarget>;
    unanswered: ReadonlyMap<string, UnansweredQuery>;
    timer: NodeJS.Timeout | undefined;
}

export function sourceColumns(host: SourceColumnsHost): SourceColumns {
    const {
        roots,
        isTrusted,
        reached = () => ({}),
        answered,
        failed,
        python,
        tryQueries,
        askFiles,
        look = peek,
        list = tablesOfSource,
    } = host;
    const behind = (work: Promise<void>): void => void work.catch(failed);
    const known = new Map<string, Known>();
    const knownOf = (uri: string): Known => {
        const own = known.get(uri) ?? newKnown();
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
    /** How the binds of a document reach their sources; undefined where they reach none. */
    const accessOf = (uri: string, parameters: ReadonlyMap<string, Parameter> = new Map()): SourceAccess | undefined => {
        const [currentFolder] = roots();
        if (!uri.startsWith('file:') || currentFolder === undefined) return undefined;
        return {
            grants: editorGrants({ roots: roots(), ...(isTrusted() && reached()) }),
            programFile: fileURLToPath(uri),
            pathOf: filePath,
            currentFolder,
            parameters: parameterTexts(parameters, new Map()),
            files: frontOnly(isTrusted() ? TRUSTED_FRONT : FRONT),
        };
    };
    const supplied = new Map<string, ReadonlyMap<string, SourceSchema>>();
    const scriptsOf = (uri: string): KnownScripts | undefined => {
        if (python === undefined) return undefined;
        const access = isTrusted() ? accessOf(uri) : undefined;
        if (access !== undefined) return knownScripts(python)({ ...access, files: nodeFiles });
        return {
            get unavailable() {
                return pythonUnavailable(python, roots()[0] ?? '');
            },
        };
    };
    const sourcesOf = (uri: string, own: Known): KnownSources => {
        const beside = scriptsOf(uri);
        const found = foundIn(own);
        const given = supplied.get(uri);
        return {
            ...found,
            ...(given && { schemas: new Map([...given, ...found.schemas]), concept: true }),
            ...(sql && { sql }),
            ...(beside && { scripts: beside }),
        };
    };
    /** Drops a late answer if the document was closed or its bind changed. */
    const tell = (uri: string, own: Known, key: string, answer: Answer): void => {
        const before = own.answers.get(key);
        // A server that does not answer has said nothing new.
        if (known.get(uri) !== own || before === undefined || isEmpty(answer)) return;
        const { target } = before;
        const now = { ...(target !== undefined && { target }), ...answer };
        if (isDeepStrictEqual(before, now)) return;
        own.answers.set(key, now);
        answered(uri);
    };
    /** The tables that are known by now; they are asked for, where that is some time ago. */
    const listed = (own: Known, bind: Bind, access: SourceAccess | undefined): readonly SourceTable[] | undefined => {
        const key = JSON.stringify([bind.type, [...bind.options], bind.outer, bind.inner]);
        const kept = own.lists.get(key);
        if (kept !== undefined && performance.now() - kept.asked < FRESH) return kept.tables;
        const now = { tables: kept?.tables, asked: performance.now() };
        if (own.lists.size >= KEPT) own.lists.clear();
        own.lists.set(key, now);
        const found = access === undefined ? [] : list(bind, access);
        const take = (tables: readonly SourceTable[] = []): void => {
            now.tables = tables;
        };
        if (found instanceof Promise) behind(found.then(take));
        else take(found);
        return now.tables;
    };
    const askBehind = async (uri: string, own: Known, key: string, pause: number): Promise<void> => {
        const asked = own.behind.get(key);
        if (asked === undefined) return;
        asked.asked = performance.now() + pause;
        await new Promise<void>(resolve => quietTimer(resolve, pause));
        if (known.get(uri) !== own) return;
        if (!own.current.has(key)) {
            own.behind.delete(key);
            own.answers.delete(key);
            return;
        }
        const { bind, access } = asked;
        const isFile = isFileType(bind.type);
        const stamp = isFile ? await stampOfSource(bind, access) : undefined;
        if (stamp !== undefined && stamp === asked.stamp) return;
        asked.stamp = stamp;
        const answer = await asked.look();
        tell(uri, own, key, answer);
        // What is asked next.
        if (!isFile && !isEmpty(answer)) listed(own, { ...bind, inner: '' }, access);
    };
    const ask = (
        uri: string,
        own: Known,
        bind: Bind,
        { access, parameters, isNeeded }: { access: SourceAccess | undefined; parameters: FileQuestion['parameters']; isNeeded: boolean },
    ): void => {
        const key = bindKey(bind);
        const target = access && isTrusted() ? targetOf(bind, access) : undefined;
        const refused = access && isTrusted() ? refusedHere(bind, access) : undefined;
        const first: Answer = { ...(refused && { refused }), ...(target !== undefined && { target }) };
        own.answers.set(key, first);
        if (access === undefined || refused !== undefined || !isNeeded) return;
        const asksFiles = bind.options.has('query') && isFileType(bind.type);
        if (asksFiles || isDatabaseType(bind.type)) {
            const { programFile, currentFolder } = access;
            const question = { bind, parameters, programFile, currentFolder, roots: roots() };
            // What answers queries over files is not loaded here.
            const lookBehind = asksFiles ? askFiles && (() => askFiles(question)) : () => look(bind, access, 0);
            if (!isTrusted() || lookBehind === undefined) return;
            own.behind.set(key, { bind, access, look: lookBehind, asked: 0, stamp: undefined });
            behind(askBehind(uri, own, key, TYPING));
            return;
        }
        if (isFileType(bind.type)) own.files.set(key, { bind, access, stamp: fileStamp(bind, access) });
        const answer = look(bind, access, isTrusted() ? RECORDS : 0);
        if (answer instanceof Promise) behind(answer.then(later => tell(uri, own, key, later)));
        else own.answers.set(key, { ...first, ...answer });
    };
    /** Tries the queries of a document when the user pauses. */
    const tryLater = (uri: string, own: Known, { analysed }: OpenDocument): void => {
        clearTimeout(own.timer);
        if (tryQueries === undefined || !analysed.hasSql || sql === undefined || !isTrusted()) return;
        const tried = async (): Promise<void> => {
            const triable = triableQueries(analysed);
            const trial = trialText(triable);
            if (own.trial === trial) return;
            own.trial = trial;
            const unanswered = triable.queries.length === 0 ? new Map<string, UnansweredQuery>() : await tryQueries(triable);
            if (known.get(uri) !== own || own.trial !== trial || isDeepStrictEqual(own.unanswered, unanswered)) return;
            own.unanswered = unanswered;
            answered(uri);
        };
        own.timer = quietTimer(() => behind(tried()), TRIAL);
    };
    /** Looks at what output binds would write to; servers are asked when it comes to it. */
    const lookAtTargets = (uri: string, own: Known, { analysed }: OpenDocument): void => {
        const written = writtenBinds(analysed).filter(({ bind }) => !isDatabaseType(bind.type));
        const access = isTrusted() && written.length > 0 ? accessOf(uri, analysed.parameters) : undefined;
        const now = access && JSON.stringify(written.map(({ bind, columns }) => [bindKey(bind), columns]));
        if (own.written === now) return;
        own.written = now;
        if (access === undefined) return;
        const look = async (): Promise<void> => {
            const held = await heldTargets(written, analysed, access);
            if (known.get(uri) !== own || own.written !== now || isDeepStrictEqual(own.held, held)) return;
            own.held = held;
            answered(uri);
        };
        behind(look());
    };
    const refreshFiles = (uri: string): void => {
        const own = known.get(uri);
        const others = [...(own?.files ?? [])].filter(([, { bind, access, stamp }]) => fileStamp(bind, access) !== stamp);
        for (const [key] of others) {
            own?.files.delete(key);
            own?.answers.delete(key);
        }
        if (others.length > 0) answered(uri);
    };
    return {
        known: uri => sourcesOf(uri, knownOf(uri)),
        completing: (uri, first, again) => {
            const own = knownOf(uri);
            if (first.analysed.hasSql && sql === undefined) askForSql(uri);
            let document = first;
            for (let round = 0; round < ROUNDS; round++) {
                const keys = new Map(verifiedBinds(document.analysed).map(bind => [bindKey(bind), bind]));
                own.current = new Set(keys.keys());
                const asked = [...keys].filter(([key]) => !own.answers.has(key)).slice(0, KEPT);
                if (own.answers.size + asked.length > KEPT) forgetAnswers(own);
                const needs = new Set(document.analysed.schemaNeeds);
                const access = asked.length === 0 ? undefined : accessOf(uri, document.analysed.parameters);
                const { parameters } = document.analysed;
                for (const [, bind] of asked) ask(uri, own, bind, { access, parameters, isNeeded: needs.has(bind) });
                const twice = targetsTwice(keys, own.answers);
                const isTwiceNew = !isDeepStrictEqual(twice, own.twice);
                own.twice = twice;
                if (!isTwiceNew && asked.every(([key]) => isEmpty(own.answers.get(key)))) break;
                document = again(sourcesOf(uri, own));
            }
            tryLater(uri, own, document);
            lookAtTargets(uri, own, document);
            return document;
        },
        tables: ({ file, analysed }, bind) => listed(knownOf(file), bind, isTrusted() ? accessOf(file, analysed.parameters) : undefined),
        stamp: ({ file, analysed }, bind) => {
            const access = isTrusted() && isFileType(bind.type) ? accessOf(file, analysed.parameters) : undefined;
            return access && fileStamp(bind, access);
        },
        refreshFiles,
        refresh: uri => {
            refreshFiles(uri);
            const own = known.get(uri);
            for (const [key, { asked }] of own?.behind ?? [])
                if (own && performance.now() - asked > FRESH) behind(askBehind(uri, own, key, 0));
        },
        forget: uri => {
            clearTimeout(known.get(uri)?.timer);
            known.delete(uri);
        },
        supply: (uri, relations) => void supplied.set(uri, relations),
        forgetAll: () => {
            for (const own of known.values()) {
                for (const key of own.answers.keys()) if (!own.behind.has(key)) own.answers.delete(key);
                own.files.clear();
                for (const one of own.behind.values()) one.asked = 0;
                own.lists.clear();
                own.written = undefined;
            }
        },
    };
}

function newKnown(): Known {
    return {
        answers: new Map(),
        files: new Map(),
        behind: new Map(),
        lists: new Map(),
        current: new Set(),
        twice: new Map(),
        trial: undefined,
        written: undefined,
        held: new Map(),
        unanswered: new Map(),
        timer: undefined,
    };
}

function forgetAnswers({ answers, files, behind }: Known): void {
    answers.clear();
    files.clear();
    behind.clear();
}

/** The same text where the trial would have the same result. */
function trialText({ queries, parameters }: TriableQueries): string {
    const values = Array.from(parameters.values(), ({ name, value }) => [name, value && printExpression(value)]);
    return JSON.stringify([queries, values]);
}

/** The binds that write what another bind before them writes. */
function targetsTwice(binds: ReadonlyMap<string, Bind>, answers: ReadonlyMap<string, Answer>): ReadonlyMap<string, RefusedBind> {
    const targets = new Set<string>();
    const twice = new Map<string, RefusedBind>();
    for (const [key, bind] of binds) {
        const target = bind.direction === 'output' ? answers.get(key)?.target : undefined;
        const refused = target === undefined ? undefined : writtenTwice(target, bind, targets);
        if (refused !== undefined) twice.set(key, toldRefused(refused));
    }
    return twice;
}

function isEmpty(answer: Answer | undefined): boolean {
    return answer?.schema === undefined && answer?.missing === undefined && answer?.refused === undefined;
}

function foundIn({ answers: own, twice, held, unanswered }: Known): Omit<KnownSources, 'sql' | 'scripts'> {
    return {
        schemas: new Map([...own].flatMap(([key, { schema }]) => (schema === undefined ? [] : [[key, schema] as const]))),
        missingFiles: new Map([...own].flatMap(([key, { missing }]) => (missing === undefined ? [] : [[key, missing] as const]))),
        refusedBinds: new Map([
            ...twice,
            ...[...own].flatMap(([key, { refused }]) => (refused === undefined ? [] : [[key, refused] as const])),
        ]),
        heldTargets: held,
        unansweredQueries: unanswered,
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

/** A stamp that changes with a file; undefined where there is none, or none that may be read. */
function fileStamp(bind: Bind, access: SourceAccess): string | undefined {
    const stamp = stampOfSource(bind, access);
    return typeof stamp === 'string' ? stamp : undefined;
}

/** Applies `use` to a value, at once if the value is there. */
function after<T, R>(value: MaybePromise<T>, use: (value: T) => MaybePromise<R>): MaybePromise<R> {
    return value instanceof Promise ? value.then(use) : use(value);
}

/** The file system, with files of which only so many bytes are read. */
function frontOnly(front: number): Files {
    const left = new Map<number, number>();
    const closeSync = (fd: number): void => {
        left.delete(fd);
        nodeFiles.closeSync(fd);
    };
    const readSync = (fd: number, into: NodeJS.ArrayBufferView, offset: number, length: number, position: number | null): number => {
        const rest = left.get(fd) ?? front;
        const got = nodeFiles.readSync(fd, into, offset, Math.min(length, rest), position);
        left.set(fd, rest - got);
        return got;
    };
    return { ...nodeFiles, closeSync, readSync: readSync as Files['readSync'] };
}

/** Keeps no process from ending; in a browser none does. */
function quietTimer(action: () => void, milliseconds: number): NodeJS.Timeout {
    const timer = setTimeout(action, milliseconds);
    timer.unref?.();
    return timer;
}
