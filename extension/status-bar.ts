import { type Disposable, l10n, StatusBarAlignment, type StatusBarItem, ThemeColor, window } from 'vscode';
import { rowsText } from '#extension/projects/rows-text.ts';
import { programName, type RunSession, type Runs } from '#extension/runs/runs.ts';
import { durationText } from '#extension/surfaces/number-text.ts';
import type { RunProgress } from '#server/protocol/runs.ts';

/** One item: what the run of the program that is looked at does, or did last. */
export function createStatusBar(runs: Runs, subscriptions: Disposable[]): void {
    const item = window.createStatusBarItem('rulelang.run', StatusBarAlignment.Left, 0);
    item.name = l10n.t('Rulelang run');
    let last: RunSession | undefined;
    const draw = (): void => {
        const document = window.activeTextEditor?.document;
        const own = document?.languageId === 'rulelang' ? document.uri : undefined;
        const session = runs.running()[0] ?? (own === undefined ? last : runs.of(own));
        if (own === undefined && session === undefined) item.hide();
        else {
            show(item, session);
            item.show();
        }
    };
    subscriptions.push(
        item,
        window.onDidChangeActiveTextEditor(draw),
        runs.changed(session => {
            last = runs.of(session.document);
            draw();
        }),
    );
    draw();
}

function show(item: StatusBarItem, session: RunSession | undefined): void {
    const state = stateOf(session);
    item.text = state.text;
    const tooltip = session === undefined ? state.tooltip : `${programName(session.document)}: ${state.tooltip}`;
    item.tooltip = tooltip;
    item.command = state.command;
    item.backgroundColor = state.failed ? new ThemeColor('statusBarItem.errorBackground') : undefined;
    item.accessibilityInformation = { label: l10n.t('Rulelang run: {0}', tooltip), role: 'button' };
}

function fillingText({ name, rows }: NonNullable<RunProgress['filling']>): string {
    return l10n.t('running; {0} has {1} so far; click to stop', name, rowsText(rows));
}

interface ShownState {
    readonly text: string;
    readonly tooltip: string;
    readonly command: string;
    readonly failed?: true;
}

function stateOf(session: RunSession | undefined): ShownState {
    const command = 'rulelang.runProgram';
    const run = session?.shown;
    switch (run?.kind) {
        case undefined:
        case 'none':
        case 'gone':
            return { text: `$(play) ${l10n.t('Run')}`, tooltip: l10n.t('Run the program'), command };
        case 'running':
            return {
                text: `$(sync~spin) ${durationText(run.milliseconds)}`,
                tooltip: run.filling ? fillingText(run.filling) : l10n.t('running; click to stop'),
                command: 'rulelang.stop',
            };
        case 'finished':
            return { text: `$(check) ${durationText(run.milliseconds)}`, tooltip: l10n.t('finished; click to run again'), command };
        case 'stopped':
            return { text: `$(debug-stop) ${l10n.t('Stopped')}`, tooltip: l10n.t('stopped; click to run again'), command };
        case 'failed':
        case 'crashed':
        case 'refused':
            return { text: `$(error) ${l10n.t('Run failed')}`, tooltip: l10n.t('failed; click to run again'), command, failed: true };
    }
}
