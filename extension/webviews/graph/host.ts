import { type ExtensionContext, type LogOutputChannel, l10n, type Uri, ViewColumn, type WebviewPanel, window, workspace } from 'vscode';
import type { Server } from '#extension/client.ts';
import { openPlace, parseUri } from '#extension/open-place.ts';
import { programName } from '#extension/runs.ts';
import type { GraphNode } from '#server/protocol/graphs.ts';
import { loadView } from '../page.ts';
import { GRAPH, type HostMessage } from './messages.ts';

/** Panels with the dependency graphs of programs, one per program. */
export interface GraphPanels {
    /** Shows the panel of a program, beside its text; resolves when its graph has been sent. */
    show(document: Uri): Promise<void>;
}

const GRAPH_VIEW = 'rulelang.graph';
/** A text that is being typed is drawn after so many milliseconds without a change. */
const PAUSE = 400;

export function createGraphPanels(context: ExtensionContext, server: Server, log: LogOutputChannel): GraphPanels {
    const panels = new Map<string, Panel>();
    return {
        async show(document) {
            const key = document.toString();
            const known = panels.get(key);
            known?.reveal();
            const panel = known ?? createPanel(context, server, log, document, () => panels.delete(key));
            panels.set(key, panel);
            await panel.draw();
        },
    };
}

interface Panel {
    reveal(): void;
    draw(): Promise<void>;
}

function createPanel(context: ExtensionContext, server: Server, log: LogOutputChannel, document: Uri, closed: () => void): Panel {
    const column = { viewColumn: ViewColumn.Beside, preserveFocus: true };
    const panel: WebviewPanel = window.createWebviewPanel(GRAPH_VIEW, l10n.t('Dependency graph: {0}', programName(document)), column);
    let version = 0;
    let nodes: readonly GraphNode[] = [];
    let latest: HostMessage | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const draw = async (): Promise<void> => {
        const asked = ++version;
        const message = await graphMessage(server, document, asked);
        if (asked !== version) return;
        latest = message;
        nodes = message.kind === 'show' ? message.graph.nodes : [];
        post(message);
    };
    const reveal = async (node: GraphNode | undefined): Promise<void> => {
        if (node === undefined) return;
        const { name, arity } = node;
        const place = await server.ask('rulelang/predicatePlace', { uri: document.toString(), name, arity });
        if (place !== null) await openPlace(parseUri(place.uri), place.range, document);
    };
    const changes = workspace.onDidChangeTextDocument(({ document: changed }) => {
        if (changed.uri.toString() !== document.toString()) return;
        clearTimeout(timer);
        timer = setTimeout(() => void draw(), PAUSE);
    });
    panel.onDidDispose(() => {
        clearTimeout(timer);
        changes.dispose();
        closed();
    });
    const post = loadView(panel, GRAPH, context, log, {
        title: l10n.t('Dependency graph'),
        ready() {
            if (latest !== undefined) post(latest);
        },
        receive(message) {
            if (message.version === version) reveal(nodes[message.node]).catch((reason: unknown) => log.warn(String(reason)));
        },
    });
    return { reveal: () => panel.reveal(undefined, true), draw };
}

async function graphMessage(server: Server, document: Uri, version: number): Promise<HostMessage> {
    try {
        // The program of a panel may have been closed; the server draws what is open.
        await workspace.openTextDocument(document);
        const graph = await server.ask('rulelang/dependencyGraph', { uri: document.toString() });
        if (graph !== null) return { kind: 'show', version, program: programName(document), graph };
        const message = l10n.t('The language server does not have this program open. Open its text, then show the graph again.');
        return { kind: 'fail', message };
    } catch (reason) {
        const why = reason instanceof Error ? reason.message : String(reason);
        return { kind: 'fail', message: l10n.t('The graph could not be made: {0}', why) };
    }
}
