import { type ConfigurationScope, workspace } from 'vscode';
import type { SettingName, SettingValue } from './settings.ts';

/** The value of a setting; VS Code fills in the default that the manifest declares. */
export function readSetting<N extends SettingName>(name: N, scope?: ConfigurationScope): SettingValue<N> {
    return workspace.getConfiguration('rulelang', scope).get(name) as SettingValue<N>;
}
