import { commands, type DocumentSymbol, l10n, Uri, window, workspace } from 'vscode';

import { lookedAt } from '#extension/host/last-editor.ts';
import { notebookAt, programCells, programOf } from '#extension/host/notebook-cells.ts';

/** A program and one of its predicates that a command is about. */
export interface PredicateTarget {
    readonly document: Uri;
    readonly predicate: string;
    /** Present if only the arity distinguishes predicates of the same name. */
    readonly arity?: number;
}

const NAME = /^[a-z]\w*$/u;

/** The program that a command names, else the one whose editor or results are looked at or were last. Arguments come from outside. */
export function programTarget(argument: unknown, shown: Uri | undefined): Uri | undefined {
    const named = uriOf(argument);
    if (named !== undefined) return isProgram(named) ? programOf({ uri: named }) : undefined;
    const editor = window.activeTextEditor;
    if (editor?.document.languageId === 'rulelang') return programOf(editor.document);
    if (shown !== undefined) return shown;
    const last = lookedAt()?.document;
    return last?.languageId === 'rulelang' ? programOf(last) : undefined;
}

/** The predicate of which a view says that a command was called on it; a view of its own kind says its program as text. */
export function targetIn(argument: unknown): PredicateTarget | undefined {
    const { document: about, predicate, arity } = (argument ?? {}) as Partial<Record<keyof PredicateTarget, unknown>>;
    const document = uriOf(about);
    if (document === undefined || typeof predicate !== 'string' || !isProgram(document)) return undefined;
    return { document, predicate, ...(typeof arity === 'number' && { arity }) };
}

/** The predicate that a command names, else the one at the cursor, else one that the user picks. */
export async function predicateTarget(uri: unknown, name: unknown): Promise<PredicateTarget | undefined> {
    const target = targetIn(uri);
    if (target !== undefined) return NAME.test(target.predicate) ? target : undefined;
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
    if (notebookAt(uri) !== undefined) return true;
    const open = workspace.textDocuments.find(document => document.uri.toString() === uri.toString());
    return open === undefined ? uri.path.endsWith('.rulelang') : open.languageId === 'rulelang';
}

function nameAtCursor(document: Uri): string | undefined {
    const editor = window.activeTextEditor;
    if (editor === undefined || programOf(editor.document).toString() !== document.toString()) return undefined;
    const range = editor.document.getWordRangeAtPosition(editor.selection.active, /[a-z]\w*/u);
    return range && editor.document.getText(range);
}

async function predicatesOf(document: Uri): Promise<string[]> {
    const notebook = notebookAt(document);
    const parts = notebook === undefined ? [document] : programCells(notebook).map(cell => cell.document.uri);
    const symbols = await Promise.all(parts.map(symbolsOf));
    const names = symbols
        .flat()
        .map(symbol => symbol.name.replace(/\/\d+$/u, ''))
        .filter(name => NAME.test(name));
    return [...new Set(names)];
}

async function symbolsOf(document: Uri): Promise<readonly DocumentSymbol[]> {
    return (await commands.executeCommand<readonly DocumentSymbol[] | undefined>('vscode.executeDocumentSymbolProvider', document)) ?? [];
}
