import { commands, type ExtensionContext, type LogOutputChannel } from 'vscode';
import { createExplainMissing } from '#extension/commands/explain-missing.ts';
import { explainPredicate } from '#extension/commands/explain-predicate.ts';
import { createExplainProblem } from '#extension/commands/explain-problem.ts';
import { nameMadeUp } from '#extension/commands/name-made-up.ts';
import { reorderArguments } from '#extension/commands/reorder-arguments.ts';
import { createRunCommands, type RunCommands } from '#extension/commands/run-commands.ts';
import { searchByStructure } from '#extension/commands/search-by-structure.ts';
import { showOfPredicate, showPlan } from '#extension/commands/show-document.ts';
import { predicateTarget, programTarget, targetIn } from '#extension/commands/target.ts';
import { createWhatIfCommands, currentRun } from '#extension/commands/what-if.ts';
import type { Server } from '#extension/host/client.ts';
import { trusted } from '#extension/host/trusted.ts';
import type { TellRow } from '#extension/models/tell-row.ts';
import type { ProgramParameters } from '#extension/runs/given-parameters.ts';
import type { Runs } from '#extension/runs/runs.ts';
import type { Register } from '#extension/views/concepts-view.ts';
import { createCursorView } from '#extension/views/cursor-view.ts';
import { createProgramView } from '#extension/views/program-view.ts';
import { createGraphPanels, type GraphPanels } from '#extension/webviews/graph/host.ts';
import { createResultsPanels, type ResultsPanels } from '#extension/webviews/results/host.ts';
import type { ViewAction } from '#extension/webviews/results/messages.ts';
import { savePicture } from '#extension/webviews/save-picture.ts';
import { createWhatIfPanels } from '#extension/webviews/what-if/host.ts';
import { NAME_MADE_UP, REORDER_ARGUMENTS } from '#server/protocol/refactorings.ts';
import { createStatusBar } from './status-bar.ts';
import { tellWrongSettings } from './wrong-settings.ts';

interface Surroundings {
    readonly context: ExtensionContext;
    readonly server: Server;
    readonly runs: Runs;
    readonly parameters: ProgramParameters;
    readonly log: LogOutputChannel;
    /** Absent where there are no language models. */
    readonly tell?: TellRow;
    readonly register: Register;
}

/**
 * Creates the features for programs wherever the extension runs, on a machine or in a browser: runs, their rows, graphs, and other views of
 * a program.
 */
export function createProgramFeatures({ context, server, runs, parameters, log, tell, register }: Surroundings): {
    readonly panels: ResultsPanels;
    readonly run: RunCommands;
} {
    const { subscriptions } = context;
    const panels = createResultsPanels({
        context,
        server,
        runs,
        parameters,
        log,
        tell,
        run: (document, part) => void rerun(document, part),
        askMissing: (document, question) => void askMissing(document, question),
        switchLive: document => void commands.executeCommand('rulelang.toggleLive', document),
        readAgain: document => void commands.executeCommand('rulelang.readSourcesAgain', document),
    });
    const graphs = createGraphPanels(context, server, log, savePicture);
    const run = createRunCommands(server, runs, panels);
    const rerun = trusted(async (...asked: Parameters<typeof run.start>) => {
        run.start(...asked);
        return 'done';
    });
    const whatIfPanels = createWhatIfPanels({
        context,
        server,
        runs,
        log,
        columns: panels.columns,
        finished: currentRun(runs, run),
        add: document => void addChange(document),
    });
    const whatIf = createWhatIfCommands(server, panels, whatIfPanels);
    const addChange = trusted(whatIf.add);
    const missing = createExplainMissing(server, runs, run, panels);
    const askMissing = trusted(missing.ask);

    registerRuns(register, run);
    registerGraphs(register, graphs, panels);
    registerPlans(register, server);
    registerCells(register, panels);
    register(
        'explainPredicate',
        trusted((uri?: unknown, name?: unknown) => explainPredicate(server, run, panels, uri, name)),
    );
    register('whyNot', trusted(missing.command));
    register('whatIfWithout', trusted(whatIf.without));
    register('whatIfOtherwise', trusted(whatIf.otherwise));
    register('explainProblem', createExplainProblem(server, subscriptions));
    subscriptions.push(commands.registerCommand(NAME_MADE_UP, nameMadeUp));
    subscriptions.push(commands.registerCommand(REORDER_ARGUMENTS, (...asked: readonly unknown[]) => reorderArguments(server, ...asked)));
    register('showOutput', async () => {
        log.show();
        return 'done';
    });
    register('restartServer', async () => {
        await server.restart();
        return 'done';
    });
    createProgramView({ server, register, subscriptions });
    createCursorView({ server, subscriptions });
    createStatusBar(runs, subscriptions);
    tellWrongSettings(log, subscriptions);
    subscriptions.push(
        runs.changed(session => {
            void commands.executeCommand('setContext', 'rulelang.running', runs.running().length > 0);
            void commands.executeCommand('setContext', 'rulelang.live', session.live !== undefined);
        }),
    );
    return { panels, run };
}

function registerRuns(register: Register, run: RunCommands): void {
    register('runPredicate', trusted(run.runPredicate));
    register('runWithParameters', trusted(run.runWithParameters));
    register('runProfiled', trusted(run.runProfiled));
    register('runSelection', trusted(run.runSelection));
    register('showRows', trusted(run.showRows));
    register('stop', trusted(run.stop));
    register('toggleLive', trusted(run.toggleLive));
    register('readSourcesAgain', trusted(run.readSourcesAgain));
}

/** Commands for the rows that are shown. */
function registerCells(register: Register, panels: ResultsPanels): void {
    const act = (action: ViewAction) => trusted(async () => (panels.act(action) ? 'done' : 'nothing to do'));
    register('explainRow', act('explain'));
    register('copyCells', act('table'));
    register('copyCellsWithHeader', act('tableWithHeader'));
    register('copyCellsAsMarkdown', act('markdown'));
    register('copyRowsAsFacts', act('facts'));
    register('showCell', act('showCell'));
    register('filterByCell', act('filterByCell'));
    register('showOutputBeside', act('beside'));
}

function registerGraphs(register: Register, graphs: GraphPanels, panels: ResultsPanels): void {
    register('showDependencyGraph', async (uri?: unknown) => {
        const document = programTarget(uri, panels.active());
        if (document === undefined) return 'nothing to do';
        await graphs.show(document);
        return 'done';
    });
    register('showPredicateInGraph', async (about?: unknown, name?: unknown) => {
        const target = targetIn(about) ?? (await predicateTarget(about, name));
        if (target === undefined) return 'nothing to do';
        const { document, predicate, arity } = target;
        await graphs.show(document, { name: predicate, ...(arity !== undefined && { arity }) });
        return 'done';
    });
    register(
        'saveGraph',
        trusted(async () => (graphs.save() ? 'done' : 'nothing to do')),
    );
}

function registerPlans(register: Register, server: Server): void {
    register('searchByStructure', (search?: unknown) => searchByStructure(server, search));
    register('showPlan', (uri?: unknown) => showPlan(server, uri));
    register('showPlannedRules', (uri?: unknown, name?: unknown) => showOfPredicate(server, 'rules', uri, name));
    register('showColumns', (uri?: unknown, name?: unknown) => showOfPredicate(server, 'columns', uri, name));
}
