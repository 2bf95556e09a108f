import { l10n, window } from 'vscode';
import { placeOf } from '#extension/projects/projects.ts';
import { type ConceptCommand, withProject } from './concept-work.ts';

export const renameProject: ConceptCommand = (work, node) =>
    withProject(work, node, async ({ client }, project) => {
        const name = await window.showInputBox({ title: l10n.t('Rename project'), value: project.name, ignoreFocusOut: true });
        if (name === undefined || name.trim() === '' || name === project.name) return 'nothing to do';
        await client.saveProject({ body: { project: { ...placeOf(project), name: name.trim() } } });
        return 'done';
    });
