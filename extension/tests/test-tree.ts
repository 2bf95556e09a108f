import { type CancellationToken, type Disposable, Range, type TestController, type TestItem, Uri, workspace } from 'vscode';
import type { Server } from '#extension/host/client.ts';
import { type ListedCase, LONGEST_TEST_FILE } from '#server/protocol/test-cases.ts';

const FILES = '**/*.test.rulelang';
const ENDING = '.test.rulelang';
/** A text that is being typed is read after so many milliseconds without a change. */
const PAUSE = 300;

/** The test files of the workspace and their cases, as items. */
export interface TestTree {
    /** Finds all test files; those that are open are known without it. */
    find(token?: CancellationToken): Promise<void>;
    /** Reads the cases of a file. */
    read(file: TestItem): Promise<void>;
    file(uri: Uri): TestItem | undefined;
}

/** Keeps the items of a controller: files as they come and go, their cases as they are written. */
export function createTestTree(controller: TestController, server: Server, subscriptions: Disposable[]): TestTree {
    const { items } = controller;
    const readings = new Map<string, number>();
    const timers = new Map<string, ReturnType<typeof setTimeout>>();

    const add = (uri: Uri): TestItem => {
        const known = items.get(uri.toString());
        if (known !== undefined) return known;
        const file = controller.createTestItem(uri.toString(), workspace.asRelativePath(uri), uri);
        file.canResolveChildren = true;
        items.add(file);
        return file;
    };
    const read = async (file: TestItem): Promise<void> => {
        const { uri, id } = file;
        if (uri === undefined) return;
        const reading = (readings.get(id) ?? 0) + 1;
        readings.set(id, reading);
        file.busy = true;
        try {
            const text = await textOf(uri);
            const cases = text.length > LONGEST_TEST_FILE ? [] : await server.ask('rulelang/testCases', { text });
            if (readings.get(id) !== reading) return;
            file.children.replace(itemsOf(controller, file, uri, cases));
        } catch {
            // A file that cannot be read now, or a server that has ended: the next change asks again.
        } finally {
            if (readings.get(id) === reading) file.busy = false;
        }
    };
    const readSoon = (uri: Uri): void => {
        const key = uri.toString();
        clearTimeout(timers.get(key));
        timers.set(
            key,
            setTimeout(() => {
                timers.delete(key);
                void read(add(uri));
            }, PAUSE),
        );
    };
    const isTest = (uri: Uri): boolean => uri.scheme === 'file' && uri.path.endsWith(ENDING);

    controller.resolveHandler = async file => {
        if (file === undefined) await find().catch(() => undefined);
        else await read(file);
    };
    const find = async (token?: CancellationToken): Promise<void> => {
        const found = await server.ask('rulelang/testFiles', {}, token);
        for (const uri of found) add(Uri.parse(uri));
    };
    controller.refreshHandler = async token => {
        await find(token);
        await Promise.all([...items].map(([, file]) => read(file)));
    };
    const watcher = workspace.createFileSystemWatcher(FILES);
    subscriptions.push(
        watcher,
        watcher.onDidCreate(uri => void (isTest(uri) && add(uri))),
        watcher.onDidChange(uri => {
            if (items.get(uri.toString()) !== undefined) readSoon(uri);
        }),
        watcher.onDidDelete(uri => items.delete(uri.toString())),
        workspace.onDidOpenTextDocument(({ uri }) => void (isTest(uri) && read(add(uri)))),
        workspace.onDidChangeTextDocument(({ document: { uri }, contentChanges }) => {
            if (contentChanges.length > 0 && isTest(uri)) readSoon(uri);
        }),
        { dispose: () => timers.forEach(clearTimeout) },
    );
    for (const { uri } of workspace.textDocuments) if (isTest(uri)) void read(add(uri));
    return { find, read, file: uri => items.get(uri.toString()) };
}

/** Items of the cases of a file; those that are there stay. */
function itemsOf(controller: TestController, file: TestItem, uri: Uri, cases: readonly ListedCase[]): TestItem[] {
    const seen = new Set<string>();
    return cases.flatMap(({ name, range: { start, end } }, order) => {
        const caseId = `${file.id}#${name}`;
        if (seen.has(caseId)) return [];
        seen.add(caseId);
        const item = file.children.get(caseId) ?? controller.createTestItem(caseId, name, uri);
        item.range = new Range(start.line, start.character, end.line, end.character);
        item.sortText = String(order).padStart(8, '0');
        return [item];
    });
}

/** Of the document where it is open, else of the file. */
export async function textOf(uri: Uri): Promise<string> {
    const open = workspace.textDocuments.find(document => document.uri.toString() === uri.toString());
    return open?.getText() ?? new TextDecoder().decode(await workspace.fs.readFile(uri));
}
