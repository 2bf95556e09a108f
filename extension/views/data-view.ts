import { commands, type ExtensionContext, type LogOutputChannel, l10n, type TreeView, window } from 'vscode';
import { sourceAttachment } from '#extension/agent/source-attachment.ts';
import type { CommandOutcome } from '#extension/host/outcome.ts';
import type { Connection } from '#extension/platform/connection.ts';
import type { Connections } from '#extension/platform/connections.ts';
import { failureText } from '#extension/platform/failure-text.ts';
import type { Projects } from '#extension/projects/projects.ts';
import type { Source } from '#extension/sources/source.ts';
import { countText } from '#extension/surfaces/number-text.ts';
import { createSourcePanels, type SourcePanels } from '#extension/webviews/source/host.ts';
import { chosenSources, sourcesOf } from './chosen-sources.ts';
import type { Register } from './concepts-view.ts';
import { type Attempt, connectDialog, connectFiles } from './connect-dialog.ts';
import { type DataNode, DataTree } from './data-tree.ts';
import { viewId } from './explorer-views.ts';
import { createTreeFilter } from './filter-box.ts';
import type { KeptLogins } from './kept-logins.ts';
import type { ReachedServers } from './reached-servers.ts';
import { forgetPassword, inferProgram, insertBinds, removeSource, type SourcesWork } from './source-actions.ts';
import { sourceDragging } from './source-drag.ts';
import { createSourceLogins } from './source-logins.ts';

const VIEW = viewId('data');

interface Surroundings {
    readonly context: ExtensionContext;
    readonly log: LogOutputChannel;
    readonly projects: Projects;
    readonly connections: Connections;
    readonly kept: KeptLogins;
    readonly reached: ReachedServers;
    readonly register: Register;
}

/** The tree of sources that were connected, and what is done with them. */
export function createDataView({ context, log, projects, connections, kept, reached, register }: Surroundings): void {
    const { subscriptions } = context;
    const tree = new DataTree(connections, subscriptions);
    const logins = createSourceLogins(kept);
    const connect: Attempt = async (database, keeps) => {
        if (projects.connection() === undefined) await connections.startLocal();
        const connection = projects.connection();
        if (connection === undefined) return l10n.t('the services do not run');
        const fault = await logins.connect(connection, database, keeps);
        tree.refresh();
        return fault;
    };
    const dragging = sourceDragging(files => connectFiles(files, connect), projects.connection, subscriptions);
    const view = window.createTreeView(VIEW, {
        treeDataProvider: tree,
        dragAndDropController: dragging,
        canSelectMany: true,
        showCollapseAll: true,
    });
    subscriptions.push(view);
    const describe = async (): Promise<void> => {
        const asked = filtering.text;
        // What cannot be listed stands in the tree.
        const count = asked === '' ? 0 : await tree.count().catch(() => 0);
        if (asked === filtering.text) view.message = asked === '' ? '' : l10n.t("Sources with '{0}': {1}.", asked, countText(count));
    };
    const filtering = createTreeFilter({
        context: 'rulelang.sourcesFiltered',
        title: l10n.t('Filter sources'),
        placeholder: l10n.t('Name of a table, a file or a database'),
        tree,
        describe: () => void describe(),
    });
    register('filterSources', filtering.ask);
    register('clearSourceFilter', filtering.clear);
    const attempt = async (act: (connection: Connection) => Promise<CommandOutcome>): Promise<CommandOutcome> => {
        const connection = projects.connection();
        if (connection === undefined) return 'nothing to do';
        try {
            return await window.withProgress({ location: { viewId: VIEW } }, () => act(connection));
        } catch (reason) {
            void window.showErrorMessage(failureText(reason));
            return 'failed';
        } finally {
            tree.refresh();
        }
    };
    register('connectSource', () => connectDialog(connect));
    register('refreshSources', async () => {
        tree.refresh();
        return 'done';
    });
    registerSamples(createSourcePanels(context, logins, log), { projects, view, register });
    const work: SourcesWork = { tree, logins, reached };
    /** What is done with the sources of the items that are chosen in the tree, or that the user chooses now. */
    const withSources = (title: string, act: (connection: Connection, sources: readonly Source[]) => Promise<CommandOutcome>) => {
        return (node?: DataNode, nodes?: readonly DataNode[]) =>
            attempt(async connection => {
                const items = node === undefined ? [] : nodes?.includes(node) ? nodes : [node];
                const sources = node === undefined ? await chosenSources(tree, title) : await sourcesOf(items, tree);
                return sources.length === 0 ? 'nothing to do' : act(connection, sources);
            });
    };
    register(
        'insertBind',
        withSources(l10n.t('Insert the bind of which source?'), (connection, sources) => insertBinds(work, connection, sources)),
    );
    register(
        'inferProgram',
        withSources(l10n.t('Infer a program from which source?'), (connection, sources) => inferProgram(work, connection, sources)),
    );
    register(
        'askAboutSource',
        withSources(l10n.t('Ask the agent about which source?'), (_, sources) => askAgentAbout(sources)),
    );
    register('forgetPassword', (node?: DataNode) => attempt(connection => forgetPassword(work, connection, node)));
    register('removeSource', (node?: DataNode) => attempt(connection => removeSource(work, connection, node)));
}

async function askAgentAbout(sources: readonly Source[]): Promise<CommandOutcome> {
    return (await commands.executeCommand<CommandOutcome>('rulelang.askAgent', '', sourceAttachment(sources))) ?? 'nothing to do';
}

/** Commands for the first rows of a table, and for what its columns hold. */
function registerSamples(
    panels: SourcePanels,
    { projects, view, register }: Pick<Surroundings, 'projects' | 'register'> & { readonly view: TreeView<DataNode> },
): void {
    register('showSampleRows', async (node?: DataNode) => {
        const source = sourceOf(node ?? view.selection[0]);
        const connection = projects.connection();
        return source === undefined || connection === undefined ? 'nothing to do' : panels.show(connection, source);
    });
    register('profileColumn', async (node?: DataNode) => {
        const asked = node ?? view.selection[0];
        const connection = projects.connection();
        if (asked?.kind !== 'column' || connection === undefined) return 'nothing to do';
        return panels.profile(connection, asked.source, asked.name);
    });
}

function sourceOf(node: DataNode | undefined): Source | undefined {
    return node !== undefined && 'source' in node ? node.source : undefined;
}
