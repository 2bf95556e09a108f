import type { DerivationNode, FactNode, PremiseNode } from '#engine/explain/explanation.ts';
import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import { toldProof } from '#server/model/told-proof.ts';
import { visible } from '#server/notices/visible-text.ts';
import { EXIT } from '#server/protocol/jobs.ts';
import type { ProofSentences } from '#server/protocol/proof-sentences.ts';
import { type ProofDerivation, type ProofFact, type ProofStep, proofSteps } from '#server/protocol/proof-steps.ts';
import { TEXT_WIDTH, wrapped } from '#server/terminal/notice-text.ts';
import type { JobContext } from '../job-context.ts';
import { askModel } from './ask-model.ts';
import type { ExplainJob } from './explain-question.ts';

/** Has a model tell why facts hold, and prints the sentences that their proofs support. Returns the exit code. */
export async function tellInWords(
    facts: readonly FactNode[],
    namesAmong: (words: readonly string[]) => readonly string[],
    job: ExplainJob,
    context: JobContext,
): Promise<number> {
    const isDone = await askModel('explain', facts.length, job, context, async (model, signal) => {
        for (const fact of facts) {
            const steps = await proofSteps<PremiseNode>(factOf(fact), node => derivationsOf(node).map(derivationOf));
            const told = await toldProof(model, steps, namesAmong, signal);
            context.print(`\n${linesOf(told, steps, model.name).map(visible).join('\n')}\n`);
        }
        return true;
    });
    return isDone === undefined ? EXIT.failed : EXIT.fine;
}

function linesOf({ sentences, removed }: ProofSentences, steps: readonly ProofStep[], model: string): string[] {
    const cited = [...new Set(sentences.flatMap(sentence => sentence.steps))].sort((a, b) => a - b);
    const told = sentences.flatMap(({ text, steps: own }) => wrapped(`${text} [${own.join(', ')}]`, TEXT_WIDTH, '  ').split('\n'));
    return [
        sentences.length === 0 ? say`${model} said nothing that stands in the proof.` : say`In the words of ${model}, which cites:`,
        ...cited.map(number => `  [${number}] ${steps[number - 1]?.fact ?? ''}`),
        ...told,
        ...(removed === 0 ? [] : [removedText(removed)]),
    ];
}

function removedText(removed: number): string {
    return removed === 1
        ? say`1 sentence was removed that cites no step or names what is not in it.`
        : say`${countText(removed)} sentences were removed that cite no step or name what is not in it.`;
}

function factOf(node: PremiseNode): ProofFact<PremiseNode> {
    const { kind, fact: text, verbalization } = node;
    return { node, kind, text, verbalization, deferred: kind === 'fact' && node.deferred, expandable: true };
}

function derivationsOf(node: PremiseNode): readonly DerivationNode[] {
    return node.kind === 'group' ? node.contributions : node.derivations;
}

function derivationOf({
    rule,
    absent = [],
    premises,
    ...more
}: DerivationNode & { readonly gives?: readonly string[] }): ProofDerivation<PremiseNode> {
    return { rule, absent, gives: more.gives ?? [], premises: premises.map(factOf) };
}
