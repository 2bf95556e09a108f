import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import * as vscode from 'vscode';
import { declaredCommands, openProgram, programUri, until } from './programs.ts';

/** Commands that run nothing and read nothing. */
const HARMLESS: ReadonlySet<string> = new Set([
    'rulelang.clearKeptRows',
    'rulelang.clearProgramFilter',
    'rulelang.explainProblem',
    'rulelang.filterProgram',
    'rulelang.goToPredicate',
    'rulelang.newNotebook',
    'rulelang.newSampleProgram',
    'rulelang.reportIssue',
    'rulelang.searchByStructure',
    'rulelang.showColumns',
    'rulelang.showDependencyGraph',
    'rulelang.showPlan',
    'rulelang.showPlannedRules',
    'rulelang.showPredicateInGraph',
    'rulelang.showOutput',
    'rulelang.restartServer',
]);

/** What is given first in place of a program. */
const FIRST: ReadonlyMap<string, string> = new Map([
    ['rulelang.explainProblem', 'RL2002'],
    ['rulelang.searchByStructure', 'controls($X, $Y)'],
]);

/** The one command that asks the user something, who leaves. */
const ASKS = 'rulelang.openSampleWorkspace';

/** Leaves what is asked again and again, until there is an answer. */
async function leave(answer: Thenable<unknown>): Promise<unknown> {
    const left = { answer: undefined as unknown, isThere: false };
    answer.then(outcome => Object.assign(left, { answer: outcome, isThere: true }));
    await until(
        'an end of the question',
        () => vscode.commands.executeCommand('workbench.action.closeQuickOpen'),
        () => left.isThere,
    );
    return left.answer;
}

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
            const first = FIRST.get(name) ?? programUri('control/control.rulelang').toString();
            const expected = name === ASKS ? 'nothing to do' : HARMLESS.has(name) ? 'done' : 'untrusted';
            const answer = vscode.commands.executeCommand(name, first, 'controls');
            const outcome = await (name === ASKS ? leave(answer) : answer);
            if (outcome !== expected) outcomes.push(`${name}: ${outcome}`);
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
