import type { ConceptTexts } from '#server/projects/concept-texts.ts';
import type { ToolAnswer, ToolQuestion } from './tool-worker.ts';
import type { Tools } from './tools.ts';
import type { Asker } from './workers.ts';

/** Texts of concepts, read and rewritten for a caller by processes of their own. */
export type TextsFor = (asker: Asker) => ConceptTexts;

export function conceptTextsBy(tools: Tools): TextsFor {
    async function ask<K extends ToolAnswer['kind']>(
        question: ToolQuestion,
        kind: K,
        asker: Asker,
    ): Promise<Extract<ToolAnswer, { kind: K }>> {
        const answer = await tools.ask(question, asker);
        if (answer.kind !== kind) throw new TypeError(`${question.kind} was answered with ${answer.kind}`);
        return answer as Extract<ToolAnswer, { kind: K }>;
    }
    return asker => ({
        read: async text => (await ask({ kind: 'read-concept', text }, 'concept', asker)).value,
        rename: async (text, from, to) => (await ask({ kind: 'rename-concept', text, from, to }, 'renamed-concept', asker)).value,
    });
}
