import type { ConceptTexts } from '#server/concepts/concept-texts.ts';
import { invalidText } from '#server/protocol/platform/api-error.ts';
import type { ToolAnswer, ToolQuestion } from './tool-worker.ts';
import { ToolFailed, type Tools } from './tools.ts';

/** Texts of concepts, read and rewritten by the tools' thread. One that takes too long is as good as one that cannot be read. */
export function conceptTextsBy(tools: Tools): ConceptTexts {
    async function ask<K extends ToolAnswer['kind']>(question: ToolQuestion, kind: K): Promise<Extract<ToolAnswer, { kind: K }>> {
        const answer = await tools.ask(question).catch(error => {
            if (!(error instanceof ToolFailed)) throw error;
            throw invalidText('program_invalid', []);
        });
        if (answer.kind !== kind) throw new TypeError(`${question.kind} was answered with ${answer.kind}`);
        return answer as Extract<ToolAnswer, { kind: K }>;
    }
    return {
        read: async text => (await ask({ kind: 'read-concept', text }, 'concept')).value,
        rename: async (text, from, to) => (await ask({ kind: 'rename-concept', text, from, to }, 'renamed-concept')).value,
    };
}
