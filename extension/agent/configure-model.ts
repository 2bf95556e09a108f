import { commands, l10n, type QuickPickItem, window } from 'vscode';
import type { CommandOutcome } from '#extension/host/outcome.ts';
import type { Connection } from '#extension/platform/connection.ts';
import { failureText } from '#extension/platform/failure-text.ts';
import { MODEL_PROVIDERS } from '#extension/surfaces/agent/model-providers.ts';

interface Provider extends QuickPickItem {
    /** The value of `LLM_PROVIDER`. */
    readonly provider: string;
    /** A server of one's own, whose address is asked for, and which may want no key. */
    readonly isOwn?: boolean;
}

/** Asks for a model, step by step, and keeps it in the configuration of the services, key included: they alone read it. */
export async function configureModel({ client, id }: Connection): Promise<CommandOutcome> {
    const title = l10n.t('Configure a model');
    const own = {
        label: l10n.t('A server that speaks as OpenAI does'),
        description: l10n.t('on this machine, or at an address of yours'),
        provider: 'chat-completions',
        isOwn: true,
    };
    const providers: readonly Provider[] = [...MODEL_PROVIDERS, own];
    const chosen = await window.showQuickPick(providers, { title, placeHolder: l10n.t('Who has the model?') });
    if (chosen === undefined) return 'nothing to do';
    const { provider, isOwn = false } = chosen;
    const address = isOwn ? await askAddress(title) : null;
    if (address === undefined) return 'nothing to do';
    const version = await window.showInputBox({
        title,
        prompt: isOwn ? l10n.t('The name of the model') : l10n.t('The name of the model; empty for the usual one of the provider'),
        ignoreFocusOut: true,
    });
    if (version === undefined) return 'nothing to do';
    const key = await window.showInputBox({
        title,
        prompt: isOwn
            ? l10n.t('The key, where the server asks for one. It is kept by the services, and sent to that address alone.')
            : l10n.t('Your key for {0}. It is kept by the services, and sent to the provider alone.', chosen.label),
        password: true,
        ignoreFocusOut: true,
    });
    if (key === undefined || (key.trim() === '' && !isOwn)) return 'nothing to do';
    try {
        await client.saveConfig({
            body: {
                config_data: {
                    LLM_PROVIDER: provider,
                    LLM_VERSION: version.trim() === '' ? 'default' : version.trim(),
                    LLM_BASE_URL: address,
                    LLM_API_KEY: key.trim() === '' ? null : key.trim(),
                },
            } as Parameters<typeof client.saveConfig>[0]['body'],
        });
        offerTest(version);
        return 'done';
    } catch (reason) {
        void window.showErrorMessage(l10n.t('{0} did not take the configuration: {1}', id, failureText(reason)));
        return 'failed';
    }
}

/** The answer is not waited for. */
function offerTest(version: string): void {
    const test = l10n.t('Test');
    const saved = version.trim() === '' ? l10n.t('The model is configured.') : l10n.t('{0} is configured.', version.trim());
    void window.showInformationMessage(saved, test).then(chosen => {
        if (chosen === test) return commands.executeCommand('rulelang.testModel');
        return undefined;
    });
}

function askAddress(title: string): Thenable<string | undefined> {
    return window.showInputBox({
        title,
        value: 'http://127.0.0.1:11434/v1',
        prompt: l10n.t('The address of the server, up to what /chat/completions follows'),
        ignoreFocusOut: true,
        validateInput: text => (URL.canParse(text.trim()) ? undefined : l10n.t('An address begins with http:// or https://')),
    });
}
