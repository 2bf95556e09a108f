import { TextDocument } from 'vscode-languageserver-textdocument';
import { RuleDocument } from '#language/document/rule-document.ts';
import type { TextChange } from '#language/document/text-change.ts';
import { closedDocument } from '#language/editing/closed-document.ts';
import type { OpenDocument } from '#language/editing/open-document.ts';
import { findModules } from '#language/modules/find-module.ts';
import { type FindModule, inclusionOf, moduleNames, sameInclusion } from '#language/modules/include.ts';
import type { IncludeTarget, Module } from '#language/program/inclusion.ts';
import type { Program } from '#language/program/program.ts';
import { carrySymbols } from '#language/symbols/document-symbols.ts';
import type { Workspace } from '#language/symbols/workspace.ts';
import { filePath } from './folders.ts';
import type { IndexHost, ProgramFile, ProgramIndex } from './program-index.ts';
import type { SourceColumns } from './source-columns.ts';
import { type Encoding, type TextPositions, textPositions } from './text-positions.ts';

/** A document that the editor holds: its newest text, and what it means. */
export interface EditorDocument extends TextPositions {
    readonly uri: string;
    readonly version: number;
    /** What the newest text means, brought up to date when it is asked for; the file of its places is its address. */
    readonly program: OpenDocument;
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
    /** Positions in any document of the workspace. */
    positionsOf(uri: string): TextPositions | undefined;
    onClosed(hear: (uri: string) => void): void;
    readonly uris: Iterable<string>;
    /** The documents that include something, other than this one; what they mean may depend on it. */
    including(uri: string): readonly string[];
    readonly index: ProgramIndex;
    /** Tells that files of the index are others than before. */
    refreshIndex(): void;
    /** Forgets what is known about data files, so that documents are analysed anew. */
    refreshSources(): void;
}

/** Where the documents of an editor come from beside the editor. */
export interface DocumentsHost {
    readonly encoding: Encoding;
    readonly columns: SourceColumns;
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
    readonly #closed = new WeakMap<ProgramFile, ClosedFile>();
    readonly index: ProgramIndex;
    /** Grows with every change of a text, so that what depends on others is found out again. */
    #version = 0;
    #found = new Map<string, IncludeTarget | undefined>();

