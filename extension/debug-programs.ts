import { dirname } from 'node:path';
import {
    DebugAdapterExecutable,
    type DebugConfiguration,
    Disposable,
    debug,
    type ExtensionContext,
    l10n,
    Uri,
    window,
    workspace,
} from 'vscode';
import { programTarget } from '#extension/commands/target.ts';
import type { CommandOutcome } from '#extension/host/outcome.ts';
import { readSetting } from '#extension/host/read-setting.ts';
import { commandLine } from '#extension/platform/command-line.ts';
import type { ProgramParameters } from '#extension/runs/given-parameters.ts';

const TYPE = 'rulelang';
const MEBIBYTE = 1024 * 1024;

/** How far one step of a command goes, in the words of the debug adapter. */
export interface DebugStride {
    readonly by: 'rule' | 'round' | 'stratum';
    readonly back?: true;
}

/**
 * Has F5 debug the program that is looked at, or the one that a launch configuration names, with the command line of the extension;
 * **Run Without Debugging** runs it, as its own command does.
 */
export function debugPrograms(
    context: ExtensionContext,
    parameters: ProgramParameters,
    run: (program: Uri | undefined) => Promise<CommandOutcome>,
): Disposable {
    const cli = context.asAbsolutePath('server/cli.js');
    const configurations = debug.registerDebugConfigurationProvider(TYPE, {
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the editor puts the file in its place.
        provideDebugConfigurations: () => [configurationOf('${file}')],
        async resolveDebugConfiguration(_, configuration: DebugConfiguration) {
            if (configuration.program !== undefined) return configuration;
            if (isRun(configuration)) {
                void run(undefined);
                return undefined;
            }
            const program = await savedProgram();
            return program && { ...configuration, ...configurationOf(program.fsPath) };
        },
        async resolveDebugConfigurationWithSubstitutedVariables(_, configuration: DebugConfiguration) {
            const program = Uri.file(String(configuration.program));
            if (isRun(configuration)) {
                void run(program);
                return undefined;
            }
            await saved(program);
            const { values } = await parameters.given(program);
            return { ...configuration, parameters: { ...values, ...configuration.parameters } };
        },
    });
    const adapters = debug.registerDebugAdapterDescriptorFactory(TYPE, {
        createDebugAdapterDescriptor({ configuration, workspaceFolder }) {
            const { file, before, env } = commandLine(cli);
            const cwd = workspaceFolder?.uri.fsPath ?? dirname(String(configuration.program));
            return new DebugAdapterExecutable(file, [...before, 'dap', ...adapterOptions()], { cwd, env });
        },
    });
    return Disposable.from(configurations, adapters);
}

/** Debugs the program that a command names, or the one that is looked at. */
export async function debugProgram(uri?: unknown): Promise<CommandOutcome> {
    const program = await savedProgram(uri);
    if (program === undefined) return 'nothing to do';
    const started = await debug.startDebugging(workspace.getWorkspaceFolder(program), configurationOf(program.fsPath));
    return started ? 'done' : 'failed';
}

/** Goes a stride that the editor has no command for. */
export function debugStride(stride: DebugStride): () => Promise<CommandOutcome> {
    return async () => {
        const session = debug.activeDebugSession;
        if (session?.type !== TYPE) return 'nothing to do';
        await session.customRequest('stride', stride);
        return 'done';
    };
}

/** Without trust a run says that there is none. */
function isRun({ noDebug }: DebugConfiguration): boolean {
    return noDebug === true || !workspace.isTrusted;
}

function configurationOf(program: string): DebugConfiguration {
    return { type: TYPE, request: 'launch', name: l10n.t('Debug program'), program };
}

/** The program in its file, which is what is debugged; undefined where it has none. */
async function savedProgram(uri?: unknown): Promise<Uri | undefined> {
    const program = programTarget(uri, undefined);
    if (program === undefined) return undefined;
    if (program.scheme !== 'file') {
        void window.showInformationMessage(l10n.t('Save the program in a file to debug it.'));
        return undefined;
    }
    return (await saved(program)) ? program : undefined;
}

/** Saves a program that has changes. */
async function saved(program: Uri): Promise<boolean> {
    const open = workspace.textDocuments.find(({ uri, isDirty }) => isDirty && uri.toString() === program.toString());
    return open === undefined || (await open.save());
}

/** Settings of runs, as options of the command line. */
function adapterOptions(): string[] {
    const timeout = readSetting('run.timeout');
    const python = readSetting('python.path');
    return [
        ...['--max-memory', String(readSetting('run.maxMemory') * MEBIBYTE), '--max-rounds', String(readSetting('run.maxRounds'))],
        ...(timeout === 0 ? [] : ['--timeout', String(timeout)]),
        ...readSetting('run.allowNet').flatMap(host => ['--allow-net', host]),
        ...readSetting('run.secrets').flatMap(name => ['--secret', name]),
        ...(readSetting('python.enabled') ? ['--allow-python'] : []),
        ...(python === '' ? [] : ['--python', python]),
        ...(readSetting('python.network') ? ['--python-net'] : []),
    ];
}
