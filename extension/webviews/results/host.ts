import { randomBytes } from 'node:crypto';
import { basename, extname } from 'node:path/posix';
import {
    type CancellationToken,
    commands,
    type ExtensionContext,
    env,
    type LogOutputChannel,
    l10n,
    Uri,
    type ViewColumn,
    type WebviewPanel,
    window,
    workspace,
} from 'vscode';
import type { Server } from '#extension/host/client.ts';
import { openPlace, parseUri } from '#extension/host/open-place.ts';
import { openSetting, readSetting } from '#extension/host/read-setting.ts';
import { rememberedPrograms } from '#extension/host/remembered-programs.ts';
import type { TellRow } from '#extension/models/tell-row.ts';
import type { ProgramParameters } from '#extension/runs/given-parameters.ts';
import { programName, type RunPart, type RunSession, type Runs } from '#extension/runs/runs.ts';
import type { OutputKey, RowView } from '#server/protocol/runs.ts';
import { answerView } from '../answer-view.ts';
import { askAboutRows } from '../ask-about-rows.ts';
import { columnBeside } from '../column-beside.ts';
import { loadView } from '../page.ts';
import { savePicture } from '../save-picture.ts';
import { exportRows } from './export-rows.ts';
import {
    type HostMessage,
    type KeptColumns,
    RESULTS,
    requestIn,
    type ShownRun,
    type ViewAction,
    type ViewMessage,
    type ViewQuestion,
} from './messages.ts';
import { readViewState } from './view-state.ts';

const RESULTS_VIEW = 'rulelang.results';
/** A row has been explained in this window. */
const EXPLAINED = 'rulelang.hasExplained';

/** Panels with the rows of runs, one per program. */
export interface ResultsPanels {
    /** Shows the panel of a program, beside its text. */
    show(document: Uri): void;
    /** Opens an output in the panel of a program. */
    showOutput(document: Uri, output: OutputKey): void;
    /** Opens an output in the panel of a program and explains one of its rows. */
    explain(document: Uri, view: RowView, row: number): void;
    /** Explains in the panel of a program why a fact is missing. */
    explainMissing(document: Uri, question: string): void;
    /** Shows the panel of a program with what a run of it can be given. */
    askParameters(document: Uri): Promise<void>;
    /** Has the view that is looked at do something with its cells. */
    act(action: ViewAction): boolean;
    /** The program whose rows are looked at. */
    active(): Uri | undefined;
    /** The columns in which panels are. */
    columns(): readonly ViewColumn[];
}

interface Surroundings {
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
    /** Has the rows of a program follow its edits, or not any more. */
    switchLive(document: Uri): void;
    /** Has the sources of such a program read again. */
    readAgain(document: Uri): void;
}

interface Panel {
    readonly document: Uri;
    readonly panel: WebviewPanel;
    readonly post: (message: HostMessage) => void;
    /** Shows what a run can be given, once the view is there. */
    askParameters(): Promise<void>;
    /** Sends a message once the view has the rows of a finished run. */
    open(message: Opening): void;
}

type Opening = Extract<HostMessage, { readonly kind: 'open' | 'missing' }>;

/** Keys under which a panel remembers the program that it shows: the view itself only knows a number. */
const PROGRAMS = 'results.programs';
const WIDTHS = 'results.widths';
const REMEMBERED = 200;

