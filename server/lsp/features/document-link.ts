import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { documentLinks } from '#language/editing/document-links.ts';
import { includes } from '#language/editing/include-at.ts';
import { flavourOf, forbiddenForm, isInside } from '#server/files/path-rule.ts';
import { filePath } from '#server/workspace/folders.ts';
import { aboutDocument } from '../answer.ts';
import type { Feature } from '../language-server.ts';

/** Links to included files, and to the data files of binds that lie inside the workspace; whether they exist shows when one is followed. */
export const documentLink: Feature = {
    capabilities: () => ({ documentLinkProvider: {} }),
    register: server => {
        const flavour = flavourOf(process.platform);
        server.connection.onDocumentLinks(
            aboutDocument(server, 'textDocument/documentLink', document => {
                const own = filePath(document.uri);
                if (own === undefined) return undefined;
                const modules = includes(document.program).map(({ range, file }) => ({ range: document.rangeOf(range), target: file }));
                const files = documentLinks(document.program).flatMap(({ range, path }) => {
                    if (forbiddenForm(path, flavour) !== undefined) return [];
                    const target = resolve(dirname(own), path);
                    if (!server.folders.roots().some(root => isInside(root, target, flavour))) return [];
                    return [{ range: document.rangeOf(range), target: pathToFileURL(target).href }];
                });
                return [...modules, ...files];
            }),
        );
    },
};
