import {
    type DataTransfer,
    DataTransferItem,
    type Disposable,
    DocumentDropEdit,
    l10n,
    languages,
    type TextDocument,
    type TreeDragAndDropController,
    Uri,
    window,
} from 'vscode';
import type { DataNode } from './data-tree.ts';

const TEXT = 'text/plain';
const FILES = 'text/uri-list';

/** A table that is dropped on a program becomes its bind; files that are dropped on the view become sources. */
export function sourceDragging(
    add: (files: readonly Uri[]) => Promise<unknown>,
    subscriptions: Disposable[],
): TreeDragAndDropController<DataNode> {
    /** The binds that were dragged last, as the text that they travel in. */
    let dragged: { readonly text: string; readonly binds: readonly string[] } | undefined;
    subscriptions.push(
        languages.registerDocumentDropEditProvider(
            'rulelang',
            {
                async provideDocumentDropEdits(document, _position, data) {
                    const text = await data.get(TEXT)?.asString();
                    if (dragged === undefined || text !== dragged.text) return undefined;
                    return new DocumentDropEdit(newBinds(document, dragged.binds), l10n.t('Insert the bind'));
                },
            },
            { dropMimeTypes: [TEXT] },
        ),
    );
    return {
        dragMimeTypes: [TEXT],
        dropMimeTypes: [FILES],
        handleDrag(nodes, data) {
            const binds = nodes.flatMap(node => (node.kind === 'source' ? [node.source.bind_annotation] : []));
            if (binds.length === 0) return;
            dragged = { text: binds.map(bind => `${bind}\n`).join(''), binds };
            data.set(TEXT, new DataTransferItem(dragged.text));
        },
        async handleDrop(_target, data) {
            const files = await droppedFiles(data);
            if (files.length > 0) await add(files);
        },
    };
}

/** Lines with those of the binds that a program has not yet; what is there already is told. */
export function newBinds(document: TextDocument, binds: readonly string[]): string {
    const program = document.getText();
    const missing = binds.filter(bind => !program.includes(bind));
    if (missing.length < binds.length) window.setStatusBarMessage(`$(info) ${l10n.t('The bind is in the program already.')}`, 5_000);
    return missing.map(bind => `${bind}\n`).join('');
}

async function droppedFiles(data: DataTransfer): Promise<readonly Uri[]> {
    const text = (await data.get(FILES)?.asString()) ?? '';
    const lines = text.split(/\r?\n/u).filter(line => line !== '' && !line.startsWith('#'));
    return lines.map(line => Uri.parse(line, true));
}
