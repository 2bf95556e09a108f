import { rowsText } from '#extension/surfaces/count-words.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { openMenu } from '#extension/surfaces/menu.ts';
import { beginning, type ConceptKind } from '#extension/surfaces/platform/beginning.ts';
import { draftComplaint } from '#extension/surfaces/platform/concept-drafts.ts';
import type { Concept } from '#extension/surfaces/platform/saved-body.ts';
import { bodyOf, unusedName } from '#extension/surfaces/platform/saved-body.ts';
import { type Asked, openAskSheet } from './ask-sheet.ts';
import { nameComplaint } from './concept-name.ts';
import { openDescriptionSheet, openGroupSheet, openProjectSheet } from './concept-places.ts';
import type { ConceptActions } from './project-surface.ts';
import { renamedRules } from './renamed-rules.ts';
import { saveFile } from './saved-file.ts';
import type { PageHost } from './section.ts';

/** The concept that was deleted last, and where. */
let deleted: Concept | undefined;

/** `open` shows the definition of a concept. */
export function conceptActions(host: PageHost, concepts: readonly Concept[], open: (concept: string) => void): ConceptActions {
    return new ProjectConcepts(host, concepts, open);
}

class ProjectConcepts implements ConceptActions {
    readonly #host: PageHost;
    readonly #concepts: readonly Concept[];
    readonly #open: (concept: string) => void;
    readonly #path: { readonly project_id: string };
    readonly #names: readonly string[];

    constructor(host: PageHost, concepts: readonly Concept[], open: (concept: string) => void) {
        this.#host = host;
        this.#concepts = concepts;
        this.#open = open;
        this.#path = { project_id: this.#host.project.id };
        this.#names = this.#concepts.map(({ concept_name }) => concept_name);
    }

