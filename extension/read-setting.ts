import { type ConfigurationScope, workspace } from 'vscode';
import { type SettingName, type SettingValue, settingValue } from './settings.ts';

export function readSetting<N extends SettingName>(name: N, scope?: ConfigurationScope): SettingValue<N> {
    return settingValue(name, workspace.getConfiguration('rulelang', scope).get<unknown>(name));
}
