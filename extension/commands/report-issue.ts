import { type ExtensionContext, l10n, languages, version, window, workspace } from 'vscode';
import type { CommandOutcome } from '#extension/host/outcome.ts';
import { SETTINGS, type SettingName } from '#extension/host/settings.ts';
import type { RunSession, Runs } from '#extension/runs/runs.ts';
import { type ReportedState, reportText } from './report-state.ts';

/** Opens a report with the state of the extension, for the user to read, complete and send where they like; nothing is sent by itself. */
export function createReportIssue(
    context: ExtensionContext,
    runs: Runs,
    services: () => ReportedState['services'],
): () => Promise<CommandOutcome> {
    return async () => {
        const programs = workspace.textDocuments.filter(({ languageId }) => languageId === 'rulelang');
        const state: ReportedState = {
            versions: {
                rulelang: String(context.extension.packageJSON.version),
                editor: version,
                node: process.versions.node,
                system: `${process.platform} ${process.arch}`,
            },
            trusted: workspace.isTrusted,
            programs: programs.map(({ uri, lineCount }) => ({
                lines: lineCount,
                codes: counted(languages.getDiagnostics(uri).map(({ code }) => codeText(code))),
            })),
            runs: programs.flatMap(({ uri }) => runs.of(uri) ?? []).map(ended),
            services: services(),
            given: Object.fromEntries((Object.keys(SETTINGS) as SettingName[]).flatMap(name => givenByUser(name))),
        };
        const content = reportText(state, {
            what: l10n.t('What went wrong, and what you expected'),
            steps: l10n.t('What you did'),
            state: l10n.t('State, without names, paths, texts and rows'),
        });
        await window.showTextDocument(await workspace.openTextDocument({ language: 'markdown', content }));
        return 'done';
    };
}

function ended({ shown, notices }: RunSession): ReportedState['runs'][number] {
    return {
        ended: shown.kind,
        milliseconds: 'milliseconds' in shown ? shown.milliseconds : undefined,
        codes: notices.map(({ code }) => code),
    };
}

function givenByUser(name: SettingName): [SettingName, unknown][] {
    const found = workspace.getConfiguration('rulelang').inspect(name);
    const value = found?.workspaceFolderValue ?? found?.workspaceValue ?? found?.globalValue;
    return value === undefined ? [] : [[name, value]];
}

function codeText(code: ReturnType<typeof languages.getDiagnostics>[number][1][number]['code']): string {
    return typeof code === 'object' ? String(code.value) : String(code ?? '');
}

/** Codes that are ours; others may be those of another extension. */
function counted(codes: readonly string[]): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const code of codes) if (/^R[LT]\d+$/u.test(code)) counts[code] = (counts[code] ?? 0) + 1;
    return counts;
}
