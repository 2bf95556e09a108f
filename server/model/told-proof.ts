import { say } from '#language/program/say.ts';
import { apiError } from '#server/protocol/platform/api-error.ts';
import { type ProofSentences, proofQuestion, proofSentences } from '#server/protocol/proof-sentences.ts';
import type { ProofStep } from '#server/protocol/proof-steps.ts';
import type { Model } from './model.ts';
import { repairedAnswer } from './repaired-answer.ts';

/** Has a model tell a proof in words. `namesAmong` is that of `proofSentences`, which leaves out what does not stand in the proof. */
export async function toldProof(
    model: Model,
    steps: readonly ProofStep[],
    namesAmong: (words: readonly string[]) => Promise<readonly string[]> | readonly string[],
    signal: AbortSignal,
): Promise<ProofSentences> {
    const { system, text: asked } = proofQuestion(steps);
    const question = { system, messages: [{ role: 'user' as const, text: asked }], signal };
    return repairedAnswer(model, question, async ({ text }, isLast) => {
        const told = await proofSentences(text, steps, namesAmong);
        if (told !== undefined) return { ok: true, value: told };
        if (isLast) throw apiError('llm_failed', [say`its answer has another form than was asked for`]);
        return { ok: false, said: 'Answer with one JSON object {"sentences": [{"text": "…", "steps": [1]}]} and nothing else.' };
    });
}
