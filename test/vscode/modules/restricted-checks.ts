import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import * as vscode from 'vscode';
import { declaredCommands, openProgram, programUri, until } from './programs.ts';

/** Commands that run nothing and read nothing. */
const HARMLESS: ReadonlySet<string> = new Set([
    'rulelang.clearKeptRows',
    'rulelang.explainProblem',
    'rulelang.newSampleProgram',
    'rulelang.showDependencyGraph',
    'rulelang.showOutput',
    'rulelang.restartServer',
]);

/** Checks in restricted mode: the workspace is not trusted. */
export const restrictedChecks = {
    async 'every command that runs is refused, however it is called'(): Promise<void> {
        equal(vscode.workspace.isTrusted, false);
        const extension = vscode.extensions.getExtension('rulelang.rulelang');
        await openProgram('control/control.rulelang');
        await extension?.activate();
        const declared = declaredCommands(extension);
        ok(declared.length > 8);
        const outcomes: string[] = [];
        for (const name of declared) {
            const first = name === 'rulelang.explainProblem' ? 'RL2002' : programUri('control/control.rulelang').toString();
            const outcome = await vscode.commands.executeCommand(name, first, 'controls');
            if (outcome !== (HARMLESS.has(name) ? 'done' : 'untrusted')) outcomes.push(`${name}: ${outcome}`);
        }
        deepEqual(outcomes, []);
        await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    },

    async 'language models have no tools'(): Promise<void> {
        deepEqual(
            vscode.lm.tools.filter(({ tags }) => tags.includes('rulelang')),
            [],
        );
        const call = vscode.lm.invokeTool('rulelang_check', { input: { program: 'p(1).' }, toolInvocationToken: undefined });
        await rejects(Promise.resolve(call), /only in a workspace that the user trusts/u);
    },

    async 'programs are still checked'(): Promise<void> {
        const { document } = await openProgram('programs/problems.rulelang');
        await until(
            'problems',
            () => vscode.languages.getDiagnostics(document.uri),
            found => found.length > 0,
        );
    },

    async 'limits that a workspace gives do not count'(): Promise<void> {
        const extension = vscode.extensions.getExtension('rulelang.rulelang');
        const restricted = extension?.packageJSON.capabilities.untrustedWorkspaces.restrictedConfigurations as readonly string[];
        ok(restricted.includes('rulelang.run.maxMemory'));
        const folder = vscode.workspace.workspaceFolders?.[0];
        ok(folder);
        const file = vscode.Uri.joinPath(folder.uri, '.vscode', 'settings.json');
        await vscode.workspace.fs.writeFile(
            file,
            new TextEncoder().encode('{ "rulelang.run.maxMemory": 77, "rulelang.grid.density": "comfortable" }'),
        );
        await until(
            'the settings of the workspace',
            () => vscode.workspace.getConfiguration('rulelang').get('grid.density'),
            density => density === 'comfortable',
        );
        equal(vscode.workspace.getConfiguration('rulelang').get('run.maxMemory'), 4096);
    },
} satisfies Record<string, () => Promise<void>>;

export type RestrictedCheckName = keyof typeof restrictedChecks;
