import { randomBytes } from 'node:crypto';
import {
    type CancellationToken,
    CancellationTokenSource,
    type ExtensionContext,
    env,
    type LogOutputChannel,
    l10n,
    Uri,
    ViewColumn,
    type WebviewPanel,
    window,
    workspace,
} from 'vscode';
import type { Server } from '#extension/client.ts';
import type { TellRow } from '#extension/models/tell-row.ts';
import { columnOf, openPlace, parseUri } from '#extension/open-place.ts';
import { openSetting, readSetting } from '#extension/read-setting.ts';
import { programName, type RunSession, type Runs } from '#extension/runs.ts';
import type { RowView } from '#server/protocol/runs.ts';
import { loadView } from '../page.ts';
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

/** Panels with the rows of runs, one per program. */
export interface ResultsPanels {
    /** Shows the panel of a program, beside its text. */
    show(document: Uri): void;
    /** Opens an output in the panel of a program and explains one of its rows. */
    explain(document: Uri, view: RowView, row: number): void;
    /** Explains in the panel of a program why a fact is missing. */
    explainMissing(document: Uri, question: string): void;
    /** Has the view that is looked at do something with its cells. */
    act(action: ViewAction): boolean;
    /** The program whose rows are looked at. */
    active(): Uri | undefined;
}

interface Surroundings {
    readonly context: ExtensionContext;
    readonly server: Server;
    readonly runs: Runs;
    readonly log: LogOutputChannel;
    readonly tell: TellRow;
    run(document: Uri, predicates?: readonly string[]): void;
    /** Has the user say which fact of a program is missed, beginning with this one. */
    askMissing(document: Uri, question: string): void;
}

interface Panel {
    readonly document: Uri;
    readonly panel: WebviewPanel;
    readonly post: (message: HostMessage) => void;
    /** Sends a message once the view has the rows of a finished run. */
    open(message: Opening): void;
}

type Opening = Extract<HostMessage, { readonly kind: 'open' | 'missing' }>;

/** Where a panel remembers which program it shows: the view itself only knows a number. */
const PROGRAMS = 'results.programs';
const WIDTHS = 'results.widths';
const REMEMBERED = 200;

export function createResultsPanels(surroundings: Surroundings): ResultsPanels {
    const { context, runs } = surroundings;
    const panels = new Map<string, Panel>();
    const adopt = (panel: WebviewPanel, document: Uri, id: string): Panel => {
        const made = createPanel(surroundings, panel, document, id);
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
                const program = rememberedPrograms(context).find(known => known.id === id);
                if (id === undefined || program === undefined) return panel.dispose();
                const document = Uri.parse(program.uri);
                runs.restore(document);
                adopt(panel, document, id);
            },
        }),
    );
    const panelOf = (document: Uri): Panel => {
        const known = panels.get(document.toString());
        if (known !== undefined) return known;
        const id = randomBytes(8).toString('hex');
        rememberProgram(context, id, document);
        const column = { viewColumn: columnBeside(document, [...panels.values()]), preserveFocus: true };
        return adopt(window.createWebviewPanel(RESULTS_VIEW, l10n.t('Results: {0}', programName(document)), column), document, id);
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
        act(action) {
            const panel = activePanel();
            panel?.post({ kind: 'act', action });
            return panel !== undefined;
        },
        active: () => activePanel()?.document,
    };
}

/** Where results are already, else the column next to the program: there are never more than two columns because of them. */
function columnBeside(document: Uri, panels: readonly Panel[]): ViewColumn {
    const { all, activeTabGroup } = window.tabGroups;
    const own = columnOf(document) ?? activeTabGroup.viewColumn;
    const columns = panels.flatMap(({ panel }) => panel.viewColumn ?? []);
    const results = columns.find(column => column !== own) ?? columns[0];
    if (results !== undefined) return results;
    if (all.length < 2) return ViewColumn.Beside;
    return own === all.length ? own - 1 : own + 1;
}

function createPanel(
    { context, server, runs, log, tell, run, askMissing }: Surroundings,
    panel: WebviewPanel,
    document: Uri,
    id: string,
): Panel {
    let opening: Opening | undefined;
    const asked = new Map<number, CancellationTokenSource>();
    const session = (): RunSession | undefined => runs.of(document);
    const show = (): void => {
        const now = session();
        const shown: ShownRun = now?.shown ?? { kind: 'gone' };
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
        });
        if (opening !== undefined && shown.kind === 'finished' && post(opening)) opening = undefined;
    };

    /** What the view asked for; refused when another run has taken the place of the one it asked about. */
    const answer = async ({ method, params }: ViewQuestion, token: CancellationToken): Promise<unknown> => {
        const run = runs.reference(document, params.run);
        if (run === undefined) throw new Error(l10n.t('The rows of this run are gone.'));
        if (method === 'rulelang/export') return exportRows(server, document, { ...params, run });
        if (method === 'rulelang/tell') return tell({ ...params, run }, token);
        return server.ask(method, { ...params, run } as never, token);
    };
    const respond = async (question: ViewQuestion): Promise<void> => {
        const { request, method } = question;
        const given = new CancellationTokenSource();
        asked.set(request, given);
        try {
            post({ kind: 'answer', request, result: await answer(question, given.token) });
        } catch (reason) {
            if (given.token.isCancellationRequested) return;
            const text = reason instanceof Error ? reason.message : String(reason);
            log.warn(`${programName(document)}: ${method}: ${text}`);
            if (method === 'rulelang/export') void window.showErrorMessage(l10n.t('The rows could not be exported: {0}', text));
            post({ kind: 'refusal', request, message: text });
        } finally {
            asked.delete(request);
            given.dispose();
        }
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
    const receive = (message: ViewMessage): void => {
        switch (message.kind) {
            case 'ask':
                void respond(message);
                return;
            case 'giveUp':
                asked.get(message.given)?.cancel();
                return;
            case 'reveal':
                reveal(message.run, message.node, message.derivation).catch((reason: unknown) => log.warn(String(reason)));
                return;
            case 'notice': {
                const now = session();
                const notice = now?.serial === message.run ? now.notices[message.index] : undefined;
                if (notice?.setting) void openSetting('run.parameters');
                else if (notice?.range !== undefined) void openPlace(document, notice.range, document);
                return;
            }
            case 'copy':
                void env.clipboard.writeText(message.text);
                return;
            case 'arranged':
                rememberColumns(context, document, message.arranged);
                return;
            case 'runAgain':
                run(document, session()?.predicates);
                return;
            case 'askMissing':
                askMissing(document, message.question);
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
                void openSetting('run.parameters');
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
        for (const given of asked.values()) given.cancel();
    });
    const post = loadView(panel, RESULTS, context, log, {
        title: l10n.t('Results'),
        ready: show,
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
        open(message) {
            opening = message;
            show();
        },
    };
}

interface RememberedProgram {
    readonly id: string;
    readonly uri: string;
}

function rememberedPrograms(context: ExtensionContext): readonly RememberedProgram[] {
    return context.workspaceState.get<readonly RememberedProgram[]>(PROGRAMS, []);
}

function rememberProgram(context: ExtensionContext, id: string, document: Uri): void {
    const uri = document.toString();
    const others = rememberedPrograms(context).filter(known => known.uri !== uri);
    void context.workspaceState.update(PROGRAMS, [...others, { id, uri }].slice(-REMEMBERED));
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
