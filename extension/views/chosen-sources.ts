import { l10n, type QuickPickItem, QuickPickItemKind, window } from 'vscode';
import type { Source } from '#extension/sources/source.ts';
import { byPlace, hostOf } from '#extension/sources/source-place.ts';
import type { DataNode, DataTree } from './data-tree.ts';

/** Where there are more tables, their databases are chosen. */
const MANY = 200;

type Item = QuickPickItem & { readonly sources?: readonly Source[] };

/** The sources that items of the tree are about, each once. */
export async function sourcesOf(nodes: readonly DataNode[], tree: DataTree): Promise<readonly Source[]> {
    const found = await Promise.all(nodes.map(node => ofNode(node, tree)));
    return [...new Map(found.flat().map(source => [source.id, source])).values()];
}

async function ofNode(node: DataNode, tree: DataTree): Promise<readonly Source[]> {
    if (node.kind === 'database') return tree.sourcesOf(node.database);
    return node.kind === 'failed' ? [] : [node.source];
}

/** The sources that the user chooses, the only one without a question. */
export async function chosenSources(tree: DataTree, title: string): Promise<readonly Source[]> {
    const databases = await tree.databases();
    const count = await tree.count();
    if (count === 0) void window.showInformationMessage(l10n.t('Connect a source first.'));
    if (count > MANY) {
        const items = databases.map(database => ({ label: database.database_name, description: database.database_type, database }));
        const chosen = await window.showQuickPick(items, { title, canPickMany: true, ignoreFocusOut: true });
        return (await Promise.all((chosen ?? []).map(({ database }) => tree.sourcesOf(database)))).flat();
    }
    const sources = (await Promise.all(databases.map(database => tree.sourcesOf(database)))).flat();
    if (sources.length < 2) return sources;
    const items = byPlace(sources).flatMap(({ sources: together }): Item[] => [
        { label: together[0].database_name, kind: QuickPickItemKind.Separator },
        ...together.map(source => ({ label: source.name, description: placeText(source), sources: [source] })),
    ]);
    const chosen = await window.showQuickPick(items, { title, canPickMany: true, matchOnDescription: true, ignoreFocusOut: true });
    return (chosen ?? []).flatMap(item => item.sources ?? []);
}

function placeText(source: Source): string {
    return [source.database_type, hostOf(source)].filter(text => text !== '').join(' · ');
}
