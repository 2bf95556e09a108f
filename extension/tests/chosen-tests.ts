import { dirname } from 'node:path';
import { type TestController, type TestItem, type TestRunRequest, workspace } from 'vscode';
import type { TestTree } from './test-tree.ts';

/** The test files that are run in one folder of the workspace. */
export interface FolderTests {
    readonly folder: string;
    readonly files: readonly ChosenFile[];
}

interface ChosenFile {
    readonly path: string;
    readonly item: TestItem;
    /** By their names. */
    readonly cases: ReadonlyMap<string, TestItem>;
    readonly isWhole: boolean;
}

/** Finds the tests of a request, by the folders of the workspace. It reads files whose cases are not known yet. */
export async function chosenTests(
    { include, exclude = [] }: TestRunRequest,
    { items }: TestController,
    tree: TestTree,
): Promise<FolderTests[]> {
    const asked = include ?? [...items].map(([, file]) => file);
    const files = [...new Set(asked.map(item => item.parent ?? item))].filter(file => !exclude.includes(file));
    const folders = new Map<string, ChosenFile[]>();
    for (const file of files) {
        const { uri } = file;
        if (uri === undefined) continue;
        if (file.children.size === 0) await tree.read(file);
        const all = [...file.children].map(([, one]) => one);
        const wanted = all.filter(one => (asked.includes(file) || asked.includes(one)) && !exclude.includes(one));
        if (wanted.length === 0) continue;
        const folder = workspace.getWorkspaceFolder(uri)?.uri.fsPath ?? dirname(uri.fsPath);
        const cases = new Map(wanted.map(one => [one.label, one]));
        folders.set(folder, [
            ...(folders.get(folder) ?? []),
            { path: uri.fsPath, item: file, cases, isWhole: wanted.length === all.length },
        ]);
    }
    return [...folders].map(([folder, chosen]) => ({ folder, files: chosen }));
}