export function createResultsPanels(surroundings: Surroundings): ResultsPanels {
    const { context, runs } = surroundings;
    const panels = new Map<string, Panel>();
    const programs = rememberedPrograms<RememberedProgram>(context.workspaceState, PROGRAMS);
    const adopt = (panel: WebviewPanel, document: Uri, id: string, none: ShownRun): Panel => {
        const made = createPanel(surroundings, panel, document, id, none);
        panels.set(document.toString(), made);
        panel.onDidDispose(() => {
            if (panels.get(document.toString()) !== made) return;
            panels.delete(document.toString());
            runs.discard(document);
        });
        return made;
    };
    context.subscriptions.push(
        window.registerWebviewPanelSerializer(RESULTS_VIEW, {
            async deserializeWebviewPanel(panel, state) {
                const id = readViewState(state)?.panel;
                const program = programs.all().find(known => known.id === id);
                if (id === undefined || program === undefined) return panel.dispose();
                const document = Uri.parse(program.uri);
                runs.restore(document);
                adopt(panel, document, id, { kind: 'gone' });
            },
        }),
    );
    const columns = (): ViewColumn[] => [...panels.values()].flatMap(({ panel }) => panel.viewColumn ?? []);
    const panelOf = (document: Uri): Panel => {
        const known = panels.get(document.toString());
        if (known !== undefined) return known;
        const id = randomBytes(8).toString('hex');
        void programs.put({ id, uri: document.toString() });
        const column = { viewColumn: columnBeside(document, columns()), preserveFocus: true };
        return adopt(window.createWebviewPanel(RESULTS_VIEW, l10n.t('Results: {0}', programName(document)), column), document, id, {
            kind: 'none',
        });
    };
    /** The panel with the focus, of which the editor learns a moment late; else the only one in sight. */
    const activePanel = (): Panel | undefined => {
        const seen = [...panels.values()].filter(({ panel }) => panel.visible);
        return seen.find(({ panel }) => panel.active) ?? (seen.length === 1 ? seen[0] : undefined);
    };
    return {
        show(document) {
            const { panel } = panelOf(document);
            if (!panel.visible) panel.reveal(undefined, true);
        },
        showOutput(document, output) {
            const panel = panelOf(document);
            panel.panel.reveal(undefined, true);
            panel.open({ kind: 'open', view: { output } });
        },
        explain(document, view, row) {
            const panel = panelOf(document);
            panel.panel.reveal();
            panel.open({ kind: 'open', view, row });
        },
        explainMissing(document, question) {
            const panel = panelOf(document);
            panel.panel.reveal();
            panel.open({ kind: 'missing', question });
        },
        async askParameters(document) {
            const panel = panelOf(document);
            panel.panel.reveal();
            await panel.askParameters();
        },
        act(action) {
            const panel = activePanel();
            panel?.post({ kind: 'act', action });
            return panel !== undefined;
        },
        active: () => activePanel()?.document,
        columns,
    };
}

