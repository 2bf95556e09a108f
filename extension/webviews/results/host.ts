import { randomBytes } from 'node:crypto';
import { l10n, Uri, type ViewColumn, type WebviewPanel, window } from 'vscode';
import { rememberedPrograms } from '#extension/host/remembered-programs.ts';
import { programName } from '#extension/runs/runs.ts';
import type { OutputKey, RowView } from '#server/protocol/runs.ts';
import { columnBeside } from '../column-beside.ts';
import type { ShownRun, ViewAction } from './messages.ts';
import { type PanelSurroundings, ResultsPanel } from './results-panel.ts';
import { readViewState } from './view-state.ts';

const RESULTS_VIEW = 'rulelang.results';

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

/** Keys under which a panel remembers the program that it shows: the view itself only knows a number. */
const PROGRAMS = 'results.programs';

export function createResultsPanels(surroundings: PanelSurroundings): ResultsPanels {
    const { context, runs } = surroundings;
    const panels = new Map<string, ResultsPanel>();
    const programs = rememberedPrograms<RememberedProgram>(context.workspaceState, PROGRAMS);
    const adopt = (panel: WebviewPanel, document: Uri, id: string, none: ShownRun): ResultsPanel => {
        const made = new ResultsPanel(surroundings, panel, document, id, none);
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
    const panelOf = (document: Uri): ResultsPanel => {
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
    const activePanel = (): ResultsPanel | undefined => {
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

interface RememberedProgram {
    readonly id: string;
    readonly uri: string;
}
