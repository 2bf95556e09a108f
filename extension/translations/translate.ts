import {
    type CancellationToken,
    CancellationTokenSource,
    commands,
    DiagnosticSeverity,
    type ExtensionContext,
    env,
    l10n,
    languages,
    ProgressLocation,
    Range,
    type TextDocument,
    type Uri,
    window,
    workspace,
} from 'vscode';
import type { Server } from '#extension/host/client.ts';
import { diagnosticOf } from '#extension/host/diagnostic.ts';
import type { CommandOutcome } from '#extension/host/outcome.ts';
import { countText } from '#extension/surfaces/number-text.ts';
import type { ResultOf } from '#server/protocol/methods.ts';
import type { TRANSLATION_METHODS } from '#server/protocol/translations.ts';
import type { KnownRelations } from './known-relations.ts';
import type { Proposals, ShownProposal } from './proposals.ts';
import { type ComparedRows, createRowPages } from './row-pages.ts';
import { kindOfText, stemOf, type TextKind } from './source-text.ts';
import { chooseTarget } from './target.ts';
import { type ProposalAction, tellProposal } from './tell-proposal.ts';

/** A text that is to become rules. */
export interface SourceText {
    readonly text: string;
    /** Its document; absent for the clipboard. */
    readonly document?: TextDocument;
    readonly range?: Range;
}

type Remarks = Extract<ResultOf<typeof TRANSLATION_METHODS, 'rulelang/translate'>, { kind: 'refused' }>['problems'];

export interface Translations {
    /** Translates a file, what is selected, or else the document that is looked at. */
    translate(file?: Uri): Promise<CommandOutcome>;
    pasteAsRules(): Promise<CommandOutcome>;
    /** Shows the rows of a query beside those of its translation, which is looked at. */
    compare(): Promise<CommandOutcome>;
}

interface Surroundings {
    readonly context: ExtensionContext;
    readonly server: Server;
    readonly proposals: Proposals;
    readonly known: KnownRelations;
    /** Handles a text that is neither SQL nor RDF: a model reads it. */
    readonly words: (text: string) => Promise<CommandOutcome>;
}

/** Rules for SQL queries, RDF documents and ontologies, to be looked at before they are taken. */
export function createTranslations(around: Surroundings): Translations {
    return new TextTranslations(around);
}

class TextTranslations implements Translations {
    readonly #around: Surroundings;
    readonly #remarked = languages.createDiagnosticCollection('rulelang-translations');
    readonly #showRows: ReturnType<typeof createRowPages>;
    readonly #queries = new Map<string, { readonly query: string; readonly output: string }>();

    constructor(around: Surroundings) {
        this.#around = around;
        this.#showRows = createRowPages(this.#around.context.subscriptions);
        this.#around.context.subscriptions.push(this.#remarked);
    }

    async translate(file?: Uri): Promise<CommandOutcome> {
        const source = await this.#textOf(file);
        if (source === undefined) return this.#around.words('');
        const kind = kindOfText(source.text, source.range === undefined ? source.document?.uri.path : '');
        return kind === undefined ? this.#around.words(source.text) : this.#translated(source, kind);
    }

    async pasteAsRules(): Promise<CommandOutcome> {
        const text = await env.clipboard.readText();
        const kind = kindOfText(text);
        if (kind === undefined) return this.#around.words(text);
        return this.#translated({ text }, kind);
    }

    async compare(): Promise<CommandOutcome> {
        const shown = this.#around.proposals.current();
        if (shown === undefined) return 'nothing to do';
        const source = new CancellationTokenSource();
        const progress = { location: ProgressLocation.Window, title: l10n.t('Comparing rows') };
        const found = await window.withProgress(progress, () => this.#comparison(shown, source.token));
        source.dispose();
        if (typeof found !== 'string') {
            await this.#showRows(this.#queries.get(shown.uri.path)?.output ?? '', found);
            return 'done';
        }
        void window.showWarningMessage(firstLine(found));
        return 'failed';
    }

    async #refused(source: SourceText, problems: Remarks): Promise<CommandOutcome> {
        this.#remark(source, problems, DiagnosticSeverity.Error);
        const [first] = problems;
        const line = (source.range?.start.line ?? 0) + (first?.range.start.line ?? 0) + 1;
        const text = l10n.t('The text cannot be translated: line {0}: {1}', line, first?.message ?? '');
        const show = l10n.t('Show');
        const { document } = source;
        const chosen = window.showErrorMessage(text, ...(document === undefined ? [] : [show]));
        void chosen.then(async label => {
            if (label !== show || document === undefined || first === undefined) return;
            await window.showTextDocument(document, { selection: placeIn(source.range, first.range) });
        });
        return 'failed';
    }

