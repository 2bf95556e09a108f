import {
    CodeAction,
    CodeActionKind,
    commands,
    type Diagnostic,
    DiagnosticSeverity,
    type Disposable,
    FileDecoration,
    l10n,
    languages,
    Range,
    ThemeColor,
    type Uri,
    window,
    workspace,
} from 'vscode';
import { CONCEPT_SCHEME } from '#extension/host/concept-scheme.ts';
import { diagnosticOf } from '#extension/host/diagnostic.ts';
import { lookedAt } from '#extension/host/last-editor.ts';
import type { Draft } from '#extension/projects/concept-drafts.ts';
import { type ConceptFiles, savedUri } from '#extension/projects/concept-files.ts';
import { readConceptUri } from '#extension/projects/concept-uri.ts';
import type { Register } from './concepts-view.ts';

/** Marks documents of concepts that are drafts, says why they are, and offers what can be done. */
export function showDrafts(files: ConceptFiles, subscriptions: Disposable[], register: Register): void {
    const problems = languages.createDiagnosticCollection('rulelang-drafts');
    const show = (uri: Uri): void => {
        const draft = readConceptUri(uri) && files.draftOf(uri);
        problems.set(uri, draft === undefined ? [] : [problemOf(draft)]);
    };
    /** The draft of an address, else of the document that is looked at. */
    const draftAt = (asked: Uri | undefined): Uri | undefined => {
        const uri = asked ?? lookedAt()?.document.uri;
        return uri !== undefined && readConceptUri(uri) !== undefined && files.draftOf(uri) !== undefined ? uri : undefined;
    };
    subscriptions.push(
        problems,
        files.onDidDraft(show),
        workspace.onDidOpenTextDocument(({ uri }) => show(uri)),
        workspace.onDidCloseTextDocument(({ uri }) => problems.delete(uri)),
        window.registerFileDecorationProvider({
            onDidChangeFileDecorations: files.onDidDraft,
            provideFileDecoration(uri) {
                const draft = readConceptUri(uri) && files.draftOf(uri);
                if (draft === undefined) return undefined;
                return new FileDecoration('D', wordsOf(draft), new ThemeColor('list.warningForeground'));
            },
        }),
        languages.registerCodeActionsProvider(
            { scheme: CONCEPT_SCHEME },
            {
                provideCodeActions: ({ uri }, _range, { diagnostics }) =>
                    diagnostics.filter(isOfDraft).flatMap(diagnostic => actionsFor(uri, diagnostic)),
            },
            { providedCodeActionKinds: [CodeActionKind.QuickFix] },
        ),
    );
    for (const { uri } of workspace.textDocuments) show(uri);
    register('compareDraft', async (asked?: Uri) => {
        const uri = draftAt(asked);
        if (uri === undefined) return 'nothing to do';
        const name = readConceptUri(uri)?.concept ?? '';
        await commands.executeCommand('vscode.diff', savedUri(uri), uri, l10n.t('{0}: saved ↔ draft', name));
        return 'done';
    });
    register('saveDraft', async (asked?: Uri) => {
        const uri = draftAt(asked);
        if (uri === undefined) return 'nothing to do';
        await workspace.textDocuments.find(document => document.uri.toString() === uri.toString())?.save();
        await files.saveDraft(uri);
        return files.draftOf(uri) === undefined ? 'done' : 'failed';
    });
    register('discardDraft', async (asked?: Uri) => {
        const uri = draftAt(asked);
        if (uri === undefined) return 'nothing to do';
        const discard = l10n.t('Discard Draft');
        const question = l10n.t("Discard the draft of '{0}'? The text is again what is saved.", readConceptUri(uri)?.concept ?? '');
        if ((await window.showWarningMessage(question, { modal: true }, discard)) !== discard) return 'nothing to do';
        files.discardDraft(uri);
        return 'done';
    });
}

const DRAFT = 'draft';

function isOfDraft({ code, source }: Diagnostic): boolean {
    return source === 'rulelang' && code === DRAFT;
}

function problemOf(draft: Draft): Diagnostic {
    const { reason } = draft;
    const { line, column, end_line, end_column } = (reason.kind === 'refused' && reason.place) || {
        line: 1,
        column: 1,
        end_line: 1,
        end_column: 1,
    };
    const range = new Range(Math.max(0, line - 1), Math.max(0, column - 1), Math.max(0, end_line - 1), Math.max(0, end_column - 1));
    return diagnosticOf(range, wordsOf(draft), DiagnosticSeverity.Warning, DRAFT);
}

function wordsOf({ reason }: Draft): string {
    switch (reason.kind) {
        case 'refused':
            return l10n.t('This is a draft, which the concept does not have yet: {0}', reason.message);
        case 'waiting':
            return l10n.t('This is a draft, which is saved once the services can be asked: {0}', reason.message);
        case 'overtaken':
            return l10n.t('This is a draft, and another text was saved since it was begun. Compare them, then save or discard the draft.');
    }
}

function actionsFor(uri: Uri, diagnostic: Diagnostic): CodeAction[] {
    const offered = [
        ['rulelang.compareDraft', l10n.t('Compare the draft with what is saved')],
        ['rulelang.saveDraft', l10n.t('Save the draft over what is saved')],
        ['rulelang.discardDraft', l10n.t('Discard the draft')],
    ] as const;
    return offered.map(([command, title]) => {
        const action = new CodeAction(title, CodeActionKind.QuickFix);
        action.command = { command, title, arguments: [uri] };
        action.diagnostics = [diagnostic];
        return action;
    });
}
