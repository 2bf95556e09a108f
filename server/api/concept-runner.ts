import type { ConceptRunner } from '#server/concepts/run-concept.ts';
import { invalidText } from '#server/protocol/platform/api-error.ts';
import type { PlatformContext } from './platform-context.ts';
import { ToolFailed } from './tools.ts';

/** Runs concepts with what the platform API has; they are read by a thread of their own, for a project may be large. */
export function conceptRunner({ store, lanes, plans, evaluator, folders }: PlatformContext): ConceptRunner {
    const { currentFolder, maxMemory } = evaluator;
    return {
        store,
        lanes,
        plan: async question => {
            const answer = await plans.ask({ kind: 'plan-run', question }).catch(error => {
                throw error instanceof ToolFailed ? invalidText('program_invalid', []) : error;
            });
            if (answer.kind !== 'planned-run') throw new TypeError(`a plan was answered with ${answer.kind}`);
            return answer.value;
        },
        currentFolder,
        folders,
        maxMemory,
    };
}
