import { join } from 'node:path';
import {
    commands,
    type DataTransfer,
    DataTransferItem,
    type ExtensionContext,
    type LogOutputChannel,
    l10n,
    type TreeDragAndDropController,
    type TreeView,
    Uri,
    window,
} from 'vscode';
import type { Server } from '#extension/host/client.ts';
import type { CommandOutcome } from '#extension/host/outcome.ts';
import type { SecretValues } from '#extension/host/secret-values.ts';
import { groupOf } from '#extension/page/saved-body.ts';
import type { Connections } from '#extension/platform/connections.ts';
import { ConceptFiles } from '#extension/projects/concept-files.ts';
import { createProjects, type Projects } from '#extension/projects/projects.ts';
import { followQueries } from '#extension/projects/query-concepts.ts';
import { supplyConcepts } from '#extension/projects/supply-concepts.ts';
import { countText } from '#extension/surfaces/number-text.ts';
import { createConceptPanels } from '#extension/webviews/concept/host.ts';
import { createDashboardPanels } from '#extension/webviews/dashboard/host.ts';
import { type ConceptCommands, createConceptCommands } from './concept-commands.ts';
import { type ConceptNode, ConceptTree, idOf } from './concept-tree.ts';
import { type RegisterOnNode, registerDashboardCommands } from './dashboard-commands.ts';
import { showDrafts } from './draft-marks.ts';
import { viewId } from './explorer-views.ts';
import { createTreeFilter } from './filter-box.ts';
import { FOCUSED, focusedNodes } from './focused-nodes.ts';
import { showSavedProblems } from './saved-problems.ts';

const VIEW = viewId('concepts');
const NODES = 'application/vnd.code.tree.rulelang.concepts';
const FILES = 'text/uri-list';
/** What keys rename and delete. */
const KEYED: ReadonlySet<ConceptNode['kind']> = new Set(['project', 'concept', 'dashboard']);

export type Register = (name: string, handler: (...args: never[]) => Promise<CommandOutcome>) => void;

interface Surroundings {
    readonly connections: Connections;
    readonly secretValues: SecretValues;
    readonly server: Server;
    readonly log: LogOutputChannel;
    readonly context: ExtensionContext;
    readonly register: Register;
}

export interface ConceptsView {
    readonly projects: Projects;
    /** Rules become a concept of a project and of a name that the user chooses. */
    saveRules(rules: string): Promise<CommandOutcome>;
}

