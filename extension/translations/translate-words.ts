import { type ExtensionContext, l10n, ProgressLocation, type TextDocument, window } from 'vscode';
import type { Server } from '#extension/host/client.ts';
import type { CommandOutcome } from '#extension/host/outcome.ts';
import { userAgrees } from '#extension/models/agreement.ts';
import { chosenModel, tellNoModel } from '#extension/models/chosen-model.ts';
import type { SentRequest } from '#extension/models/sent-request.ts';
import { writtenRules } from '#extension/models/written-rules.ts';
import type { Proposals } from './proposals.ts';
import { chooseTarget } from './target.ts';
import { checkedWords, tellProposal } from './tell-proposal.ts';

/** Has a language model write the rules that words ask for, which the user is asked for where there are none; they go to the end of a program. */
export function createTranslateWords(
    context: ExtensionContext,
    server: Server,
    sent: SentRequest,
    proposals: Proposals,
): (text: string) => Promise<CommandOutcome> {
    return async text => {
        const editor = window.activeTextEditor;
        const model = await chosenModel(server, sent);
        if ('reason' in model) {
            void tellNoModel(model.reason);
            return 'nothing to do';
        }
        const words = text.trim() === '' ? await askedWords() : text;
        if (words === undefined || words.trim() === '') return 'nothing to do';
        const chosen = await chooseTarget(editor?.document);
        if (chosen === undefined || !(await userAgrees(context))) return 'nothing to do';
        const { target } = chosen;
        const version = target?.version;
        const wanted = { document: target, line: endOf(target), words };
        const progress = { location: ProgressLocation.Notification, title: l10n.t('Writing rules'), cancellable: true };
        const answer = await window.withProgress(progress, (_, token) => writtenRules(server, model, wanted, token));
        if (typeof answer === 'string' || target?.version !== version) {
            void window.showInformationMessage(
                typeof answer === 'string' ? answer : l10n.t('The program has changed meanwhile. Try again.'),
            );
            return 'failed';
        }
        const { rules, tried } = answer;
        const shown = await proposals.show({ title: l10n.t('Rules that a model wrote'), rules, ...(target && { target }) });
        void tellProposal(proposals, shown, `${tried} ${checkedWords(rules)}`.trim());
        return 'done';
    };
}

function askedWords(): Thenable<string | undefined> {
    return window.showInputBox({
        title: l10n.t('Translate words to rules'),
        prompt: l10n.t('What you want to know, or what holds'),
        placeHolder: l10n.t('customers without an order in the last year'),
        ignoreFocusOut: true,
    });
}

function endOf(target: TextDocument | undefined): number {
    return target?.lineCount ?? 0;
}
