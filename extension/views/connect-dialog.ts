import { l10n, type QuickPickItem, type Uri, window, workspace } from 'vscode';
import type { CommandOutcome } from '#extension/host/outcome.ts';
import type { Database } from '#extension/sources/source.ts';
import { databaseAt, databaseOfFile, isAddress, kindOfFile, SOURCE_KINDS, type SourceKind } from '#extension/sources/source-kinds.ts';
import { askChoice, askText, BACK } from './steps.ts';

/** Who connects, and whether the password is kept. */
export interface Login {
    readonly username: string;
    readonly password: string;
    readonly keeps: boolean;
}

/** Tries to connect a source; says why it cannot be. */
export type Attempt = (database: Database, keeps: boolean) => Promise<string | undefined>;

/** Asks, step by step, for what leads to a source, and tries it; what does not is asked for again. */
export async function connectDialog(attempt: Attempt): Promise<CommandOutcome> {
    for (;;) {
        const kind = await askChoice(SOURCE_KINDS, { title: l10n.t('Connect a source: of which kind?') });
        if (kind === undefined || kind === BACK) return 'nothing to do';
        const outcome = await (kind.endings === undefined ? askServer(kind, attempt) : askFiles(kind, kind.endings, attempt));
        if (outcome !== BACK) return outcome;
    }
}

/** Connects files, each by the ending of its name; those of other kinds are told. */
export async function connectFiles(files: readonly Uri[], attempt: Attempt, as?: SourceKind): Promise<CommandOutcome> {
    const faults: string[] = [];
    for (const { path } of files) {
        const type = (as ?? kindOfFile(path))?.type;
        const database = databaseOfFile(path, type ?? '');
        const fault = type === undefined ? l10n.t('files of this kind hold no tables that can be read') : await attempt(database, true);
        if (fault !== undefined) faults.push(l10n.t('{0} cannot be connected: {1}', database.databaseName, fault));
    }
    if (faults.length > 0) void window.showErrorMessage(faults.join('\n'));
    return faults.length > 0 ? 'failed' : files.length > 0 ? 'done' : 'nothing to do';
}

/** Asks for what opens a server, beginning with what is known; a password that is not to be asked for again is kept. */
export async function askLogin(title: string, known?: string): Promise<Login | undefined> {
    let username: string | typeof BACK | undefined = known;
    for (;;) {
        username = await askText({
            title,
            prompt: l10n.t('User name'),
            ...(isWritten(username) && { value: username }),
            step: 1,
            steps: 3,
        });
        if (!isWritten(username)) return undefined;
        for (;;) {
            const password = await askText({ title, prompt: l10n.t('Password'), hidden: true, step: 2, steps: 3, back: true });
            if (password === undefined) return undefined;
            if (password === BACK) break;
            const keeps = await askWhetherToKeep(title, 3, 3);
            if (keeps === undefined) return undefined;
            if (keeps !== BACK) return { username, password, keeps };
        }
    }
}

/** Asks for the password of a user, for this once. */
export async function askPassword(title: string, username: string): Promise<string | undefined> {
    const password = await askText({ title, prompt: l10n.t('Password of {0}', username), hidden: true });
    return isWritten(password) ? password : undefined;
}

function isWritten(answer: string | typeof BACK | undefined): answer is string {
    return typeof answer === 'string';
}

async function askWhetherToKeep(title: string, step: number, steps: number): Promise<boolean | typeof BACK | undefined> {
    const items: readonly (QuickPickItem & { readonly keeps: boolean })[] = [
        {
            label: l10n.t('Keep the password on this computer'),
            detail: l10n.t('In the secret storage of the editor, and with the services that read the source'),
            keeps: true,
        },
        {
            label: l10n.t('Ask for it each time'),
            detail: l10n.t('The services forget it, too: concepts that bind the source cannot be run'),
            keeps: false,
        },
    ];
    const chosen = await askChoice(items, { title, placeholder: l10n.t('What becomes of the password?'), step, steps, back: true });
    return chosen === undefined || chosen === BACK ? chosen : chosen.keeps;
}

