import { basename, extname } from 'node:path/posix';
import { type ExtensionContext, type LogOutputChannel, l10n, type Uri, ViewColumn, type WebviewPanel, window, workspace } from 'vscode';
import type { Server } from '#extension/host/client.ts';
import { openPlace, parseUri } from '#extension/host/open-place.ts';
import { programName } from '#extension/runs/runs.ts';
import type { DependencyGraph, NamedPredicate } from '#server/protocol/graphs.ts';
import type { GivenPicture } from '../given-picture.ts';
import { loadView } from '../page.ts';
import { type AskedPart, createGraphWalk } from './graph-walk.ts';
import { GRAPH, type HostMessage } from './messages.ts';
import { type Part, partAround, WHOLE } from './part.ts';

/** Panels with the dependency graphs of programs, one per program. */
export interface GraphPanels {
    /** Shows the graph of a program beside its text: all of it, or the part around `focus`. Resolves once the server has answered. */
    show(document: Uri, focus?: NamedPredicate): Promise<void>;
    /** Asks the view of the active panel for its drawing, to save it; false if no view was asked. */
    save(): boolean;
}

/** Puts a drawing into a file that the user chooses. */
type Save = (document: Uri, name: string, picture: GivenPicture) => Promise<unknown>;

const GRAPH_VIEW = 'rulelang.graph';
/** Milliseconds without an edit of the program before its graph is drawn again. */
const PAUSE = 400;

export function createGraphPanels(context: ExtensionContext, server: Server, log: LogOutputChannel, save: Save): GraphPanels {
    const panels = new Map<string, Panel>();
    return {
        async show(document, focus) {
            const key = document.toString();
            const known = panels.get(key);
            known?.reveal();
            const panel = known ?? createPanel({ context, server, log, save }, document, () => panels.delete(key));
            panels.set(key, panel);
            await panel.show(focus === undefined ? WHOLE : partAround(focus));
        },
        save: () => [...panels.values()].some(panel => panel.save()),
    };
}

interface Panel {
    reveal(): void;
    show(part: Part): Promise<void>;
    /** Asks the view for its drawing if this panel is active; false if not. */
    save(): boolean;
}

interface Surroundings {
    readonly context: ExtensionContext;
    readonly server: Server;
    readonly log: LogOutputChannel;
    readonly save: Save;
}

function createPanel({ context, server, log, save }: Surroundings, document: Uri, closed: () => void): Panel {
    const column = { viewColumn: ViewColumn.Beside, preserveFocus: true };
    const panel: WebviewPanel = window.createWebviewPanel(GRAPH_VIEW, l10n.t('Dependency graph: {0}', programName(document)), column);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const uri = document.toString();
    const name = programName(document);
    const walk = createGraphWalk(
        {
            name,
            uri,
            graph: part => graphOf(server, document, part),
            async reveal(predicate) {
                const place = await server.ask('rulelang/predicatePlace', { uri, predicate });
                if (place !== null) await openPlace(parseUri(place.uri), place.range, document);
            },
            save: async picture => void (await save(document, `${basename(name, extname(document.path))}-graph`, picture)),
        },
        message => void post(message),
    );
    const changes = workspace.onDidChangeTextDocument(({ document: changed }) => {
        if (changed.uri.toString() !== uri) return;
        clearTimeout(timer);
        timer = setTimeout(() => void walk.draw(), PAUSE);
    });
    panel.onDidDispose(() => {
        clearTimeout(timer);
        changes.dispose();
        closed();
    });
    const post = loadView(panel, GRAPH, context, log, {
        title: l10n.t('Dependency graph'),
        ready() {
            if (walk.latest !== undefined) post(walk.latest);
        },
        receive(message) {
            walk.receive(message).catch((reason: unknown) => log.warn(String(reason)));
        },
    });
    return {
        reveal: () => panel.reveal(undefined, true),
        show: walk.show,
        save: () => panel.active && post({ kind: 'save' }),
    };
}

async function graphOf(
    server: Server,
    document: Uri,
    { focus, ...part }: AskedPart,
): Promise<DependencyGraph | Extract<HostMessage, { kind: 'fail' }>> {
    try {
        // The user may have closed the document, and the server draws only open ones.
        await workspace.openTextDocument(document);
        const graph = await server.ask('rulelang/dependencyGraph', { uri: document.toString(), ...(focus && { focus }), ...part });
        if (graph !== null) return graph;
        const message = l10n.t('The language server does not have this program open. Open its text, then show the graph again.');
        return { kind: 'fail', message };
    } catch (reason) {
        const why = reason instanceof Error ? reason.message : String(reason);
        return { kind: 'fail', message: l10n.t('The graph could not be made: {0}', why) };
    }
}
