import { isAbsolute, relative } from 'node:path';
import {
    CustomExecution,
    type Disposable,
    type ExtensionContext,
    Task,
    type TaskDefinition,
    TaskGroup,
    TaskScope,
    tasks,
    Uri,
    type WorkspaceFolder,
    workspace,
} from 'vscode';
import { programTarget } from '#extension/commands/target.ts';
import { commandLine } from '#extension/platform/command-line.ts';
import { processTerminal } from '#extension/platform/process-terminal.ts';

const TYPE = 'rulelang';
const COMMANDS = ['run', 'check', 'test'] as const;
type TaskCommand = (typeof COMMANDS)[number];

/** As `tasks.json` writes it. */
interface Written extends TaskDefinition {
    readonly command: TaskCommand;
    /** From the folder of the workspace. */
    readonly file: string;
    readonly args?: readonly string[];
}

/** Of files beside the program that is looked at, tasks are offered for so many. */
const MOST_FILES = 20;
const TEST_FILE = '.test.rulelang';

/** Offers the command line of the extension as tasks, for the program that is looked at and the files beside it. */
export function offerTasks(context: ExtensionContext): Disposable {
    const cli = context.asAbsolutePath('server/cli.js');
    return tasks.registerTaskProvider(TYPE, {
        async provideTasks() {
            const program = programTarget(undefined, undefined);
            const folder = program?.scheme === 'file' ? workspace.getWorkspaceFolder(program) : undefined;
            if (!workspace.isTrusted || program === undefined || folder === undefined) return [];
            const home = Uri.joinPath(program, '..');
            const beside = (await workspace.fs.readDirectory(home)).map(([name]) => name).filter(name => name.endsWith('.rulelang'));
            const shown = [program, ...beside.slice(0, MOST_FILES).map(name => Uri.joinPath(home, name))];
            const files = new Set(shown.map(uri => workspace.asRelativePath(uri, false)));
            return [...files].flatMap(file =>
                commandsFor(file).map(command => taskOf({ type: TYPE, command, file }, folder, `${command} ${file}`, cli)),
            );
        },
        resolveTask({ definition, scope, name }) {
            if (!workspace.isTrusted || !isWritten(definition)) return undefined;
            return taskOf(definition, scope ?? TaskScope.Workspace, name, cli);
        },
    });
}

function commandsFor(file: string): readonly TaskCommand[] {
    // The editor replaces what looks like a variable.
    if (file.includes('${')) return [];
    return file.endsWith(TEST_FILE) ? ['test', 'check'] : ['run', 'check'];
}

function taskOf(written: Written, scope: WorkspaceFolder | TaskScope.Global | TaskScope.Workspace, name: string, cli: string): Task {
    const { command } = written;
    const folder = typeof scope === 'object' ? scope : workspace.workspaceFolders?.[0];
    const execution = new CustomExecution(async resolved => {
        // The variables in it have their values now.
        const { file: given, args = [] } = resolved as Written;
        // The matcher takes paths to be relative to the folder: to look for each would take longer than the editor waits after a task.
        const file = folder !== undefined && isAbsolute(given) ? relative(folder.uri.fsPath, given) : given;
        const format = command === 'check' ? ['--format', 'compact'] : [];
        return processTerminal(commandLine(cli), [command, ...format, ...args, '--', file], folder?.uri.fsPath);
    });
    const matchers = command === 'check' ? ['$rulelang-task'] : [];
    const task = new Task(written, scope, name, 'rulelang', execution, matchers);
    if (command === 'check') task.group = TaskGroup.Build;
    if (command === 'test') task.group = TaskGroup.Test;
    return task;
}

function isWritten(definition: TaskDefinition): definition is Written {
    const { command, file, args }: Readonly<Record<string, unknown>> = definition;
    const areTexts = args === undefined || (Array.isArray(args) && args.every(text => typeof text === 'string'));
    return COMMANDS.some(known => known === command) && typeof file === 'string' && areTexts;
}
