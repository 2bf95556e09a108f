import { lengthenWait } from '#server/processes/lengthen-wait.ts';
import { withBinds } from '#server/projects/concept-reading.ts';
import { conceptText } from '#server/projects/concept-texts.ts';
import { conceptsOf, readingsOf, type SavedConcept } from '#server/projects/saved-concept.ts';
import { ApiError } from '#server/protocol/platform/api-error.ts';
import type { Diagnostic } from '#server/protocol/platform/errors.ts';
import type { PlatformContext } from './platform-context.ts';
import type { Asker } from './workers.ts';

/** Finds the problems of a saved concept. */
export type Diagnose = (concept: SavedConcept, asker: Asker) => Promise<readonly Diagnostic[]>;

/** Milliseconds that the client waits while saving; sources may take longer. */
const PATIENCE = 3000;

type Context = Pick<PlatformContext, 'store' | 'probes' | 'folders' | 'reach' | 'evaluator' | 'python'>;

/** Concepts are checked in a process that looks at sources, as a run would; nothing is said where that takes long. */
export function conceptDiagnosticsBy({ store, probes, folders, reach, evaluator, python }: Context): Diagnose {
    const check = async (concept: SavedConcept, asker: Asker): Promise<readonly Diagnostic[]> => {
        const { name, pythonScripts: scripts, scope, projectId, reading } = concept;
        const texts = conceptText(concept);
        const others = (await readingsOf(store, scope, projectId)).filter(other => other.name !== name);
        const modules =
            (reading.includes ?? []).length === 0
                ? []
                : (await conceptsOf(store, scope, projectId)).filter(other => other.reading.module !== undefined && other.name !== name);
        const question = {
            concept: { ...texts, name, scripts },
            others: others.map(other => ({ name: other.name, columns: other.reading.columns })),
            modules: modules.map(module => withBinds(conceptText(module))),
            currentFolder: evaluator.currentFolder,
            folders: await reach(folders, [texts.definition, ...texts.binds]),
            python,
        };
        const answer = await probes.ask({ kind: 'check-concept', question }, asker);
        if (answer.kind !== 'diagnostics') throw new TypeError(`a concept was answered with ${answer.kind}`);
        return answer.value;
    };
    return async (concept, asker) => {
        const late = AbortSignal.timeout(lengthenWait(PATIENCE));
        const departure = AbortSignal.any([asker.departure, late]);
        const patience = new Promise<readonly Diagnostic[]>(resolve => late.addEventListener('abort', () => resolve([])));
        const checked = check(concept, { ...asker, departure }).catch((error: unknown): readonly Diagnostic[] => {
            // The concept is saved, whatever became of looking at it.
            if (error instanceof ApiError) return [];
            throw error;
        });
        return Promise.race([checked, patience]);
    };
}
