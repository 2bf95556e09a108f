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
import type { Connection } from '#extension/platform/connection.ts';
import type { Connections } from '#extension/platform/connections.ts';
import { rowsText } from '#extension/projects/rows-text.ts';
import type { Source } from '#extension/sources/source.ts';
import { isFileType } from '#extension/sources/source-kinds.ts';
import { listDatabases, listSources, placeOf, type SourceDatabase, type SourcePlace } from '#extension/sources/source-list.ts';
import { hostOf } from '#extension/sources/source-place.ts';
import { countText } from '#extension/surfaces/number-text.ts';
import { failedItem } from './failed-item.ts';

/** What stands in the tree of sources. */
export type DataNode =
    | { readonly kind: 'database'; readonly database: SourceDatabase; readonly isOpen: boolean }
    | { readonly kind: 'source'; readonly source: Source }
    | { readonly kind: 'column'; readonly source: Source; readonly name: string; readonly type: string }
    | { readonly kind: 'failed'; readonly reason: unknown };

/** Where there are more sources, databases are closed at first. */
const MANY = 200;
const { None, Collapsed, Expanded } = TreeItemCollapsibleState;

/** Databases and files, their tables, and the columns of these. The services are asked for tables of databases that are open alone. */
export class DataTree implements TreeDataProvider<DataNode> {
    readonly #connection: () => Connection | undefined;
    readonly #changes = new EventEmitter<void>();
    readonly onDidChangeTreeData = this.#changes.event;
    #words: readonly string[] = [];
    #asked: Promise<readonly SourceDatabase[]> | undefined;
    /** Where they are few, all at once. */
    #few: Promise<readonly Source[]> | undefined;

    constructor(connections: Pick<Connections, 'active' | 'changed'>, subscriptions: Disposable[]) {
        this.#connection = () => connections.active();
        subscriptions.push(
            this.#changes,
            connections.changed(() => this.refresh()),
        );
    }

    refresh(): void {
        this.#asked = undefined;
        this.#few = undefined;
        this.#changes.fire();
    }

    /** Leaves only sources in sight that have all words in their name or in that of their database. */
    filter(words: readonly string[]): void {
        this.#words = words;
        this.refresh();
    }

    /** How many sources are in sight. */
    async count(): Promise<number> {
        return (await this.databases()).reduce((sum, { sources }) => sum + sources, 0);
    }

    /** Those that are in sight. */
    async databases(): Promise<readonly SourceDatabase[]> {
        const client = this.#connection()?.client;
        this.#asked ??= client === undefined ? Promise.resolve([]) : listDatabases(client, this.#words);
        return this.#asked;
    }

    async getChildren(node?: DataNode): Promise<DataNode[]> {
        try {
            return await this.#childrenOf(node);
        } catch (reason) {
            return [{ kind: 'failed', reason }];
        }
    }

    async #childrenOf(node: DataNode | undefined): Promise<DataNode[]> {
        switch (node?.kind) {
            case undefined: {
                const databases = await this.databases();
                const isOpen = (await this.count()) <= MANY;
                return databases.map(database => ({ kind: 'database', database, isOpen }));
            }
            case 'database':
                return (await this.#listed(node)).map(source => ({ kind: 'source', source }));
            case 'source':
                return node.source.columns.map(column => ({ kind: 'column', source: node.source, ...column }));
            default:
                return [];
        }
    }

    async #listed({ database, isOpen }: Extract<DataNode, { kind: 'database' }>): Promise<readonly Source[]> {
        const client = this.#connection()?.client;
        if (client === undefined) return [];
        if (!isOpen) return listSources(client, this.#words, database);
        this.#few ??= listSources(client, this.#words);
        return (await this.#few).filter(source => keyOf(source) === keyOf(database));
    }

    /** All sources of a place; of all scopes where none is said. */
    async sourcesOf(place: SourcePlace & { readonly scope?: string }): Promise<readonly Source[]> {
        const client = this.#connection()?.client;
        return client === undefined ? [] : listSources(client, [], place);
    }

    getTreeItem(node: DataNode): TreeItem {
        switch (node.kind) {
            case 'database': {
                const { database, isOpen } = node;
                const item = new TreeItem(database.database_name, isOpen ? Expanded : Collapsed);
                // What is open of all says nothing about what is left in sight.
                item.id = `${this.#words.join(' ')}${keyOf(database)}`;
                const about = [database.database_type, hostOf(database), isOpen ? '' : countText(database.sources)];
                item.description = about.filter(text => text !== '').join(' · ');
                item.iconPath = new ThemeIcon(database.type === 'file' ? 'file' : 'database');
                item.contextValue = isFileType(database.database_type) ? 'database' : 'databaseServer';
                return item;
            }
            case 'source': {
                const item = sourceItem(node.source);
                if (this.#connection()?.role === 'user')
                    item.command = { command: 'rulelang.showSampleRows', title: l10n.t('Open'), arguments: [node] };
                return item;
            }
            case 'column': {
                const item = new TreeItem(node.name, None);
                item.id = `${node.source.id}/${node.name}`;
                item.description = node.type.toLowerCase();
                item.iconPath = new ThemeIcon('symbol-field');
                item.contextValue = 'column';
                return item;
            }
            case 'failed':
                return failedItem(node.reason);
        }
    }
}

function sourceItem({ id, name, type, database_type, row_count, bind_annotation, scope }: Source): TreeItem {
    const item = new TreeItem(name, Collapsed);
    item.id = id;
    const parts = [row_count === null ? '' : rowsText(row_count), scope === 'organization' ? l10n.t('organization') : ''];
    item.description = parts.filter(part => part !== '').join(' · ');
    item.iconPath = new ThemeIcon(type === 'view' ? 'eye' : 'table');
    item.contextValue = isFileType(database_type) ? 'source' : 'sourceServer';
    item.tooltip = new MarkdownString().appendCodeblock(bind_annotation, 'rulelang');
    return item;
}

/** Tables of one database, and sheets of one workbook, stand together. */
function keyOf(of: SourcePlace & { readonly scope: string }): string {
    return `${of.scope} ${placeOf(of)}`;
}
