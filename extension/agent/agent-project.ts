import type { Connection } from '#extension/platform/connection.ts';
import type { Concept, Project, ProjectPlace, Projects } from '#extension/projects/projects.ts';
import { placeOf } from '#extension/projects/projects.ts';
import type { AgentView } from '#extension/surfaces/agent/agent-view.ts';

/** The state of the services for the agent's view, with the project it works in and the model that answers. */
export type AgentSurroundings = Pick<AgentView, 'access' | 'projects' | 'project' | 'concepts' | 'model' | 'noModel'> & {
    readonly place?: ProjectPlace;
};

export function keyOfPlace({ scope, id }: ProjectPlace): string {
    return `${scope}/${id}`;
}

const NOTHING: AgentSurroundings = { access: 'none', projects: [], concepts: [] };

/** Reads them; `chosen` is the key of the project, the first one where it is gone. */
export async function readSurroundings(projects: Projects, chosen: string | undefined): Promise<AgentSurroundings> {
    const connection = projects.connection();
    if (connection === undefined) return NOTHING;
    const all = await projects.list();
    const listed = all.map(project => ({ key: keyOfPlace(placeOf(project)), name: project.name }));
    const project: Project | undefined = all.find(one => keyOfPlace(placeOf(one)) === chosen) ?? all[0];
    if (project === undefined) return { ...NOTHING, access: connection.role };
    const place = placeOf(project);
    const [{ concepts }, model] = await Promise.all([projects.contents(place), readModel(connection, place)]);
    return {
        access: connection.role,
        projects: listed,
        project: keyOfPlace(place),
        place,
        concepts: concepts.map(toldConcept),
        ...model,
    };
}

function toldConcept({ concept_name: name, description, is_populated, row_count }: Concept): AgentView['concepts'][number] {
    return { name, description, ...(is_populated && { rows: row_count ?? 0 }) };
}

/** The model that is configured, or why none is. Other services may not tell: they are asked all the same. */
async function readModel({ client }: Connection, { id }: ProjectPlace): Promise<Pick<AgentView, 'model' | 'noModel'>> {
    const status = await client.agentStatus({ path: { project_id: id } }).catch(() => undefined);
    if (status === undefined) return {};
    return status.model === null ? { noModel: status.reason ?? '' } : { model: status.model };
}