    create(button: HTMLElement): void {
        const item = (label: string, detail: string, kind: ConceptKind) => ({ label, detail, choose: () => this.#create(kind) });
        openMenu(button, l10n.t('New concept: what is it made of?'), [
            item(l10n.t('Rules'), l10n.t('rows derived from other concepts and data'), 'logic'),
            item('SQL', l10n.t('a query over other concepts'), 'sql'),
            item(l10n.t('Python'), l10n.t('a script that computes rows'), 'python'),
        ]);
    }

    offer(button: HTMLElement, concept: Concept): void {
        openMenu(button, l10n.t('What to do with {0}', concept.concept_name), [
            { label: l10n.t('Edit'), choose: () => this.#open(concept.concept_name) },
            { label: l10n.t('Rename'), detail: 'F2', choose: () => this.#rename(concept) },
            { label: l10n.t('Duplicate'), choose: () => this.#duplicate(concept) },
            { label: l10n.t('Edit the description'), choose: () => openDescriptionSheet(this.#host, concept) },
            { label: l10n.t('Move to a group'), choose: () => openGroupSheet(this.#host, concept, this.#concepts) },
            {
                label: l10n.t('Copy or move to another project'),
                choose: () => this.#attempt(openProjectSheet(this.#host, concept, this.#usersOf(concept))),
            },
            { label: l10n.t('Export'), choose: () => this.#exportConcept(concept) },
            { label: l10n.t('Delete'), detail: 'Del', choose: () => this.#askToRemove(concept) },
        ]);
    }

    key({ key }: KeyboardEvent, concept: Concept): boolean {
        if (key === 'F2') this.#rename(concept);
        else if (key === 'Delete') this.#askToRemove(concept);
        else return false;
        return true;
    }

    get deleted(): Concept | undefined {
        return deleted?.project_id === this.#host.project.id && deleted.scope === this.#host.scope ? deleted : undefined;
    }

    undo(): void {
        const concept = this.deleted;
        if (concept !== undefined) this.#attempt(this.#bringBack(concept));
    }

    forget(): void {
        deleted = undefined;
        this.#host.refresh();
    }

    #nameField(value: string): NonNullable<Asked['name']> {
        return {
            label: l10n.t('Name'),
            value,
            complaint: text =>
                nameComplaint(
                    text,
                    this.#names.filter(name => name !== value),
                ),
        };
    }

    #usersOf({ concept_name: name }: Concept): readonly string[] {
        return this.#concepts.filter(({ dependencies }) => dependencies.includes(name)).map(other => other.concept_name);
    }

    #create(kind: ConceptKind): void {
        openAskSheet({
            title: l10n.t('New concept'),
            name: this.#nameField(unusedName('concept', this.#names)),
            label: l10n.t('Create'),
            act: async name => {
                await this.#host.client.saveConcept({ path: this.#path, body: { scope: this.#host.scope, ...beginning(kind, name) } });
                this.#open(name);
                return undefined;
            },
        });
    }

    #rename(concept: Concept): void {
        const { concept_name: name } = concept;
        const users = this.#usersOf(concept);
        const field = this.#nameField(name);
        openAskSheet({
            title: l10n.t('Rename {0}', name),
            text:
                users.length === 0
                    ? l10n.t('No other concept reads it.')
                    : l10n.t('It is renamed in those that read it, too: {0}', users.join(', ')),
            name: {
                ...field,
                complaint: text => {
                    const [unsaved] = [name, ...users].flatMap(
                        one => draftComplaint({ scope: this.#host.scope, project: this.#host.project.id, concept: one }) ?? [],
                    );
                    return unsaved ?? field.complaint(text);
                },
            },
            label: l10n.t('Rename'),
            act: async newName => {
                if (newName !== name)
                    await this.#host.client.renameConcept({ path: this.#path, body: { name, new_name: newName, scope: this.#host.scope } });
                this.#host.refresh();
                return undefined;
            },
        });
    }

    #duplicate(concept: Concept): void {
        const { concept_name: from, concept_type, definition } = concept;
        openAskSheet({
            title: l10n.t('Duplicate {0}', from),
            name: this.#nameField(unusedName(from, this.#names)),
            label: l10n.t('Duplicate'),
            act: async name => {
                // A query does not say what it is called; rules do.
                const copy = concept_type === 'sql' ? definition : await renamedRules(definition, from, name);
                if (copy === null) return l10n.t("The rules of '{0}' cannot be called '{1}': choose another name.", from, name);
                await this.#host.client.saveConcept({
                    path: this.#path,
                    body: { ...bodyOf(concept), scope: this.#host.scope, concept_name: name, definition: copy },
                });
                this.#open(name);
                return undefined;
            },
        });
    }

    #attempt(act: Promise<void>): void {
        void act.catch(this.#host.failed);
    }

    async #remove(concept: Concept): Promise<void> {
        await this.#host.client.cleanupConcepts({
            path: this.#path,
            body: { scope: this.#host.scope, concept_names: [concept.concept_name] },
        });
        deleted = concept;
        this.#host.announce(l10n.t("'{0}' was deleted.", concept.concept_name));
        this.#host.refresh();
    }

    /** Asks where its rows would not come back with it. */
    #askToRemove(concept: Concept): void {
        if (!concept.is_populated) {
            this.#attempt(this.#remove(concept));
            return;
        }
        openAskSheet({
            title: l10n.t("Delete '{0}' and what is stored of it ({1})?", concept.concept_name, rowsText(concept.row_count)),
            text: l10n.t('Undo brings its definition back; its rows come with the next run.'),
            label: l10n.t('Delete'),
            act: async () => {
                await this.#remove(concept);
                return undefined;
            },
        });
    }

    async #bringBack(concept: Concept): Promise<void> {
        await this.#host.client.saveConcept({
            path: this.#path,
            body: { ...bodyOf(concept), scope: this.#host.scope, concept_name: concept.concept_name },
        });
        deleted = undefined;
        this.#host.announce(l10n.t("'{0}' is there again.", concept.concept_name));
        this.#host.refresh();
    }

    #exportConcept({ concept_name: name, concept_type: type, definition }: Concept): void {
        saveFile(`${name}.${type === 'sql' ? 'sql' : 'rulelang'}`, definition);
    }
}
