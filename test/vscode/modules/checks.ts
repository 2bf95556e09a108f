import { deepEqual, equal, ok } from 'node:assert/strict';
import * as vscode from 'vscode';
import { declaredCommands, openProgram, programUri, until } from './programs.ts';

const EXTENSION = 'rulelang.rulelang';

async function problemsOf(path: string): Promise<readonly vscode.Diagnostic[]> {
    const { document } = await openProgram(path);
    return until(
        'problems',
        () => vscode.languages.getDiagnostics(document.uri),
        found => found.length > 0,
    );
}

function codeOf(problem: vscode.Diagnostic): string {
    const { code } = problem;
    return String(typeof code === 'object' ? code.value : code);
}

async function lensesOf(path: string): Promise<readonly vscode.CodeLens[]> {
    const { document } = await openProgram(path);
    return until(
        'code lenses',
        () => vscode.commands.executeCommand<readonly vscode.CodeLens[]>('vscode.executeCodeLensProvider', document.uri, 100),
        found => (found ?? []).length > 0,
    );
}

/** Whole checks that need nothing but the window: they run in any VS Code. */
export const checks = {
    async 'is started by a program, and by nothing else'(): Promise<void> {
        const extension = vscode.extensions.getExtension(EXTENSION);
        ok(extension, 'the extension is not installed');
        await openProgram('control/control.rulelang');
        await until(
            'activation',
            () => extension.isActive,
            active => active,
        );
        ok(!(extension.packageJSON.activationEvents as readonly string[]).includes('*'));
    },

    async 'has the commands of its manifest'(): Promise<void> {
        const extension = vscode.extensions.getExtension(EXTENSION);
        await extension?.activate();
        const known = new Set(await vscode.commands.getCommands(true));
        const declared = declaredCommands(extension);
        deepEqual(
            declared.filter(name => !known.has(name)),
            [],
        );
    },

    async 'offers its tools to the language models of the editor'(): Promise<void> {
        // Where a model would ask the user first, a window that is tested agrees by itself.
        const callTool = async (name: string, input: object): Promise<string> => {
            const { content } = await vscode.lm.invokeTool(`rulelang_${name}`, { input, toolInvocationToken: undefined });
            return content.map(part => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
        };
        const { packageJSON } = vscode.extensions.getExtension(EXTENSION) ?? {};
        // The window learns of them a moment after it has opened.
        const offered = await until(
            'its tools',
            () => vscode.lm.tools.filter(({ tags }) => tags.includes('rulelang')).map(({ name }) => name),
            found => found.length > 0,
        );
        deepEqual(
            offered,
            packageJSON.contributes.languageModelTools.map(({ name }: { readonly name: string }) => name),
        );
        ok((await callTool('check', { file: 'control/control.rulelang' })).endsWith('1 note'));
        ok((await callTool('check', { program: 'q(X) <- p(Y).' })).includes('RL1101'));
        const controlled = await callTool('query', { file: 'control/control.rulelang', body: 'controls("Marlowe family", X)' });
        ok(JSON.parse(controlled).resultSet.query.length > 0);
        ok((await callTool('search_docs', { question: 'sum within recursion' })).includes('/docs/'));
    },

    async 'shows problems where they are'(): Promise<void> {
        const problems = await problemsOf('programs/problems.rulelang');
        const places = problems.map(problem => `${codeOf(problem)} ${problem.range.start.line + 1}`);
        ok(places.includes('RL1001 6') || places.some(place => place.endsWith(' 6')), `no problem of egde: ${places.join(', ')}`);
        ok(
            places.some(place => place.startsWith('RL2002') || place.startsWith('RL2004')),
            `no unbound variable: ${places.join(', ')}`,
        );
        ok(problems.some(problem => problem.severity === vscode.DiagnosticSeverity.Error));
    },

    async 'offers the name that was meant'(): Promise<void> {
        const problems = await problemsOf('programs/problems.rulelang');
        const problem = problems.find(found => found.range.start.line === 5);
        ok(problem);
        const actions = await vscode.commands.executeCommand<readonly vscode.CodeAction[]>(
            'vscode.executeCodeActionProvider',
            programUri('programs/problems.rulelang'),
            problem.range,
        );
        ok(
            actions.some(action => action.title.includes('edge')),
            `no fix among: ${actions.map(action => action.title).join(', ')}`,
        );
    },

    async 'refactors what is selected'(): Promise<void> {
        const { document } = await openProgram('control/control.rulelang');
        const rule = 'votes(X, Z, Y, Q) <- controls(X, Z), holding(Z, Y, Q), X != Y.';
        const start = document.getText().indexOf(rule);
        const items = new vscode.Range(document.positionAt(start + rule.indexOf('controls')), document.positionAt(start + rule.length - 1));
        const offered = (kind?: vscode.CodeActionKind): Thenable<readonly vscode.CodeAction[]> =>
            vscode.commands.executeCommand('vscode.executeCodeActionProvider', document.uri, items, kind?.value, 20);
        const [extraction] = await until(
            'an extraction',
            () => offered(vscode.CodeActionKind.RefactorExtract),
            found => found.length > 0,
        );
        equal(extraction?.title, 'Extract to a predicate');
        equal(extraction.command?.command, 'rulelang.nameMadeUp');
        ok((await vscode.commands.getCommands(true)).includes('rulelang.nameMadeUp'));
        ok(extraction.edit && (await vscode.workspace.applyEdit(extraction.edit)));
        ok(document.getText().includes('votes(X, Z, Y, Q) <- votes_part(X, Z, Y, Q).\nvotes_part(X, Z, Y, Q) <- controls(X, Z),'));
        await vscode.commands.executeCommand('workbench.action.files.revert');

        const place = document.positionAt(start + 'votes('.length);
        const moves = await until(
            'arguments that move',
            () =>
                vscode.commands.executeCommand<readonly vscode.CodeAction[]>(
                    'vscode.executeCodeActionProvider',
                    document.uri,
                    new vscode.Range(place, place),
                    vscode.CodeActionKind.RefactorRewrite.value,
                    20,
                ),
            found => found.some(({ title }) => title === "Move argument 1 of 'votes' to the right"),
        );
        const move = moves.find(({ title }) => title === "Move argument 1 of 'votes' to the right");
        ok((move?.edit?.get(document.uri).length ?? 0) > 5, 'its edits were not asked for');
    },

    async 'completes predicates'(): Promise<void> {
        const { document } = await openProgram('control/control.rulelang');
        const line = document
            .getText()
            .split('\n')
            .findIndex(text => text.startsWith('head(X)'));
        const place = new vscode.Position(line, 'head(X) <- c'.length);
        const list = await until(
            'completions',
            () => vscode.commands.executeCommand<vscode.CompletionList>('vscode.executeCompletionItemProvider', document.uri, place),
            found => found.items.length > 0,
        );
        const labels = list.items.map(({ label }) => (typeof label === 'string' ? label : label.label));
        ok(
            labels.some(label => label.startsWith('controls')),
            `no controls among: ${labels.slice(0, 20).join(', ')}`,
        );
    },

    async 'says what a predicate is'(): Promise<void> {
        const { document } = await openProgram('control/control.rulelang');
        const line = document
            .getText()
            .split('\n')
            .findIndex(text => text.startsWith('controls(X, Y)'));
        const hovers = await vscode.commands.executeCommand<readonly vscode.Hover[]>(
            'vscode.executeHoverProvider',
            document.uri,
            new vscode.Position(line, 2),
        );
        const text = hovers
            .flatMap(hover => hover.contents.map(content => (typeof content === 'string' ? content : content.value)))
            .join('\n');
        ok(text.includes('controls'), `the hover says: ${text}`);
    },

    async 'goes to definitions'(): Promise<void> {
        const { document } = await openProgram('control/control.rulelang');
        const lines = document.getText().split('\n');
        const line = lines.findIndex(text => text.startsWith('votes(X, Z, Y, Q) <-'));
        const places = await vscode.commands.executeCommand<readonly (vscode.Location | vscode.LocationLink)[]>(
            'vscode.executeDefinitionProvider',
            document.uri,
            new vscode.Position(line, 'votes(X, Z, Y, Q) <- con'.length),
        );
        const found = places.map(place => ('targetRange' in place ? place.targetRange : place.range).start.line);
        ok(found.includes(lines.findIndex(text => text.startsWith('controls(X, Y) <-'))), `definitions in lines ${found.join(', ')}`);
    },

    async 'renames a predicate everywhere'(): Promise<void> {
        const { document } = await openProgram('control/control.rulelang');
        const line = document
            .getText()
            .split('\n')
            .findIndex(text => text.startsWith('holding(X, Y, Q)'));
        const edit = await vscode.commands.executeCommand<vscode.WorkspaceEdit>(
            'vscode.executeDocumentRenameProvider',
            document.uri,
            new vscode.Position(line, 1),
            'stake',
        );
        const edits = edit.entries().flatMap(([, list]) => list);
        equal(edits.length, 4);
        ok(edits.every(({ newText }) => newText.includes('stake')));
    },

    async 'formats a program'(): Promise<void> {
        const document = await vscode.workspace.openTextDocument({ language: 'rulelang', content: 'a( 1 ).\nb(X)   <-a(X) ,X>0 .\n' });
        await vscode.window.showTextDocument(document);
        const edits = await until(
            'edits',
            () =>
                vscode.commands.executeCommand<readonly vscode.TextEdit[] | undefined>(
                    'vscode.executeFormatDocumentProvider',
                    document.uri,
                    {
                        tabSize: 4,
                        insertSpaces: true,
                    },
                ),
            found => (found ?? []).length > 0,
        );
        const edit = new vscode.WorkspaceEdit();
        edit.set(document.uri, [...(edits ?? [])]);
        await vscode.workspace.applyEdit(edit);
        equal(document.getText().replaceAll('\r', ''), 'a(1).\nb(X) <- a(X), X > 0.\n');
        await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    },

    async 'has a lens above predicates'(): Promise<void> {
        const lenses = await lensesOf('control/control.rulelang');
        const commands = new Set(lenses.map(lens => lens.command?.command));
        ok(commands.has('rulelang.runPredicate'), `lenses: ${[...commands].join(', ')}`);
        ok(commands.has('rulelang.explainPredicate'), `lenses: ${[...commands].join(', ')}`);
    },

    async 'explains a problem on a page beside the program'(): Promise<void> {
        await openProgram('programs/problems.rulelang');
        equal(await vscode.commands.executeCommand('rulelang.explainProblem', 'RL2002'), 'done');
        const document = await vscode.workspace.openTextDocument(vscode.Uri.parse('rulelang-problem:/RL2002.md'));
        ok(document.getText().startsWith('## RL2002\n'), document.getText());
        equal(await vscode.commands.executeCommand('rulelang.explainProblem', 'RL4242'), 'nothing to do');
        await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    },

    async 'shows what a run reported until the program is edited'(): Promise<void> {
        const { document } = await openProgram('programs/violated.rulelang');
        const reported = (): vscode.Diagnostic[] =>
            vscode.languages.getDiagnostics(document.uri).filter(({ source }) => source === 'rulelang run');
        equal(await vscode.commands.executeCommand('rulelang.runProgram'), 'done');
        const [problem] = await until('the violated constraint', reported, found => found.length > 0);
        ok(problem !== undefined);
        // The code leads to its page.
        equal(typeof problem.code === 'object' ? problem.code.value : problem.code, 'RT041');
        equal(problem.range.start.line, 4);
        ok(problem.message.includes('paid("Bo",-3)'), problem.message);
        const edit = new vscode.WorkspaceEdit();
        edit.insert(document.uri, new vscode.Position(0, 0), '% edited\n');
        await vscode.workspace.applyEdit(edit);
        await until('an end of what the run reported', reported, found => found.length === 0);
        await vscode.window.showTextDocument(document);
        await vscode.commands.executeCommand('workbench.action.files.revert');
        await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    },

    async 'lists problems of programs that are not open'(): Promise<void> {
        await openProgram('control/control.rulelang');
        // The editor keeps programs open for minutes that other checks have looked at.
        const uri = programUri('programs/unopened.rulelang');
        await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode('edge(1, 2).\nreach(X, Z) <- edge(X, Y).\n@output("reach").\n'));
        const told = (): vscode.Diagnostic[] => vscode.languages.getDiagnostics(uri);
        const isHint = ({ severity }: vscode.Diagnostic): boolean => severity === vscode.DiagnosticSeverity.Hint;
        const closed = await until('problems of a program that is not open', told, all => all.length > 0);
        equal(closed.filter(isHint).map(codeOf).join(), '');
        await openProgram('programs/unopened.rulelang');
        const opened = await until('hints', told, all => all.some(isHint));
        equal(
            opened
                .filter(one => !isHint(one))
                .map(codeOf)
                .join(),
            closed.map(codeOf).join(),
        );
        await vscode.commands.executeCommand('workbench.action.closeAllEditors');
        await vscode.workspace.fs.delete(uri);
    },

    async 'shows how a program would be run, and follows it'(): Promise<void> {
        const { document } = await openProgram('control/control.rulelang');
        equal(await vscode.commands.executeCommand('rulelang.showPlannedRules', document.uri, 'controls'), 'done');
        equal(await vscode.commands.executeCommand('rulelang.showColumns', document.uri, 'owns'), 'done');
        equal(await vscode.commands.executeCommand('rulelang.showPlan', document.uri), 'done');
        const text = (): string => vscode.window.activeTextEditor?.document.getText() ?? '';
        ok(text().includes('stratum 1'), text());
        ok(!text().includes('extra/1'));
        const before = document.getText();
        const edit = new vscode.WorkspaceEdit();
        edit.insert(document.uri, new vscode.Position(0, 0), '@output("extra").\nextra(X) <- head(X).\n');
        await vscode.workspace.applyEdit(edit);
        await until('the plan of the new text', text, found => found.includes('extra/1'));
        const texts = vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === 'rulelang-show').map(shown => shown.getText());
        ok(
            texts.some(shown => shown.startsWith('% As it is read')),
            texts.join('\n---\n'),
        );
        ok(
            texts.some(shown => shown.includes('% csv data ownership.csv')),
            texts.join('\n---\n'),
        );
        // The editor may have saved it meanwhile.
        const back = new vscode.WorkspaceEdit();
        back.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), before);
        await vscode.workspace.applyEdit(back);
        await document.save();
        await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    },

    async 'outlines a program'(): Promise<void> {
        const { document } = await openProgram('control/control.rulelang');
        const symbols = await vscode.commands.executeCommand<readonly vscode.DocumentSymbol[]>(
            'vscode.executeDocumentSymbolProvider',
            document.uri,
        );
        ok(symbols.length > 5);
    },

    async 'colours names by what they are'(): Promise<void> {
        const { document } = await openProgram('control/control.rulelang');
        const tokens = await vscode.commands.executeCommand<vscode.SemanticTokens | undefined>(
            'vscode.provideDocumentSemanticTokens',
            document.uri,
        );
        ok((tokens?.data.length ?? 0) > 100);
    },

    async 'opens a sample program that runs'(): Promise<void> {
        equal(await vscode.commands.executeCommand('rulelang.newSampleProgram'), 'done');
        equal(vscode.window.activeTextEditor?.document.languageId, 'rulelang');
        equal(await vscode.commands.executeCommand('rulelang.runProgram'), 'done');
        await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
        await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    },

    async 'restarts the language server'(): Promise<void> {
        await problemsOf('programs/problems.rulelang');
        equal(await vscode.commands.executeCommand('rulelang.restartServer'), 'done');
        ok((await problemsOf('programs/problems.rulelang')).length > 0);
    },

    async 'refuses arguments that name no program'(): Promise<void> {
        equal(await vscode.commands.executeCommand('rulelang.runProgram', 'file:///etc/passwd'), 'nothing to do');
        equal(
            await vscode.commands.executeCommand('rulelang.runPredicate', programUri('control/control.rulelang').toString(), '$(id)'),
            'nothing to do',
        );
    },
} satisfies Record<string, () => Promise<void>>;

export type CheckName = keyof typeof checks;
