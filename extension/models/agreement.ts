import { type ExtensionContext, l10n, window } from 'vscode';
import { openSetting, readSetting } from '#extension/host/read-setting.ts';
import { SETTINGS, type SettingValue } from '#extension/host/settings.ts';

type Samples = SettingValue<'model.samples'>;

/** Data that models may get, from least to most; each level includes the ones before. */
const LEVELS = SETTINGS['model.samples'].choices;
const AGREED = 'rulelang.model.agreed';

/** Whether the user agrees to what a model is sent: asked once for each workspace, and again when it is to be more. */
export async function userAgrees({ workspaceState }: ExtensionContext): Promise<boolean> {
    const samples = readSetting('model.samples') as Samples;
    const agreed = workspaceState.get<string>(AGREED);
    if (LEVELS.findIndex(level => level === agreed) >= LEVELS.findIndex(level => level === samples)) return true;
    const [send, change] = [l10n.t('Send'), l10n.t('Change')];
    const chosen = await window.showInformationMessage(wordsFor(samples), send, change);
    if (chosen === change) await openSetting('model.samples');
    if (chosen !== send) return false;
    await workspaceState.update(AGREED, samples);
    return true;
}

function wordsFor(samples: string): string {
    switch (samples) {
        case 'never':
            return l10n.t(
                'The language model that you have chosen is sent your words, a page about the language, and what a check says about its rules. Nothing else of this workspace is sent.',
            );
        case 'rows':
            return l10n.t(
                'The language model that you have chosen is sent your words, a page about the language, what a check says about its rules, names, columns, types and descriptions of the program, and rows of its data.',
            );
        default:
            return l10n.t(
                'The language model that you have chosen is sent your words, a page about the language, what a check says about its rules, and names, columns, types and descriptions of the program. No rows are sent.',
            );
    }
}
