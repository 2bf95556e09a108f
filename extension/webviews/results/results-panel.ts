import { basename, extname } from 'node:path/posix';
import {
    type CancellationToken,
    commands,
    type ExtensionContext,
    env,
    type LogOutputChannel,
    l10n,
    type Uri,
    type WebviewPanel,
    window,
    workspace,
} from 'vscode';
import type { Server } from '#extension/host/client.ts';
import { openPlace, parseUri } from '#extension/host/open-place.ts';
import { openSetting, readSetting } from '#extension/host/read-setting.ts';
import type { TellRow } from '#extension/models/tell-row.ts';
import type { ProgramParameters } from '#extension/runs/given-parameters.ts';
import { programName, type RunPart, type RunSession, type Runs } from '#extension/runs/runs.ts';
import type { OutputKey } from '#server/protocol/runs.ts';
import { type AnsweredView, answerView } from '../answer-view.ts';
import { askAboutRows } from '../ask-about-rows.ts';
import { loadView } from '../page.ts';
import { savePicture } from '../save-picture.ts';
import { exportRows } from './export-rows.ts';
import { type HostMessage, RESULTS, requestIn, type ShownRun, type ViewMessage, type ViewQuestion } from './messages.ts';
import { rememberColumns, rememberedColumns } from './remembered-columns.ts';

/** A row has been explained in this window. */
const EXPLAINED = 'rulelang.hasExplained';

export interface PanelSurroundings {
    readonly context: ExtensionContext;
    readonly server: Server;
    readonly runs: Runs;
    readonly parameters: ProgramParameters;
    readonly log: LogOutputChannel;
    /** Absent where there are no language models, and no agent. */
    readonly tell: TellRow | undefined;
    run(document: Uri, part?: RunPart): void;
    /** Has the user say which fact of a program is missed, beginning with this one. */
    askMissing(document: Uri, question: string): void;
    /** Opens a further panel with an output of the program, beside this one. */
    showBeside(panel: ResultsPanel, output: OutputKey): void;
    /** Has the rows of a program follow its edits, or not any more. */
    switchLive(document: Uri): void;
    /** Has the sources of such a program read again. */
    readAgain(document: Uri): void;
}

type Opening = Extract<HostMessage, { readonly kind: 'open' | 'missing' }>;

/** The panel with the rows of a program. */
export class ResultsPanel {
    readonly document: Uri;
    readonly panel: WebviewPanel;
    /** Sends a message to the view; returns false if it is not there yet. */
    readonly post: (message: HostMessage) => boolean;
    readonly #around: PanelSurroundings;
    readonly #id: string;
    /** The content before the first run. */
    readonly #none: ShownRun;
    readonly #answering: AnsweredView<ViewQuestion>;
    #opening: Opening | undefined;
    #isAsked = false;

    constructor(around: PanelSurroundings, panel: WebviewPanel, document: Uri, id: string, none: ShownRun) {
        this.document = document;
        this.panel = panel;
        this.#around = around;
        this.#id = id;
        this.#none = none;
        const { context, runs, log } = around;
        this.#answering = answerView<ViewQuestion>(
            (question, token) => this.#answer(question, token),
            reply => void this.post(reply),
            ({ method }, text) => {
                log.warn(`${programName(document)}: ${method}: ${text}`);
                if (method === 'rulelang/export') void window.showErrorMessage(l10n.t('The rows could not be exported: {0}', text));
            },
        );
        const disposables = [
            runs.changed(changed => {
                if (changed.document.toString() === document.toString()) this.#show();
            }),
            workspace.onDidChangeConfiguration(event => {
                if (event.affectsConfiguration('rulelang.grid.density'))
                    this.post({ kind: 'density', density: readSetting('grid.density') });
            }),
        ];
        panel.onDidDispose(() => {
            for (const disposable of disposables) disposable.dispose();
            this.#answering.dispose();
        });
        this.post = loadView(panel, RESULTS, context, log, {
            title: l10n.t('Results'),
            ready: () => {
                this.#show();
                if (this.#isAsked) void this.askParameters();
            },
            receive: message => this.#receive(message),
            dropped: message => {
                const request = requestIn(message);
                if (request !== undefined)
                    this.post({ kind: 'refusal', request, message: l10n.t('This is more than can be asked at once.') });
            },
        });
    }

    /** Sends a message once the view has the rows of a finished run. */
    open(message: Opening): void {
        this.#opening = message;
        this.#show();
    }

    /** Shows what a run can be given, once the view is there. */
    async askParameters(set?: string): Promise<void> {
        const { parameters: declared, sets } = await this.#around.parameters.form(this.document);
        this.#isAsked = !this.post({ kind: 'parameters', parameters: declared, sets, ...(set !== undefined && { set }) });
    }

