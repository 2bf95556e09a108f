import { CodeAction, CodeActionKind, type ExtensionContext, l10n, languages, type Uri, workspace } from 'vscode';
import type { Server } from '#extension/host/client.ts';
import type { CommandOutcome } from '#extension/host/outcome.ts';
import type { SentRequest } from '#extension/models/sent-request.ts';
import type { Projects } from '#extension/projects/projects.ts';
import type { Register } from '#extension/views/concepts-view.ts';
import { createKnownRelations } from './known-relations.ts';
import { offerPasteAsRules } from './paste-rules.ts';
import type { Proposals } from './proposals.ts';
import { kindOfText, TRANSLATED_FILES } from './source-text.ts';
import { createTranslations } from './translate.ts';
import { createTranslateWords } from './translate-words.ts';

interface Surroundings {
    readonly context: ExtensionContext;
    readonly server: Server;
    readonly sent: SentRequest;
    readonly proposals: Proposals;
    readonly projects: Projects;
    readonly saveRules: (rules: string) => Promise<CommandOutcome>;
    readonly register: Register;
}

/** Commands that make rules from words, SQL, RDF and ontologies, and that take or leave them. */
export function createTranslationCommands({ context, server, sent, proposals, projects, saveRules, register }: Surroundings): void {
    const known = createKnownRelations(projects, server);
    const words = createTranslateWords(context, server, sent, proposals);
    const translations = createTranslations({ context, server, proposals, known, words });
    register('translate', (file?: Uri) => translations.translate(file));
    register('translateWords', () => words(''));
    register('pasteAsRules', () => translations.pasteAsRules());
    register('compareTranslation', () => translations.compare());
    register('acceptTranslation', () => proposals.accept());
    register('rejectTranslation', () => proposals.reject());
    register('acceptTranslationAsConcept', async () => {
        const shown = proposals.current();
        if (shown === undefined) return 'nothing to do';
        const outcome = await saveRules(shown.rules());
        if (outcome === 'done') await proposals.reject(shown);
        return outcome;
    });
    offerPasteAsRules(server, known, context.subscriptions);
    const files = TRANSLATED_FILES.map(extension => ({ pattern: `**/*.${extension}` }));
    context.subscriptions.push(
        languages.registerCodeActionsProvider(
            [...files, { language: 'sql' }, { language: 'rulelang' }],
            {
                provideCodeActions(document, range) {
                    const text = document.getText(range.isEmpty ? undefined : range);
                    const isOffered =
                        document.languageId === 'rulelang' ? !range.isEmpty && kindOfText(text) !== undefined : text.trim() !== '';
                    if (!workspace.isTrusted || !isOffered) return [];
                    const title = l10n.t('Translate to rules');
                    const action = new CodeAction(title, CodeActionKind.RefactorRewrite);
                    action.command = { title, command: 'rulelang.translate' };
                    return [action];
                },
            },
            { providedCodeActionKinds: [CodeActionKind.RefactorRewrite] },
        ),
    );
}
