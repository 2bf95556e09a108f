import { TextDocument } from 'vscode-languageserver-textdocument';
import type { OpenDocument } from '#language/document/open-document.ts';
import { findModules } from '#language/modules/find-module.ts';
import type { FindModule } from '#language/modules/include.ts';
import type { Bind, SourceSchema, SourceTable } from '#language/program/analysed-program.ts';
import type { IncludeTarget } from '#language/program/inclusion.ts';
import { symbolsOf } from '#language/symbols/document-symbols.ts';
import type { Workspace } from '#language/symbols/workspace.ts';
import { type ClosedFile, closedFile } from './closed-file.ts';
import { filePath, isProposal } from './folders.ts';
import { HeldDocument } from './held-document.ts';
import type { IndexHost, ProgramFile, ProgramIndex } from './program-index.ts';
import type { SourceColumns } from './source-columns.ts';
import type { Encoding, TextPositions } from './text-positions.ts';

/** A document that the editor holds: its newest text, and what it means. */
export interface EditorDocument extends TextPositions {
    readonly uri: string;
    readonly version: number;
    /** The analysed newest text, brought up to date on access; the file of its places is its address. */
    readonly program: OpenDocument;
    /** A step towards `program`; false where it is up to date. Other documents may be asked and changed between the steps. */
    step(): boolean;
    /** The tables among which one of its binds names one; undefined as long as the source has not answered. */
    tablesOf(bind: Bind): readonly SourceTable[] | undefined;
    /** The text of a script that lies beside it; undefined where it cannot be read. */
    scriptText(script: string): string | undefined;
    /** A stamp that changes with the file that one of its binds reads. */
    stampOf(bind: Bind): string | undefined;
    /** Has its databases asked again, behind the answers, where they were asked some time ago. */
    freshenSources(): void;
}

export interface ContentChange {
    /** The whole text where absent. */
    readonly range?: { readonly start: Position; readonly end: Position };
    readonly text: string;
}

interface Position {
    readonly line: number;
    readonly character: number;
}

/** The documents that the editor holds now. */
export interface Documents extends Workspace {
    open(uri: string, version: number, text: string): void;
    change(uri: string, version: number, changes: readonly ContentChange[]): void;
    close(uri: string): void;
    get(uri: string): EditorDocument | undefined;
    /** A program of the workspace that is not open, read as a document of its own that is not kept. */
    unopened(uri: string): EditorDocument | undefined;
    /** Positions in any document of the workspace. */
    positionsOf(uri: string): TextPositions | undefined;
    onClosed(hear: (uri: string) => void): void;
    /** Hears that a document may mean something else than before. */
    onChanged(hear: () => void): void;
    readonly uris: Iterable<string>;
    /** The documents that include something, other than this one; what they mean may depend on it. */
    including(uri: string): readonly string[];
    readonly index: ProgramIndex;
    /** A step towards what the documents mean that include something, which may ask the index for more; false when they are up to date. */
    stepIncluding(): boolean;
    /** Indexes the names and the lines of a file that was read and is not open, ahead of questions; false if none is left. */
    indexNames(): boolean;
    /** Tells that files of the index are others than before. */
    refreshIndex(): void;
    /** Forgets what is known about data files, so that documents are analysed anew. */
    refreshSources(): void;
    /** The same for data files that have come, gone or changed since they were looked at. */
    refreshChangedSources(): void;
    /** Analyses a document anew with what is known about its data files by now. */
    refreshSourcesOf(uri: string): void;
    /** A document is the body of a concept, which is given these relations by others. */
    supply(uri: string, relations: ReadonlyMap<string, SourceSchema>): void;
}

/** Facts about the other documents that a document needs. */
export interface OtherDocuments {
    readonly find: FindModule;
    /** Another number whenever one of them, or a file that is not open, may be another than before. */
    readonly version: () => number;
}

/** The source of an editor's documents beside the editor itself. */
export interface DocumentsHost {
    readonly encoding: Encoding;
    readonly columns: SourceColumns;
    /** The same for programs that are not open, for which nothing but files is looked at. */
    readonly closedColumns: SourceColumns;
    /** Makes the index of the files of the workspace. */
    readonly index: (held: Pick<IndexHost, 'held' | 'version'>) => ProgramIndex;
    /** Hears of a document that could not be brought up to date and was read anew instead. */
    readonly failed: (error: unknown) => void;
}

export function openDocuments(host: DocumentsHost): Documents {
    return new EditorDocuments(host);
}

