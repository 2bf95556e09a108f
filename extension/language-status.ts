import { DiagnosticSeverity, type Disposable, LanguageStatusSeverity, l10n, languages, window } from 'vscode';
import type { Connections } from '#extension/platform/connections.ts';
import type { RunSession, Runs } from '#extension/runs/runs.ts';
import { countText, durationText } from '#extension/surfaces/number-text.ts';

const PROGRAMS = { language: 'rulelang' };

/** Beside the name of the language: what the checks say of the program that is looked at, its last run, and the services. */
export function showLanguageStatus(runs: Runs, connections: Connections, subscriptions: Disposable[]): void {
    const checks = languages.createLanguageStatusItem('rulelang.checks', PROGRAMS);
    checks.name = l10n.t('Rulelang checks');
    checks.command = { command: 'workbench.actions.view.problems', title: l10n.t('Problems') };
    const run = languages.createLanguageStatusItem('rulelang.lastRun', PROGRAMS);
    run.name = l10n.t('Rulelang run');
    const services = languages.createLanguageStatusItem('rulelang.platform', PROGRAMS);
    services.name = l10n.t('Rulelang services');
    services.command = { command: 'rulelang.choosePlatform', title: l10n.t('Choose') };

    const drawChecks = (): void => {
        const uri = window.activeTextEditor?.document.uri;
        const found = uri === undefined ? [] : languages.getDiagnostics(uri);
        const count = (severity: DiagnosticSeverity): number => found.filter(problem => problem.severity === severity).length;
        const [errors, warnings] = [count(DiagnosticSeverity.Error), count(DiagnosticSeverity.Warning)];
        checks.severity =
            errors > 0 ? LanguageStatusSeverity.Error : warnings > 0 ? LanguageStatusSeverity.Warning : LanguageStatusSeverity.Information;
        checks.text =
            errors + warnings === 0 ? l10n.t('No problems') : l10n.t('{0} errors, {1} warnings', countText(errors), countText(warnings));
    };
    const drawRun = (): void => {
        const document = window.activeTextEditor?.document.uri;
        const session = document && runs.of(document);
        run.text = runText(session);
        run.busy = session?.shown.kind === 'running';
        run.severity =
            session !== undefined && ['failed', 'crashed', 'refused'].includes(session.shown.kind)
                ? LanguageStatusSeverity.Error
                : LanguageStatusSeverity.Information;
        run.command =
            session?.shown.kind === 'running'
                ? { command: 'rulelang.stop', title: l10n.t('Stop') }
                : { command: 'rulelang.runProgram', title: session === undefined ? l10n.t('Run') : l10n.t('Run again') };
    };
    const drawServices = (): void => {
        const active = connections.active();
        if (active === undefined) services.text = l10n.t('No services');
        else services.text = active.kind === 'hosted' ? new URL(active.address).host : l10n.t('Local services');
    };
    subscriptions.push(
        checks,
        run,
        services,
        languages.onDidChangeDiagnostics(({ uris }) => {
            const shown = window.activeTextEditor?.document.uri.toString();
            if (uris.some(uri => uri.toString() === shown)) drawChecks();
        }),
        window.onDidChangeActiveTextEditor(() => {
            drawChecks();
            drawRun();
        }),
        runs.changed(drawRun),
        connections.changed(drawServices),
    );
    drawChecks();
    drawRun();
    drawServices();
}

function runText(session: RunSession | undefined): string {
    const shown = session?.shown;
    switch (shown?.kind) {
        case undefined:
        case 'none':
        case 'gone':
            return l10n.t('Not run yet');
        case 'running':
            return l10n.t('Running');
        case 'finished':
            return session?.stale === true
                ? l10n.t('Ran in {0}, changed since', durationText(shown.milliseconds))
                : l10n.t('Ran in {0}', durationText(shown.milliseconds));
        case 'stopped':
            return l10n.t('Stopped');
        case 'failed':
        case 'crashed':
        case 'refused':
            return l10n.t('Run failed');
    }
}
