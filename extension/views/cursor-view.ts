import {
    CancellationTokenSource,
    commands,
    type Disposable,
    EventEmitter,
    l10n,
    Range,
    ThemeIcon,
    type TreeDataProvider,
    TreeItem,
    TreeItemCollapsibleState,
    window,
    workspace,
} from 'vscode';
import type { PredicateTarget } from '#extension/commands/target.ts';
import type { Server } from '#extension/host/client.ts';
import { lookedAt } from '#extension/host/last-editor.ts';
import { programOf } from '#extension/host/notebook-cells.ts';
import { parseUri } from '#extension/host/open-place.ts';
import type { CursorFacts } from '#server/protocol/cursor.ts';
import { type CursorNode, cursorNodes } from './cursor-nodes.ts';
import { viewId } from './explorer-views.ts';

const VIEW = viewId('cursor');
/** A cursor that moves on is asked about once it has rested for so many milliseconds. */
const PAUSE = 150;

/** The tree of what is known of the predicate at the cursor. A question ends the one before it. */
export function createCursorView({ server, subscriptions }: { readonly server: Server; readonly subscriptions: Disposable[] }): void {
    const tree = new CursorTree();
    const view = window.createTreeView(VIEW, { treeDataProvider: tree });
    let asking: CancellationTokenSource | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;

    const load = async (): Promise<void> => {
        asking?.cancel();
        asking = undefined;
        if (!view.visible) return;
        const editor = lookedAt();
        const isOfRules = editor?.document.languageId === 'rulelang';
        const given = new CancellationTokenSource();
        asking = given;
        const facts = isOfRules ? await factsAt(server, editor, given) : null;
        if (given.token.isCancellationRequested) return;
        tree.show(facts, editor && { document: programOf(editor.document), predicate: facts?.name ?? '', arity: facts?.arity ?? 0 });
        view.description = facts?.name ?? '';
        // The words of an empty view stand there until there is something to show.
        view.message =
            isOfRules && facts === null ? l10n.t('No predicate stands at the cursor. Go to a fact, a rule or an annotation.') : '';
        void commands.executeCommand('setContext', 'rulelang.cursorShown', isOfRules);
    };
    const loadSoon = (): void => {
        clearTimeout(timer);
        timer = setTimeout(() => void load(), PAUSE);
    };
    server.on('rulelang/rowsCounted', loadSoon);
    server.ended(loadSoon);
    subscriptions.push(
        view,
        view.onDidChangeVisibility(loadSoon),
        window.onDidChangeActiveTextEditor(loadSoon),
        window.onDidChangeTextEditorSelection(({ textEditor }) => {
            if (textEditor.document.languageId === 'rulelang') loadSoon();
        }),
        workspace.onDidChangeTextDocument(({ document }) => {
            if (document.languageId === 'rulelang') loadSoon();
        }),
        {
            dispose: () => {
                clearTimeout(timer);
                asking?.cancel();
            },
        },
    );
    loadSoon();
}

async function factsAt(
    server: Server,
    { document, selection }: NonNullable<ReturnType<typeof lookedAt>>,
    { token }: CancellationTokenSource,
): Promise<CursorFacts | null> {
    const { line, character } = selection.active;
    try {
        return await server.ask('rulelang/atCursor', { uri: document.uri.toString(), position: { line, character } }, token);
    } catch {
        // The server is starting or was stopped, or the cursor has moved on: it is asked again then.
        return null;
    }
}

class CursorTree implements TreeDataProvider<CursorNode> {
    readonly #changes = new EventEmitter<void>();
    readonly onDidChangeTreeData = this.#changes.event;
    #nodes: readonly CursorNode[] = [];
    #target: PredicateTarget | undefined;
    /** To see whether there is anything new. */
    #text = '';

    show(facts: CursorFacts | null, target: PredicateTarget | undefined): void {
        const text = JSON.stringify([facts, target?.document.toString()]);
        if (text === this.#text) return;
        this.#text = text;
        this.#nodes = facts === null ? [] : cursorNodes(facts, l10n);
        this.#target = target;
        this.#changes.fire();
    }

    getChildren(node?: CursorNode): CursorNode[] {
        return [...(node === undefined ? this.#nodes : (node.children ?? []))];
    }

    getTreeItem({ id, label, description, tooltip, icon, place, children = [] }: CursorNode): TreeItem {
        const { None, Collapsed, Expanded } = TreeItemCollapsibleState;
        const item = new TreeItem(label, children.length === 0 ? None : id === 'predicate' ? Collapsed : Expanded);
        item.id = id;
        const told = [label, ...(description === undefined ? [] : [description])];
        item.tooltip = tooltip ?? told.join('\n');
        item.accessibilityInformation = { label: told.join(', ') };
        if (description !== undefined) item.description = description;
        if (icon !== undefined) item.iconPath = new ThemeIcon(icon);
        if (place !== undefined) {
            const { start, end } = place.range;
            const selection = new Range(start.line, start.character, end.line, end.character);
            item.command = { command: 'vscode.open', title: l10n.t('Open'), arguments: [parseUri(place.uri), { selection }] };
        } else if (id === 'predicate') {
            item.command = { command: 'rulelang.goToPredicate', title: l10n.t('Go to Definition'), arguments: [this.#target] };
        }
        return item;
    }
}
