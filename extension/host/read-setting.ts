import { type ConfigurationScope, commands, workspace } from 'vscode';
import { type SettingName, type SettingValue, settingValue } from './settings.ts';

export function readSetting<N extends SettingName>(name: N, scope?: ConfigurationScope): SettingValue<N> {
    return settingValue(name, givenSetting(name, scope));
}

/** The value that a user has given, whatever it is, or the default. */
export function givenSetting(name: SettingName, scope?: ConfigurationScope): unknown {
    return workspace.getConfiguration('rulelang', scope).get<unknown>(name);
}

/** Opens settings where they are changed. */
export async function openSetting(...names: readonly SettingName[]): Promise<void> {
    await commands.executeCommand('workbench.action.openSettings', `@id:${names.map(name => `rulelang.${name}`).join(',')}`);
}
