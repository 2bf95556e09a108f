import { l10n } from '#extension/surfaces/l10n.ts';
import { draftComplaint } from '#extension/surfaces/platform/concept-drafts.ts';
import type { Concept } from '#extension/surfaces/platform/saved-body.ts';
import { bodyOf, groupOf } from '#extension/surfaces/platform/saved-body.ts';
import { openFormSheet } from './form-sheet.ts';
import { scopeOf } from './scope.ts';
import type { PageHost } from './section.ts';

const LONGEST_DESCRIPTION = 4096;

/** Asks in which group of the project a concept stands. */
export function openGroupSheet(host: PageHost, concept: Concept, concepts: readonly Concept[]): void {
    const groups = [...new Set(concepts.map(groupOf))].filter(name => name !== '').sort();
    openFormSheet({
        title: l10n.t('Move {0} to a group', concept.concept_name),
        fields: () => [
            {
                name: 'group',
                label: l10n.t('Group'),
                value: groupOf(concept),
                optional: true,
                suggestions: groups,
                hint: l10n.t('One that is there, or a new one; empty for none'),
            },
        ],
        label: l10n.t('Move'),
        act: async ({ group = '' }) => saveAlso(host, concept, { group }),
    });
}

/** Asks what a concept means. */
export function openDescriptionSheet(host: PageHost, concept: Concept): void {
    openFormSheet({
        title: l10n.t('What {0} means', concept.concept_name),
        fields: () => [
            {
                name: 'description',
                label: l10n.t('Description'),
                kind: 'lines',
                value: concept.description,
                optional: true,
                complaint: text =>
                    text.length > LONGEST_DESCRIPTION ? l10n.t('It has {0} characters at most', LONGEST_DESCRIPTION) : undefined,
            },
        ],
        label: l10n.t('Save'),
        act: async ({ description = '' }) => saveAlso(host, concept, { description }),
    });
}

/** Saves a concept as it is, but for one thing. */
async function saveAlso(
    { client, project, scope, refresh }: PageHost,
    concept: Concept,
    changed: { readonly group?: string; readonly description?: string },
): Promise<undefined> {
    const body = { ...bodyOf(concept), scope, existing_name: concept.concept_name, ...changed };
    await client.saveConcept({ path: { project_id: project.id }, body });
    refresh();
    return undefined;
}

/** Asks which project a concept is to be in, too, or instead; its rows come there with the next run. */
export async function openProjectSheet(host: PageHost, concept: Concept, users: readonly string[]): Promise<void> {
    const { client, project, scope, refresh } = host;
    const { concept_name: name } = concept;
    const all = await client.listProjects({ query: { scopes: 'user,organization' } });
    const others = all.filter(other => other.id !== project.id || other.scope !== scope);
    const keyOf = ({ scope: of, id }: (typeof all)[number]): string => JSON.stringify([of, id]);
    const read =
        users.length === 0
            ? l10n.t('No other concept reads it.')
            : l10n.t('These read it, and cannot be run once it is gone: {0}', users.join(', '));
    openFormSheet({
        title: l10n.t('Copy or move {0} to another project', name),
        text: others.length === 0 ? l10n.t('There is no other project.') : read,
        fields: () =>
            others.length === 0
                ? []
                : [
                      {
                          name: 'project',
                          label: l10n.t('Project'),
                          kind: 'choice',
                          choices: others.map(other => ({ value: keyOf(other), label: other.name })),
                      },
                      {
                          name: 'moves',
                          label: l10n.t('Delete it here'),
                          kind: 'flag',
                          hint: l10n.t('Its rows are not moved: they come with the next run.'),
                      },
                  ],
        label: l10n.t('Copy or move'),
        ...(others.length > 0 && {
            async act({ project: chosen = '', moves = '' }) {
                const target = others.find(other => keyOf(other) === chosen);
                if (target === undefined) return undefined;
                const unsaved = moves === '' ? undefined : draftComplaint({ scope, project: project.id, concept: name });
                if (unsaved !== undefined) return unsaved;
                const at = scopeOf(target.scope);
                const path = { project_id: target.id };
                const there = await client.listConcepts({ path, query: { scope: at } });
                if (there.some(other => other.concept_name === name))
                    return l10n.t("There is a '{0}' in '{1}' already.", name, target.name);
                await client.saveConcept({ path, body: { ...bodyOf(concept), scope: at, concept_name: name } });
                if (moves !== '')
                    await client.cleanupConcepts({ path: { project_id: project.id }, body: { scope, concept_names: [name] } });
                refresh();
                return undefined;
            },
        }),
    });
}
