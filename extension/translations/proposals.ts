import {
    commands,
    type Disposable,
    l10n,
    Range,
    type Tab,
    TabInputTextDiff,
    type TextDocument,
    Uri,
    WorkspaceEdit,
    window,
    workspace,
} from 'vscode';
import { HeldFiles } from '#extension/host/held-files.ts';
import type { CommandOutcome } from '#extension/host/outcome.ts';
import { PROPOSAL_SCHEME } from '#server/protocol/translations.ts';
import { createTextPages } from './text-pages.ts';

/** Rules from another author than the user, who may look at them, change them, and take or leave them. */
export interface Proposal {
    /** The title of the tab. */
    readonly title: string;
    readonly rules: string;
    /** The program that they go into, and what of it they replace; its end where that is absent. */
    readonly target?: TextDocument;
    readonly place?: Range;
    /** Without a program: the file that they would be, which need not be there. */
    readonly file?: Uri;
    /** It was taken, left, or closed. */
    ended?(): void;
}

/** A proposal that is shown. */
export interface ShownProposal {
    readonly uri: Uri;
    /** The whole program, as the user has it by now. */
    text(): string;
    /** The rules alone, where nothing else was changed. */
    rules(): string;
}

export interface Proposals {
    /** Shows the program as it would be beside the program as it is; `before` knows the address before the language server does. */
    show(proposal: Proposal, before?: (uri: Uri) => Promise<unknown>): Promise<ShownProposal>;
    /** The one that is looked at, or the only one. */
    current(): ShownProposal | undefined;
    accept(shown?: ShownProposal): Promise<CommandOutcome>;
    reject(shown?: ShownProposal): Promise<CommandOutcome>;
}

interface Open extends ShownProposal {
    readonly proposal: Proposal;
    /** The version of the program that it was made for. */
    readonly version: number | undefined;
    readonly around: readonly [string, string];
}

export function createProposals(subscriptions: Disposable[]): Proposals {
    const files = new HeldFiles(PROPOSAL_SCHEME, subscriptions);
    const nothing = createTextPages('rulelang-nothing', subscriptions);
    const open = new Map<string, Open>();
    let count = 0;
    // What a window that was closed has left cannot be read any more.
    void window.tabGroups.close(window.tabGroups.all.flatMap(({ tabs }) => tabs).filter(tab => proposalIn(tab) !== undefined));

    const end = (uri: Uri): void => {
        open.get(uri.path)?.proposal.ended?.();
        open.delete(uri.path);
        files.forget(uri.path);
    };
    const close = async ({ uri }: Open): Promise<void> => {
        await documentOf(uri)?.save();
        await window.tabGroups.close(window.tabGroups.all.flatMap(({ tabs }) => tabs).filter(tab => proposalIn(tab)?.path === uri.path));
        end(uri);
    };
    subscriptions.push(
        window.tabGroups.onDidChangeTabs(({ closed }) => {
            for (const tab of closed) {
                const uri = proposalIn(tab);
                if (uri !== undefined) end(uri);
            }
        }),
    );
    const current = (): Open | undefined => {
        const tab = window.tabGroups.activeTabGroup.activeTab;
        const uri = tab && proposalIn(tab);
        return uri === undefined ? undefined : open.get(uri.path);
    };
    const asOpen = (shown: ShownProposal | undefined): Open | undefined => (shown === undefined ? current() : open.get(shown.uri.path));
    return {
        current,
        async show(proposal, before) {
            const { target, rules, file, title } = proposal;
            const path = proposedPath(target?.uri ?? file, ++count);
            const uri = Uri.from({ scheme: PROPOSAL_SCHEME, path });
            const around = target === undefined ? (['', ''] as const) : textAround(target, proposal.place);
            files.writeFile(uri, new TextEncoder().encode(`${around[0]}${rules.trimEnd()}\n${around[1]}`));
            const text = (): string => documentOf(uri)?.getText() ?? '';
            const shown: Open = {
                uri,
                proposal,
                version: target?.version,
                around,
                text,
                rules: () => within(text(), around),
            };
            open.set(path, shown);
            await before?.(uri);
            const left = target?.uri ?? nothing.add(path, '');
            await commands.executeCommand('vscode.diff', left, uri, title, { preview: false });
            return shown;
        },
        async accept(chosen) {
            const shown = asOpen(chosen);
            if (shown === undefined) return 'nothing to do';
            const { target, file } = shown.proposal;
            const text = shown.text();
            if (target === undefined) {
                await close(shown);
                await showNew(text, file);
                return 'done';
            }
            if (!(await replaceText(target, shown.version, text))) return 'failed';
            await close(shown);
            await window.showTextDocument(target);
            return 'done';
        },
        async reject(chosen) {
            const shown = asOpen(chosen);
            if (shown === undefined) return 'nothing to do';
            await close(shown);
            return 'done';
        },
    };
}

