import { commands, type Disposable, l10n, type TreeView, Uri, window, workspace } from 'vscode';
import type { CommandOutcome } from '#extension/host/outcome.ts';
import { type Projects, placeOf } from '#extension/projects/projects.ts';
import { rowsText } from '#extension/projects/rows-text.ts';
import type { RunHistory } from '#extension/runs/run-history.ts';
import type { RunRecord } from '#extension/runs/run-record.ts';
import type { RunPart, Runs } from '#extension/runs/runs.ts';
import { countText } from '#extension/surfaces/number-text.ts';
import type { ResultsPanels } from '#extension/webviews/results/host.ts';
import type { Register } from './concepts-view.ts';
import { viewId } from './explorer-views.ts';
import { createTreeFilter } from './filter-box.ts';
import { FOCUSED, focusedNodes } from './focused-nodes.ts';
import { type Grouping, givenText, idOf, momentOf, nameOf, type RunNode, RunTree } from './run-tree.ts';

const VIEW = viewId('runs');
const LONGEST_NAME = 100;

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
    const one = (node: RunNode | undefined): RunRecord | undefined => chosen(node, undefined)[0];

    /** Keys begin it, too. */
    const registerOnNode = (name: string, handler: (node?: RunNode, nodes?: readonly RunNode[]) => Promise<CommandOutcome>): void =>
        register(name, async (node?: RunNode | typeof FOCUSED, nodes?: readonly RunNode[]) => {
            if (node !== FOCUSED) return handler(node, nodes);
            const about = await focusedNodes(view, idOf);
            return about === undefined ? 'nothing to do' : handler(about.focused, about.nodes);
        });

    register('openRun', async (node?: RunNode) => {
        const about = node ?? view.selection[0];
        if (about?.kind === 'conceptRun') return openConcept(about);
        const record = one(about);
        if (record === undefined) return 'nothing to do';
        const document = Uri.parse(record.uri);
        const shown = runs.of(document);
        if (shown?.shown.kind === 'running')
            return told(l10n.t('A run of {0} goes on. Stop it to look at an earlier one.', nameOf(record)));
        // What is shown already is not read again.
        if (shown?.startedAt === record.at && shown.shown.kind === 'finished') {
            panels.show(document);
            return 'done';
        }
        if (record.state !== 'done')
            return told(l10n.t('This run has no rows: {0}', record.message ?? l10n.t('it did not end by itself.')));
        if (record.rows === undefined || runs.reopen(document, record.rows) === undefined)
            return told(l10n.t('The rows of this run are not kept any more. Run it again with the same parameters to have them.'));
        panels.show(document);
        return 'done';
    });
    registerOnNode('repeatRun', async node => {
        const about = node ?? view.selection[0];
        if (about?.kind === 'conceptRun') return onConcept(about, 'rulelang.runConcept');
        const record = one(about);
        if (record === undefined) return 'nothing to do';
        const { uri, predicates, body, given: parameters } = record;
        const document = Uri.parse(uri);
        const isThere = await workspace.openTextDocument(document).then(
            () => true,
            () => false,
        );
        if (!isThere) return told(l10n.t('{0} is not there any more.', nameOf(record)));
        start(document, { parameters, ...(predicates !== undefined && { predicates }), ...(body !== undefined && { body }) });
        return 'done';
    });
    register('compareRuns', async (node?: RunNode, nodes?: readonly RunNode[]) => {
        const about = chosen(node, nodes).slice(0, 2);
        const [first] = about;
        if (first === undefined) return 'nothing to do';
        const second = about[1] ?? (await otherRun(first));
        if (second === undefined) return 'nothing to do';
        if (first.uri !== second.uri) return told(l10n.t('Two runs of one program are compared. These are of two.'));
        const document = Uri.parse(first.uri);
        if (runs.of(document)?.shown.kind === 'running')
            return told(l10n.t('A run of {0} goes on. Stop it to look at an earlier one.', nameOf(first)));
        const [before, after] = first.at < second.at ? [first, second] : [second, first];
        if (before.rows === undefined || after.rows === undefined || runs.compare(document, before.rows, after.rows) === undefined)
            return told(l10n.t('The rows of these runs are not kept any more, so that they cannot be compared.'));
        panels.show(document);
        return 'done';
    });
    const pin =
        (pinned: boolean) =>
        async (node?: RunNode, nodes?: readonly RunNode[]): Promise<CommandOutcome> => {
            const records = chosen(node, nodes);
            for (const { id } of records) history.pin(id, pinned);
            return records.length === 0 ? 'nothing to do' : 'done';
        };
    register('pinRun', pin(true));
    register('unpinRun', pin(false));
    registerOnNode('labelRun', async node => {
        const record = one(node);
        if (record === undefined) return 'nothing to do';
        const label = await window.showInputBox({
            ignoreFocusOut: true,
            title: l10n.t('What to call the run of {0}', momentOf(record.at)),
            value: record.label ?? '',
            prompt: l10n.t('Empty takes the name away.'),
        });
        if (label === undefined) return 'nothing to do';
        history.name(record.id, label.trim().slice(0, LONGEST_NAME));
        return 'done';
    });
    registerOnNode('removeRun', async (node, nodes) => {
        const records = chosen(node, nodes);
        if (records.length === 0) return 'nothing to do';
        const pinned = records.filter(record => record.pinned === true);
        if (pinned.length > 0) {
            const remove = l10n.t('Remove');
            const question =
                pinned.length === 1 ? l10n.t('Remove a pinned run?') : l10n.t('Remove {0} pinned runs?', countText(pinned.length));
            if ((await window.showWarningMessage(question, remove)) !== remove) return 'nothing to do';
        }
        history.remove(records.map(({ id }) => id));
        return 'done';
    });
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

    /** Another run of the same program whose rows are kept, as the user chooses. */
    async function otherRun(record: RunRecord): Promise<RunRecord | undefined> {
        const others = history.records().filter(({ id, uri }) => id !== record.id && uri === record.uri);
        const items = others.filter(history.hasRows).map(other => ({
            label: other.label ?? momentOf(other.at),
            description: [rowsText(other.total), givenText(other)].filter(text => text !== '').join(' · '),
            other,
        }));
        if (items.length === 0) {
            void told(l10n.t('There is no other run of {0} whose rows are kept.', nameOf(record)));
            return undefined;
        }
        const title = l10n.t('Compare the run of {0} with', record.label ?? momentOf(record.at));
        return (await window.showQuickPick(items, { title, matchOnDescription: true }))?.other;
    }

    /** The rows that the services keep are those of its last run. */
    async function openConcept(node: Extract<RunNode, { kind: 'conceptRun' }>): Promise<CommandOutcome> {
        const { runs: known } = await projects.contents(placeOf(node.project));
        const last = known.find(run => run.concept_name === node.run.concept_name && run.state === 'succeeded');
        if (last?.started_at !== node.run.started_at)
            void told(l10n.t('The services keep the rows of the last run of a concept, which are shown.'));
        return onConcept(node, 'rulelang.showConcept');
    }

    async function onConcept({ project, run }: Extract<RunNode, { kind: 'conceptRun' }>, command: string): Promise<CommandOutcome> {
        const concept = await projects.concept(placeOf(project), run.concept_name);
        if (concept === undefined) return told(l10n.t("'{0}' is not there any more.", run.concept_name));
        return commands.executeCommand<CommandOutcome>(command, { kind: 'concept', project, concept, last: run });
    }
}

function told(message: string): CommandOutcome {
    void window.showInformationMessage(message);
    return 'nothing to do';
}
