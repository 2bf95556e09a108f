import type { OpenDocument } from '#language/document/open-document.ts';
import { symbolsOf } from '#language/symbols/document-symbols.ts';
import { documentsSharing, type Workspace } from '#language/symbols/workspace.ts';

/** Finds the file that represents a name: in programs that share files, a name is one thing in all shared files. */
export interface SharedNames {
    predicate(document: OpenDocument, name: string): string;
    parameter(document: OpenDocument, name: string): string;
}

export function sharedNames(workspace: Workspace): SharedNames {
    const known = new Map<string, string>();
    const standing = (
        document: OpenDocument,
        key: string,
        isIn: (other: OpenDocument) => boolean,
        isMadeIn: (other: OpenDocument) => boolean,
    ) => {
        const found = known.get(`${document.file}\n${key}`);
        if (found !== undefined) return found;
        const group = documentsSharing(workspace, document, isIn);
        const files = (group.some(isMadeIn) ? group.filter(isMadeIn) : group).map(({ file }) => file).sort();
        const [file = document.file] = files;
        for (const other of group) known.set(`${other.file}\n${key}`, file);
        return file;
    };
    return {
        predicate: (document, name) =>
            standing(
                document,
                name,
                other => symbolsOf(other).mentions(name),
                other => symbolsOf(other).introduces(name),
            ),
        parameter: (document, name) =>
            standing(
                document,
                `?${name}`,
                other => symbolsOf(other).parameter(name).length > 0,
                other =>
                    symbolsOf(other)
                        .parameter(name)
                        .some(({ mention }) => mention.kind === 'parameter' && mention.role === 'declaration'),
            ),
    };
}
