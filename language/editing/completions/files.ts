import type { OpenDocument } from '#language/document/open-document.ts';
import { joinedPath } from '#language/symbols/annotation-mentions.ts';
import { type Completion, plain } from '../completion.ts';
import type { ListFiles } from '../completion-options.ts';
import type { FoundTexts } from './found-texts.ts';

/** Files and folders whose path goes on from the text before the offset; `directory` is what the path is relative to. */
export function fileCompletions(
    document: OpenDocument,
    offset: number,
    before: string,
    directory: string,
    foldersOnly: boolean,
    listFiles: ListFiles,
): FoundTexts {
    const parent = before.slice(0, before.lastIndexOf('/') + 1);
    const prefix = before.slice(parent.length);
    const base = joinedPath(directory, parent);
    const items: Completion[] = [];
    for (const path of listFiles(`${base}${prefix}`)) {
        if (!path.startsWith(base)) continue;
        const rest = path.slice(base.length);
        const folder = rest.endsWith('/');
        const name = folder ? rest.slice(0, -1) : rest;
        if (name === '' || name.includes('/') || (foldersOnly && !folder)) continue;
        items.push({
            label: name,
            kind: folder ? 'folder' : 'file',
            insert: plain(quoted(name)),
            rank: folder ? 1 : 0,
            ...(folder && { continues: true }),
        });
    }
    return { items, range: { start: offset - prefix.length, end: endOfName(document.text, offset) }, prefix };
}

/** A name inside a string. */
export function quoted(name: string): string {
    return name.replaceAll('\\', '\\\\').replaceAll('"', '""');
}

function endOfName(text: string, offset: number): number {
    return offset + (/^[\w.-]*/.exec(text.slice(offset, offset + 300))?.[0].length ?? 0);
}
