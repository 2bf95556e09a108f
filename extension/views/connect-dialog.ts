import { basename, dirname } from 'node:path/posix';
import { l10n, Uri, window, workspace } from 'vscode';
import type { PlatformClient } from '#server/client/platform-client.ts';
import { SOURCE_KINDS, type SourceKind } from './source-kinds.ts';

/** Where a source is, and what opens it. */
export type Database = Parameters<PlatformClient['connectSource']>[0]['body']['database'];

/** Asks, step by step, for what leads to a source; nothing where the user leaves. */
export async function askDatabase(): Promise<Database | undefined> {
    const kind = await window.showQuickPick(SOURCE_KINDS, { title: l10n.t('Connect a source: of which kind?') });
    if (kind === undefined) return undefined;
    return kind.endings === undefined ? askServer(kind) : askFile(kind, kind.endings);
}

/** Asks for the credentials of a server, for whoever has not kept them. */
export async function askCredentials(title: string): Promise<Pick<Database, 'username' | 'password'> | undefined> {
    const username = await window.showInputBox({ title, prompt: l10n.t('User name'), ignoreFocusOut: true });
    if (username === undefined) return undefined;
    const password = await window.showInputBox({ title, prompt: l10n.t('Password'), password: true, ignoreFocusOut: true });
    return password === undefined ? undefined : { username, password };
}

async function askFile({ label, type }: SourceKind, endings: readonly string[]): Promise<Database | undefined> {
    const defaultUri = workspace.workspaceFolders?.[0]?.uri;
    const chosen = await window.showOpenDialog({
        title: l10n.t('Connect {0}', label),
        filters: { [label]: [...endings] },
        ...(defaultUri && { defaultUri }),
    });
    const file = chosen?.[0];
    if (file === undefined) return undefined;
    const { fsPath } = file;
    const path = Uri.file(fsPath).path;
    return { databaseType: type, host: dirname(path), databaseName: basename(path), username: '', password: '' };
}

async function askServer({ label, type, port: usual = 0 }: SourceKind): Promise<Database | undefined> {
    const title = l10n.t('Connect {0}', label);
    const address = await window.showInputBox({
        title,
        value: `localhost:${usual}`,
        prompt: l10n.t('Host and port'),
        ignoreFocusOut: true,
        validateInput: text => (/^[\w.-]+(:\d{1,5})?$/u.test(text) ? undefined : l10n.t('A host, and a port after a colon')),
    });
    if (address === undefined) return undefined;
    const databaseName = await window.showInputBox({ title, prompt: l10n.t('Name of the database'), ignoreFocusOut: true });
    if (databaseName === undefined) return undefined;
    const credentials = await askCredentials(title);
    if (credentials === undefined) return undefined;
    const [host = '', port = ''] = address.split(':');
    return { databaseType: type, host, port: port === '' ? usual : Number(port), databaseName, ...credentials };
}
