import type { ConceptRunner } from '#server/projects/run-concept.ts';
import type { PlatformContext } from './platform-context.ts';
import type { Asker } from './workers.ts';

/** Runs concepts for a caller with what the platform API has; they are read by a process of their own, for a project may be large. */
export function conceptRunner(context: PlatformContext, asker: Asker): ConceptRunner {
    const { store, lanes, plans, evaluator, folders, reach, python, models } = context;
    const { currentFolder, maxMemory, threads } = evaluator;
    return {
        store,
        lanes,
        plan: async question => {
            const answer = await plans.ask({ kind: 'plan-run', question }, asker);
            if (answer.kind !== 'planned-run') throw new TypeError(`a plan was answered with ${answer.kind}`);
            return answer.value;
        },
        currentFolder,
        folders,
        reach: texts => reach(folders, texts),
        python,
        providers: () => models.programs(asker.caller.username),
        maxMemory,
        threads,
    };
}
