import { commands, l10n } from 'vscode';
import type { GivenRows } from './given-rows.ts';

/** Hands what a view shows to the agent, with a question that may be changed. */
export function askAboutRows({ about, title, text }: GivenRows): void {
    const question = about === 'rows' ? l10n.t('Why are these rows there?') : l10n.t('Why is this so?');
    void commands.executeCommand('rulelang.askAgent', question, { kind: about, title, text });
}
