import { type Moniker, MonikerKind, UniquenessLevel } from 'vscode-languageserver/node';
import { nodeAt } from '#language/editing/node-at.ts';
import { sharedNames } from '#server/scip/shared-names.ts';
import { symbolName } from '#server/scip/symbol-name.ts';
import { filePath } from '#server/workspace/folders.ts';
import { acrossFiles } from '../answer.ts';
import type { Feature } from '../language-server.ts';

/** Names predicates and parameters as the index of `rulelang index` does that is written in the folder of the workspace. */
export const moniker: Feature = {
    capabilities: () => ({ monikerProvider: true }),
    register: server => {
        const { connection, documents, folders } = server;
        const pathOf = (file: string): string => {
            const path = filePath(file);
            return path === undefined ? file : folders.below(path);
        };
        connection.languages.moniker.on(
            acrossFiles(server, 'textDocument/moniker', (document, offset): Moniker[] => {
                const mention = nodeAt(document.program, offset)?.mention;
                if (mention?.kind !== 'predicate' && mention?.kind !== 'parameter') return [];
                const { symbol, file } = symbolName(document.program, mention, sharedNames(documents), pathOf);
                const kind = file === document.uri ? MonikerKind.$export : MonikerKind.$import;
                return [{ scheme: 'scip', identifier: symbol, unique: UniquenessLevel.project, kind }];
            }),
        );
    },
};
