import { commands, type Tab, TabInputText, type Uri, window } from 'vscode';
import { type ConceptDocument, conceptUri, readConceptUri } from './concept-uri.ts';
import { type Concept, placeOfConcept } from './projects.ts';

/** The tabs of a concept and of its scripts. */
export interface ConceptTabs {
    /** Some of them have unsaved changes. */
    readonly isDirty: boolean;
    /** Opens them anew for the concept under its new name, each in its place. */
    follow(name: string): Promise<void>;
}

export function tabsOf(concept: Concept, isDraft: (uri: Uri) => boolean): ConceptTabs {
    const { scope, id } = placeOfConcept(concept);
    const isOwn = (document: ConceptDocument | undefined): document is ConceptDocument =>
        document?.concept === concept.concept_name && document.project.id === id && document.project.scope === scope;
    const shown = window.tabGroups.all.flatMap(({ tabs }) => tabs.flatMap(tab => ownTab(tab, isOwn)));
    return {
        isDirty: shown.some(({ tab, document }) => tab.isDirty || isDraft(conceptUri(document))),
        async follow(name) {
            // What is looked at is opened last.
            for (const { tab, document } of [...shown].sort((one, other) => Number(one.tab.isActive) - Number(other.tab.isActive))) {
                const { viewColumn } = tab.group;
                const { isActive, isPreview } = tab;
                const uri = conceptUri({ ...document, concept: name });
                await window.tabGroups.close(tab, true);
                await commands.executeCommand('vscode.open', uri, { viewColumn, preview: isPreview, preserveFocus: !isActive });
            }
        },
    };
}

function ownTab(tab: Tab, isOwn: (document: ConceptDocument | undefined) => document is ConceptDocument) {
    const document = tab.input instanceof TabInputText ? readConceptUri(tab.input.uri) : undefined;
    return isOwn(document) ? [{ tab, document }] : [];
}
