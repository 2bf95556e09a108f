import { l10n, type Uri, window } from 'vscode';
import type { RunSession, Runs } from '#extension/runs.ts';
import type { ResultsPanels } from '#extension/webviews/results/host.ts';
import type { CommandOutcome } from './outcome.ts';
import { predicateTarget, programTarget } from './target.ts';

export interface RunCommands {
    runProgram(uri?: unknown): Promise<CommandOutcome>;
    runPredicate(uri?: unknown, predicate?: unknown): Promise<CommandOutcome>;
    stop(): Promise<CommandOutcome>;
    start(document: Uri, predicates?: readonly string[]): RunSession;
}

export function createRunCommands(runs: Runs, panels: ResultsPanels): RunCommands {
    const start = (document: Uri, predicates?: readonly string[]): RunSession => {
        const session = runs.start(document, predicates);
        panels.show(document);
        return session;
    };
    return {
        start,
        async runProgram(uri) {
            const document = programTarget(uri, panels.active());
            if (document === undefined) return nothing(l10n.t('Open a program to run it.'));
            await start(document).ended;
            return 'done';
        },
        async runPredicate(uri, predicate) {
            const target = await predicateTarget(uri, predicate);
            if (target === undefined) return 'nothing to do';
            await start(target.document, [target.predicate]).ended;
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
