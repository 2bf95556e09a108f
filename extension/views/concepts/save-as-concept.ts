import { l10n, workspace } from 'vscode';
import { lookedAt } from '#extension/host/last-editor.ts';
import type { CommandOutcome } from '#extension/host/outcome.ts';
import type { Connection } from '#extension/platform/connection.ts';
import { placeOf } from '#extension/projects/projects.ts';
import { unusedName } from '#extension/surfaces/platform/saved-body.ts';
import { askName, attempt, type ConceptCommand, type ConceptWork, makeProject, namesIn, open, projectOf, save } from './concept-work.ts';

/** Saves what is selected in the editor, or all of its text. */
export const saveAsConcept: ConceptCommand = work =>
    attempt(work, async connection => {
        const editor = lookedAt();
        if (editor === undefined) return 'nothing to do';
        const { document, selection } = editor;
        const definition = document.getText(selection.isEmpty ? undefined : selection);
        return saveText(work, connection, definition, document.languageId === 'sql');
    });

export function saveRules(work: ConceptWork, rules: string): Promise<CommandOutcome> {
    return attempt(work, connection => saveText(work, connection, rules, false));
}

/** Makes a concept of a text, with a name that the user chooses; rules call what they are saved as so. */
async function saveText(work: ConceptWork, connection: Connection, definition: string, isSql: boolean): Promise<CommandOutcome> {
    const isFirst = (await work.projects.list()).length === 0;
    const project = await (isFirst ? makeProject(connection, workspace.name) : projectOf(work, undefined));
    if (project === undefined) return 'nothing to do';
    const headPredicates = isSql ? [] : (await connection.client.analyze({ body: { program: definition } })).headPredicates;
    const taken = await namesIn(work, placeOf(project));
    const likely = headPredicates.at(-1) ?? unusedName('concept', taken);
    const name = await askName(l10n.t('Save as concept of {0}', project.name), unusedName(likely, taken), taken);
    if (name === undefined) return 'nothing to do';
    const renamed =
        isSql || headPredicates.includes(name)
            ? { definition }
            : await work.server.ask('rulelang/renamedConcept', { type: 'logic', definition, from: likely, to: name });
    const body = { definition: renamed.definition ?? definition, concept_name: name, concept_type: isSql ? 'sql' : 'logic' } as const;
    return open(work, await save(connection, placeOf(project), body));
}
