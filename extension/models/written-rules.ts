import { type CancellationToken, l10n, type TextDocument } from 'vscode';
import type { Server } from '#extension/host/client.ts';
import type { ChosenModel } from './chosen-model.ts';
import { checkIn, instructionsFor, trialText } from './program-of-rules.ts';
import { checkedAnswer } from './write-rules.ts';

export interface WrittenRules {
    readonly rules: string;
    /** Their results, as a sentence; empty if they were not evaluated. */
    readonly tried: string;
}

/** Rules that a model writes for words, above a line of a program, zero-based, or by themselves; or why there are none. */
export async function writtenRules(
    server: Server,
    model: ChosenModel,
    { document, line, words }: { readonly document: TextDocument | undefined; readonly line: number; readonly words: string },
    token: CancellationToken,
): Promise<WrittenRules | string> {
    try {
        const check = checkIn(server, document, line, token);
        if (document !== undefined && (await check('')).hasErrors)
            return l10n.t('Correct the errors of the program first: rules are checked together with it.');
        const system = await instructionsFor(server, document, token);
        const conversation = model.begin(system, l10n.t('To write rules for your program'), token);
        const { rules, problems } = await checkedAnswer(conversation, words, check);
        if (rules !== undefined)
            return { rules, tried: document === undefined ? '' : await trialText(server, document, line, rules, token) };
        if (problems === undefined) return l10n.t('The model wrote no rule. Say in the comment what should follow from what.');
        return l10n.t('The model wrote rules with errors, and could not correct them: {0}', problems);
    } catch (reason) {
        if (token.isCancellationRequested) return l10n.t('Nothing was written.');
        return l10n.t('The model did not answer: {0}', reason instanceof Error ? reason.message : String(reason));
    }
}
