import { InputBoxValidationSeverity, l10n, type QuickPickItem, type Uri, window } from 'vscode';
import type { Server } from '#extension/host/client.ts';
import type { CommandOutcome } from '#extension/host/outcome.ts';
import type { RunSession, Runs } from '#extension/runs/runs.ts';
import { countText } from '#extension/surfaces/number-text.ts';
import { visible } from '#extension/surfaces/visible-text.ts';
import type { ResultsPanels } from '#extension/webviews/results/host.ts';
import type { AskablePredicate } from '#server/protocol/why-not.ts';
import type { RunCommands } from './run-commands.ts';
import { programTarget } from './target.ts';

export interface ExplainMissing {
    /** Asks which fact is missed, the one at the cursor if there is one, and explains why it is missing. */
    command(uri?: unknown, question?: unknown): Promise<CommandOutcome>;
    /** The same for a program, beginning with a question. */
    ask(document: Uri, question: string): Promise<CommandOutcome>;
}

/** Explains facts that the last run of a program did not derive; a program that has not run, or has changed since, is run first. */
export function createExplainMissing(server: Server, runs: Runs, run: RunCommands, panels: ResultsPanels): ExplainMissing {
    const finished = async (document: Uri): Promise<number | undefined> => {
        const known = runs.of(document);
        const session = known !== undefined && isOfText(known) ? known : run.start(document);
        await session.ended;
        return session.shown.kind === 'finished' ? session.reference : undefined;
    };
    const ask = async (document: Uri, beginning: string | undefined): Promise<CommandOutcome> => {
        const reference = await finished(document);
        if (reference === undefined) return 'nothing to do';
        const predicates = await server.ask('rulelang/predicates', { run: reference });
        const first = beginning ?? (await pickPredicate(predicates));
        const question = first === undefined ? undefined : await writeQuestion(server, reference, first, predicates);
        if (question === undefined) return 'nothing to do';
        panels.explainMissing(document, question);
        return 'done';
    };
    return {
        ask,
        async command(uri, question) {
            if (window.activeTextEditor === undefined && panels.act('askMissing')) return 'done';
            const document = programTarget(uri, panels.active());
            if (document === undefined) return 'nothing to do';
            return ask(document, typeof question === 'string' ? question : await questionAtCursor(server, document));
        },
    };
}

/** Whether a run goes on or has rows and what explains them, and the text is still the one that was run. */
function isOfText({ shown, stale }: RunSession): boolean {
    return !stale && ((shown.kind === 'finished' && shown.kept === undefined) || shown.kind === 'running');
}

async function questionAtCursor(server: Server, document: Uri): Promise<string | undefined> {
    const editor = window.activeTextEditor;
    if (editor?.document.uri.toString() !== document.toString()) return undefined;
    const { line, character } = editor.selection.active;
    const found = await server.ask('rulelang/questionAt', { uri: document.toString(), position: { line, character } });
    return found?.question;
}

interface PredicateItem extends QuickPickItem {
    readonly question: string;
}

function kindText(kind: AskablePredicate['kind']): string {
    switch (kind) {
        case 'output':
            return l10n.t('output');
        case 'derived':
            return l10n.t('derived');
        case 'given':
            return l10n.t('data');
    }
}

function factsText(facts: number | undefined): string {
    if (facts === undefined) return l10n.t('not needed by the run');
    return facts === 1 ? l10n.t('1 fact') : l10n.t('{0} facts', countText(facts));
}

async function pickPredicate(predicates: readonly AskablePredicate[]): Promise<string | undefined> {
    const items = predicates.map(({ name, columns, kind, facts }): PredicateItem => {
        return {
            label: visible(name),
            description: visible(`${columns.join(', ')} · ${kindText(kind)} · ${factsText(facts)}`),
            question: `${name}(${columns.map(() => '_').join(', ')})`,
        };
    });
    const picked = await window.showQuickPick(items, { title: l10n.t('Of which predicate is a fact missing?'), matchOnDescription: true });
    return picked?.question;
}

function writeQuestion(
    server: Server,
    run: number,
    question: string,
    predicates: readonly AskablePredicate[],
): Promise<string | undefined> {
    const name = /^\w*/u.exec(question)?.[0] ?? '';
    const shape = predicates.find(predicate => predicate.name === name);
    const columns = shape === undefined ? '' : visible(`${name}(${shape.columns.join(', ')})`);
    const firstOpen = question.indexOf('_', name.length);
    const box = window.showInputBox({
        title: l10n.t('Which fact is missing?'),
        prompt: l10n.t('{0}: texts in quotes, _ for any value', columns),
        placeHolder: columns,
        value: question,
        ignoreFocusOut: true,
        ...(firstOpen < 0 ? {} : { valueSelection: [firstOpen, firstOpen + 1] }),
        async validateInput(text) {
            try {
                const { problem, remark } = await server.ask('rulelang/checkQuestion', { run, question: text });
                if (problem !== undefined) return { message: problem, severity: InputBoxValidationSeverity.Error };
                return remark === undefined ? undefined : { message: remark, severity: InputBoxValidationSeverity.Info };
            } catch (reason) {
                return reason instanceof Error ? reason.message : String(reason);
            }
        },
    });
    return Promise.resolve(box);
}
