import type { ExtensionContext, Uri } from 'vscode';
import type { KeptColumns } from './messages.ts';

const WIDTHS = 'results.widths';
const REMEMBERED = 200;

interface RememberedColumns {
    readonly uri: string;
    readonly widths: KeptColumns;
}

/** The arrangements of the columns of a program's outputs. */
export function rememberedColumns(context: ExtensionContext, document: Uri): KeptColumns[] {
    const uri = document.toString();
    return context.workspaceState
        .get<readonly RememberedColumns[]>(WIDTHS, [])
        .filter(known => known.uri === uri)
        .map(known => known.widths);
}

/** Remembers the arrangement of the columns of an output. */
export function rememberColumns(context: ExtensionContext, document: Uri, arranged: KeptColumns): void {
    const uri = document.toString();
    const others = context.workspaceState
        .get<readonly RememberedColumns[]>(WIDTHS, [])
        .filter(known => known.uri !== uri || known.widths.output !== arranged.output);
    void context.workspaceState.update(WIDTHS, [...others, { uri, widths: arranged }].slice(-REMEMBERED));
}
