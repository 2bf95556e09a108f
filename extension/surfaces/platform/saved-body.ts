import type { PlatformClient } from '#server/client/platform-client.ts';
import { JsonText } from '#server/protocol/json-text.ts';

export type Concept = Awaited<ReturnType<PlatformClient['listConcepts']>>[number];
type SaveBody = Parameters<PlatformClient['saveConcept']>[0]['body'];

const NAME = /^[A-Za-z_]\w{0,127}$/u;

/** Whether a concept can be called so. */
export function isConceptName(text: string): boolean {
    return NAME.test(text);
}

/** Everything about a concept that is saved, but for its name. */
export function bodyOf(concept: Concept): Omit<SaveBody, 'scope'> {
    const { definition, concept_type, python_scripts, description, binds, position, group, compute } = concept;
    return {
        definition,
        concept_type: concept_type as 'logic' | 'sql',
        python_scripts,
        description,
        binds: binds as NonNullable<SaveBody['binds']>,
        group,
        ...(position !== null && { position: new JsonText(JSON.stringify(position)) }),
        ...(compute !== null && { compute: compute as NonNullable<SaveBody['compute']> }),
    };
}

/** What the platform calls the group of concepts that are in none. */
const NO_GROUP = 'group_id';

/** The group of a concept; empty where it is in none. */
export function groupOf({ group }: Concept): string {
    return group === NO_GROUP ? '' : group;
}

/** `name`, `name_2` and so on. */
export function unusedName(name: string, taken: readonly string[]): string {
    if (!taken.includes(name)) return name;
    for (let number = 2; ; number++) if (!taken.includes(`${name}_${number}`)) return `${name}_${number}`;
}
