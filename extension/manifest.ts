import source from './manifest.json' with { type: 'json' };
import { configurationOf, restrictedSettings, SETTINGS } from './settings.ts';

/** The manifest of the staged extension: its source, with the version and what the description of the settings gives. */
export function extensionManifest(version: string): object {
    const { capabilities, contributes, ...rest } = source;
    return {
        ...rest,
        version,
        capabilities: {
            ...capabilities,
            untrustedWorkspaces: { ...capabilities.untrustedWorkspaces, restrictedConfigurations: restrictedSettings(SETTINGS) },
        },
        contributes: { ...contributes, configuration: configurationOf(SETTINGS) },
    };
}
