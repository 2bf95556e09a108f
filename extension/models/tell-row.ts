import { type CancellationToken, type ExtensionContext, l10n, window } from 'vscode';
import type { Server } from '#extension/host/client.ts';
import { readSetting } from '#extension/host/read-setting.ts';
import { proofQuestion, proofSentences, type ToldProof } from '#server/protocol/proof-sentences.ts';
import { proofSteps } from '#server/protocol/proof-steps.ts';
import type { RowView } from '#server/protocol/runs.ts';
import { userAgrees } from './agreement.ts';
import { chosenModel, noModelText } from './chosen-model.ts';
import type { SentRequest } from './sent-request.ts';

/** A row of a run that is kept. */
interface ToldRow {
    readonly run: number;
    readonly view: RowView;
    readonly row: number;
}

/** Has a language model tell why a row is there; what does not stand in the proof is left out. The user is asked before. */
export type TellRow = (told: ToldRow, token: CancellationToken) => Promise<ToldProof>;

export function createTellRow(context: ExtensionContext, server: Server, sent: SentRequest): TellRow {
    return async ({ run, view, row }: ToldRow, token) => {
        const model = await chosenModel(server, sent);
        if ('reason' in model) throw new Error(noModelText(model.reason));
        if (!(await userAgrees(context)) || !(await factsMayBeSent())) throw new Error(l10n.t('Nothing was sent.'));
        const { fact } = await server.ask('rulelang/explain', { run, view, row, all: false }, token);
        const steps = await proofSteps(fact, node => server.ask('rulelang/expand', { run, node, all: false }, token));
        const { system, text } = proofQuestion(steps);
        const answer = await model.begin(system, l10n.t('To tell why a row is there'), token).say(text);
        const namesAmong = (words: readonly string[]) => server.ask('rulelang/namesAmong', { run, words }, token);
        const told = await proofSentences(answer, steps, namesAmong);
        if (told === undefined) throw new Error(l10n.t('The answer of the model has another form than was asked for. Try again.'));
        return { model: model.name, ...told, steps: steps.map(step => ({ fact: step.fact })) };
    };
}

/** The facts of a proof are rows: the user is asked each time, unless rows may always be sent. */
async function factsMayBeSent(): Promise<boolean> {
    if (readSetting('model.samples') === 'rows') return true;
    const send = l10n.t('Send');
    const words = l10n.t('The language model is sent the facts and rules of this explanation, in which there are rows of your data.');
    return (await window.showInformationMessage(words, { modal: true }, send)) === send;
}
