import { l10n, type QuickPickItem, type Uri, window } from 'vscode';
import type { Server } from '#extension/host/client.ts';
import type { CommandOutcome } from '#extension/host/outcome.ts';
import type { RunSession, Runs } from '#extension/runs/runs.ts';
import type { ResultsPanels } from '#extension/webviews/results/host.ts';
import type { WhatIfPanels } from '#extension/webviews/what-if/host.ts';
import type { WhatIfChanges } from '#server/protocol/what-if.ts';
import type { RunCommands } from './run-commands.ts';
import { programTarget } from './target.ts';

export interface WhatIfCommands {
    /** Shows what would be without a fact or rule: one that is named, of the row that is looked at, or at the cursor. */
    without(about?: unknown, clause?: unknown): Promise<CommandOutcome>;
    /** The same with another one in its place, which the user writes. */
    otherwise(about?: unknown, clause?: unknown): Promise<CommandOutcome>;
    /** Asks what else is to be otherwise. */
    add(document: Uri): Promise<CommandOutcome>;
}

const NOTHING: WhatIfChanges = { without: [], with: [], set: {} };

/** A run of a program as it is now, which has rows: the last one, else another one, which writes nothing. */
export function currentRun(runs: Runs, run: RunCommands): (document: Uri) => Promise<RunSession | undefined> {
    return async document => {
        const known = runs.of(document);
        const session = known !== undefined && isOfText(known) ? known : run.start(document, { live: 'looks' });
        await session.ended;
        return session.shown.kind === 'finished' ? session : undefined;
    };
}

function isOfText({ shown, stale }: RunSession): boolean {
    return !stale && ((shown.kind === 'finished' && shown.kept === undefined) || shown.kind === 'running');
}

export function createWhatIfCommands(server: Server, results: ResultsPanels, panels: WhatIfPanels): WhatIfCommands {
    const clauseOf = async (document: Uri, about: unknown, clause: unknown): Promise<string | undefined> => {
        if (typeof clause === 'string') return clause;
        const { clause: pointed } = (typeof about === 'object' && about !== null ? about : {}) as { readonly clause?: unknown };
        if (typeof pointed === 'string') return pointed;
        const editor = window.activeTextEditor;
        if (editor === undefined || programTarget(undefined, undefined)?.toString() !== document.toString()) return undefined;
        const { line, character } = editor.selection.active;
        const found = await server.ask('rulelang/clauseAt', { uri: editor.document.uri.toString(), position: { line, character } });
        return found?.clause;
    };
    const command =
        (action: 'whatIfWithout' | 'whatIfOtherwise', change: (document: Uri, clause: string) => Promise<CommandOutcome>) =>
        async (about?: unknown, clause?: unknown): Promise<CommandOutcome> => {
            const isOfCell = typeof about === 'object' && about !== null && 'webviewSection' in about && about.webviewSection === 'cell';
            const isRow = isOfCell || (about === undefined && window.activeTextEditor === undefined);
            if (isRow && results.act(action)) return 'done';
            const document = programTarget(about, panels.active() ?? results.active());
            if (document === undefined) return 'nothing to do';
            const found = await clauseOf(document, about, clause);
            if (found !== undefined) return change(document, found);
            void window.showInformationMessage(l10n.t('Put the cursor into a fact or a rule, or choose a row.'));
            return 'nothing to do';
        };
    const write = (title: string, value: string): Promise<string | undefined> =>
        Promise.resolve(
            window.showInputBox({
                title,
                prompt: l10n.t('A fact or a rule, as in a program'),
                value,
                ignoreFocusOut: true,
                validateInput: text => (text.trim() === '' ? l10n.t('Write a fact or a rule.') : undefined),
            }),
        );
    const more = async (document: Uri, next: (changes: WhatIfChanges) => WhatIfChanges): Promise<CommandOutcome> => {
        await panels.show(document, next(panels.changesOf(document) ?? NOTHING));
        return 'done';
    };
    return {
        without: command('whatIfWithout', async (document, clause) => {
            await panels.show(document, { ...NOTHING, without: [clause] });
            return 'done';
        }),
        otherwise: command('whatIfOtherwise', async (document, clause) => {
            const other = await write(l10n.t('What if it were…'), clause);
            if (other === undefined || other.trim() === clause.trim()) return 'nothing to do';
            await panels.show(document, { ...NOTHING, without: [clause], with: [other] });
            return 'done';
        }),
        async add(document) {
            const parameters = await server.ask('rulelang/parameters', { uri: document.toString() });
            const items: (QuickPickItem & { readonly kindOf: keyof WhatIfChanges; readonly name?: string })[] = [
                { label: l10n.t('Without a fact or rule…'), description: l10n.t('_ stands for any value'), kindOf: 'without' },
                { label: l10n.t('With another fact or rule…'), kindOf: 'with' },
                ...parameters
                    .filter(({ secret }) => secret === undefined)
                    .map(({ name, usual }) => ({
                        label: l10n.t('With another value of {0}…', name),
                        ...(usual !== undefined && { description: usual }),
                        kindOf: 'set' as const,
                        name,
                    })),
            ];
            const picked = await window.showQuickPick(items, { title: l10n.t('What else would be otherwise?') });
            if (picked === undefined) return 'nothing to do';
            const { kindOf, name } = picked;
            if (kindOf === 'set' && name !== undefined) {
                const value = await window.showInputBox({ title: l10n.t('Value of {0}', name), value: picked.description ?? '' });
                return value === undefined ? 'nothing to do' : more(document, own => ({ ...own, set: { ...own.set, [name]: value } }));
            }
            const text = await write(picked.label, '');
            if (text === undefined) return 'nothing to do';
            return more(document, own =>
                kindOf === 'without' ? { ...own, without: [...own.without, text] } : { ...own, with: [...own.with, text] },
            );
        },
    };
}
