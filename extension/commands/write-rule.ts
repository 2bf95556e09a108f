import {
    type CancellationToken,
    CodeAction,
    CodeActionKind,
    commands,
    type Disposable,
    type ExtensionContext,
    l10n,
    languages,
    Position,
    ProgressLocation,
    TabInputTextDiff,
    type TextDocument,
    Uri,
    WorkspaceEdit,
    window,
    workspace,
} from 'vscode';
import type { Server } from '#extension/client.ts';
import { userAgrees } from '#extension/models/agreement.ts';
import { type ChosenModel, chosenModel, tellNoModel } from '#extension/models/chosen-model.ts';
import { checkIn, instructionsFor, trialText } from '#extension/models/program-of-rules.ts';
import type { SentRequest } from '#extension/models/sent-request.ts';
import { type WantedRule, wantedRule } from '#extension/models/wanted-rule.ts';
import { type CheckedAnswer, checkedAnswer } from '#extension/models/write-rules.ts';
import type { CommandOutcome } from './outcome.ts';

interface WrittenRules {
    readonly rules: string;
    /** What they give, as a sentence; empty where they were not evaluated. */
    readonly tried: string;
}

const WRITE_RULE = 'rulelang.writeRule';
const SCHEME = 'rulelang-proposal';

/** Has a language model write the rules that a comment at the cursor asks for, and shows them for the user to take or leave. */
export function createWriteRule(context: ExtensionContext, server: Server, sent: SentRequest): () => Promise<CommandOutcome> {
    const proposals = createProposals(context.subscriptions);
    const actions = { provideCodeActions: offered };
    const metadata = { providedCodeActionKinds: [CodeActionKind.RefactorRewrite] };
    context.subscriptions.push(languages.registerCodeActionsProvider({ language: 'rulelang' }, actions, metadata));
    return async () => {
        const editor = window.activeTextEditor;
        if (editor?.document.languageId !== 'rulelang') return 'nothing to do';
        const { document, selection } = editor;
        const wanted = wantedIn(document, selection.start.line, selection.end.line);
        if (wanted === undefined)
            return told(l10n.t('Put the cursor on a comment that says which rule you want, such as: % customers without an order'));
        const model = await chosenModel(server, sent);
        if ('reason' in model) {
            void tellNoModel(model.reason);
            return 'nothing to do';
        }
        if (!(await userAgrees(context))) return 'nothing to do';
        const progress = { location: ProgressLocation.Notification, title: l10n.t('Writing a rule'), cancellable: true };
        const version = document.version;
        const answer = await window.withProgress(progress, (_, token) => written(model, document, wanted, token));
        if (typeof answer === 'string') return told(answer, 'failed');
        if (document.version !== version) return told(l10n.t('The program has changed meanwhile. Try again.'), 'failed');
        return (await proposed(document, wanted, answer, proposals)) ? 'done' : 'nothing to do';
    };

    /** Rules with what they give on the data at hand, or why there are none. */
    async function written(
        model: ChosenModel,
        document: TextDocument,
        { words, line }: WantedRule,
        token: CancellationToken,
    ): Promise<WrittenRules | string> {
        try {
            const check = checkIn(server, document, line, token);
            if ((await check('')).hasErrors) return l10n.t('Correct the errors of the program first: rules are checked together with it.');
            const system = await instructionsFor(server, document, token);
            const conversation = model.begin(system, l10n.t('To write rules for your program'), token);
            const { rules, problems }: CheckedAnswer = await checkedAnswer(conversation, words, check);
            if (rules !== undefined) return { rules, tried: await trialText(server, document, line, rules, token) };
            if (problems === undefined) return l10n.t('The model wrote no rule. Say in the comment what should follow from what.');
            return l10n.t('The model wrote rules with errors, and could not correct them: {0}', problems);
        } catch (reason) {
            if (token.isCancellationRequested) return l10n.t('Nothing was written.');
            return l10n.t('The model did not answer: {0}', reason instanceof Error ? reason.message : String(reason));
        }
    }
}

function offered(document: TextDocument, { start, end }: { readonly start: Position; readonly end: Position }): CodeAction[] {
    const wanted = wantedIn(document, start.line, end.line);
    if (!workspace.isTrusted || wanted === undefined || (start.line === end.line && !wanted.isOpen)) return [];
    const title = l10n.t('Write a rule for this comment');
    const action = new CodeAction(title, CodeActionKind.RefactorRewrite);
    action.command = { title, command: WRITE_RULE };
    return [action];
}

function wantedIn(document: TextDocument, first: number, last: number): WantedRule | undefined {
    return wantedRule(document.getText().split(/\r?\n/u), first, last);
}

/** Shows the program with the rules beside it as it is; they are inserted when the user says so. */
async function proposed(
    document: TextDocument,
    { line }: WantedRule,
    { rules, tried }: WrittenRules,
    proposals: Proposals,
): Promise<boolean> {
    const isLast = line >= document.lineCount;
    const end = isLast ? document.lineAt(document.lineCount - 1).range.end : new Position(line, 0);
    const inserted = isLast ? `\n${rules}\n` : `${rules}\n`;
    const [text, offset] = [document.getText(), document.offsetAt(end)];
    const proposal = proposals.add(document.uri, `${text.slice(0, offset)}${inserted}${text.slice(offset)}`);
    await commands.executeCommand('vscode.diff', document.uri, proposal, l10n.t('Rules that a model wrote'));
    const words = reaching(rules)
        ? l10n.t('The rules have no errors. They read, write or call something outside of the program: look at them before you run it.')
        : l10n.t('The rules have no errors. Insert them into the program?');
    const [insert, discard] = [l10n.t('Insert'), l10n.t('Discard')];
    const { version } = document;
    const chosen = await window.showInformationMessage(`${tried} ${words}`.trim(), insert, discard);
    await closeTab(proposal);
    if (chosen !== insert || document.version !== version) return false;
    const edit = new WorkspaceEdit();
    edit.insert(document.uri, end, inserted);
    return workspace.applyEdit(edit);
}

async function closeTab(proposal: Uri): Promise<void> {
    const tabs = window.tabGroups.all.flatMap(group => group.tabs);
    const shown = tabs.filter(({ input }) => input instanceof TabInputTextDiff && input.modified.toString() === proposal.toString());
    await window.tabGroups.close(shown);
}

/** Texts of programs as they would be. */
interface Proposals {
    add(program: Uri, text: string): Uri;
}

function createProposals(subscriptions: Disposable[]): Proposals {
    let last = '';
    let count = 0;
    subscriptions.push(workspace.registerTextDocumentContentProvider(SCHEME, { provideTextDocumentContent: () => last }));
    return {
        add({ path }, text) {
            last = text;
            return Uri.from({ scheme: SCHEME, path, query: `${++count}` });
        },
    };
}

/** Whether a run would reach for something that the program names and a user may not expect. */
function reaching(rules: string): boolean {
    return /@(?:q?bind|include|module)\b|python:|llm:/u.test(rules);
}

function told(words: string, outcome: CommandOutcome = 'nothing to do'): CommandOutcome {
    void window.showInformationMessage(words);
    return outcome;
}
