import {
    commands,
    type DataTransfer,
    DataTransferItem,
    type ExtensionContext,
    type LogOutputChannel,
    type TreeDragAndDropController,
    type TreeView,
    Uri,
    window,
} from 'vscode';
import type { Server } from '#extension/client.ts';
import type { CommandOutcome } from '#extension/commands/outcome.ts';
import type { Connections } from '#extension/platform/connections.ts';
import { ConceptFiles } from '#extension/projects/concept-files.ts';
import { createProjects, groupOf, type Projects } from '#extension/projects/projects.ts';
import { supplyConcepts } from '#extension/projects/supply-concepts.ts';
import { createConceptPanels } from '#extension/webviews/concept/host.ts';
import { type ConceptCommands, createConceptCommands } from './concept-commands.ts';
import { type ConceptNode, ConceptTree } from './concept-tree.ts';
import { showSavedProblems } from './saved-problems.ts';

const VIEW = 'rulelang.concepts';
const NODES = 'application/vnd.code.tree.rulelang.concepts';
const FILES = 'text/uri-list';

export type Register = (name: string, handler: (...args: never[]) => Promise<CommandOutcome>) => void;

interface Surroundings {
    readonly connections: Connections;
    readonly server: Server;
    readonly log: LogOutputChannel;
    readonly context: ExtensionContext;
    readonly register: Register;
}

/** The tree of projects and concepts, their documents, and what is done with them. */
export function createConceptsView({ context, connections, server, log, register }: Surroundings): Projects {
    const { subscriptions } = context;
    const projects = createProjects(connections, subscriptions);
    const files = new ConceptFiles(projects, subscriptions);
    showSavedProblems(files, subscriptions);
    supplyConcepts(projects, server, log, subscriptions);
    const act = createConceptCommands(projects, server, createConceptPanels(context, projects, log));
    const view: TreeView<ConceptNode> = window.createTreeView(VIEW, {
        treeDataProvider: new ConceptTree(projects, subscriptions),
        dragAndDropController: droppingInto(act),
        showCollapseAll: true,
    });
    projects.follow(() => view.visible);
    subscriptions.push(
        view,
        connections.changed(() => {
            const active = connections.active();
            view.description = active?.kind === 'hosted' ? new URL(active.address).host : '';
            void commands.executeCommand('setContext', 'rulelang.connected', active !== undefined);
        }),
    );
    register('newProject', act.newProject);
    register('renameProject', act.renameProject);
    register('deleteProject', act.deleteProject);
    register('exportProject', act.exportProject);
    register('importFiles', act.importFiles);
    register('newConcept', act.newConcept);
    register('renameConcept', act.renameConcept);
    register('describeConcept', act.describeConcept);
    register('moveConcept', act.moveConcept);
    register('duplicateConcept', act.duplicateConcept);
    register('deleteConcept', act.deleteConcept);
    register('exportConcept', act.exportConcept);
    register('runConcept', act.runConcept);
    register('showConcept', act.showConcept);
    register('saveAsConcept', act.saveSelection);
    register('refreshConcepts', async () => {
        projects.refresh();
        return 'done';
    });
    return projects;
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
