import { l10n, window } from 'vscode';
import { placeOf } from '#extension/projects/projects.ts';
import { type ConceptCommand, withProject } from './concept-work.ts';

export const deleteProject: ConceptCommand = (work, node) =>
    withProject(work, node, async ({ client }, project) => {
        const { concepts } = await work.projects.contents(placeOf(project));
        const remove = l10n.t('Delete');
        const detail = l10n.t('Its {0} concepts go with their rows, scripts and dashboards. This cannot be undone.', concepts.length);
        const question = l10n.t("Delete the project '{0}'?", project.name);
        if ((await window.showWarningMessage(question, { modal: true, detail }, remove)) !== remove) return 'nothing to do';
        await client.cleanupProjects({ body: { project: placeOf(project) } });
        return 'done';
    });
