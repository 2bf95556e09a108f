import {
    CodeAction,
    CodeActionKind,
    commands,
    type Disposable,
    l10n,
    languages,
    Range,
    type TestItem,
    type Uri,
    WorkspaceEdit,
    workspace,
} from 'vscode';
import type { TestFailure, TextPlace } from '#server/protocol/tests.ts';

/** Replacements for expectations that the last runs found. */
export interface Acceptances {
    /** The case was run with this text of its file, and came to these failures. */
    put(item: TestItem, text: string, failures: readonly TestFailure[]): void;
    /** Changes the expectations of these cases, at a line alone where one is given; false where there is nothing to change any more. */
    accept(cases: readonly TestItem[], line?: number): Promise<boolean>;
    /** The cases of a file, where there is one, that have something to accept. */
    of(uri: Uri | undefined): TestItem[];
}

interface Offered {
    readonly item: TestItem;
    readonly text: string;
    readonly failures: readonly TestFailure[];
}

const COMMAND = 'rulelang.acceptDerived';
/** Cases with something to accept, for menus. */
const CONTEXT = 'rulelang.acceptableTests';

/** Keeps what can be accepted, and offers it at the expectations. */
export function createAcceptances(subscriptions: Disposable[]): Acceptances {
    const offered = new Map<string, Offered>();
    const of = (uri: Uri | undefined): Offered[] => [...offered.values()].filter(({ item }) => item.uri?.toString() === uri?.toString());
    let telling = false;
    const tell = (): void => {
        if (telling) return;
        telling = true;
        queueMicrotask(() => {
            telling = false;
            void commands.executeCommand('setContext', CONTEXT, [...offered.keys()]);
        });
    };
    subscriptions.push(
        languages.registerCodeActionsProvider(
            { scheme: 'file', pattern: '**/*.test.rulelang' },
            {
                provideCodeActions(document, { start, end }) {
                    const text = document.getText();
                    const found = of(document.uri).flatMap(one => (one.text === text ? one.failures : []));
                    return found
                        .filter(({ line, acceptance }) => acceptance !== undefined && line <= end.line && acceptance.end.line >= start.line)
                        .map(({ line }) => {
                            const action = new CodeAction(l10n.t('Accept what the test case derives'), CodeActionKind.QuickFix);
                            action.command = { title: action.title, command: COMMAND, arguments: [document.uri, line] };
                            return action;
                        });
                },
            },
            { providedCodeActionKinds: [CodeActionKind.QuickFix] },
        ),
    );
    return {
        put(item, text, failures) {
            const left = failures.filter(({ acceptance }) => acceptance !== undefined);
            if (left.length > 0) offered.set(item.id, { item, text, failures: left });
            else if (!offered.delete(item.id)) return;
            tell();
        },
        async accept(cases, line) {
            const edit = new WorkspaceEdit();
            for (const { id, uri } of cases) {
                const one = offered.get(id);
                if (one === undefined || uri === undefined) continue;
                const document = await workspace.openTextDocument(uri);
                if (document.getText() !== one.text) continue;
                for (const { acceptance, line: at } of one.failures) {
                    if (acceptance === undefined || (line !== undefined && line !== at)) continue;
                    edit.replace(uri, rangeOf(acceptance), acceptance.text);
                }
            }
            if (edit.size === 0 || !(await workspace.applyEdit(edit))) return false;
            const changed = edit.entries().map(([uri]) => uri.toString());
            await Promise.all(
                workspace.textDocuments.filter(({ uri }) => changed.includes(uri.toString())).map(document => document.save()),
            );
            return true;
        },
        of: uri => of(uri).map(({ item }) => item),
    };
}

function rangeOf({ start, end }: { readonly start: TextPlace; readonly end: TextPlace }): Range {
    return new Range(start.line, start.character, end.line, end.character);
}
