import { rowsText } from '#extension/surfaces/count-words.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { openMenu } from '#extension/surfaces/menu.ts';
import { type Asked, openAskSheet } from './ask-sheet.ts';
import { beginning, type ConceptKind } from './beginning.ts';
import { draftComplaint } from './concept-drafts.ts';
import { nameComplaint } from './concept-name.ts';
import { openDescriptionSheet, openGroupSheet, openProjectSheet } from './concept-places.ts';
import type { Concept, ConceptActions } from './project-surface.ts';
import { renamedRules } from './renamed-rules.ts';
import { bodyOf, unusedName } from './saved-body.ts';
import { saveFile } from './saved-file.ts';
import type { PageHost } from './section.ts';

/** The concept that was deleted last, and where. */
let deleted: Concept | undefined;

/** `open` shows the definition of a concept. */
export function conceptActions(host: PageHost, concepts: readonly Concept[], open: (concept: string) => void): ConceptActions {
    const { client, project, scope, announce, refresh } = host;
    const path = { project_id: project.id };
    const names = concepts.map(({ concept_name }) => concept_name);
    const nameField = (value: string): NonNullable<Asked['name']> => ({
        label: l10n.t('Name'),
        value,
        complaint: text =>
            nameComplaint(
                text,
                names.filter(name => name !== value),
            ),
    });
    const usersOf = ({ concept_name: name }: Concept): readonly string[] =>
        concepts.filter(({ dependencies }) => dependencies.includes(name)).map(other => other.concept_name);
    const create = (kind: ConceptKind): void =>
        openAskSheet({
            title: l10n.t('New concept'),
            name: nameField(unusedName('concept', names)),
            label: l10n.t('Create'),
            async act(name) {
                await client.saveConcept({ path, body: { scope, ...beginning(kind, name) } });
                open(name);
                return undefined;
            },
        });
    const rename = (concept: Concept): void => {
        const { concept_name: name } = concept;
        const users = usersOf(concept);
        const field = nameField(name);
        openAskSheet({
            title: l10n.t('Rename {0}', name),
            text:
                users.length === 0
                    ? l10n.t('No other concept reads it.')
                    : l10n.t('It is renamed in those that read it, too: {0}', users.join(', ')),
            name: {
                ...field,
                complaint(text) {
                    const [unsaved] = [name, ...users].flatMap(one => draftComplaint({ scope, project: project.id, concept: one }) ?? []);
                    return unsaved ?? field.complaint(text);
                },
            },
            label: l10n.t('Rename'),
            async act(newName) {
                if (newName !== name) await client.renameConcept({ path, body: { name, new_name: newName, scope } });
                refresh();
                return undefined;
            },
        });
    };
    const duplicate = (concept: Concept): void => {
        const { concept_name: from, concept_type, definition } = concept;
        openAskSheet({
            title: l10n.t('Duplicate {0}', from),
            name: nameField(unusedName(from, names)),
            label: l10n.t('Duplicate'),
            async act(name) {
                // A query does not say what it is called; rules do.
                const copy = concept_type === 'sql' ? definition : await renamedRules(definition, from, name);
                if (copy === null) return l10n.t("The rules of '{0}' cannot be called '{1}': choose another name.", from, name);
                await client.saveConcept({ path, body: { ...bodyOf(concept), scope, concept_name: name, definition: copy } });
                open(name);
                return undefined;
            },
        });
    };
    const attempt = (act: Promise<void>): void => void act.catch(host.failed);
    const remove = async (concept: Concept): Promise<void> => {
        await client.cleanupConcepts({ path, body: { scope, concept_names: [concept.concept_name] } });
        deleted = concept;
        announce(l10n.t("'{0}' was deleted.", concept.concept_name));
        refresh();
    };
    /** Asks where its rows would not come back with it. */
    const askToRemove = (concept: Concept): void => {
        if (!concept.is_populated) {
            attempt(remove(concept));
            return;
        }
        openAskSheet({
            title: l10n.t("Delete '{0}' and what is stored of it ({1})?", concept.concept_name, rowsText(concept.row_count)),
            text: l10n.t('Undo brings its definition back; its rows come with the next run.'),
            label: l10n.t('Delete'),
            async act() {
                await remove(concept);
                return undefined;
            },
        });
    };
    const bringBack = async (concept: Concept): Promise<void> => {
        await client.saveConcept({ path, body: { ...bodyOf(concept), scope, concept_name: concept.concept_name } });
        deleted = undefined;
        announce(l10n.t("'{0}' is there again.", concept.concept_name));
        refresh();
    };
    const exportConcept = ({ concept_name: name, concept_type: type, definition }: Concept): void =>
        saveFile(`${name}.${type === 'sql' ? 'sql' : 'rulelang'}`, definition);
    return {
        create(button) {
            const item = (label: string, detail: string, kind: ConceptKind) => ({ label, detail, choose: () => create(kind) });
            openMenu(button, l10n.t('New concept: what is it made of?'), [
                item(l10n.t('Rules'), l10n.t('rows derived from other concepts and data'), 'logic'),
                item('SQL', l10n.t('a query over other concepts'), 'sql'),
                item(l10n.t('Python'), l10n.t('a script that computes rows'), 'python'),
            ]);
        },
        offer(button, concept) {
            openMenu(button, l10n.t('What to do with {0}', concept.concept_name), [
                { label: l10n.t('Edit'), choose: () => open(concept.concept_name) },
                { label: l10n.t('Rename'), detail: 'F2', choose: () => rename(concept) },
                { label: l10n.t('Duplicate'), choose: () => duplicate(concept) },
                { label: l10n.t('Edit the description'), choose: () => openDescriptionSheet(host, concept) },
                { label: l10n.t('Move to a group'), choose: () => openGroupSheet(host, concept, concepts) },
                {
                    label: l10n.t('Copy or move to another project'),
                    choose: () => attempt(openProjectSheet(host, concept, usersOf(concept))),
                },
                { label: l10n.t('Export'), choose: () => exportConcept(concept) },
                { label: l10n.t('Delete'), detail: 'Del', choose: () => askToRemove(concept) },
            ]);
        },
        key({ key }, concept) {
            if (key === 'F2') rename(concept);
            else if (key === 'Delete') askToRemove(concept);
            else return false;
            return true;
        },
        get deleted() {
            return deleted?.project_id === project.id && deleted.scope === scope ? deleted : undefined;
        },
        undo() {
            const concept = this.deleted;
            if (concept !== undefined) attempt(bringBack(concept));
        },
        forget() {
            deleted = undefined;
            refresh();
        },
    };
}
