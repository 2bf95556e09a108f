import { basename, extname } from 'node:path/posix';
import { type ExtensionContext, type LogOutputChannel, l10n, SnippetString, window } from 'vscode';
import { newProgramPlace, openNewProgram } from '#extension/commands/new-program.ts';
import type { CommandOutcome } from '#extension/host/outcome.ts';
import type { Connection } from '#extension/platform/connection.ts';
import type { Connections } from '#extension/platform/connections.ts';
import { failureText } from '#extension/platform/failure-text.ts';
import type { Projects, Scope } from '#extension/projects/projects.ts';
import type { Database, Source } from '#extension/sources/source.ts';
import { isFileType } from '#extension/sources/source-kinds.ts';
import { byPlace, type PlaceOfSources } from '#extension/sources/source-place.ts';
import { countText } from '#extension/surfaces/number-text.ts';
import { createSourcePanels } from '#extension/webviews/source/host.ts';
import { chosenSources, sourcesOf } from './chosen-sources.ts';
import type { Register } from './concepts-view.ts';
import { type Attempt, connectDialog, connectFiles } from './connect-dialog.ts';
import { type DataNode, DataTree } from './data-tree.ts';
import { viewId } from './explorer-views.ts';
import { createTreeFilter } from './filter-box.ts';
import type { KeptLogins } from './kept-logins.ts';
import type { ReachedServers } from './reached-servers.ts';
import { clausesFor, placeOfProgram } from './source-clauses.ts';
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
    const letReach = async (sources: readonly Source[]): Promise<void> => {
        for (const source of sources) if (!isFileType(source.database_type)) await reached.let(source);
    };
    const panels = createSourcePanels(context, logins, log);
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
    /** What is done with the sources of the items that are chosen in the tree, or that the user chooses now. */
    const withSources = (title: string, act: (connection: Connection, sources: readonly Source[]) => Promise<CommandOutcome>) => {
        return (node?: DataNode, nodes?: readonly DataNode[]) =>
            attempt(async connection => {
                const items = node === undefined ? [] : nodes?.includes(node) ? nodes : [node];
                const sources = node === undefined ? await chosenSources(tree, title) : await sourcesOf(items, tree);
                return sources.length === 0 ? 'nothing to do' : act(connection, sources);
            });
    };
    const insertBinds = withSources(l10n.t('Insert the bind of which source?'), async (connection, sources) => {
        const editor = window.activeTextEditor;
        if (editor?.document.languageId !== 'rulelang') {
            void window.showInformationMessage(l10n.t('Open a program, and put the cursor where the bind is to stand.'));
            return 'nothing to do';
        }
        const text = await clausesFor(connection, editor.document, sources);
        if (text === '') return 'nothing to do';
        await editor.insertSnippet(new SnippetString().appendText(text), editor.selection.active.with({ character: 0 }));
        await letReach(sources);
        return 'done';
    });
    register('insertBind', insertBinds);
    const inferProgram = withSources(l10n.t('Infer a program from which source?'), async (connection, sources) => {
        const uri = await newProgramPlace(fileNameOf(sources));
        const place = placeOfProgram(connection, uri);
        const infer = async ([next, ...others]: readonly PlaceOfSources[], databases: readonly Database[]): Promise<string | undefined> => {
            if (next !== undefined) {
                const title = l10n.t('Infer a program from {0}', next.sources[0].database_name);
                return logins.withLogin(connection, next.sources, title, database => infer(others, [...databases, database]));
            }
            const [database, ...further] = databases;
            if (database === undefined) return undefined;
            const parts = { addModel: true, addOutput: true, ...(further.length > 0 && { further }), ...(place && { place }) };
            return connection.client.inferSchema({ body: { database, ...parts } });
        };
        const program = await infer(byPlace(sources), []);
        if (program === undefined) return 'nothing to do';
        await openNewProgram(uri, program);
        await letReach(sources);
        return 'done';
    });
    register('inferProgram', inferProgram);
    register('forgetPassword', (node?: DataNode) =>
        attempt(async connection => {
            const [first] = await sourcesOf(node === undefined ? [] : [node], tree);
            if (first === undefined) return 'nothing to do';
            await logins.forgetPassword(connection, await besideOf(first, tree));
            window.setStatusBarMessage(`$(check) ${l10n.t('The password of {0} is forgotten.', first.database_name)}`, 5_000);
            return 'done';
        }),
    );
    register('removeSource', (node?: DataNode) =>
        attempt(async connection => {
            const sources = await sourcesOf(node === undefined ? [] : [node], tree);
            const [first] = sources;
            if (first === undefined) return 'nothing to do';
            const forget = l10n.t('Forget');
            const question =
                sources.length === 1
                    ? l10n.t("Forget the source '{0}'?", first.name)
                    : l10n.t("Forget the {0} tables of '{1}'?", sources.length, first.database_name);
            const detail = l10n.t('The data stay as they are. What opens it is forgotten: concepts that bind it can no longer be run.');
            if ((await window.showWarningMessage(`${question} ${detail}`, forget)) !== forget) return 'nothing to do';
            const ids = sources.map(({ id }) => id);
            const isLast = (await besideOf(first, tree)).every(({ id }) => ids.includes(id));
            await connection.client.cleanupSources({ body: { scope: first.scope as Scope, source_ids: ids } });
            if (isLast) await logins.remove(connection, first);
            return 'done';
        }),
    );
}

/** What a program about a database, or about a file, is called. */
function fileNameOf([source]: readonly Source[]): string {
    const name = basename(source?.database_name ?? '');
    return basename(name, extname(name)).replaceAll(/[^\w-]+/gu, '_') || 'tables';
}

/** All sources of the place of one, in whatever scope. */
async function besideOf({ scope: _, ...place }: Source, tree: DataTree): Promise<readonly Source[]> {
    return tree.sourcesOf(place);
}

function sourceOf(node: DataNode | undefined): Source | undefined {
    return node !== undefined && 'source' in node ? node.source : undefined;
}