function createPanel(
    { context, server, runs, parameters, log, tell, run, askMissing, switchLive, readAgain }: Surroundings,
    panel: WebviewPanel,
    document: Uri,
    id: string,
    /** The content before the first run. */
    none: ShownRun,
): Panel {
    let opening: Opening | undefined;
    const session = (): RunSession | undefined => runs.of(document);
    const show = (): void => {
        const now = session();
        const shown: ShownRun = now?.shown ?? none;
        const arranged = rememberedColumns(context, document);
        post({
            kind: 'show',
            panel: id,
            program: programName(document),
            run: now?.serial ?? 0,
            shown,
            stale: now?.stale ?? false,
            density: readSetting('grid.density'),
            arranged,
            canFollow: true,
            ...(tell === undefined && { withoutModels: true }),
        });
        if (opening !== undefined && shown.kind === 'finished' && post(opening)) opening = undefined;
    };

    /** Answers a question of the view; refuses it if another run has replaced the run in question. */
    const answer = async ({ method, params }: ViewQuestion, token: CancellationToken): Promise<unknown> => {
        const run = runs.reference(document, params.run);
        if (run === undefined) throw new Error(l10n.t('The rows of this run are gone.'));
        if (method === 'rulelang/export') return exportRows(server, document, { ...params, run });
        if (method === 'rulelang/explain') void commands.executeCommand('setContext', EXPLAINED, true);
        if (method === 'rulelang/tell') return tell?.({ ...params, run }, token);
        return server.ask(method, { ...params, run } as never, token);
    };
    const answering = answerView(
        answer,
        reply => void post(reply),
        ({ method }, text) => {
            log.warn(`${programName(document)}: ${method}: ${text}`);
            if (method === 'rulelang/export') void window.showErrorMessage(l10n.t('The rows could not be exported: {0}', text));
        },
    );
    const askWhatIf = async ({ run: serial, view, row, otherwise }: Extract<ViewMessage, { kind: 'whatIf' }>): Promise<void> => {
        const run = runs.reference(document, serial);
        if (run === undefined) return;
        const { text } = await server.ask('rulelang/facts', { run, view, offset: row, limit: 1 });
        const command = otherwise ? 'rulelang.whatIfOtherwise' : 'rulelang.whatIfWithout';
        if (text !== '') await commands.executeCommand(command, document, text.trim().replace(/\.$/u, ''));
    };
    const reveal = async (serial: number, node: number, derivation: number | undefined): Promise<void> => {
        const now = session();
        if (now?.reference === undefined || now.serial !== serial) return;
        const place = await server.ask('rulelang/reveal', {
            run: now.reference,
            node,
            ...(derivation === undefined ? {} : { derivation }),
        });
        if (place !== null) await openPlace(parseUri(place.uri), place.range, document);
    };
    let isAsked = false;
    const askParameters = async (set?: string): Promise<void> => {
        const { parameters: declared, sets } = await parameters.form(document);
        isAsked = !post({ kind: 'parameters', parameters: declared, sets, ...(set !== undefined && { set }) });
    };
    /** Opens the current place of a changed clause. */
    const openChange = async (serial: number, index: number): Promise<void> => {
        const now = session();
        const compared = now?.serial === serial && now.shown.kind === 'finished' ? now.shown.compared : undefined;
        const change = compared?.difference.changes[index];
        if (change === undefined) return;
        if (change.kind === 'parameter') return askParameters();
        await workspace.openTextDocument(document);
        const clause = change.kind === 'clauses' ? change.subject : (change.after ?? change.before ?? '');
        const place = await server.ask('rulelang/clausePlace', { uri: document.toString(), clause });
        if (place === null) void window.showInformationMessage(l10n.t('The program has no such clause now.'));
        else await openPlace(parseUri(place.uri), place.range, document);
    };
    const receive = (message: ViewMessage): void => {
        switch (message.kind) {
            case 'ask':
                void answering.respond(message);
                return;
            case 'giveUp':
                answering.giveUp(message.given);
                return;
            case 'reveal':
                reveal(message.run, message.node, message.derivation).catch((reason: unknown) => log.warn(String(reason)));
                return;
            case 'notice': {
                const now = session();
                const notice = now?.serial === message.run ? now.notices[message.index] : undefined;
                if (notice?.setting) void askParameters();
                else if (notice?.range !== undefined) void openPlace(document, notice.range, document);
                return;
            }
            case 'change':
                openChange(message.run, message.index).catch((reason: unknown) => log.warn(String(reason)));
                return;
            case 'copy':
                void env.clipboard.writeText(message.text);
                return;
            case 'arranged':
                rememberColumns(context, document, message.arranged);
                return;
            case 'give':
                askAboutRows(message);
                return;
            case 'picture':
                void savePicture(document, `${basename(programName(document), extname(document.path))}-${message.name}`, message);
                return;
            case 'runAgain': {
                const now = session();
                run(document, now && partOf(now));
                return;
            }
            case 'switchLive':
                switchLive(document);
                return;
            case 'readAgain':
                readAgain(document);
                return;
            case 'askMissing':
                askMissing(document, message.question);
                return;
            case 'whatIf':
                askWhatIf(message).catch((reason: unknown) => log.warn(String(reason)));
                return;
            case 'stop': {
                const now = session();
                if (now !== undefined) runs.stop(now);
                return;
            }
            case 'showOutput':
                log.show(true);
                return;
            case 'openParameters':
                void askParameters();
                return;
            case 'openSetting':
                void openSetting('run.parameters');
                return;
            case 'runWith':
                void parameters.write(document, message.values).then(() => {
                    const { predicates, body } = session() ?? {};
                    run(document, { ...(predicates && { predicates }), ...(body !== undefined && { body }) });
                });
                return;
            case 'keepSet':
                void parameters
                    .keepSet(document, message.values, message.name)
                    .then(set => (set === undefined ? undefined : askParameters(set)));
                return;
            case 'forgetSet':
                void parameters.forgetSet(document, message.name).then(() => askParameters());
                return;
        }
    };

    const disposables = [
        runs.changed(changed => {
            if (changed.document.toString() === document.toString()) show();
        }),
        workspace.onDidChangeConfiguration(event => {
            if (event.affectsConfiguration('rulelang.grid.density')) post({ kind: 'density', density: readSetting('grid.density') });
        }),
    ];
    panel.onDidDispose(() => {
        for (const disposable of disposables) disposable.dispose();
        answering.dispose();
    });
    const post = loadView(panel, RESULTS, context, log, {
        title: l10n.t('Results'),
        ready() {
            show();
            if (isAsked) void askParameters();
        },
        receive,
        dropped(message) {
            const request = requestIn(message);
            if (request !== undefined) post({ kind: 'refusal', request, message: l10n.t('This is more than can be asked at once.') });
        },
    });
    return {
        document,
        panel,
        post,
        askParameters,
        open(message) {
            opening = message;
            show();
        },
    };
}

/** The part of the program that was run, to run it again. */
function partOf({ predicates, body, parameters }: RunSession): RunPart {
    return { ...(predicates && { predicates }), ...(body !== undefined && { body }), parameters };
}

interface RememberedProgram {
    readonly id: string;
    readonly uri: string;
}

interface RememberedColumns {
    readonly uri: string;
    readonly widths: KeptColumns;
}

function rememberedColumns(context: ExtensionContext, document: Uri): KeptColumns[] {
    const uri = document.toString();
    return context.workspaceState
        .get<readonly RememberedColumns[]>(WIDTHS, [])
        .filter(known => known.uri === uri)
        .map(known => known.widths);
}

function rememberColumns(context: ExtensionContext, document: Uri, arranged: KeptColumns): void {
    const uri = document.toString();
    const others = context.workspaceState
        .get<readonly RememberedColumns[]>(WIDTHS, [])
        .filter(known => known.uri !== uri || known.widths.output !== arranged.output);
    void context.workspaceState.update(WIDTHS, [...others, { uri, widths: arranged }].slice(-REMEMBERED));
}
