import { l10n, type QuickPickItem, type TextDocument, window, workspace } from 'vscode';
import { PROPOSAL_SCHEME } from '#server/protocol/translations.ts';
import { stemOf } from './source-text.ts';

interface Choice extends QuickPickItem {
    readonly target?: TextDocument;
}

/** The program that rules go into: the one that they come from, else one that is open or a new one, as the user says; nothing where he says neither. */
export async function chooseTarget(source: TextDocument | undefined): Promise<{ readonly target?: TextDocument } | undefined> {
    if (source?.languageId === 'rulelang') return { target: source };
    const open = workspace.textDocuments.filter(
        ({ languageId, uri, isClosed }) => languageId === 'rulelang' && uri.scheme !== PROPOSAL_SCHEME && !isClosed,
    );
    const shown = new Set(window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ input }) => uriIn(input))));
    const programs = open.filter(({ uri }) => shown.has(uri.toString()));
    if (programs.length === 0) return {};
    const choices: readonly Choice[] = [
        ...programs.map(target => ({
            label: stemOf(target.uri.path),
            description: workspace.asRelativePath(target.uri),
            target,
        })),
        { label: l10n.t('New program') },
    ];
    const chosen = await window.showQuickPick(choices, { title: l10n.t('Where are the rules to go?') });
    return chosen === undefined ? undefined : chosen.target === undefined ? {} : { target: chosen.target };
}

function uriIn(input: unknown): string | undefined {
    const { uri } = (typeof input === 'object' && input !== null ? input : {}) as { readonly uri?: { toString(): string } };
    return uri?.toString();
}
