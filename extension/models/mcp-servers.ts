import * as vscode from 'vscode';
import { readSetting } from '#extension/host/read-setting.ts';
import { commandLine } from '#extension/platform/command-line.ts';

const PROVIDER = 'rulelang.mcp';
/** Settings that decide how the server starts. */
const STARTED_WITH = ['rulelang.platform.command', 'rulelang.platform.dataDir'];

/** A process that speaks the Model Context Protocol over its standard input and output. */
interface StdioServer {
    cwd?: vscode.Uri;
}

interface ServerProvider {
    readonly onDidChangeMcpServerDefinitions: vscode.Event<void>;
    provideMcpServerDefinitions(): StdioServer[];
    resolveMcpServerDefinition(server: StdioServer): StdioServer | undefined;
}

/** The interface that VS Code has from 1.101 on; the least version that the extension supports may lack it. */
interface McpApi {
    readonly McpStdioServerDefinition?: new (
        label: string,
        command: string,
        args: string[],
        env: Record<string, string>,
        version: string,
    ) => StdioServer;
    readonly lm?: { registerMcpServerDefinitionProvider?(id: string, provider: ServerProvider): vscode.Disposable };
}

/** Offers `rulelang mcp` for each folder that is open to the agents of the editor, where it has those; never in a workspace that is not trusted. */
export function offerMcpServers({ subscriptions, extension }: vscode.ExtensionContext): void {
    const { workspace } = vscode;
    const { McpStdioServerDefinition, lm } = vscode as unknown as McpApi;
    if (McpStdioServerDefinition === undefined || lm?.registerMcpServerDefinitionProvider === undefined) return;
    const changed = new vscode.EventEmitter<void>();
    const version = String(extension.packageJSON.version);
    const serverIn = ({ name, uri }: vscode.WorkspaceFolder, _: number, { length }: readonly unknown[]): StdioServer => {
        const command = readSetting('platform.command') || vscode.Uri.joinPath(extension.extensionUri, 'server/cli.js').fsPath;
        const dataDirectory = readSetting('platform.dataDir');
        const { file, before, env } = commandLine(command);
        const args = [...before, 'mcp', ...(dataDirectory === '' ? [] : ['--data-dir', dataDirectory])];
        const label = length === 1 ? 'Rulelang' : ['Rulelang', name].join(': ');
        return Object.assign(new McpStdioServerDefinition(label, file, args, { ...env }, version), { cwd: uri });
    };
    const provider: ServerProvider = {
        onDidChangeMcpServerDefinitions: changed.event,
        provideMcpServerDefinitions: () => (workspace.isTrusted ? onDisk(workspace.workspaceFolders).map(serverIn) : []),
        resolveMcpServerDefinition: server => (workspace.isTrusted ? server : undefined),
    };
    try {
        subscriptions.push(lm.registerMcpServerDefinitionProvider(PROVIDER, provider));
    } catch {
        // Editors of before have it for extensions of their own alone.
        return;
    }
    subscriptions.push(
        changed,
        workspace.onDidGrantWorkspaceTrust(() => changed.fire()),
        workspace.onDidChangeWorkspaceFolders(() => changed.fire()),
        workspace.onDidChangeConfiguration(event => {
            if (STARTED_WITH.some(name => event.affectsConfiguration(name))) changed.fire();
        }),
    );
}

function onDisk(folders: readonly vscode.WorkspaceFolder[] = []): vscode.WorkspaceFolder[] {
    return folders.filter(({ uri }) => uri.scheme === 'file');
}
