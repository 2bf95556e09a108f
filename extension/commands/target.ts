import { commands, type DocumentSymbol, l10n, Uri, window, workspace } from 'vscode';

/** A program and one of its predicates that a command is about. */
export interface PredicateTarget {
    readonly document: Uri;
    readonly predicate: string;
}

const NAME = /^[a-z]\w*$/u;

/** The program that a command names, else the one whose editor or results are looked at. Arguments come from outside. */
export function programTarget(argument: unknown, shown: Uri | undefined): Uri | undefined {
    const named = uriOf(argument);
    if (named !== undefined) return isProgram(named) ? named : undefined;
    const editor = window.activeTextEditor;
    if (editor?.document.languageId === 'rulelang') return editor.document.uri;
    return shown;
}

/** The predicate that a command names, else the one at the cursor, else one that the user picks. */
export async function predicateTarget(uri: unknown, name: unknown): Promise<PredicateTarget | undefined> {
    const document = programTarget(uri, undefined);
    if (document === undefined) return undefined;
    if (typeof name === 'string') return NAME.test(name) ? { document, predicate: name } : undefined;
    const names = await predicatesOf(document);
    const here = nameAtCursor(document);
    const predicate = here !== undefined && names.includes(here) ? here : await window.showQuickPick(names, { title: l10n.t('Predicate') });
    return predicate === undefined ? undefined : { document, predicate };
}

function uriOf(argument: unknown): Uri | undefined {
    if (argument instanceof Uri) return argument;
    if (typeof argument !== 'string') return undefined;
    try {
        return Uri.parse(argument, true);
    } catch {
        return undefined;
    }
}

function isProgram(uri: Uri): boolean {
    const open = workspace.textDocuments.find(document => document.uri.toString() === uri.toString());
    return open === undefined ? uri.path.endsWith('.rulelang') : open.languageId === 'rulelang';
}

function nameAtCursor(document: Uri): string | undefined {
    const editor = window.activeTextEditor;
    if (editor?.document.uri.toString() !== document.toString()) return undefined;
    const range = editor.document.getWordRangeAtPosition(editor.selection.active, /[a-z]\w*/u);
    return range && editor.document.getText(range);
}

async function predicatesOf(document: Uri): Promise<string[]> {
    const symbols = await commands.executeCommand<readonly DocumentSymbol[] | undefined>('vscode.executeDocumentSymbolProvider', document);
    const names = (symbols ?? []).map(symbol => symbol.name.replace(/\/\d+$/u, '')).filter(name => NAME.test(name));
    return [...new Set(names)];
}
