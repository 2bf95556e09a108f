import { Uri } from 'vscode';
import { CONCEPT_SCHEME } from '#extension/host/concept-scheme.ts';
import type { ProjectPlace, Scope } from './projects.ts';

/** A concept, or one of its scripts, at some services. */
export interface ConceptDocument {
    /** The id of the connection. */
    readonly connection: string;
    readonly project: ProjectPlace;
    readonly concept: string;
    readonly script?: string;
    /** Its definition is a query. */
    readonly isSql: boolean;
}

const PATH = /^\/([^/]+)\/(user|organization)\/([^/]+)\/([A-Za-z_]\w*)(?:\.(rulelang|sql)|\.scripts\/([A-Za-z_]\w*)\.py)$/u;

/** `/<connection>/<scope>/<project>/<concept>.rulelang`, `.sql`, or `/<concept>.scripts/<script>.py` */
export function conceptUri({ connection, project, concept, script, isSql }: ConceptDocument): Uri {
    const file = script === undefined ? `${concept}.${isSql ? 'sql' : 'rulelang'}` : `${concept}.scripts/${script}.py`;
    return Uri.from({
        scheme: CONCEPT_SCHEME,
        path: `/${encodeURIComponent(connection)}/${project.scope}/${encodeURIComponent(project.id)}/${file}`,
    });
}

export function readConceptUri({ scheme, path }: Uri): ConceptDocument | undefined {
    const [, connection, scope, id, concept, kind, script] = (scheme === CONCEPT_SCHEME && PATH.exec(path)) || [];
    if (connection === undefined || id === undefined || concept === undefined) return undefined;
    return {
        connection: decodeURIComponent(connection),
        project: { scope: scope as Scope, id: decodeURIComponent(id) },
        concept,
        isSql: kind === 'sql',
        ...(script !== undefined && { script }),
    };
}