/** The part of a text between two others, or all of it if they are not there any more. */
function within(whole: string, [before, after]: readonly [string, string]): string {
    const isWithin = whole.startsWith(before) && whole.endsWith(after) && whole.length >= before.length + after.length;
    return isWithin ? whole.slice(before.length, whole.length - after.length) : whole;
}

/** Replaces the text of a document; returns false if it is not there in its version any more. */
async function replaceText(target: TextDocument, version: number | undefined, text: string): Promise<boolean> {
    if (target.isClosed || target.version !== version) {
        void window.showWarningMessage(
            l10n.t('The program has changed since these rules were written for it. Copy what you need, or have them written again.'),
        );
        return false;
    }
    const edit = new WorkspaceEdit();
    edit.replace(target.uri, new Range(0, 0, target.lineCount, 0), text);
    return workspace.applyEdit(edit);
}

function proposalIn({ input }: Tab): Uri | undefined {
    return input instanceof TabInputTextDiff && input.modified.scheme === PROPOSAL_SCHEME ? input.modified : undefined;
}

function documentOf({ path }: Uri): TextDocument | undefined {
    return workspace.textDocuments.find(({ uri }) => uri.scheme === PROPOSAL_SCHEME && uri.path === path);
}

/** `/folder/orders.proposed-1.rulelang`, from where it reads what its program reads. */
function proposedPath(beside: Uri | undefined, count: number): string {
    const folder = workspace.workspaceFolders?.[0]?.uri.path ?? '';
    const isFile = beside?.scheme === 'file' || beside?.scheme === 'untitled';
    const path = beside?.path.replace(/\.\w+$/u, '') ?? 'program';
    const inFolder = isFile && path.startsWith('/') ? path : `${folder}/${path.slice(path.lastIndexOf('/') + 1)}`;
    return `${inFolder}.proposed-${count}.rulelang`;
}

/** Returns the program text before and behind rules; a blank line separates them from its end. */
function textAround(document: TextDocument, place: Range | undefined): readonly [string, string] {
    const text = document.getText();
    if (place !== undefined) {
        const [start, end] = [document.offsetAt(place.start), document.offsetAt(place.end)];
        return [text.slice(0, start), text.slice(end).replace(/^\r?\n/u, '')];
    }
    return text.trim() === '' ? ['', ''] : [`${text.trimEnd()}\n\n`, ''];
}

/** A document that is not saved yet, and that goes to the file where there is none of that name. */
async function showNew(content: string, file: Uri | undefined): Promise<void> {
    const free = file?.scheme === 'file' && !(await exists(file)) ? file : undefined;
    if (free === undefined) {
        await window.showTextDocument(await workspace.openTextDocument({ language: 'rulelang', content }));
        return;
    }
    const document = await workspace.openTextDocument(free.with({ scheme: 'untitled' }));
    const editor = await window.showTextDocument(document);
    await editor.edit(edit => edit.replace(new Range(0, 0, document.lineCount, 0), content));
}

async function exists(file: Uri): Promise<boolean> {
    return workspace.fs.stat(file).then(
        () => true,
        () => false,
    );
}
