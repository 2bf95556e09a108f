import { dirname } from 'node:path';
import { l10n, type TextDocument, Uri, window, workspace } from 'vscode';
import type { Connection } from '#extension/platform/connection.ts';
import type { Source } from '#extension/sources/source.ts';
import { PlatformError } from '#server/client/platform-error.ts';

const NOT_FOUND = 404;

/** Where a program stands, for services on this machine: they name the files of its workspace so that its folder can be moved. */
export function placeOfProgram({ kind }: Connection, { scheme, fsPath, path }: Uri) {
    if (kind !== 'local' || !path.startsWith('/') || !['file', 'untitled', 'vscode-remote'].includes(scheme)) return undefined;
    const root = workspace.getWorkspaceFolder(Uri.file(fsPath))?.uri.fsPath;
    return { folder: dirname(fsPath), ...(root !== undefined && { root }) };
}

/** The binds and models that a program lacks to read sources; what is there already is told. */
export async function clausesFor(connection: Connection, document: TextDocument, sources: readonly Source[]): Promise<string> {
    const place = placeOfProgram(connection, document.uri);
    const program = document.getText();
    const source_ids = sources.map(({ id }) => id);
    let clauses: string;
    try {
        ({ clauses } = await connection.client.writeBinds({ body: { source_ids, program, ...(place && { place }) } }));
    } catch (reason) {
        // Services of others may know nothing but the bind.
        if (!(reason instanceof PlatformError) || reason.status !== NOT_FOUND) throw reason;
        const missing = sources.map(source => source.bind_annotation).filter(bind => !program.includes(bind));
        clauses = missing.map(bind => `${bind}\n`).join('');
    }
    if (clauses === '') window.setStatusBarMessage(`$(info) ${l10n.t('The bind is in the program already.')}`, 5_000);
    return clauses;
}
