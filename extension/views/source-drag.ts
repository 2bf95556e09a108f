import {
    type DataTransfer,
    DataTransferItem,
    type Disposable,
    DocumentDropEdit,
    l10n,
    languages,
    type TreeDragAndDropController,
    Uri,
} from 'vscode';
import type { Connection } from '#extension/platform/connection.ts';
import type { Source } from '#extension/sources/source.ts';
import type { DataNode } from './data-tree.ts';
import { clausesFor } from './source-clauses.ts';

const TEXT = 'text/plain';
const FILES = 'text/uri-list';

/** A table that is dropped on a program becomes its bind; files that are dropped on the view become sources. */
export function sourceDragging(
    add: (files: readonly Uri[]) => Promise<unknown>,
    connected: () => Connection | undefined,
    subscriptions: Disposable[],
): TreeDragAndDropController<DataNode> {
    /** The sources that were dragged last, and the text that they travel as. */
    let dragged: { readonly text: string; readonly sources: readonly Source[] } | undefined;
    subscriptions.push(
        languages.registerDocumentDropEditProvider(
            'rulelang',
            {
                async provideDocumentDropEdits(document, _position, data) {
                    const text = await data.get(TEXT)?.asString();
                    const connection = connected();
                    if (connection === undefined || dragged === undefined || text !== dragged.text) return undefined;
                    const clauses = await clausesFor(connection, document, dragged.sources);
                    return new DocumentDropEdit(clauses, l10n.t('Insert the bind'));
                },
            },
            { dropMimeTypes: [TEXT] },
        ),
    );
    return {
        dragMimeTypes: [TEXT],
        dropMimeTypes: [FILES],
        handleDrag(nodes, data) {
            const sources = nodes.flatMap(node => (node.kind === 'source' ? [node.source] : []));
            if (sources.length === 0) return;
            dragged = { text: sources.map(({ bind_annotation: bind }) => `${bind}\n`).join(''), sources };
            data.set(TEXT, new DataTransferItem(dragged.text));
        },
        async handleDrop(_target, data) {
            const files = await droppedFiles(data);
            if (files.length > 0) await add(files);
        },
    };
}

async function droppedFiles(data: DataTransfer): Promise<readonly Uri[]> {
    const text = (await data.get(FILES)?.asString()) ?? '';
    const lines = text.split(/\r?\n/u).filter(line => line !== '' && !line.startsWith('#'));
    return lines.map(line => Uri.parse(line, true));
}
