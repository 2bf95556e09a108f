import { randomBytes } from 'node:crypto';
import { type ExtensionContext, env, type LogOutputChannel, l10n, Uri, type Webview, type WebviewPanel, type WebviewView } from 'vscode';
import { type Conversation, isReady } from './conversation.ts';

/** The host's end of a conversation. */
export interface ViewHost<FromView> {
    readonly title: string;
    /** The view listens from now on. */
    ready(): void;
    receive(message: FromView): void;
    /** A message that has not its shape was dropped. */
    dropped?(message: unknown): void;
}

/** Loads a view into a panel, or a place of the side bar: `<name>.js` and `<name>-style.css` of a folder, from which alone it may read. What it gives tells the view something, and says whether it listens. */
export function loadView<FromHost, FromView>(
    panel: WebviewPanel | WebviewView,
    { name, fromView }: Conversation<FromHost, FromView>,
    { extensionUri }: ExtensionContext,
    log: LogOutputChannel,
    { title, ready, receive, dropped }: ViewHost<FromView>,
): (message: FromHost) => boolean {
    const { webview } = panel;
    const files = Uri.joinPath(extensionUri, 'webviews');
    let isListening = false;
    const listening = webview.onDidReceiveMessage((message: unknown) => {
        if (isReady(message)) {
            isListening = true;
            ready();
        } else if (fromView(message)) receive(message);
        else {
            log.warn(`A message of the ${name} view was dropped: it does not follow the schema.`);
            dropped?.(message);
        }
    });
    panel.onDidDispose(() => {
        isListening = false;
        listening.dispose();
    });
    webview.options = { enableScripts: true, localResourceRoots: [files] };
    if ('iconPath' in panel)
        panel.iconPath = { light: Uri.joinPath(files, 'results-light.svg'), dark: Uri.joinPath(files, 'results-dark.svg') };
    webview.html = viewPage(webview, files, name, title);
    return message => {
        if (isListening) void webview.postMessage(message);
        return isListening;
    };
}

/** The page of a view, which loads one script and one style sheet of the extension and nothing else, makes pictures of what it draws, and has the words of the reader's language. */
function viewPage(webview: Webview, files: Uri, name: string, title: string): string {
    const nonce = randomBytes(16).toString('base64');
    const script = webview.asWebviewUri(Uri.joinPath(files, `${name}.js`));
    const style = webview.asWebviewUri(Uri.joinPath(files, `${name}-style.css`));
    const policy = `default-src 'none'; connect-src 'none'; base-uri 'none'; form-action 'none'; style-src ${webview.cspSource}; img-src blob:; script-src 'nonce-${nonce}'`;
    const words = JSON.stringify(l10n.bundle ?? {}).replaceAll('<', '\\u003c');
    return `<!DOCTYPE html>
<html lang="${l10n.bundle === undefined ? 'en' : env.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${style}">
<title>${title}</title>
</head>
<body>
<script type="application/json" id="words">${words}</script>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>`;
}
