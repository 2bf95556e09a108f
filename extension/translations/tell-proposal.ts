import { l10n, window } from 'vscode';
import type { Proposals, ShownProposal } from './proposals.ts';

/** Something else that may be done about a proposal. */
export interface ProposalAction {
    readonly label: string;
    do(): unknown;
}

/** Says what is to be known about a proposal that is shown, and takes or leaves it as the buttons above it do. */
export async function tellProposal(
    proposals: Proposals,
    shown: ShownProposal,
    words: string,
    more: readonly ProposalAction[] = [],
): Promise<void> {
    const actions: readonly ProposalAction[] = [
        { label: l10n.t('Accept'), do: () => proposals.accept(shown) },
        ...more,
        { label: l10n.t('Reject'), do: () => proposals.reject(shown) },
    ];
    const chosen = await window.showInformationMessage(words, ...actions.map(({ label }) => label));
    await actions.find(({ label }) => label === chosen)?.do();
}

/** The message about rules from a model that have no errors. */
export function checkedWords(rules: string): string {
    return reaching(rules)
        ? l10n.t('The rules have no errors. They read, write or call something outside of the program: look at them before you run it.')
        : l10n.t('The rules have no errors. Accept them into the program?');
}

/** Whether a run would reach for something that the program names and a user may not expect. */
function reaching(rules: string): boolean {
    return /@(?:q?bind|include|module)\b|python:|llm:/u.test(rules);
}