    #remark({ document, range }: SourceText, remarks: Remarks, severity: DiagnosticSeverity): void {
        if (document === undefined) return;
        this.#remarked.set(
            document.uri,
            remarks.map(({ message, range: at }) => diagnosticOf(placeIn(range, at), message, severity)),
        );
    }

    async #comparison({ uri, text }: ShownProposal, token: CancellationToken): Promise<ComparedRows | string> {
        const asked = this.#queries.get(uri.path);
        if (asked === undefined) return l10n.t('There is no query to compare the rules with.');
        const { query, output } = asked;
        try {
            const found = await this.#around.server.ask(
                'rulelang/compareTranslation',
                { uri: uri.toString(), program: text(), query, output },
                token,
            );
            return found.kind === 'compared' ? found : found.reason;
        } catch (reason) {
            return reason instanceof Error ? reason.message : String(reason);
        }
    }

    async #translated(source: SourceText, kind: TextKind): Promise<CommandOutcome> {
        const { text, document } = source;
        const chosen = await chooseTarget(document);
        if (chosen === undefined) return 'nothing to do';
        const { target } = chosen;
        const isFile = document !== undefined && document.languageId !== 'rulelang' && !document.isUntitled;
        const name = isFile && source.range === undefined ? stemOf(document.uri.path) : 'result';
        const tables = await this.#around.known.tables(target);
        const uri = target?.uri.toString();
        const answer = await this.#around.server.ask('rulelang/translate', { kind, text, name, tables, ...(uri !== undefined && { uri }) });
        if (answer.kind === 'refused') return this.#refused(source, answer.problems);
        const { program, unmapped, output } = answer;
        this.#remark(source, unmapped, DiagnosticSeverity.Warning);
        const from = document === undefined ? l10n.t('Clipboard') : stemOf(document.uri.path);
        const isOwn = target !== undefined && target === document;
        const file = isFile ? document.uri.with({ path: document.uri.path.replace(/\.\w+$/u, '.rulelang') }) : undefined;
        const shown = await this.#around.proposals.show(
            {
                title: l10n.t('{0} as rules', from),
                rules: program,
                ...(target && { target }),
                ...(isOwn && source.range && { place: source.range }),
                ...(file && { file }),
                ended: () => document && this.#remarked.delete(document.uri),
            },
            proposal => this.#around.known.supply(proposal, target),
        );
        if (output !== undefined) this.#queries.set(shown.uri.path, { query: text, output });
        void this.#tellOutcome(shown, kind, unmapped.length);
        return 'done';
    }

    /** Says what rules give, and what is missing from them. */
    async #tellOutcome(shown: ShownProposal, kind: TextKind, unmapped: number): Promise<void> {
        const said: string[] = [];
        const more: ProposalAction[] = [];
        const progress = { location: ProgressLocation.Window, title: l10n.t('Trying the rules') };
        if (kind === 'sql') {
            const found = await window.withProgress(progress, (_, token) => this.#comparison(shown, token));
            if (typeof found === 'string')
                said.push(l10n.t('Their rows could not be compared with those of the SQL: {0}', firstLine(found)));
            else {
                said.push(comparedText(found));
                more.push({
                    label: l10n.t('Compare Rows'),
                    do: () => this.#showRows(this.#queries.get(shown.uri.path)?.output ?? '', found),
                });
            }
        } else {
            const call = { uri: shown.uri.toString(), program: shown.text(), rules: shown.rules() };
            const counts = await window.withProgress(progress, (_, token) => this.#around.server.ask('rulelang/tryRules', call, token));
            const { predicates = [], most } = counts;
            const rows = predicates.slice(0, 8).map(({ name, rows: n }) => `${name}: ${n < most ? '' : '≥ '}${countText(n)}`);
            if (rows.length > 0) said.push(l10n.t('Rows on the data at hand: {0}.', rows.join(', ')));
        }
        if (unmapped > 0) {
            said.push(unmapped === 1 ? l10n.t('One part was not translated.') : l10n.t('{0} parts were not translated.', unmapped));
            more.push({ label: l10n.t('Show Problems'), do: () => commands.executeCommand('workbench.actions.view.problems') });
        }
        if (said.length > 0) await tellProposal(this.#around.proposals, shown, said.join(' '), more);
    }

    async #textOf(file: Uri | undefined): Promise<SourceText | undefined> {
        if (file !== undefined) {
            const document = await workspace.openTextDocument(file);
            return { text: document.getText(), document };
        }
        const editor = window.activeTextEditor;
        if (editor === undefined) return undefined;
        const { document, selection } = editor;
        if (!selection.isEmpty) return { text: document.getText(selection), document, range: new Range(selection.start, selection.end) };
        return document.languageId === 'rulelang' ? undefined : { text: document.getText(), document };
    }
}

function comparedText({ equal, ofQuery, ofRules }: ComparedRows): string {
    if (ofQuery.length + ofRules.length === 0)
        return l10n.t('The rules give the same rows as the SQL on the data at hand: {0}.', countText(equal.length));
    return l10n.t(
        'The rules give other rows than the SQL: {0} are the same, {1} come from the SQL alone, {2} from the rules alone.',
        ...[equal, ofQuery, ofRules].map(rows => countText(rows.length)),
    );
}

/** A range of a text, in the document that the text is of. */
function placeIn(range: Range | undefined, { start, end }: Remarks[number]['range']): Range {
    const from = range?.start;
    const move = ({ line, character }: typeof start): [number, number] => [
        line + (from?.line ?? 0),
        character + (line === 0 ? (from?.character ?? 0) : 0),
    ];
    return new Range(...move(start), ...move(end));
}

function firstLine(text: string): string {
    return text.split('\n', 1)[0] ?? '';
}
