import {
    CodeAction,
    CodeActionKind,
    type ExtensionContext,
    l10n,
    languages,
    type Position,
    ProgressLocation,
    Range,
    type TextDocument,
    window,
    workspace,
} from 'vscode';
import type { Server } from '#extension/host/client.ts';
import type { CommandOutcome } from '#extension/host/outcome.ts';
import { userAgrees } from '#extension/models/agreement.ts';
import { chosenModel, tellNoModel } from '#extension/models/chosen-model.ts';
import type { SentRequest } from '#extension/models/sent-request.ts';
import { type WantedRule, wantedRule } from '#extension/models/wanted-rule.ts';
import { writtenRules } from '#extension/models/written-rules.ts';
import type { Proposals } from './proposals.ts';
import { checkedWords, tellProposal } from './tell-proposal.ts';

const WRITE_RULE = 'rulelang.writeRule';

/** Has a language model write the rules that a comment at the cursor asks for, and shows them for the user to take or leave. */
export function createWriteRule(
    context: ExtensionContext,
    server: Server,
    sent: SentRequest,
    proposals: Proposals,
): () => Promise<CommandOutcome> {
    const actions = { provideCodeActions: offered };
    const metadata = { providedCodeActionKinds: [CodeActionKind.RefactorRewrite] };
    context.subscriptions.push(languages.registerCodeActionsProvider({ language: 'rulelang' }, actions, metadata));
    return async () => {
        const editor = window.activeTextEditor;
        if (editor?.document.languageId !== 'rulelang') return 'nothing to do';
        const { document, selection } = editor;
        const wanted = wantedIn(document, selection.start.line, selection.end.line);
        if (wanted === undefined)
            return told(l10n.t('Put the cursor on a comment that says which rule you want, such as: % customers without an order'));
        const model = await chosenModel(server, sent);
        if ('reason' in model) {
            void tellNoModel(model.reason);
            return 'nothing to do';
        }
        if (!(await userAgrees(context))) return 'nothing to do';
        const progress = { location: ProgressLocation.Notification, title: l10n.t('Writing a rule'), cancellable: true };
        const version = document.version;
        const { words, line } = wanted;
        const answer = await window.withProgress(progress, (_, token) => writtenRules(server, model, { document, line, words }, token));
        if (typeof answer === 'string') return told(answer, 'failed');
        if (document.version !== version) return told(l10n.t('The program has changed meanwhile. Try again.'), 'failed');
        const { rules, tried } = answer;
        const proposal = { title: l10n.t('Rules that a model wrote'), target: document, ...insertedAt(document, line, rules) };
        void tellProposal(proposals, await proposals.show(proposal), `${tried} ${checkedWords(rules)}`.trim());
        return 'done';
    };
}

function offered(document: TextDocument, { start, end }: { readonly start: Position; readonly end: Position }): CodeAction[] {
    const wanted = wantedIn(document, start.line, end.line);
    if (!workspace.isTrusted || wanted === undefined || (start.line === end.line && !wanted.isOpen)) return [];
    const title = l10n.t('Write a rule for this comment');
    const action = new CodeAction(title, CodeActionKind.RefactorRewrite);
    action.command = { title, command: WRITE_RULE };
    return [action];
}

function wantedIn(document: TextDocument, first: number, last: number): WantedRule | undefined {
    return wantedRule(document.getText().split(/\r?\n/u), first, last);
}

/** A line of a program is where rules are inserted; the one after the last has no end of a line before it. */
function insertedAt(document: TextDocument, line: number, rules: string): { readonly rules: string; readonly place: Range } {
    if (line < document.lineCount) return { rules: `${rules}\n`, place: new Range(line, 0, line, 0) };
    const { end } = document.lineAt(document.lineCount - 1).range;
    return { rules: `\n${rules}`, place: new Range(end, end) };
}

function told(words: string, outcome: CommandOutcome = 'nothing to do'): CommandOutcome {
    void window.showInformationMessage(words);
    return outcome;
}
