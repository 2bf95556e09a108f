import { Type } from 'typebox';
import { nearestName } from '#language/library/nearest-name.ts';
import { say } from '#language/program/say.ts';
import type { PlatformClient } from '#server/client/platform-client.ts';
import type { RouteAnswer } from '#server/protocol/platform/route.ts';
import type { PlatformRoutes } from '#server/protocol/platform/routes.ts';
import type { Scope, ToolPlace } from './tool.ts';
import { ToolError } from './tool-error.ts';

/** A concept as the platform tells of it. */
export type ConceptRecord = RouteAnswer<PlatformRoutes['listConcepts']>[number];

/** The project in which a call works, with who is asked about it. */
export interface ToolProject {
    readonly client: PlatformClient;
    readonly project: string;
    readonly scope: Scope;
    readonly signal: AbortSignal;
}

export const SCOPE = {
    scope: Type.Optional(Type.Unsafe<Scope>({ type: 'string', enum: ['user', 'organization'], description: 'Whose; user where absent.' })),
};
/** Arguments of what works in a project, where each call names it. */
export const PROJECT = { project: Type.String({ description: 'The id of a project, as list_projects gives it.' }), ...SCOPE };
export const CONCEPT_NAME = Type.String({ description: 'The name of a concept.' });

export function projectOf(
    given: { readonly project?: string | undefined; readonly scope?: Scope | undefined },
    { project: current, platform, signal }: ToolPlace,
): ToolProject {
    const project = current?.id ?? given.project;
    if (project === undefined) throw new ToolError('validation_error', say`Give 'project', the id of a project, as list_projects gives it`);
    return { client: platform(), project, scope: scopeOf(given, { project: current }), signal };
}

export function scopeOf(given: { readonly scope?: Scope | undefined }, { project }: { readonly project?: ToolPlace['project'] }): Scope {
    return project?.scope ?? given.scope ?? 'user';
}

export async function conceptsOf({ client, project, scope, signal }: ToolProject): Promise<readonly ConceptRecord[]> {
    return await client.listConcepts({ path: { project_id: project }, query: { scope } }, signal);
}

/** A concept by its name. A `ToolError` says that there is none, and which is meant. */
export async function conceptNamed(name: string, at: ToolProject): Promise<ConceptRecord> {
    const all = await conceptsOf(at);
    const found = all.find(one => one.concept_name === name);
    if (found !== undefined) return found;
    const names = all.map(one => one.concept_name);
    const meant = nearestName(name, names);
    const message = meant === undefined ? say`There is no concept '${name}'` : say`There is no concept '${name}'; did you mean '${meant}'?`;
    throw new ToolError('concept_not_found', message, { concepts: names });
}
