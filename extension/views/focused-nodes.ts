import { commands, type TreeView } from 'vscode';

/** The argument of a command that a key begins in a tree: it is about what has the focus there. */
export const FOCUSED = 'focused';

interface FocusedNodes<T> {
    readonly focused: T;
    /** The whole selection where the focused node belongs to it, else that node alone. */
    readonly nodes: readonly T[];
}

/**
 * While VS Code draws a tree anew, it knows none of its nodes. Milliseconds between two looks, and their number: few, for a node that gets the
 * focus later is not the one that the key was pressed on.
 */
const EVERY = 50;
const LOOKS = 10;

/**
 * What a key is about in the tree that has the keyboard. VS Code tells extensions of the selection, not of the focus, which arrow keys move
 * away from it; it has a command that puts the focused node into the selection or takes it out, and is begun twice here.
 */
export async function focusedNodes<T>(view: TreeView<T>, idOf: (node: T) => string): Promise<FocusedNodes<T> | undefined> {
    for (let look = 1; ; look++) {
        const found = await lookForFocus(view, idOf);
        if (found !== undefined || look === LOOKS) return found;
        await new Promise(resolve => setTimeout(resolve, EVERY));
    }
}

async function lookForFocus<T>(view: TreeView<T>, idOf: (node: T) => string): Promise<FocusedNodes<T> | undefined> {
    const before = view.selection;
    await commands.executeCommand('list.toggleSelection');
    const after = view.selection;
    await commands.executeCommand('list.toggleSelection');
    const added = missingIn(before, after, idOf);
    if (added !== undefined) return { focused: added, nodes: [added] };
    const taken = missingIn(after, before, idOf);
    return taken && { focused: taken, nodes: before };
}

function missingIn<T>(held: readonly T[], nodes: readonly T[], idOf: (node: T) => string): T | undefined {
    const ids = new Set(held.map(idOf));
    return nodes.find(node => !ids.has(idOf(node)));
}
