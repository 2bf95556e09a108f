import { DataTransferItem, type Disposable, l10n, SnippetString, type TreeDragAndDropController, window, workspace } from 'vscode';
import type { CommandOutcome } from '#extension/commands/outcome.ts';
import type { Connection } from '#extension/platform/connection.ts';
import { failureText } from '#extension/platform/failure-text.ts';
import type { Projects, Scope } from '#extension/projects/projects.ts';
import type { Register } from './concepts-view.ts';
import { askCredentials, askDatabase, type Database } from './connect-dialog.ts';
import { type DataNode, DataTree, type Source } from './data-tree.ts';
import { isFileType } from './source-kinds.ts';

const VIEW = 'rulelang.data';
const TEXT = 'text/plain';

/** The tree of sources that were connected, and what is done with them. */
export function createDataView(projects: Projects, register: Register, subscriptions: Disposable[]): void {
    const tree = new DataTree(projects, subscriptions);
    const view = window.createTreeView(VIEW, { treeDataProvider: tree, dragAndDropController: DRAGGING, showCollapseAll: true });
    subscriptions.push(view);
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
    register('connectSource', async () => {
        const database = await askDatabase();
        if (database === undefined) return 'nothing to do';
        return attempt(({ client }) => connected(client, database));
    });
    register('refreshSources', async () => {
        tree.refresh();
        return 'done';
    });
    register('insertBind', async (node?: DataNode) => {
        const editor = window.activeTextEditor;
        const source = sourceOf(node);
        if (source === undefined) return 'nothing to do';
        if (editor?.document.languageId !== 'rulelang') {
            void window.showInformationMessage(l10n.t('Open a program, and put the cursor where the bind is to stand.'));
            return 'nothing to do';
        }
        await editor.insertSnippet(new SnippetString().appendText(`${source.bind_annotation}\n`));
        return 'done';
    });
    register('inferProgram', (node?: DataNode) =>
        attempt(async ({ client }) => {
            const sources = sourcesOf(node);
            const database = await databaseOf(sources);
            if (database === undefined) return 'nothing to do';
            const program = await client.inferSchema({ body: { database, addBind: true, addModel: true } });
            await window.showTextDocument(await workspace.openTextDocument({ language: 'rulelang', content: program }));
            return 'done';
        }),
    );
    register('removeSource', (node?: DataNode) =>
        attempt(async ({ client }) => {
            const sources = sourcesOf(node);
            const [first] = sources;
            if (first === undefined) return 'nothing to do';
            const forget = l10n.t('Forget');
            const question =
                sources.length === 1
                    ? l10n.t("Forget the source '{0}'?", first.name)
                    : l10n.t("Forget the {0} tables of '{1}'?", sources.length, first.database_name);
            const detail = l10n.t('The data stay as they are. What opens it is forgotten: concepts that bind it can no longer be run.');
            if ((await window.showWarningMessage(`${question} ${detail}`, forget)) !== forget) return 'nothing to do';
            await client.cleanupSources({ body: { scope: first.scope as Scope, source_ids: sources.map(({ id }) => id) } });
            return 'done';
        }),
    );
}

async function connected(client: Connection['client'], database: Database): Promise<CommandOutcome> {
    const { connectionStatus, sources, errorMessage } = await client.connectSource({
        body: { scope: 'user', database, computeRowCount: isFileType(database.databaseType) },
    });
    if (!connectionStatus) {
        void window.showErrorMessage(l10n.t('{0} cannot be connected: {1}', database.databaseName, errorMessage ?? ''));
        return 'failed';
    }
    const names = sources.map(({ name }) => name);
    window.setStatusBarMessage(`$(check) ${l10n.t('Connected: {0}', names.slice(0, 5).join(', '))}`, 5_000);
    return 'done';
}

/** What leads to the tables; the services do not tell what opens a server, so that the user is asked. */
async function databaseOf(sources: readonly Source[]): Promise<Database | undefined> {
    const [first] = sources;
    if (first === undefined) return undefined;
    const { database_type: databaseType, host, port, database_name: databaseName, schema } = first;
    const isFile = isFileType(databaseType);
    const credentials = isFile ? { username: '', password: '' } : await askCredentials(l10n.t('Infer a program from {0}', databaseName));
    if (credentials === undefined) return undefined;
    return {
        databaseType,
        host,
        databaseName,
        ...credentials,
        ...(port !== null && { port }),
        ...(schema !== null && { schema }),
        ...(!isFile && { tables: sources.map(({ name }) => name) }),
    };
}

/** The tables of a database, or the one that a node is about. */
function sourcesOf(node: DataNode | undefined): readonly Source[] {
    if (node?.kind === 'database') return node.sources;
    const source = sourceOf(node);
    return source === undefined ? [] : [source];
}

function sourceOf(node: DataNode | undefined): Source | undefined {
    return node !== undefined && 'source' in node ? node.source : undefined;
}

/** A table that is dropped on a program becomes its bind. */
const DRAGGING: TreeDragAndDropController<DataNode> = {
    dragMimeTypes: [TEXT],
    dropMimeTypes: [],
    handleDrag(nodes, data) {
        const binds = nodes.flatMap(node => (node.kind === 'source' ? [node.source.bind_annotation] : []));
        if (binds.length > 0) data.set(TEXT, new DataTransferItem(`${binds.join('\n')}\n`));
    },
};
