import { commands, l10n, type TreeView, Uri, window, workspace } from 'vscode';
import type { CommandOutcome } from '#extension/host/outcome.ts';
import { type Projects, placeOf } from '#extension/projects/projects.ts';
import { rowsText } from '#extension/projects/rows-text.ts';
import type { RunHistory } from '#extension/runs/run-history.ts';
import type { RunRecord } from '#extension/runs/run-record.ts';
import type { RunPart, Runs } from '#extension/runs/runs.ts';
import { countText } from '#extension/surfaces/number-text.ts';
import type { ResultsPanels } from '#extension/webviews/results/host.ts';
import { givenText, momentOf, nameOf, type RunNode } from './run-tree.ts';

const LONGEST_NAME = 100;

/** Everything that commands about runs work with. */
export interface RunsWork {
    readonly history: RunHistory;
    readonly runs: Runs;
    readonly panels: ResultsPanels;
    readonly projects: Projects;
    readonly view: Pick<TreeView<RunNode>, 'selection'>;
    /** The runs of the menu, else those that are selected. */
    chosen(node: RunNode | undefined, nodes: readonly RunNode[] | undefined): readonly RunRecord[];
    start(document: Uri, part: RunPart): void;
}

export async function openRun(work: RunsWork, node?: RunNode): Promise<CommandOutcome> {
    const about = node ?? work.view.selection[0];
    if (about?.kind === 'conceptRun') return openConcept(work, about);
    const record = oneOf(work, about);
    if (record === undefined) return 'nothing to do';
    const document = Uri.parse(record.uri);
    const shown = work.runs.of(document);
    if (shown?.shown.kind === 'running') return told(l10n.t('A run of {0} goes on. Stop it to look at an earlier one.', nameOf(record)));
    // What is shown already is not read again.
    if (shown?.startedAt === record.at && shown.shown.kind === 'finished') {
        work.panels.show(document);
        return 'done';
    }
    if (record.state !== 'done') return told(l10n.t('This run has no rows: {0}', record.message ?? l10n.t('it did not end by itself.')));
    if (record.rows === undefined || work.runs.reopen(document, record.rows) === undefined)
        return told(l10n.t('The rows of this run are not kept any more. Run it again with the same parameters to have them.'));
    work.panels.show(document);
    return 'done';
}

export async function repeatRun(work: RunsWork, node?: RunNode): Promise<CommandOutcome> {
    const about = node ?? work.view.selection[0];
    if (about?.kind === 'conceptRun') return onConcept(work, about, 'rulelang.runConcept');
    const record = oneOf(work, about);
    if (record === undefined) return 'nothing to do';
    const { uri, predicates, body, given: parameters } = record;
    const document = Uri.parse(uri);
    const isThere = await workspace.openTextDocument(document).then(
        () => true,
        () => false,
    );
    if (!isThere) return told(l10n.t('{0} is not there any more.', nameOf(record)));
    work.start(document, { parameters, ...(predicates !== undefined && { predicates }), ...(body !== undefined && { body }) });
    return 'done';
}

export async function compareRuns(work: RunsWork, node?: RunNode, nodes?: readonly RunNode[]): Promise<CommandOutcome> {
    const about = work.chosen(node, nodes).slice(0, 2);
    const [first] = about;
    if (first === undefined) return 'nothing to do';
    const second = about[1] ?? (await otherRun(work, first));
    if (second === undefined) return 'nothing to do';
    if (first.uri !== second.uri) return told(l10n.t('Two runs of one program are compared. These are of two.'));
    const document = Uri.parse(first.uri);
    if (work.runs.of(document)?.shown.kind === 'running')
        return told(l10n.t('A run of {0} goes on. Stop it to look at an earlier one.', nameOf(first)));
    const [before, after] = first.at < second.at ? [first, second] : [second, first];
    if (before.rows === undefined || after.rows === undefined || work.runs.compare(document, before.rows, after.rows) === undefined)
        return told(l10n.t('The rows of these runs are not kept any more, so that they cannot be compared.'));
    work.panels.show(document);
    return 'done';
}

/** Pins runs, or lets them go. */
export async function pinRuns(
    { history, chosen }: RunsWork,
    pinned: boolean,
    node?: RunNode,
    nodes?: readonly RunNode[],
): Promise<CommandOutcome> {
    const records = chosen(node, nodes);
    for (const { id } of records) history.pin(id, pinned);
    return records.length === 0 ? 'nothing to do' : 'done';
}

export async function labelRun(work: RunsWork, node?: RunNode): Promise<CommandOutcome> {
    const record = oneOf(work, node);
    if (record === undefined) return 'nothing to do';
    const label = await window.showInputBox({
        ignoreFocusOut: true,
        title: l10n.t('What to call the run of {0}', momentOf(record.at)),
        value: record.label ?? '',
        prompt: l10n.t('Empty takes the name away.'),
    });
    if (label === undefined) return 'nothing to do';
    work.history.name(record.id, label.trim().slice(0, LONGEST_NAME));
    return 'done';
}

export async function removeRuns(work: RunsWork, node?: RunNode, nodes?: readonly RunNode[]): Promise<CommandOutcome> {
    const records = work.chosen(node, nodes);
    if (records.length === 0) return 'nothing to do';
    const pinned = records.filter(record => record.pinned === true);
    if (pinned.length > 0) {
        const remove = l10n.t('Remove');
        const question = pinned.length === 1 ? l10n.t('Remove a pinned run?') : l10n.t('Remove {0} pinned runs?', countText(pinned.length));
        if ((await window.showWarningMessage(question, remove)) !== remove) return 'nothing to do';
    }
    work.history.remove(records.map(({ id }) => id));
    return 'done';
}

function oneOf({ chosen }: RunsWork, node: RunNode | undefined): RunRecord | undefined {
    return chosen(node, undefined)[0];
}

/** Another run of the same program whose rows are kept, as the user chooses. */
async function otherRun({ history }: RunsWork, record: RunRecord): Promise<RunRecord | undefined> {
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
async function openConcept(work: RunsWork, node: Extract<RunNode, { kind: 'conceptRun' }>): Promise<CommandOutcome> {
    const { runs: known } = await work.projects.contents(placeOf(node.project));
    const last = known.find(run => run.concept_name === node.run.concept_name && run.state === 'succeeded');
    if (last?.started_at !== node.run.started_at)
        void told(l10n.t('The services keep the rows of the last run of a concept, which are shown.'));
    return onConcept(work, node, 'rulelang.showConcept');
}

async function onConcept(
    { projects }: RunsWork,
    { project, run }: Extract<RunNode, { kind: 'conceptRun' }>,
    command: string,
): Promise<CommandOutcome> {
    const concept = await projects.concept(placeOf(project), run.concept_name);
    if (concept === undefined) return told(l10n.t("'{0}' is not there any more.", run.concept_name));
    return commands.executeCommand<CommandOutcome>(command, { kind: 'concept', project, concept, last: run });
}
function told(message: string): CommandOutcome {
    void window.showInformationMessage(message);
    return 'nothing to do';
}
