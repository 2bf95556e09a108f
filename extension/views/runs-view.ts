import { commands, type Disposable, l10n, type TreeView, type Uri, window } from 'vscode';
import type { CommandOutcome } from '#extension/host/outcome.ts';
import type { Projects } from '#extension/projects/projects.ts';
import type { RunHistory } from '#extension/runs/run-history.ts';
import type { RunRecord } from '#extension/runs/run-record.ts';
import type { RunPart, Runs } from '#extension/runs/runs.ts';
import { countText } from '#extension/surfaces/number-text.ts';
import type { ResultsPanels } from '#extension/webviews/results/host.ts';
import type { Register } from './concepts-view.ts';
import { viewId } from './explorer-views.ts';
import { createTreeFilter } from './filter-box.ts';
import { FOCUSED, focusedNodes } from './focused-nodes.ts';
import { compareRuns, labelRun, openRun, pinRuns, type RunsWork, removeRuns, repeatRun } from './run-actions.ts';
import { type Grouping, idOf, type RunNode, RunTree } from './run-tree.ts';

const VIEW = viewId('runs');

interface Surroundings {
    readonly history: RunHistory;
    readonly runs: Runs;
    readonly panels: ResultsPanels;
    readonly projects: Projects;
    readonly register: Register;
    readonly subscriptions: Disposable[];
    start(document: Uri, part: RunPart): void;
}

/** The tree of runs of this workspace and of the concepts of the services, and what is done with them. */
export function createRunsView({ history, runs, panels, projects, register, subscriptions, start }: Surroundings): void {
    const tree = new RunTree(history, projects, subscriptions);
    const view: TreeView<RunNode> = window.createTreeView(VIEW, { treeDataProvider: tree, canSelectMany: true, showCollapseAll: true });
    const describe = (): void => {
        const { shown, all } = tree.counts;
        const asked = filtering.text;
        view.message = asked === '' ? '' : l10n.t("{0} of {1} runs have '{2}'.", countText(shown), countText(all), asked);
    };
    const setGrouping = async (grouping: Grouping): Promise<CommandOutcome> => {
        tree.group(grouping);
        void commands.executeCommand('setContext', 'rulelang.runsBy', grouping);
        return 'done';
    };
    subscriptions.push(
        view,
        history.changed(() => {
            if (filtering.text !== '') describe();
        }),
    );

    /** The runs that a command is about: those of the menu, else those that are selected. */
    const chosen = (node: RunNode | undefined, nodes: readonly RunNode[] | undefined): readonly RunRecord[] => {
        const about = nodes ?? (node === undefined ? view.selection : [node]);
        const records = about.flatMap(one => (one.kind === 'run' ? [one.record] : one.kind === 'group' ? one.records : []));
        return records.flatMap(({ id }) => history.get(id) ?? []);
    };
    const work: RunsWork = { history, runs, panels, projects, view, chosen, start };

    /** Keys begin it, too. */
    const registerOnNode = (name: string, handler: (node?: RunNode, nodes?: readonly RunNode[]) => Promise<CommandOutcome>): void =>
        register(name, async (node?: RunNode | typeof FOCUSED, nodes?: readonly RunNode[]) => {
            if (node !== FOCUSED) return handler(node, nodes);
            const about = await focusedNodes(view, idOf);
            return about === undefined ? 'nothing to do' : handler(about.focused, about.nodes);
        });

    register('openRun', (node?: RunNode) => openRun(work, node));
    registerOnNode('repeatRun', node => repeatRun(work, node));
    register('compareRuns', (node?: RunNode, nodes?: readonly RunNode[]) => compareRuns(work, node, nodes));
    register('pinRun', (node?: RunNode, nodes?: readonly RunNode[]) => pinRuns(work, true, node, nodes));
    register('unpinRun', (node?: RunNode, nodes?: readonly RunNode[]) => pinRuns(work, false, node, nodes));
    registerOnNode('labelRun', node => labelRun(work, node));
    registerOnNode('removeRun', (node, nodes) => removeRuns(work, node, nodes));
    register('groupRunsByProgram', () => setGrouping('program'));
    register('groupRunsByDay', () => setGrouping('day'));
    const filtering = createTreeFilter({
        context: 'rulelang.runsFiltered',
        title: l10n.t('Filter runs'),
        placeholder: l10n.t('Program, output, parameter, state or name'),
        tree,
        describe,
    });
    register('filterRuns', filtering.ask);
    register('clearRunFilter', filtering.clear);
    register('showMoreRuns', async (node?: RunNode) => {
        if (node?.kind !== 'more') return 'nothing to do';
        tree.showMore(node);
        return 'done';
    });
}
