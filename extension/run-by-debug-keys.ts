import { type DebugConfiguration, type Disposable, debug, l10n, Uri } from 'vscode';
import type { CommandOutcome } from '#extension/commands/outcome.ts';

/**
 * Has F5, Ctrl+F5 and the menu **Run** run the program that is looked at, or the one that a launch configuration names. No debug
 * session begins: there is nothing to step through.
 */
export function runByDebugKeys(run: (program: Uri | undefined) => Promise<CommandOutcome>): Disposable {
    return debug.registerDebugConfigurationProvider('rulelang', {
        provideDebugConfigurations: () => [{ type: 'rulelang', request: 'launch', name: l10n.t('Run program') }],
        async resolveDebugConfiguration(_, configuration: DebugConfiguration) {
            if (configuration.program !== undefined) return configuration;
            void run(undefined);
            return undefined;
        },
        async resolveDebugConfigurationWithSubstitutedVariables(_, { program }: DebugConfiguration) {
            void run(Uri.file(String(program)));
            return undefined;
        },
    });
}
