import type { Project } from '#server/projects/project.ts';
import { readingsOf } from '#server/projects/saved-concept.ts';
import type { Diagnostic } from '#server/protocol/platform/errors.ts';
import type { PlatformContext } from './platform-context.ts';
import type { Asker } from './workers.ts';

/** A program to save as a concept of a project. */
export interface Proposed {
    /** Empty for one that has no name yet. */
    readonly name: string;
    readonly code: string;
    readonly project: Project;
    /** All that it reads must be there. */
    readonly isWhole: boolean;
}

type Context = Pick<PlatformContext, 'store' | 'probes' | 'evaluator' | 'python'>;

/** Problems of sources and scripts. */
const OF_SOURCES = /^RL(?:6|81)/u;

/**
 * Checks programs from a model as `check` does, with the concepts of the project as readable predicates. It opens no file that one names,
 * for its answer would show the model the contents. So it says nothing of sources, which would seem to be missing.
 */
export function proposalCheck({ store, probes, evaluator, python }: Context) {
    return async ({ name, code, project, isWhole }: Proposed, asker: Asker): Promise<readonly Diagnostic[]> => {
        const others = (await readingsOf(store, project.scope, project.id)).filter(other => other.name !== name);
        const question = {
            concept: { name, type: 'logic', definition: code, binds: [], scripts: {} },
            others: others.map(other => ({ name: other.name, columns: other.reading.columns })),
            modules: [],
            currentFolder: evaluator.currentFolder,
            folders: { read: [], write: [], denied: [] },
            python: { ...python, enabled: false },
            ...(isWhole && { isWhole }),
        } as const;
        const answer = await probes.ask({ kind: 'check-concept', question }, asker);
        if (answer.kind !== 'diagnostics') throw new TypeError(`a program was answered with ${answer.kind}`);
        return answer.value.filter(({ code: found, severity }) => severity === 'error' || !OF_SOURCES.test(found));
    };
}
