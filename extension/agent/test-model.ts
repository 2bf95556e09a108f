import { commands, l10n, ProgressLocation, window } from 'vscode';
import type { CommandOutcome } from '#extension/host/outcome.ts';
import type { Connection } from '#extension/platform/connection.ts';
import { failureText } from '#extension/platform/failure-text.ts';
import { trialText } from '#extension/surfaces/platform/model-trial.ts';

/** Asks the model of the services for one word, and says what came back, how long it took and what it cost. */
export async function testModel({ client }: Pick<Connection, 'client'>): Promise<CommandOutcome> {
    const title = l10n.t('Asking the language model for one word');
    try {
        const trial = await window.withProgress({ location: ProgressLocation.Window, title }, () => client.testModel({}));
        void window.showInformationMessage(trialText(trial, l10n));
        return 'done';
    } catch (reason) {
        const configure = l10n.t('Configure…');
        void window.showErrorMessage(l10n.t('No answer from the language model: {0}', failureText(reason)), configure).then(chosen => {
            if (chosen === configure) return commands.executeCommand('rulelang.configureModel');
            return undefined;
        });
        return 'failed';
    }
}
