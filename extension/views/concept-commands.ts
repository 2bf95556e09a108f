import type { CommandOutcome } from '#extension/host/outcome.ts';
import type { ConceptNode } from './concept-tree.ts';
import type { ConceptCommand, ConceptWork } from './concepts/concept-work.ts';
import { deleteConcept } from './concepts/delete-concept.ts';
import { deleteProject } from './concepts/delete-project.ts';
import { describeConcept } from './concepts/describe-concept.ts';
import { duplicateConcept } from './concepts/duplicate-concept.ts';
import { exportConcept } from './concepts/export-concept.ts';
import { exportProject } from './concepts/export-project.ts';
import { importFiles } from './concepts/import-files.ts';
import { moveConcept } from './concepts/move-concept.ts';
import { newConcept } from './concepts/new-concept.ts';
import { newProject } from './concepts/new-project.ts';
import { renameConcept } from './concepts/rename-concept.ts';
import { renameProject } from './concepts/rename-project.ts';
import { runConcept } from './concepts/run-concept.ts';
import { saveAsConcept } from './concepts/save-as-concept.ts';
import { showConcept } from './concepts/show-concept.ts';
import type { Register } from './concepts-view.ts';
import type { RegisterOnNode } from './dashboard-commands.ts';

/** Registers the commands about projects and concepts; those that a key begins are for the node that has the focus, too. */
export function registerConceptCommands(work: ConceptWork, register: Register, registerOnNode: RegisterOnNode): void {
    const does =
        (command: ConceptCommand) =>
        (node?: ConceptNode): Promise<CommandOutcome> =>
            command(work, node);
    register('newProject', does(newProject));
    register('exportProject', does(exportProject));
    register('importFiles', does(importFiles));
    register('newConcept', does(newConcept));
    register('describeConcept', does(describeConcept));
    register('moveConcept', does(moveConcept));
    register('duplicateConcept', does(duplicateConcept));
    register('exportConcept', does(exportConcept));
    register('runConcept', does(runConcept));
    register('showConcept', does(showConcept));
    register('saveAsConcept', does(saveAsConcept));
    registerOnNode('renameProject', does(renameProject));
    registerOnNode('deleteProject', does(deleteProject));
    registerOnNode('renameConcept', does(renameConcept));
    registerOnNode('deleteConcept', does(deleteConcept));
}
