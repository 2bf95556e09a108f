import type { Project } from '#server/projects/project.ts';
import { readingsOf } from '#server/projects/saved-concept.ts';
import type { Diagnostic } from '#server/protocol/platform/errors.ts';
import type { PlatformContext } from './platform-context.ts';
import type { Asker } from './threads.ts';

/** A program that somebody would save as a concept of a project. */
export interface Proposed {
    /** Empty for one that has no name yet. */
    readonly name: string;
    readonly code: string;
    readonly project: Project;
}

type Context = Pick<PlatformContext, 'store' | 'probes' | 'folders' | 'reach' | 'evaluator' | 'python'>;

/** What `check` says of programs that are not saved, with the concepts of the project as what they may read. */
export function proposalCheck({ store, probes, folders, reach, evaluator, python }: Context) {
    return async ({ name, code, project }: Proposed, asker: Asker): Promise<readonly Diagnostic[]> => {
        const others = (await readingsOf(store, project.scope, project.id)).filter(other => other.name !== name);
        const question = {
            concept: { name, type: 'logic', definition: code, binds: [], scripts: {} },
            others: others.map(other => ({ name: other.name, columns: other.reading.columns })),
            modules: [],
            currentFolder: evaluator.currentFolder,
            folders: await reach(folders, [code]),
            python,
            isWhole: true,
        } as const;
        const answer = await probes.ask({ kind: 'check-concept', question }, asker);
        if (answer.kind !== 'diagnostics') throw new TypeError(`a program was answered with ${answer.kind}`);
        return answer.value;
    };
}