async function askFiles(kind: SourceKind, endings: readonly string[], attempt: Attempt): Promise<CommandOutcome> {
    const { label } = kind;
    const defaultUri = workspace.workspaceFolders?.[0]?.uri;
    const chosen = await window.showOpenDialog({
        title: l10n.t('Connect {0}', label),
        canSelectMany: true,
        filters: { [label]: [...endings] },
        ...(defaultUri && { defaultUri }),
    });
    return connectFiles(chosen ?? [], attempt, kind);
}

const QUESTIONS = ['address', 'database', 'username', 'password', 'keeps'] as const;
type Question = (typeof QUESTIONS)[number];

interface Written {
    address: string;
    database: string;
    username: string;
    password: string;
    keeps: boolean;
}

async function askServer(kind: SourceKind, attempt: Attempt): Promise<CommandOutcome | typeof BACK> {
    const title = l10n.t('Connect {0}', kind.label);
    const written: Written = { address: `localhost:${kind.port}`, database: '', username: '', password: '', keeps: true };
    let at = 0;
    /** Why the source could not be connected, once one thing of all is corrected. */
    let fault: string | undefined;
    for (;;) {
        const answer = await askQuestion(QUESTIONS[at] ?? 'keeps', written, { title, step: at + 1, fault });
        if (answer === undefined) return 'nothing to do';
        if (answer === BACK && at === 0) return BACK;
        if (answer === BACK) {
            at--;
            continue;
        }
        Object.assign(written, answer);
        if (fault === undefined && at < QUESTIONS.length - 1) {
            at++;
            continue;
        }
        const { address, database: databaseName, username, password, keeps } = written;
        const database = databaseAt(address, kind, { databaseName, username, password });
        do {
            fault = await attempt(database, keeps);
            if (fault === undefined) return 'done';
            const next = await askCorrection(written, fault);
            if (next === undefined) return 'failed';
            at = next;
        } while (at < 0);
    }
}

async function askQuestion(
    question: Question,
    written: Written,
    { title, step, fault }: { readonly title: string; readonly step: number; readonly fault: string | undefined },
): Promise<Partial<Written> | typeof BACK | undefined> {
    const steps = QUESTIONS.length;
    const text = async (prompt: string, check?: (text: string) => string | undefined) => {
        const value = question === 'keeps' ? '' : written[question];
        const hidden = question === 'password';
        const answer = await askText({ title, prompt, value, hidden, fault, step, steps, back: true, ...(check && { check }) });
        return isWritten(answer) ? { [question]: answer } : answer;
    };
    switch (question) {
        case 'address':
            return text(l10n.t('Host and port'), address => (isAddress(address) ? undefined : l10n.t('A host, and a port after a colon')));
        case 'database':
            return text(l10n.t('Name of the database'));
        case 'username':
            return text(l10n.t('User name'));
        case 'password':
            return text(l10n.t('Password'));
        case 'keeps': {
            const keeps = await askWhetherToKeep(title, step, steps);
            return typeof keeps === 'boolean' ? { keeps } : keeps;
        }
    }
}

/** Which question is to be answered anew; -1 for none of them. */
async function askCorrection({ address, database, username }: Written, fault: string): Promise<number | undefined> {
    const items: readonly (QuickPickItem & { readonly at: number })[] = [
        { label: l10n.t('Correct the password'), at: 3 },
        { label: l10n.t('Correct the user name'), description: username, at: 2 },
        { label: l10n.t('Correct the name of the database'), description: database, at: 1 },
        { label: l10n.t('Correct host and port'), description: address, at: 0 },
        { label: l10n.t('Try again'), at: -1 },
    ];
    const chosen = await askChoice(items, { title: l10n.t('{0} cannot be connected', database), placeholder: fault });
    return chosen === undefined || chosen === BACK ? undefined : chosen.at;
}
