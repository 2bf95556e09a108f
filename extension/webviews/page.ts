import { randomBytes } from 'node:crypto';
import { env, l10n, Uri, type Webview, type WebviewPanel } from 'vscode';

/** Loads a view into a panel: `<name>.js` and `<name>-style.css` of the folder, from which alone it may read. */
export function loadView(panel: WebviewPanel, files: Uri, name: string, title: string): void {
    panel.webview.options = { enableScripts: true, localResourceRoots: [files] };
    panel.iconPath = { light: Uri.joinPath(files, 'results-light.svg'), dark: Uri.joinPath(files, 'results-dark.svg') };
    panel.webview.html = viewPage(panel.webview, files, name, title);
}

/** The page of a view, which loads one script and one style sheet of the extension and nothing else, and has the words of the reader's language. */
function viewPage(webview: Webview, files: Uri, name: string, title: string): string {
    const nonce = randomBytes(16).toString('base64');
    const script = webview.asWebviewUri(Uri.joinPath(files, `${name}.js`));
    const style = webview.asWebviewUri(Uri.joinPath(files, `${name}-style.css`));
    const policy = `default-src 'none'; connect-src 'none'; base-uri 'none'; form-action 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'`;
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
