import { type Profiler, Session } from 'node:inspector/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as vscode from 'vscode';
import type { Connections } from '#extension/platform/connections.ts';
import { createProjects } from '#extension/projects/projects.ts';
import type { RunHistory } from '#extension/runs/run-history.ts';
import { runJournal } from '#extension/runs/run-journal.ts';
import { ConceptTree } from '#extension/views/concept-tree.ts';
import { DataTree } from '#extension/views/data-tree.ts';
import { RunTree } from '#extension/views/run-tree.ts';
import { platformClient } from '#server/client/platform-client.ts';

/** What it took to show a tree: milliseconds, items that were listed, requests to the services. */
export interface TreeMeasure {
    readonly milliseconds: number;
    /** Of them, those in which the host was busy. */
    readonly cpu: number;
    readonly items: number;
    readonly requests: number;
}

/** A tree that has nothing to find out. */
const plainChanges = new vscode.EventEmitter<void>();
let plainLabel = '';
const plainTree: vscode.TreeDataProvider<string> = {
    onDidChangeTreeData: plainChanges.event,
    getChildren: parent => (parent === undefined ? [`${plainLabel} group`] : [`${plainLabel} entry`]),
    getTreeItem: text => {
        const { Expanded, None } = vscode.TreeItemCollapsibleState;
        return new vscode.TreeItem(text, text.endsWith(' group') ? Expanded : None);
    },
};

/** What is measured inside the extension host. */
export const measures = {
    /** What the host holds once garbage is collected, in bytes, and its time on processors, in milliseconds. */
    async usage(): Promise<{ readonly pid: number; readonly heap: number; readonly resident: number; readonly cpu: number }> {
        setFlagsFromString('--expose-gc');
        const collect = runInNewContext('gc') as () => void;
        collect();
        collect();
        const { heapUsed, rss } = process.memoryUsage();
        const { user, system } = process.cpuUsage();
        return { pid: process.pid, heap: heapUsed, resident: rss, cpu: (user + system) / 1000 };
    },
    /** The milliseconds of so many seconds in which the host computed something that our own code has asked for. */
    async ownWork(seconds: number): Promise<number> {
        const session = new Session();
        session.connect();
        await session.post('Profiler.enable');
        await session.post('Profiler.start');
        await new Promise(resolve => setTimeout(resolve, seconds * 1000));
        const { profile } = await session.post('Profiler.stop');
        session.disconnect();
        return workBelow(profile, vscode.extensions.getExtension('rulelang.rulelang')?.extensionPath ?? '');
    },
    /** Shows a group with one entry in place of the program: what the editor itself takes to draw another tree. */
    async plainTree(label: string): Promise<void> {
        const isFirst = plainLabel === '';
        plainLabel = label;
        if (isFirst) vscode.window.registerTreeDataProvider('rulelang.program', plainTree);
        plainChanges.fire();
    },
    /** Opens each tree as a window does, beside services with projects and sources, and a journal of runs. */
    async trees(address: string, token: string, journal: string): Promise<Readonly<Record<string, TreeMeasure>>> {
        let requests = 0;
        const client = platformClient({
            baseUrl: address,
            token,
            fetch: (url, init) => {
                requests++;
                return fetch(url, init);
            },
        });
        const active = { kind: 'local', id: 'local', address, client, role: 'user' } as const;
        const { event: changed } = new vscode.EventEmitter<void>();
        const connections = { active: () => active, changed } as Pick<Connections, 'active' | 'changed'> as Connections;
        const history: Partial<RunHistory> = {
            ...runJournal(journal, { records: 10_000, bytes: 20_000_000 }),
            hasRows: () => true,
            changed,
        };
        const subscriptions: vscode.Disposable[] = [];
        const projects = createProjects(connections, subscriptions);
        const trees = [
            { name: 'concepts', tree: new ConceptTree(projects, subscriptions), words: 'exposure_1234' },
            { name: 'sources', tree: new DataTree(connections, subscriptions), words: 'store_123 table_123' },
            { name: 'runs', tree: new RunTree(history as RunHistory, projects, subscriptions), words: 'majority=9876' },
        ];
        const found: Record<string, TreeMeasure> = {};
        for (const { name, tree, words } of trees) {
            const measured = async (what: string): Promise<void> => {
                const before = requests;
                const began = performance.now();
                const { user, system } = process.cpuUsage();
                const items = await listed(tree);
                const used = process.cpuUsage({ user, system });
                const cpu = (used.user + used.system) / 1000;
                found[`${name} ${what}`] = { milliseconds: performance.now() - began, cpu, items, requests: requests - before };
            };
            await measured('opened');
            await measured('opened again');
            tree.filter(words.split(' '));
            await measured('filtered');
        }
        for (const one of subscriptions) one.dispose();
        return found;
    },
};

/** Milliseconds of a profile in functions of the files of a folder, and in whatever these call. */
function workBelow({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile, folder: string): number {
    const known = new Map(nodes.map(node => [node.id, node]));
    const own = new Set<number>();
    const enter = ({ id, callFrame, children = [] }: Profiler.ProfileNode, isOwn: boolean): void => {
        const isBelow = isOwn || callFrame.url.includes(folder);
        if (isBelow) own.add(id);
        for (const child of children) {
            const node = known.get(child);
            if (node !== undefined) enter(node, isBelow);
        }
    };
    if (nodes[0] !== undefined) enter(nodes[0], false);
    return samples.reduce((sum, id, at) => sum + (own.has(id) ? (timeDeltas[at] ?? 0) : 0), 0) / 1000;
}

/** Lists what a tree shows at first, as a window asks for it; answers how many items these are. */
async function listed(tree: vscode.TreeDataProvider<unknown>, node?: unknown): Promise<number> {
    let items = 0;
    for (const child of (await tree.getChildren(node)) ?? []) {
        const item = await tree.getTreeItem(child);
        items++;
        if (item.collapsibleState === vscode.TreeItemCollapsibleState.Expanded) items += await listed(tree, child);
    }
    return items;
}
