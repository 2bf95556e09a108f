import type { Position } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { finished, type Steps } from '#language/analysis/steps.ts';
import type { OpenDocument } from '#language/document/open-document.ts';
import { RuleDocument } from '#language/document/rule-document.ts';
import type { TextChange } from '#language/document/text-change.ts';
import { inclusionOf, moduleNames } from '#language/modules/include.ts';
import type { Bind, SourceTable } from '#language/program/analysed-program.ts';
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
    /** Steps that lead to the rules of the text as it was opened. */
    #opening: Steps<RuleDocument> | undefined;
    #program: OpenDocument | undefined;
    /** Changes that the rules have not seen yet. */
    #changes: TextChange[] = [];
    #areSourcesKnown = true;
    /** The version of all documents for which this one was brought up to date. */
    #seen = -1;
    /** Steps that bring it up to date with a version of all documents. */
    #reading: { readonly seen: number; readonly steps: Steps<OpenDocument> } | undefined;

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
        for (;;) {
            const program = this.#next();
            if (program !== undefined) return program;
        }
    }

    step(): boolean {
        return this.#next() === undefined;
    }

    /** Takes a step towards the analysed newest text; undefined if more steps are needed. */
    #next(): OpenDocument | undefined {
        const seen = this.#others.version();
        const before = this.#program;
        if (before !== undefined && this.#seen === seen && this.#areSourcesKnown) return before;
        // What is under way for an older version is left; what it found out stays.
        if (this.#reading?.seen !== seen) this.#reading = { seen, steps: this.#read() };
        const { steps } = this.#reading;
        try {
            const step = steps.next();
            if (step.done !== true) return undefined;
            this.#seen = seen;
            this.#program = step.value;
        } catch (error) {
            this.#reading = undefined;
            throw error;
        }
        this.#reading = undefined;
        if (before !== undefined) carrySymbols(before, this.#program);
        return this.#program;
    }

    /** The clauses of the newest text, for others that include them. */
    get module(): Module {
        return finished(this.#upToDate()).module;
    }

    /** The text includes something, as far as it has been read. */
    get includes(): boolean {
        return this.#rules !== undefined && moduleNames(this.module.clauses).included.length > 0;
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
            if (this.#rules !== undefined || this.#opening !== undefined) this.#changes.push(inOffsets);
        }
    }

    forgetSources(): void {
        this.#areSourcesKnown = false;
    }

    readonly tablesOf = (bind: Bind): readonly SourceTable[] | undefined => this.#host.columns.tables(this.program, bind);

    scriptText(script: string): string | undefined {
        return this.#host.columns.known(this.uri).scripts?.textOf?.(script, this.uri);
    }

    stampOf(bind: Bind): string | undefined {
        return this.#host.columns.stamp(this.program, bind);
    }

    freshenSources(): void {
        this.#host.columns.refresh(this.uri);
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
    *#read(): Steps<OpenDocument> {
        try {
            return yield* this.#analysed();
        } catch (error) {
            if (this.#rules === undefined) throw error;
            this.#host.failed(error);
            this.#rules = undefined;
            return yield* this.#analysed();
        }
    }

    *#analysed(): Steps<OpenDocument> {
        const rules = yield* this.#upToDate();
        const { columns } = this.#host;
        rules.include(inclusionOf(rules.module, this.#others.find));
        const isKnown = this.#areSourcesKnown;
        this.#areSourcesKnown = true;
        const document = isKnown ? yield* rules.updating() : rules.analyseWith(columns.known(this.uri));
        return columns.completing(this.uri, document, sources => rules.analyseWith(sources));
    }

    /** The rules of the newest text. Others may take the next steps. */
    *#upToDate(): Steps<RuleDocument> {
        try {
            if (this.#rules !== undefined && this.#changes.length > 0) this.#rules.edit(this.#taken());
        } catch (error) {
            this.#host.failed(error);
            this.#rules = undefined;
        }
        while (this.#rules === undefined) {
            this.#opening ??= this.#open();
            const step = this.#opening.next();
            if (step.done !== true) {
                yield;
                continue;
            }
            this.#opening = undefined;
            this.#rules = step.value;
            const changes = this.#taken();
            if (changes.length > 0) this.#rules.edit(changes);
        }
        return this.#rules;
    }

    #open(): Steps<RuleDocument> {
        this.#changes = [];
        return RuleDocument.opening(this.text, this.uri, this.#host.columns.known(this.uri));
    }

    #taken(): readonly TextChange[] {
        const changes = this.#changes;
        this.#changes = [];
        return changes;
    }
}
