import { commands, type Disposable, l10n, type Uri, window, workspace } from 'vscode';
import { predicateTarget, targetIn } from '#extension/commands/target.ts';
import type { Server } from '#extension/host/client.ts';
import { lastProgram } from '#extension/host/last-editor.ts';
import { openPlace, parseUri } from '#extension/host/open-place.ts';
import type { CommandOutcome } from '#extension/host/outcome.ts';
import { programName } from '#extension/runs/runs.ts';
import { countText } from '#extension/surfaces/number-text.ts';
import { visible } from '#extension/surfaces/visible-text.ts';
import type { ProgramOutline } from '#server/protocol/graphs.ts';
import type { Register } from './concepts-view.ts';
import { viewId } from './explorer-views.ts';
import { createTreeFilter } from './filter-box.ts';
import { ProgramTree, type ShownProgram } from './program-tree.ts';

const VIEW = viewId('program');
/** A text that is being typed is listed after so many milliseconds without a change. */
const PAUSE = 400;
/** Of so many programs the outline is kept, which the server need not tell again. */
const KEPT = 4;

interface Surroundings {
    readonly server: Server;
    readonly register: Register;
    readonly subscriptions: Disposable[];
}

/** The tree of the program that is looked at: its predicates by stratum, with the rows of the last run. */
export function createProgramView({ server, register, subscriptions }: Surroundings): void {
    const tree = new ProgramTree();
    const view = window.createTreeView(VIEW, { treeDataProvider: tree, showCollapseAll: true });
    let asked = 0;
    /** What the server is asked about already: an editor and its tab open together. What it answers before a change does not count. */
    let underway: string | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let shown: ShownProgram | undefined;
    const kept = new Map<string, ProgramOutline>();

    const describe = (): void => {
        view.message = messageOf(shown, filtering.text, tree.count);
        view.description = shown?.kind === 'outline' ? programName(shown.document) : '';
    };
    const filtering = createTreeFilter({
        context: 'rulelang.programFiltered',
        title: l10n.t('Filter predicates'),
        placeholder: l10n.t('Name, input, output, recursive, negation or aggregation'),
        tree,
        describe,
    });
    const load = async (): Promise<void> => {
        clearTimeout(timer);
        const document = lastProgram();
        if (!view.visible || (underway !== undefined && underway === document?.toString())) return;
        const request = ++asked;
        underway = document?.toString();
        const found = document && (await outlineOf(server, document, kept));
        if (request !== asked) return;
        underway = undefined;
        shown = found;
        tree.show(found);
        describe();
        void commands.executeCommand('setContext', 'rulelang.programShown', found !== undefined);
    };
    const loadSoon = (): void => {
        clearTimeout(timer);
        underway = undefined;
        timer = setTimeout(() => void load(), PAUSE);
    };
    server.on('rulelang/rowsCounted', loadSoon);
    server.ended(loadSoon);
    subscriptions.push(
        view,
        view.onDidChangeVisibility(() => void load()),
        window.onDidChangeActiveTextEditor(() => void load()),
        window.tabGroups.onDidChangeTabs(() => void load()),
        workspace.onDidChangeTextDocument(({ document }) => {
            if (document.languageId === 'rulelang') loadSoon();
        }),
        { dispose: () => clearTimeout(timer) },
    );
    void load();

    register('goToPredicate', async (about?: unknown, name?: unknown): Promise<CommandOutcome> => {
        const target = targetIn(about) ?? (await predicateTarget(about, name));
        if (target === undefined) return 'nothing to do';
        const { document, predicate, arity } = target;
        await workspace.openTextDocument(document);
        const place = await server.ask('rulelang/predicatePlace', {
            uri: document.toString(),
            predicate: { name: predicate, ...(arity !== undefined && { arity }) },
        });
        if (place === null) {
            void window.showInformationMessage(l10n.t("No fact, rule or annotation of this program defines '{0}'.", visible(predicate)));
            return 'nothing to do';
        }
        await openPlace(parseUri(place.uri), place.range, document);
        return 'done';
    });
    register('filterProgram', filtering.ask);
    register('clearProgramFilter', filtering.clear);
}

async function outlineOf(server: Server, document: Uri, kept: Map<string, ProgramOutline>): Promise<ShownProgram | undefined> {
    try {
        const uri = document.toString();
        const known = kept.get(uri);
        const told = await server.ask('rulelang/programOutline', { uri, ...(known && { known: known.stamp }) });
        const outline = told === 'same' ? known : told;
        kept.delete(uri);
        if (outline == null) return undefined;
        kept.set(uri, outline);
        for (const oldest of [...kept.keys()].slice(0, -KEPT)) kept.delete(oldest);
        return { kind: 'outline', document, outline };
    } catch (reason) {
        return { kind: 'failed', reason };
    }
}

function messageOf(shown: ShownProgram | undefined, filter: string, count: number): string {
    if (shown?.kind !== 'outline') return '';
    const { predicates, total } = shown.outline;
    if (total === 0) return l10n.t('No predicates yet. They appear here as soon as the program has a fact or a rule.');
    if (filter !== '') return l10n.t("{0} of {1} predicates have '{2}'.", countText(count), countText(total), filter);
    if (predicates.length < total)
        return l10n.t('{0} of {1} predicates, those nearest to the outputs', countText(predicates.length), countText(total));
    return '';
}
