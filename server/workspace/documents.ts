import { TextDocument } from 'vscode-languageserver-textdocument';
import { RuleDocument } from '#language/document/rule-document.ts';
import type { TextChange } from '#language/document/text-change.ts';
import type { OpenDocument } from '#language/editing/open-document.ts';
import { carrySymbols } from '#language/symbols/document-symbols.ts';
import type { Workspace } from '#language/symbols/workspace.ts';
import type { SourceColumns } from './source-columns.ts';
import { type Encoding, type PlaceReader, type TextPositions, textPositions } from './text-positions.ts';

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
    /** Forgets what is known about data files, so that documents are analysed anew. */
    refreshSources(): void;
}

/** `failed` hears of a document that could not be brought up to date and was read anew instead. */
export function openDocuments(encoding: Encoding, columns: SourceColumns, failed: (error: unknown) => void): Documents {
    const held = new Map<string, HeldDocument>();
    const hearing: ((uri: string) => void)[] = [];
    return {
        open: (uri, version, text) => {
            held.set(uri, new HeldDocument(TextDocument.create(uri, 'rulelang', version, text), encoding, columns, failed));
        },
        change: (uri, version, changes) => held.get(uri)?.change(version, changes),
        close: uri => {
            held.delete(uri);
            columns.forget(uri);
            for (const hear of hearing) hear(uri);
        },
        get: uri => held.get(uri),
        positionsOf: uri => held.get(uri),
        onClosed: hear => void hearing.push(hear),
        get uris() {
            return held.keys();
        },
        refreshSources: () => {
            columns.forgetAll();
            for (const document of held.values()) document.forgetSources();
        },
        documents: function* () {
            for (const document of held.values()) yield document.program;
        },
    };
}

class HeldDocument implements EditorDocument {
    readonly uri: string;
    readonly #encoding: Encoding;
    readonly #columns: SourceColumns;
    readonly #failed: (error: unknown) => void;
    #document: TextDocument;
    #positions: TextPositions;
    #rules: RuleDocument | undefined;
    #program: OpenDocument | undefined;
    /** Changes that the rules have not seen yet. */
    #changes: TextChange[] = [];
    #areSourcesKnown = true;

    constructor(document: TextDocument, encoding: Encoding, columns: SourceColumns, failed: (error: unknown) => void) {
        this.uri = document.uri;
        this.#document = document;
        this.#encoding = encoding;
        this.#columns = columns;
        this.#failed = failed;
        this.#positions = textPositions(document, encoding);
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
        if (this.#program === undefined || this.#changes.length > 0 || !this.#areSourcesKnown) {
            const before = this.#program;
            this.#program = this.#read();
            if (before !== undefined) carrySymbols(before, this.#program);
        }
        return this.#program;
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

    places(): PlaceReader {
        return this.#positions.places();
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
        this.#positions = textPositions(this.#document, this.#encoding);
    }

    /** Brings the rules up to date, and looks up the columns that they ask for. */
    #read(): OpenDocument {
        const rules = this.#upToDate();
        const document = this.#areSourcesKnown ? rules.current : rules.analyseWith({ schemas: this.#columns.known(this.uri) });
        this.#areSourcesKnown = true;
        return this.#columns.completing(this.uri, document, schemas => rules.analyseWith({ schemas }));
    }

    /** The rules of the newest text. */
    #upToDate(): RuleDocument {
        const changes = this.#changes;
        this.#changes = [];
        try {
            if (this.#rules !== undefined && changes.length > 0) this.#rules.change(changes);
        } catch (error) {
            this.#failed(error);
            this.#rules = undefined;
        }
        this.#rules ??= RuleDocument.open(this.text, this.uri, { schemas: this.#columns.known(this.uri) });
        return this.#rules;
    }
}
