import { randomBytes } from 'node:crypto';
import { l10n, Uri, ViewColumn, type WebviewPanel, window } from 'vscode';
import { rememberedPrograms } from '#extension/host/remembered-programs.ts';
import { programName } from '#extension/runs/runs.ts';
import type { OutputKey, RowView } from '#server/protocol/runs.ts';
import { columnBeside } from '../column-beside.ts';
import type { ShownRun, ViewAction } from './messages.ts';
import { type PanelSurroundings, ResultsPanel } from './results-panel.ts';
import { readViewState } from './view-state.ts';

const RESULTS_VIEW = 'rulelang.results';

/** Panels with the rows of runs: one per program, and further ones with others of its outputs. */
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

/** Keys under which a panel remembers the program that it shows: the view itself only knows a number. */
const PROGRAMS = 'results.programs';
/** Panels of a program that a reload brings back. */
const MOST_PANELS = 16;

export function createResultsPanels(surroundings: Omit<PanelSurroundings, 'showBeside'>): ResultsPanels {
    const { context, runs } = surroundings;
    const { of, all, create, adopt, programOf } = createPanelStore(surroundings);
    context.subscriptions.push(
        window.registerWebviewPanelSerializer(RESULTS_VIEW, {
            async deserializeWebviewPanel(panel, state) {
                const id = readViewState(state)?.panel;
                const document = id === undefined ? undefined : programOf(id);
                if (id === undefined || document === undefined) return panel.dispose();
                if (of(document).length === 0) runs.restore(document);
                adopt(panel, document, id, { kind: 'gone' });
            },
        }),
    );
    const columns = (): ViewColumn[] => all().flatMap(({ panel }) => panel.viewColumn ?? []);
    const panelOf = (document: Uri): ResultsPanel => {
        const [known] = of(document);
        return known ?? create(document, columnBeside(document, columns()), true);
    };
    /** The panel with the focus, of which the editor learns a moment late; else the only one in sight. */
    const activePanel = (): ResultsPanel | undefined => {
        const seen = all().filter(({ panel }) => panel.visible);
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

interface PanelStore {
    /** Of a program: its own panel, then those beside it. */
    of(document: Uri): readonly ResultsPanel[];
    all(): readonly ResultsPanel[];
    create(document: Uri, viewColumn: ViewColumn, preserveFocus: boolean): ResultsPanel;
    /** Fills a panel that the editor has opened anew. */
    adopt(panel: WebviewPanel, document: Uri, id: string, none: ShownRun): ResultsPanel;
    /** The program whose rows a panel had before a reload. */
    programOf(id: string): Uri | undefined;
}

function createPanelStore(surroundings: Omit<PanelSurroundings, 'showBeside'>): PanelStore {
    const { context, runs } = surroundings;
    const panels = new Map<string, readonly ResultsPanel[]>();
    const programs = rememberedPrograms<RememberedProgram>(context.workspaceState, PROGRAMS);
    const of = (document: Uri): readonly ResultsPanel[] => panels.get(document.toString()) ?? [];
    const all = (): readonly ResultsPanel[] => [...panels.values()].flat();
    const adopt = (panel: WebviewPanel, document: Uri, id: string, none: ShownRun): ResultsPanel => {
        const made = new ResultsPanel({ ...surroundings, showBeside }, panel, document, id, none);
        panels.set(document.toString(), [...of(document), made]);
        panel.onDidDispose(() => {
            const left = of(document).filter(other => other !== made);
            if (left.length > 0) panels.set(document.toString(), left);
            else {
                panels.delete(document.toString());
                runs.discard(document);
            }
        });
        return made;
    };
    const create = (document: Uri, viewColumn: ViewColumn, preserveFocus: boolean): ResultsPanel => {
        const id = randomBytes(8).toString('hex');
        const others = of(document).length === 0 ? [] : (programs.of(document)?.ids ?? []);
        void programs.put({ ids: [...others, id].slice(-MOST_PANELS), uri: document.toString() });
        const title = l10n.t('Results: {0}', programName(document));
        return adopt(window.createWebviewPanel(RESULTS_VIEW, title, { viewColumn, preserveFocus }), document, id, { kind: 'none' });
    };
    const showBeside = ({ document, panel }: ResultsPanel, output: OutputKey): void =>
        create(document, (panel.viewColumn ?? ViewColumn.One) + 1, false).open({ kind: 'open', view: { output } });
    const programOf = (id: string): Uri | undefined => {
        const program = programs.all().find(({ ids }) => ids?.includes(id));
        return program && Uri.parse(program.uri);
    };
    return { of, all, create, adopt, programOf };
}

interface RememberedProgram {
    /** Of its panels. What an earlier version has remembered has none. */
    readonly ids?: readonly string[];
    readonly uri: string;
}
