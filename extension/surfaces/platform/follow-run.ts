import type { PlatformClient } from '#server/client/platform-client.ts';
import { l10n } from '../l10n.ts';
import { chainText } from '../progress-text.ts';
import type { ConceptPlace } from './stored-rows.ts';

/** Milliseconds between two looks; a run that is shorter is not told of. */
const EVERY = 1000;

/** Tells how far the run of a concept is, now and then, until what it gives is called. */
export function followRun(
    client: Pick<PlatformClient, 'listRunning'>,
    { scope, project, concept }: ConceptPlace,
    tell: (text: string) => void,
): () => void {
    let isOver = false;
    let timer: ReturnType<typeof setTimeout>;
    const look = async (): Promise<void> => {
        // A look that fails tells nothing: the run itself says what is wrong.
        const all = document.visibilityState === 'visible' ? await client.listRunning({}).catch(() => []) : [];
        if (isOver) return;
        const own = all.find(
            ({ concept: of }) => of?.purpose === 'run' && of.scope === scope && of.project_id === project && of.concept_name === concept,
        );
        if (own?.state === 'waiting') tell(l10n.t('Waits for its turn'));
        else if (own?.progress) tell(chainText(own.progress));
        timer = setTimeout(() => void look(), EVERY);
    };
    timer = setTimeout(() => void look(), EVERY);
    return () => {
        isOver = true;
        clearTimeout(timer);
    };
}
