import { commands, type Disposable, FilePermission, type FileStat, l10n, TabInputTextDiff, Uri, window, workspace } from 'vscode';
import { HeldFiles } from '#extension/host/held-files.ts';
import type { Proposal } from '#extension/surfaces/agent/transcript.ts';

/** The scheme of what the agent proposes, beside what there is. */
const PROPOSAL_SCHEME = 'rulelang-agent';

const PATH = /^\/([\w-]+)\/(before|after)\/[^/]+$/u;

/** Proposals as documents: what there is can be read, what is proposed can be changed before it is accepted. */
export class ProposalFiles extends HeldFiles {
    constructor(subscriptions: Disposable[]) {
        super(PROPOSAL_SCHEME, subscriptions);
    }

    /** Opens the editor that compares them. */
    async compare({ id = '', concept, before = '', code }: Proposal): Promise<void> {
        const [left, right] = (['before', 'after'] as const).map(side => proposalUri(id, side, concept)) as [Uri, Uri];
        super.writeFile(left, Buffer.from(before));
        if (!this.holds(right.path)) super.writeFile(right, Buffer.from(code));
        await commands.executeCommand('vscode.diff', left, right, l10n.t('{0}: what the agent proposes', concept));
    }

    /** The proposal as the user has edited it, saved or not; undefined if it was not opened. */
    edited(id: string): string | undefined {
        const open = workspace.textDocuments.find(({ uri }) => isOf(uri, id, 'after'));
        if (open !== undefined) return open.getText();
        const held = [...this.paths].map(path => Uri.from({ scheme: PROPOSAL_SCHEME, path })).find(uri => isOf(uri, id, 'after'));
        return held && Buffer.from(this.readFile(held)).toString();
    }

    /** Closes what was opened for a proposal that is decided. */
    async close(id: string): Promise<void> {
        const open = workspace.textDocuments.find(({ uri }) => isOf(uri, id, 'after'));
        // The proposal is decided with the user's edits: no question is needed.
        if (open?.isDirty) await open.save();
        const tabs = window.tabGroups.all
            .flatMap(group => group.tabs)
            .filter(({ input }) => input instanceof TabInputTextDiff && isOf(input.modified, id, 'after'));
        await window.tabGroups.close(tabs);
        for (const path of this.paths) if (path.startsWith(`/${id}/`)) this.forget(path);
    }

    override stat(uri: Uri): FileStat {
        const isFixed = PATH.exec(uri.path)?.[2] === 'before';
        return { ...super.stat(uri), ...(isFixed && { permissions: FilePermission.Readonly }) };
    }

    /** A decided proposal is not written any more. */
    override writeFile(uri: Uri, content: Uint8Array): void {
        this.stat(uri);
        super.writeFile(uri, content);
    }
}

/** The proposal that a document is about. */
export function proposalOf({ scheme, path }: Uri): string | undefined {
    return scheme === PROPOSAL_SCHEME ? PATH.exec(path)?.[1] : undefined;
}

function proposalUri(id: string, side: 'before' | 'after', concept: string): Uri {
    return Uri.from({ scheme: PROPOSAL_SCHEME, path: `/${id}/${side}/${concept}.rulelang` });
}

function isOf(uri: Uri, id: string, side: 'before' | 'after'): boolean {
    return uri.scheme === PROPOSAL_SCHEME && uri.path.startsWith(`/${id}/${side}/`);
}