    constructor(host: DocumentsHost) {
        this.#host = host;
        const held = this.#held;
        const version = (): number => this.#version;
        this.index = host.index({
            held: () => Array.from(held.values(), document => document.module),
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

    positionsOf(uri: string): TextPositions | undefined {
        return this.#held.get(uri) ?? this.#closedFile(uri)?.positions;
    }

    onClosed(hear: (uri: string) => void): void {
        this.#hearing.push(hear);
    }

    get uris(): Iterable<string> {
        return this.#held.keys();
    }

    including(uri: string): readonly string[] {
        return [...this.#held.values()].filter(document => document.uri !== uri && document.includes).map(document => document.uri);
    }

    refreshIndex(): void {
        this.#version++;
        this.#found = new Map();
    }

    refreshSources(): void {
        this.#host.columns.forgetAll();
        for (const document of this.#held.values()) document.forgetSources();
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
            closed = this.#read(file);
            this.#closed.set(file, closed);
        }
        return closed;
    }

    #read({ text, module }: ProgramFile): ClosedFile {
        const { encoding } = this.#host;
        const { file, clauses } = module;
        let program: Program = { file, clauses };
        let version = -1;
        const linked = (): Program => {
            if (version === this.#version) return program;
            version = this.#version;
            const inclusion = inclusionOf(program, this.find);
            if (inclusion !== undefined && !sameInclusion(inclusion, program.inclusion)) program = { file, clauses, inclusion };
            return program;
        };
        let positions: TextPositions | undefined;
        return {
            document: closedDocument(text, linked),
            get positions() {
                positions ??= textPositions(TextDocument.create(file, 'rulelang', 0, text), encoding);
                return positions;
            },
        };
    }
}

/** A program on disk that the editor does not hold. */
interface ClosedFile {
    readonly document: OpenDocument;
    readonly positions: TextPositions;
}

/** What a document has to know of the others. */
interface Others {
    readonly find: FindModule;
    readonly version: () => number;
}

class HeldDocument implements EditorDocument {
    readonly uri: string;
    readonly #host: DocumentsHost;
    readonly #others: Others;
    #document: TextDocument;
    #positions: TextPositions;
    #rules: RuleDocument | undefined;
    #program: OpenDocument | undefined;
    /** Changes that the rules have not seen yet. */
    #changes: TextChange[] = [];
    #areSourcesKnown = true;
    /** The version of all documents for which this one was brought up to date. */
    #seen = -1;

    constructor(document: TextDocument, host: DocumentsHost, others: Others) {
        this.uri = document.uri;
        this.#document = document;
        this.#host = host;
        this.#others = others;
        this.#positions = textPositions(document, host.encoding);
    }

    get version(): number {
        return this.#document.version;
    }

    get text(): string {
        return this.#positions.text;
    }

    get lineCount(): number {
        return this.#positions.lineCount;
    }

    get program(): OpenDocument {
        const seen = this.#others.version();
        if (this.#program === undefined || this.#seen !== seen || !this.#areSourcesKnown) {
            const before = this.#program;
            this.#seen = seen;
            this.#program = this.#read();
            if (before !== undefined) carrySymbols(before, this.#program);
        }
        return this.#program;
    }

    /** The clauses of the newest text, for others that include them. */
    get module(): Module {
        return this.#upToDate().module;
    }

    /** The text includes something. */
    get includes(): boolean {
        return moduleNames(this.module.clauses).included.length > 0;
    }

    offsetAt(position: Position): number {
        return this.#positions.offsetAt(position);
    }

    positionAt(offset: number): Position {
        return this.#positions.positionAt(offset);
    }

    rangeOf(range: { readonly start: number; readonly end: number }): { start: Position; end: Position } {
        return this.#positions.rangeOf(range);
    }

    change(version: number, changes: readonly ContentChange[]): void {
        for (const change of changes) {
            const inOffsets = this.#inOffsets(change);
            this.#apply(version, inOffsets);
            if (this.#rules !== undefined) this.#changes.push(inOffsets);
        }
    }

    forgetSources(): void {
        this.#areSourcesKnown = false;
    }

    #inOffsets({ range, text }: ContentChange): TextChange {
        if (range === undefined) return { start: 0, end: this.text.length, text };
        const [start, end] = [this.offsetAt(range.start), this.offsetAt(range.end)];
        return { start: Math.min(start, end), end: Math.max(start, end), text };
    }

    #apply(version: number, { start, end, text }: TextChange): void {
        const range = { start: this.#document.positionAt(start), end: this.#document.positionAt(end) };
        this.#document = TextDocument.update(this.#document, [{ range, text }], version);
        this.#positions = textPositions(this.#document, this.#host.encoding);
    }

    /** Brings the rules up to date, and looks up the columns that they ask for. */
    #read(): OpenDocument {
        try {
            return this.#analysed();
        } catch (error) {
            if (this.#rules === undefined) throw error;
            this.#host.failed(error);
            this.#rules = undefined;
            return this.#analysed();
        }
    }

    #analysed(): OpenDocument {
        const rules = this.#upToDate();
        const { columns } = this.#host;
        rules.include(inclusionOf(rules.module, this.#others.find));
        const document = this.#areSourcesKnown ? rules.current : rules.analyseWith({ schemas: columns.known(this.uri) });
        this.#areSourcesKnown = true;
        return columns.completing(this.uri, document, schemas => rules.analyseWith({ schemas }));
    }

    /** The rules of the newest text. */
    #upToDate(): RuleDocument {
        const changes = this.#changes;
        this.#changes = [];
        try {
            if (this.#rules !== undefined && changes.length > 0) this.#rules.edit(changes);
        } catch (error) {
            this.#host.failed(error);
            this.#rules = undefined;
        }
        this.#rules ??= RuleDocument.open(this.text, this.uri, { schemas: this.#host.columns.known(this.uri) });
        return this.#rules;
    }
}
