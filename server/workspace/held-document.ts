import type { Position } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { RuleDocument } from '#language/document/rule-document.ts';
import type { TextChange } from '#language/document/text-change.ts';
import type { OpenDocument } from '#language/editing/open-document.ts';
import { inclusionOf, moduleNames } from '#language/modules/include.ts';
import type { Module } from '#language/program/inclusion.ts';
import { carrySymbols } from '#language/symbols/document-symbols.ts';
import type { ContentChange, DocumentsHost, EditorDocument, OtherDocuments } from './documents.ts';
import { type TextPositions, textPositions } from './text-positions.ts';

/** A document that the editor holds, which follows the changes of its text and of the files that it includes. */
export class HeldDocument implements EditorDocument {
    readonly uri: string;
    readonly #host: DocumentsHost;
    readonly #others: OtherDocuments;
    #document: TextDocument;
    #positions: TextPositions;
    #rules: RuleDocument | undefined;
    #program: OpenDocument | undefined;
    /** Changes that the rules have not seen yet. */
    #changes: TextChange[] = [];
    #areSourcesKnown = true;
    /** The version of all documents for which this one was brought up to date. */
    #seen = -1;

    constructor(document: TextDocument, host: DocumentsHost, others: OtherDocuments) {
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
        const document = this.#areSourcesKnown ? rules.current : rules.analyseWith(columns.known(this.uri));
        this.#areSourcesKnown = true;
        return columns.completing(this.uri, document, sources => rules.analyseWith(sources));
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
        this.#rules ??= RuleDocument.open(this.text, this.uri, this.#host.columns.known(this.uri));
        return this.#rules;
    }
}
