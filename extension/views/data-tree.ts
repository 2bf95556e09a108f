import {
    type Disposable,
    EventEmitter,
    l10n,
    MarkdownString,
    ThemeIcon,
    type TreeDataProvider,
    TreeItem,
    TreeItemCollapsibleState,
} from 'vscode';
import type { Projects, Scope } from '#extension/projects/projects.ts';
import { rowsText } from '#extension/projects/rows-text.ts';
import type { PlatformClient } from '#server/client/platform-client.ts';
import { failedItem } from './failed-item.ts';

/** A table, a sheet or a file that was connected. */
export type Source = Awaited<ReturnType<PlatformClient['listSources']>>[number];

/** What stands in the tree of sources. */
export type DataNode =
    | { readonly kind: 'database'; readonly key: string; readonly sources: readonly Source[] }
    | { readonly kind: 'source'; readonly source: Source }
    | { readonly kind: 'column'; readonly source: Source; readonly name: string; readonly type: string }
    | { readonly kind: 'failed'; readonly reason: unknown };

const SCOPES: readonly Scope[] = ['user', 'organization'];
const { None, Collapsed, Expanded } = TreeItemCollapsibleState;

/** Databases and files, their tables, and the columns of these. */
export class DataTree implements TreeDataProvider<DataNode> {
    readonly #projects: Projects;
    readonly #changes = new EventEmitter<void>();
    readonly onDidChangeTreeData = this.#changes.event;

    constructor(projects: Projects, subscriptions: Disposable[]) {
        this.#projects = projects;
        subscriptions.push(
            this.#changes,
            projects.changed(() => this.refresh()),
        );
    }

    refresh(): void {
        this.#changes.fire();
    }

    async getChildren(node?: DataNode): Promise<DataNode[]> {
        switch (node?.kind) {
            case undefined:
                return this.#databases();
            case 'database':
                return node.sources.map(source => ({ kind: 'source', source }));
            case 'source':
                return node.source.columns.map(column => ({ kind: 'column', source: node.source, ...column }));
            default:
                return [];
        }
    }

    async #databases(): Promise<DataNode[]> {
        const client = this.#projects.connection()?.client;
        if (client === undefined) return [];
        try {
            const listed = await Promise.all(SCOPES.map(scope => client.listSources({ query: { scope } })));
            const byPlace = new Map<string, Source[]>();
            for (const source of listed.flat()) {
                const key = placeKey(source);
                const beside = byPlace.get(key);
                if (beside === undefined) byPlace.set(key, [source]);
                else beside.push(source);
            }
            return [...byPlace].map(([key, sources]) => ({ kind: 'database', key, sources }));
        } catch (reason) {
            return [{ kind: 'failed', reason }];
        }
    }

    getTreeItem(node: DataNode): TreeItem {
        switch (node.kind) {
            case 'database': {
                const [first] = node.sources;
                const item = new TreeItem(first?.database_name ?? '', Expanded);
                item.id = node.key;
                item.description = [first?.database_type, first && hostOf(first)].filter(Boolean).join(' · ');
                item.iconPath = new ThemeIcon(first?.type === 'file' ? 'file' : 'database');
                item.contextValue = 'database';
                return item;
            }
            case 'source':
                return sourceItem(node.source);
            case 'column': {
                const item = new TreeItem(node.name, None);
                item.id = `${node.source.id}/${node.name}`;
                item.description = node.type.toLowerCase();
                item.iconPath = new ThemeIcon('symbol-field');
                return item;
            }
            case 'failed':
                return failedItem(node.reason);
        }
    }
}

function sourceItem({ id, name, type, row_count, bind_annotation, scope }: Source): TreeItem {
    const item = new TreeItem(name, Collapsed);
    item.id = id;
    const parts = [row_count === null ? '' : rowsText(row_count), scope === 'organization' ? l10n.t('organization') : ''];
    item.description = parts.filter(part => part !== '').join(' · ');
    item.iconPath = new ThemeIcon(type === 'view' ? 'eye' : 'table');
    item.contextValue = 'source';
    item.tooltip = new MarkdownString().appendCodeblock(bind_annotation, 'rulelang');
    return item;
}

function hostOf({ host, port }: Source): string {
    return port === null || port === 0 ? host : `${host}:${port}`;
}

/** Tables of one database, and sheets of one workbook, stand together. */
function placeKey(source: Source): string {
    return JSON.stringify([source.scope, source.database_type, hostOf(source), source.database_name]);
}