/** The tree of projects and concepts, their documents, and what is done with them. */
export function createConceptsView({ context, connections, secretValues, server, log, register }: Surroundings): ConceptsView {
    const { subscriptions } = context;
    const projects = createProjects(connections, subscriptions);
    const files = new ConceptFiles(projects, join(context.globalStorageUri.fsPath, 'drafts'), subscriptions);
    showSavedProblems(files, subscriptions);
    showDrafts(files, subscriptions, register);
    supplyConcepts(projects, server, log, subscriptions);
    followQueries(projects, server, subscriptions);
    const panels = createConceptPanels(context, projects, secretValues, server, log);
    const act = createConceptCommands(projects, server, panels, uri => files.draftOf(uri) !== undefined);
    const tree = new ConceptTree(projects, subscriptions);
    const view: TreeView<ConceptNode> = window.createTreeView(VIEW, {
        treeDataProvider: tree,
        dragAndDropController: droppingInto(act),
        showCollapseAll: true,
    });
    const handlers = new Map<string, (node?: ConceptNode) => Promise<CommandOutcome>>();
    /** The handler, or where a key has begun it that of the same verb for what has the focus: `renameConcept`, `renameDashboard`. */
    const registerOnNode: RegisterOnNode = (name, handler) => {
        handlers.set(name, handler);
        register(name, async (node?: ConceptNode | typeof FOCUSED) => {
            if (node !== FOCUSED) return handler(node);
            const focused = (await focusedNodes(view, idOf))?.focused;
            if (focused === undefined || !KEYED.has(focused.kind)) return 'nothing to do';
            const noun = focused.kind.charAt(0).toUpperCase() + focused.kind.slice(1);
            return handlers.get(name.replace(/[A-Z].*/u, noun))?.(focused) ?? 'nothing to do';
        });
    };
    registerDashboardCommands(act, createDashboardPanels(context, projects, log, panels), registerOnNode);
    projects.follow(() => view.visible);
    const describe = async (): Promise<void> => {
        const asked = filtering.text;
        // What cannot be listed stands in the tree.
        const counts = asked === '' ? undefined : await tree.counts().catch(() => undefined);
        if (asked !== filtering.text) return;
        view.message =
            counts === undefined ? '' : l10n.t("{0} of {1} concepts have '{2}'.", countText(counts.shown), countText(counts.all), asked);
    };
    const filtering = createTreeFilter({
        context: 'rulelang.conceptsFiltered',
        title: l10n.t('Filter concepts'),
        placeholder: l10n.t('Name, description, group, logic, sql or python'),
        tree,
        describe: () => void describe(),
    });
    register('filterConcepts', filtering.ask);
    register('clearConceptFilter', filtering.clear);
    subscriptions.push(projects.changed(() => void describe()));
    subscriptions.push(
        view,
        view.onDidChangeSelection(({ selection }) => {
            void commands.executeCommand('setContext', 'rulelang.selectedNode', selection[0]?.kind);
        }),
        connections.changed(() => {
            const active = connections.active();
            view.description = active?.kind === 'hosted' ? new URL(active.address).host : '';
            void commands.executeCommand('setContext', 'rulelang.connected', active !== undefined);
        }),
    );
    register('newProject', act.newProject);
    registerOnNode('renameProject', act.renameProject);
    registerOnNode('deleteProject', act.deleteProject);
    register('exportProject', act.exportProject);
    register('importFiles', act.importFiles);
    register('newConcept', act.newConcept);
    registerOnNode('renameConcept', act.renameConcept);
    register('describeConcept', act.describeConcept);
    register('moveConcept', act.moveConcept);
    register('duplicateConcept', act.duplicateConcept);
    registerOnNode('deleteConcept', act.deleteConcept);
    register('exportConcept', act.exportConcept);
    register('runConcept', act.runConcept);
    register('showConcept', act.showConcept);
    register('saveAsConcept', act.saveSelection);
    register('refreshConcepts', async () => {
        projects.refresh();
        return 'done';
    });
    return { projects, saveRules: act.saveRules };
}

/** Files that are dropped become concepts or projects; a concept that is dropped on a group belongs to it. */
function droppingInto(act: ConceptCommands): TreeDragAndDropController<ConceptNode> {
    return {
        dragMimeTypes: [NODES],
        dropMimeTypes: [NODES, FILES],
        handleDrag(nodes: readonly ConceptNode[], data: DataTransfer) {
            data.set(NODES, new DataTransferItem(nodes));
        },
        async handleDrop(target, data) {
            const nodes = data.get(NODES)?.value as readonly ConceptNode[] | undefined;
            if (nodes === undefined) {
                const list = (await data.get(FILES)?.asString()) ?? '';
                const uris = list.split(/\r?\n/u).filter(line => line !== '' && !line.startsWith('#'));
                const project = target !== undefined && 'project' in target ? target.project : undefined;
                if (uris.length > 0)
                    await act.add(
                        uris.map(uri => Uri.parse(uri)),
                        project,
                    );
                return;
            }
            const group = groupAt(target);
            for (const node of nodes) if (node.kind === 'concept' && group !== undefined) await act.group(node.concept, group);
        },
    };
}

function groupAt(target: ConceptNode | undefined): string | undefined {
    switch (target?.kind) {
        case 'project':
            return '';
        case 'group':
            return target.group;
        case 'concept':
            return groupOf(target.concept);
        default:
            return undefined;
    }
}
