import { l10n, type QuickPickItem, window } from 'vscode';
import type { Server } from '#extension/host/client.ts';
import type { CommandOutcome } from '#extension/host/outcome.ts';
import type { RunSession } from '#extension/runs/runs.ts';
import { countText } from '#extension/surfaces/number-text.ts';
import { visible } from '#extension/surfaces/visible-text.ts';
import type { ResultsPanels } from '#extension/webviews/results/host.ts';
import type { Cell, OutputSummary, RowView } from '#server/protocol/runs.ts';
import type { RunCommands } from './run-commands.ts';
import { predicateTarget } from './target.ts';

/** Facts that are offered at a time; typing finds the others. */
const OFFERED = 200;

interface FactItem extends QuickPickItem {
    readonly view: RowView;
    readonly row: number;
}

/** Runs a predicate, asks which of its facts is meant, and explains that one; of one without facts, why it has none. */
export async function explainPredicate(
    server: Server,
    run: RunCommands,
    panels: ResultsPanels,
    uri?: unknown,
    name?: unknown,
): Promise<CommandOutcome> {
    const target = await predicateTarget(uri, name);
    if (target === undefined) return 'nothing to do';
    const session = run.start(target.document, { predicates: [target.predicate] });
    await session.ended;
    const outputs = session.shown.kind === 'finished' ? session.shown.outputs : [];
    const output = outputs.find(found => found.rows > 0);
    if (output === undefined) {
        const [empty] = outputs;
        if (empty === undefined) return 'nothing to do';
        panels.explainMissing(target.document, `${empty.name}(${empty.columns.map(() => '_').join(', ')})`);
        return 'done';
    }
    const picked = output.rows === 1 ? { view: { output: output.key }, row: 0 } : await pickFact(server, session, output);
    if (picked === undefined) return 'nothing to do';
    panels.explain(target.document, picked.view, picked.row);
    return 'done';
}

function pickFact(server: Server, { reference }: RunSession, output: OutputSummary): Promise<FactItem | undefined> {
    const picker = window.createQuickPick<FactItem>();
    picker.title = l10n.t('Explain a fact of {0}', output.name);
    // The rows of the run may take the focus when they come.
    picker.ignoreFocusOut = true;
    picker.placeholder = l10n.t('Search {0} facts', countText(output.rows));
    let asked = 0;
    const offer = async (search: string): Promise<void> => {
        const request = ++asked;
        picker.busy = true;
        const view: RowView = { output: output.key, ...(search === '' ? {} : { search }) };
        try {
            const page = await server.ask('rulelang/page', { run: reference ?? 0, view, offset: 0, limit: OFFERED });
            if (request !== asked) return;
            picker.items = page.cells.map((cells, row) => ({ label: factLabel(output.name, cells), alwaysShow: true, view, row }));
        } finally {
            if (request === asked) picker.busy = false;
        }
    };
    return new Promise(resolve => {
        picker.onDidChangeValue(value => void offer(value.trim()));
        picker.onDidAccept(() => {
            // Facts that have just come may not have one that is active yet; then the first is meant.
            const chosen = picker.selectedItems[0] ?? picker.activeItems[0] ?? picker.items[0];
            if (chosen === undefined) return;
            resolve(chosen);
            picker.hide();
        });
        picker.onDidHide(() => {
            resolve(undefined);
            picker.dispose();
        });
        picker.show();
        void offer('');
    });
}

function factLabel(name: string, cells: readonly Cell[]): string {
    const texts = cells.map(cell => (typeof cell === 'string' ? cell : 'null' in cell ? cell.null : `${cell.text}…`));
    return visible(`${name}(${texts.join(', ')})`);
}
