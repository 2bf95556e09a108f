import { l10n, type Range, type Uri, window } from 'vscode';
import type { Server } from '#extension/host/client.ts';
import { programOf } from '#extension/host/notebook-cells.ts';
import type { CommandOutcome } from '#extension/host/outcome.ts';
import type { RunPart, RunSession, Runs } from '#extension/runs/runs.ts';
import type { ResultsPanels } from '#extension/webviews/results/host.ts';
import type { WireRange } from '#server/protocol/runs.ts';
import { predicateTarget, programTarget } from './target.ts';

export interface RunCommands {
    runProgram(uri?: unknown): Promise<CommandOutcome>;
    /** Runs the program and counts what comes to each atom, which then stands behind it. */
    runProfiled(uri?: unknown): Promise<CommandOutcome>;
    runPredicate(uri?: unknown, predicate?: unknown): Promise<CommandOutcome>;
    /** Shows what a run of the program can be given. */
    runWithParameters(uri?: unknown): Promise<CommandOutcome>;
    /** Runs what is selected, with all that it needs: the predicates of whole clauses, else the items of a body. */
    runSelection(): Promise<CommandOutcome>;
    /** Shows the rows that the last run has of a predicate, by name and arity; runs the predicate where it has none. */
    showRows(uri?: unknown, key?: unknown): Promise<CommandOutcome>;
    stop(): Promise<CommandOutcome>;
    /** Has the rows of a program follow its edits, or not any more. */
    toggleLive(uri?: unknown): Promise<CommandOutcome>;
    /** Reads the sources of a program whose rows follow its edits again. */
    readSourcesAgain(uri?: unknown): Promise<CommandOutcome>;
    start(document: Uri, part?: RunPart): RunSession;
}

export function createRunCommands(server: Server, runs: Runs, panels: ResultsPanels): RunCommands {
    const start = (document: Uri, part?: RunPart): RunSession => {
        const session = runs.start(document, part);
        panels.show(document);
        return session;
    };
    /** Evaluates what was evaluated last of a program, has the rows follow its edits, and writes nothing. */
    const look = async (document: Uri): Promise<void> => {
        const { predicates, body } = runs.of(document) ?? {};
        const part: RunPart = predicates === undefined || body !== undefined ? {} : { predicates };
        await start(document, { ...part, live: 'looks' }).ended;
    };
    return {
        start,
        async runProgram(uri) {
            const document = programTarget(uri, panels.active());
            if (document === undefined) return nothing(l10n.t('Open a program to run it.'));
            await start(document).ended;
            return 'done';
        },
        async runProfiled(uri) {
            const document = programTarget(uri, panels.active());
            if (document === undefined) return nothing(l10n.t('Open a program to run it.'));
            await start(document, { profiled: true }).ended;
            return 'done';
        },
        async runWithParameters(uri) {
            const document = programTarget(uri, panels.active());
            if (document === undefined) return nothing(l10n.t('Open a program to run it.'));
            await panels.askParameters(document);
            return 'done';
        },
        async runPredicate(uri, predicate) {
            const target = await predicateTarget(uri, predicate);
            if (target === undefined) return 'nothing to do';
            await start(target.document, { predicates: [target.predicate] }).ended;
            return 'done';
        },
        async runSelection() {
            const editor = window.activeTextEditor;
            if (editor?.document.languageId !== 'rulelang') return nothing(l10n.t('Open a program to run it.'));
            const { document, selection } = editor;
            const part = await server.ask('rulelang/selectedPart', { uri: document.uri.toString(), range: plainRange(selection) });
            if (part === null) return nothing(l10n.t('Select clauses, or conditions of a rule.'));
            await start(programOf(document), part).ended;
            return 'done';
        },
        async showRows(uri, key) {
            const target = typeof key === 'string' ? await predicateTarget(uri, key.replace(/\/\d+$/u, '')) : undefined;
            if (target === undefined) return 'nothing to do';
            const run = runs.of(target.document)?.shown;
            const output = run?.kind === 'finished' ? run.outputs.find(known => known.key === key) : undefined;
            if (output === undefined) await start(target.document, { predicates: [target.predicate] }).ended;
            else panels.showOutput(target.document, output.key);
            return 'done';
        },
        async toggleLive(uri) {
            const document = programTarget(uri, panels.active());
            if (document === undefined) return nothing(l10n.t('Open a program to have its rows follow what you type.'));
            if (runs.follows(document)) runs.settle(document);
            else await look(document);
            return 'done';
        },
        async readSourcesAgain(uri) {
            const document = programTarget(uri, panels.active());
            if (document === undefined || runs.of(document)?.live === undefined) return 'nothing to do';
            await look(document);
            return 'done';
        },
        async stop() {
            const running = runs.running();
            for (const session of running) runs.stop(session);
            return running.length === 0 ? 'nothing to do' : 'done';
        },
    };
}

function nothing(message: string): CommandOutcome {
    void window.showInformationMessage(message);
    return 'nothing to do';
}

function plainRange({ start, end }: Range): WireRange {
    return { start: { line: start.line, character: start.character }, end: { line: end.line, character: end.character } };
}
