import { type Disposable, type LogOutputChannel, l10n, window, workspace } from 'vscode';
import { givenSetting, openSetting } from '#extension/host/read-setting.ts';
import { SETTINGS, type SettingName, settingComplaint } from '#extension/host/settings.ts';

/** A run tells of its parameters, the language server of severities. */
const TOLD_ELSEWHERE: ReadonlySet<SettingName> = new Set<SettingName>(['run.parameters', 'problems.severity']);

/** Tells which settings have values that they cannot have, so that their defaults count: now, and when they change. */
export function tellWrongSettings(log: LogOutputChannel, subscriptions: Disposable[]): void {
    let told = '';
    const look = (): void => {
        const wrong = (Object.keys(SETTINGS) as SettingName[]).flatMap(name => {
            const complaint = TOLD_ELSEWHERE.has(name) ? undefined : settingComplaint(name, givenSetting(name));
            const instead = JSON.stringify(SETTINGS[name].default);
            return complaint === undefined ? [] : [{ name, words: l10n.t('{0} Its default, {1}, counts instead.', complaint, instead) }];
        });
        const words = wrong.map(one => one.words).join(' ');
        if (words === told) return;
        told = words;
        if (wrong.length === 0) return;
        log.warn(words);
        void offer(
            words,
            wrong.map(({ name }) => name),
        );
    };
    look();
    subscriptions.push(
        workspace.onDidChangeConfiguration(event => {
            if (event.affectsConfiguration('rulelang')) look();
        }),
    );
}

async function offer(words: string, names: readonly SettingName[]): Promise<void> {
    const open = l10n.t('Open settings');
    if ((await window.showWarningMessage(words, open)) === open) await openSetting(...names);
}