    #session(): RunSession | undefined {
        return this.#around.runs.of(this.document);
    }

    #show(): void {
        const now = this.#session();
        const shown: ShownRun = now?.shown ?? this.#none;
        const arranged = rememberedColumns(this.#around.context, this.document);
        this.post({
            kind: 'show',
            panel: this.#id,
            program: programName(this.document),
            run: now?.serial ?? 0,
            shown,
            stale: now?.stale ?? false,
            density: readSetting('grid.density'),
            arranged,
            canFollow: true,
            ...(this.#around.tell === undefined && { withoutModels: true }),
        });
        if (this.#opening !== undefined && shown.kind === 'finished' && this.post(this.#opening)) this.#opening = undefined;
    }

    /** Answers a question of the view; refuses it if another run has replaced the run in question. */
    async #answer({ method, params }: ViewQuestion, token: CancellationToken): Promise<unknown> {
        const run = this.#around.runs.reference(this.document, params.run);
        if (run === undefined) throw new Error(l10n.t('The rows of this run are gone.'));
        if (method === 'rulelang/export') return exportRows(this.#around.server, this.document, { ...params, run });
        if (method === 'rulelang/explain') void commands.executeCommand('setContext', EXPLAINED, true);
        if (method === 'rulelang/tell') return this.#around.tell?.({ ...params, run }, token);
        return this.#around.server.ask(method, { ...params, run } as never, token);
    }

    async #askWhatIf({ run: serial, view, row, otherwise }: Extract<ViewMessage, { kind: 'whatIf' }>): Promise<void> {
        const run = this.#around.runs.reference(this.document, serial);
        if (run === undefined) return;
        const { text } = await this.#around.server.ask('rulelang/facts', { run, view, offset: row, limit: 1 });
        const command = otherwise ? 'rulelang.whatIfOtherwise' : 'rulelang.whatIfWithout';
        if (text !== '') await commands.executeCommand(command, this.document, text.trim().replace(/\.$/u, ''));
    }

    async #reveal(serial: number, node: number, derivation: number | undefined): Promise<void> {
        const now = this.#session();
        if (now?.reference === undefined || now.serial !== serial) return;
        const place = await this.#around.server.ask('rulelang/reveal', {
            run: now.reference,
            node,
            ...(derivation === undefined ? {} : { derivation }),
        });
        if (place !== null) await openPlace(parseUri(place.uri), place.range, this.document);
    }

    /** Opens the current place of a changed clause. */
    async #openChange(serial: number, index: number): Promise<void> {
        const now = this.#session();
        const compared = now?.serial === serial && now.shown.kind === 'finished' ? now.shown.compared : undefined;
        const change = compared?.difference.changes[index];
        if (change === undefined) return;
        if (change.kind === 'parameter') return this.askParameters();
        await workspace.openTextDocument(this.document);
        const clause = change.kind === 'clauses' ? change.subject : (change.after ?? change.before ?? '');
        const place = await this.#around.server.ask('rulelang/clausePlace', { uri: this.document.toString(), clause });
        if (place === null) void window.showInformationMessage(l10n.t('The program has no such clause now.'));
        else await openPlace(parseUri(place.uri), place.range, this.document);
    }

    #programStem(): string {
        return basename(programName(this.document), extname(this.document.path));
    }

    #attempt(doing: Promise<void>): void {
        doing.catch((reason: unknown) => this.#around.log.warn(String(reason)));
    }

    #receive(message: ViewMessage): void {
        switch (message.kind) {
            case 'ask':
                void this.#answering.respond(message);
                return;
            case 'giveUp':
                this.#answering.giveUp(message.given);
                return;
            case 'reveal':
                this.#attempt(this.#reveal(message.run, message.node, message.derivation));
                return;
            case 'notice': {
                const now = this.#session();
                const notice = now?.serial === message.run ? now.notices[message.index] : undefined;
                if (notice?.setting) void this.askParameters();
                else if (notice?.range !== undefined) void openPlace(this.document, notice.range, this.document);
                return;
            }
            case 'change':
                this.#attempt(this.#openChange(message.run, message.index));
                return;
            case 'copy':
                void env.clipboard.writeText(message.text);
                return;
            case 'arranged':
                rememberColumns(this.#around.context, this.document, message.arranged);
                return;
            case 'give':
                askAboutRows(message);
                return;
            case 'picture':
                void savePicture(this.document, `${this.#programStem()}-${message.name}`, message);
                return;
            case 'runAgain': {
                const now = this.#session();
                this.#around.run(this.document, now && partOf(now));
                return;
            }
            case 'switchLive':
                this.#around.switchLive(this.document);
                return;
            case 'readAgain':
                this.#around.readAgain(this.document);
                return;
            case 'askMissing':
                this.#around.askMissing(this.document, message.question);
                return;
            case 'whatIf':
                this.#attempt(this.#askWhatIf(message));
                return;
            case 'beside':
                this.#around.showBeside(this, message.output);
                return;
            case 'stop': {
                const now = this.#session();
                if (now !== undefined) this.#around.runs.stop(now);
                return;
            }
            case 'showOutput':
                this.#around.log.show(true);
                return;
            case 'openParameters':
                void this.askParameters();
                return;
            case 'openSetting':
                void openSetting('run.parameters');
                return;
            case 'runWith':
            case 'keepSet':
            case 'forgetSet':
                this.#takeParameters(message);
                return;
        }
    }

    #takeParameters(message: Extract<ViewMessage, { kind: 'runWith' | 'keepSet' | 'forgetSet' }>): void {
        const { parameters } = this.#around;
        switch (message.kind) {
            case 'runWith':
                void parameters.write(this.document, message.values).then(() => {
                    const { predicates, body } = this.#session() ?? {};
                    this.#around.run(this.document, { ...(predicates && { predicates }), ...(body !== undefined && { body }) });
                });
                return;
            case 'keepSet':
                void parameters
                    .keepSet(this.document, message.values, message.name)
                    .then(set => (set === undefined ? undefined : this.askParameters(set)));
                return;
            case 'forgetSet':
                void parameters.forgetSet(this.document, message.name).then(() => this.askParameters());
                return;
        }
    }
}

/** The part of the program that was run, to run it again. */
function partOf({ predicates, body, parameters }: RunSession): RunPart {
    return { ...(predicates && { predicates }), ...(body !== undefined && { body }), parameters };
}
