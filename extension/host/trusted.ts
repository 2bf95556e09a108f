import { commands, l10n, window, workspace } from 'vscode';
import type { CommandOutcome } from './outcome.ts';

/** Refuses a command in restricted mode, where a menu would not offer it but anyone may call it. */
export function trusted<A extends unknown[]>(command: (...args: A) => Promise<CommandOutcome>): (...args: A) => Promise<CommandOutcome> {
    return async (...args) => {
        if (workspace.isTrusted) return command(...args);
        void askForTrust();
        return 'untrusted';
    };
}

async function askForTrust(): Promise<void> {
    const manage = l10n.t('Manage trust');
    const chosen = await window.showWarningMessage(l10n.t('Programs are run only in a workspace that you trust.'), manage);
    if (chosen === manage) await commands.executeCommand('workbench.trust.manage');
}
