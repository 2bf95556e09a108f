import { ThemeColor, ThemeIcon, TreeItem, TreeItemCollapsibleState } from 'vscode';
import { failureText } from '#extension/platform/failure-text.ts';

/** Stands in a tree for what could not be listed, and says why. */
export function failedItem(reason: unknown): TreeItem {
    const text = failureText(reason);
    const item = new TreeItem(text, TreeItemCollapsibleState.None);
    item.iconPath = new ThemeIcon('error', new ThemeColor('errorForeground'));
    item.tooltip = text;
    return item;
}