class EditorDocuments implements Documents {
    readonly #host: DocumentsHost;
    readonly #held = new Map<string, HeldDocument>();
    readonly #hearing: ((uri: string) => void)[] = [];
    readonly #hearingChanges: (() => void)[] = [];
    readonly #closed = new WeakMap<ProgramFile, ClosedFile>();
    /** Files whose names were found. */
    readonly #indexed = new WeakSet<ProgramFile>();
    #indexing: Iterator<ProgramFile> | undefined;
    readonly index: ProgramIndex;
    /** Grows with every change of a text, so that what depends on others is found out again. */
    #version = 0;
    #found = new Map<string, IncludeTarget | undefined>();

    constructor(host: DocumentsHost) {
        this.#host = host;
        const held = this.#held;
        const version = (): number => this.#version;
        this.index = host.index({
            held: () => [...held.values()].filter(({ uri }) => !isProposal(uri)).map(document => document.module),
            get version() {
                return version();
            },
        });
    }

    open(uri: string, version: number, text: string): void {
        const document = TextDocument.create(uri, 'rulelang', version, text);
        this.#held.set(uri, new HeldDocument(document, this.#host, { find: this.find, version: () => this.#version }));
        this.refreshIndex();
    }

    change(uri: string, version: number, changes: readonly ContentChange[]): void {
        this.#held.get(uri)?.change(version, changes);
        this.refreshIndex();
    }

    close(uri: string): void {
        this.#held.delete(uri);
        this.#host.columns.forget(uri);
        this.refreshIndex();
        for (const hear of this.#hearing) hear(uri);
    }

    get(uri: string): EditorDocument | undefined {
        return this.#held.get(uri);
    }

    unopened(uri: string): EditorDocument | undefined {
        const file = this.index.file(uri);
        if (file === undefined) return undefined;
        const document = TextDocument.create(uri, 'rulelang', 0, file.text);
        return new HeldDocument(document, { ...this.#host, columns: this.#host.closedColumns }, { find: this.find, version: () => 0 });
    }

    positionsOf(uri: string): TextPositions | undefined {
        return this.#held.get(uri) ?? this.#closedFile(uri)?.positions;
    }

    onClosed(hear: (uri: string) => void): void {
        this.#hearing.push(hear);
    }

    onChanged(hear: () => void): void {
        this.#hearingChanges.push(hear);
    }

    get uris(): Iterable<string> {
        return this.#held.keys();
    }

    including(uri: string): readonly string[] {
        return [...this.#held.values()].filter(document => document.uri !== uri && document.includes).map(document => document.uri);
    }

    stepIncluding(): boolean {
        for (const document of this.#held.values()) if (document.includes && document.step()) return true;
        return false;
    }

    indexNames(): boolean {
        this.#indexing ??= this.index.files()[Symbol.iterator]();
        for (let next = this.#indexing.next(); !next.done; next = this.#indexing.next()) {
            if (this.#indexed.has(next.value)) continue;
            this.#indexed.add(next.value);
            const { document, positions } = this.#closedOf(next.value);
            symbolsOf(document);
            positions.positionAt(0);
            return true;
        }
        this.#indexing = undefined;
        return false;
    }

    refreshIndex(): void {
        this.#version++;
        this.#found = new Map();
        for (const hear of this.#hearingChanges) hear();
    }

    refreshSources(): void {
        this.#host.columns.forgetAll();
        this.#host.closedColumns.forgetAll();
        for (const document of this.#held.values()) document.forgetSources();
    }

    refreshChangedSources(): void {
        for (const uri of this.#held.keys()) this.#host.columns.refreshFiles(uri);
    }

    refreshSourcesOf(uri: string): void {
        this.#held.get(uri)?.forgetSources();
        this.refreshIndex();
    }

    supply(uri: string, relations: ReadonlyMap<string, SourceSchema>): void {
        this.#host.columns.supply(uri, relations);
        this.refreshSourcesOf(uri);
    }

    *documents(): Iterable<OpenDocument> {
        for (const document of this.#held.values()) yield document.program;
        const paths = new Set(Array.from(this.#held.keys(), filePath));
        for (const file of this.index.files()) if (!paths.has(file.path)) yield this.#closedOf(file).document;
    }

    readonly find: FindModule = (name, from) => {
        const key = `${from}\n${name}`;
        const known = this.#found.get(key);
        if (known !== undefined) return known;
        const target = findModules(this.index)(name, from);
        this.#found.set(key, target);
        return target;
    };

    #closedFile(uri: string): ClosedFile | undefined {
        const file = this.index.file(uri);
        return file && this.#closedOf(file);
    }

    #closedOf(file: ProgramFile): ClosedFile {
        let closed = this.#closed.get(file);
        if (closed === undefined) {
            closed = closedFile(file, this.#host.encoding, { find: this.find, version: () => this.#version });
            this.#closed.set(file, closed);
        }
        return closed;
    }
}
