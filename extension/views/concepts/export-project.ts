import { placeOf } from '#extension/projects/projects.ts';
import { type ConceptCommand, saveFile, withProject } from './concept-work.ts';

export const exportProject: ConceptCommand = (work, node) =>
    withProject(work, node, async ({ client }, project) => {
        const { scope, id: project_id } = placeOf(project);
        const { text } = await client.exportProject({ body: { project_id, scope } });
        return saveFile(`${project.name}.json`, { JSON: ['json'] }, text);
    });
