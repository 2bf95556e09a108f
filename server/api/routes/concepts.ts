import { cleanConcepts } from '#server/projects/clean-concepts.ts';
import { conceptRecord } from '#server/projects/concept-record.ts';
import type { ConceptTexts } from '#server/projects/concept-texts.ts';
import { typesBeforeRun } from '#server/projects/concept-types.ts';
import { secretWarnings } from '#server/projects/named-secrets.ts';
import { projectIn } from '#server/projects/project.ts';
import { renameConcept } from '#server/projects/rename-concept.ts';
import { saveConcept } from '#server/projects/save-concept.ts';
import { conceptIn, conceptNamed, conceptsOf, dependenciesAmong, readingsOf, type SavedConcept } from '#server/projects/saved-concept.ts';
import { invalidFields } from '#server/protocol/platform/api-error.ts';
import type { RouteInput } from '#server/protocol/platform/route.ts';
import type { CONCEPTS_ROUTES } from '#server/protocol/platform/routes/concepts.ts';
import type { PlatformRoutes } from '#server/protocol/platform/routes.ts';
import { PROJECT_ID_PATTERN } from '#server/protocol/platform/schema.ts';
import type { Scope } from '#server/store/configuration.ts';
import { storedResults } from '#server/store/results.ts';
import type { Store } from '#server/store/store.ts';
import { inTurns } from '#server/store/turn.ts';
import type { Diagnose } from '../concept-diagnostics.ts';
import { conceptParts } from '../concept-parts.ts';
import type { TextsFor } from '../concept-texts-by.ts';
import { mutable } from '../mutable.ts';
import type { RouteHandlers } from '../platform-context.ts';
import type { Asker } from '../workers.ts';

type Saving = Omit<RouteInput<PlatformRoutes['saveConcept']>['body'], 'definition'>;
type Renaming = RouteInput<PlatformRoutes['renameConcept']>['body'];

/** Concepts as they are kept; the older paths, with the name of a workspace in front, do the same. */
export function conceptsRoutes(store: Store, texts: TextsFor, diagnose: Diagnose): RouteHandlers<keyof typeof CONCEPTS_ROUTES> {
    const save = async (projectId: string, definition: string, body: Saving, asker: Asker) => {
        const { scope, concept_type: type, existing_name: existingName } = body;
        const { concept, created } = await saveConcept(store, texts(asker), {
            scope,
            projectId,
            author: asker.caller.username,
            type,
            definition,
            name: wantedName(body),
            existingName: existingName === '' ? undefined : existingName,
            parts: conceptParts(body),
        });
        const [record] = await recordsOf(store, [concept], await readingsOf(store, scope, projectId), texts(asker));
        if (record === undefined) throw new RangeError('a concept has no record');
        const warnings = secretWarnings(concept);
        const diagnostics = mutable(await diagnose(concept, asker));
        return {
            data: { ...record, created, ...(warnings.length > 0 && { warnings }), ...(diagnostics.length > 0 && { diagnostics }) },
        };
    };
    const list = async (scope: Scope, projectId: string, asker: Asker) => {
        await projectIn(store, scope, projectId);
        const concepts = await conceptsOf(store, scope, projectId);
        return { data: await recordsOf(store, concepts, concepts, texts(asker)) };
    };
    const listOne = async (scope: Scope, projectId: string, name: string, asker: Asker) => {
        await projectIn(store, scope, projectId);
        const concept = await conceptNamed(store, scope, projectId, name);
        if (concept === undefined) return { data: [] };
        return { data: await recordsOf(store, [concept], await readingsOf(store, scope, projectId), texts(asker)) };
    };
    const rename = (projectId: string, { scope, name, new_name: newName }: Renaming, asker: Asker) =>
        store.transaction(async tx => {
            await projectIn(tx, scope, projectId);
            const updated = await renameConcept(tx, texts(asker), await conceptIn(tx, scope, projectId, name), newName, 'renamed');
            return { data: { name: newName, previous_name: name, updated_concepts: updated } };
        });
    const clean = async (projectId: string, { scope, concept_names: names }: RouteInput<PlatformRoutes['cleanupConcepts']>['body']) => ({
        data: await cleanConcepts(store, scope, projectId, names),
    });
    return {
        saveConcept: ({ path, body }, exchange) => save(path.project_id, body.definition, body, exchange),
        listConcepts: ({ path, query: { scope, concept_name: name = '' } }, exchange) =>
            name === '' ? list(scope, path.project_id, exchange) : listOne(scope, path.project_id, name, exchange),
        cleanupConcepts: ({ path, body }) => clean(path.project_id, body),
        renameConcept: ({ path, body }, exchange) => rename(path.project_id, body, exchange),
        saveConceptInWorkspace: ({ path, body }, exchange) => {
            checkWorkspace(path.workspace_id);
            return save(path.project_id, body.concept_logic, body, exchange);
        },
        listConceptsInWorkspace: ({ path, query }, exchange) => {
            checkWorkspace(path.workspace_id);
            return list(query.scope, path.project_id, exchange);
        },
        cleanupConceptsInWorkspace: ({ path, body }) => {
            checkWorkspace(path.workspace_id);
            return clean(path.project_id, body);
        },
        renameConceptInWorkspace: ({ path, body }, exchange) => {
            checkWorkspace(path.workspace_id);
            return rename(path.project_id, body, exchange);
        },
    };
}

/** There is one workspace, whatever it is called; but not everything is a name. */
export function checkWorkspace(id: string): void {
    if (!new RegExp(PROJECT_ID_PATTERN, 'u').test(id))
        throw invalidFields([{ path: 'workspace_id', issue: 'bad_format', expected: 'an id', actual: 'string' }]);
}

/** The name that was asked for; two that differ are refused, and so is a query without one. */
function wantedName({ concept_type: type, concept_name: name = '', output_predicate: output = '' }: Saving): string | undefined {
    if (name !== '' && output !== '' && name !== output)
        throw invalidFields([{ path: 'output_predicate', issue: 'not_allowed', expected: 'equal to concept_name', actual: 'string' }]);
    if (type === 'sql' && name === '')
        throw invalidFields([{ path: 'concept_name', issue: 'missing', expected: 'string', actual: 'absent' }]);
    return output || name || undefined;
}

/** Records of concepts; `all` are those of their project. */
async function recordsOf(
    store: Store,
    concepts: readonly SavedConcept[],
    all: readonly Pick<SavedConcept, 'name' | 'reading'>[],
    texts: ConceptTexts,
) {
    const dependenciesOf = dependenciesAmong(
        all.map(({ name }) => name),
        all.map(({ reading }) => reading),
    );
    const results = await storedResults(
        store,
        concepts.map(({ id }) => id),
    );
    const whole = new Map(concepts.map(concept => [concept.name, concept]));
    const [{ scope, projectId } = { scope: '' as Scope, projectId: '' }] = concepts;
    const find = async (name: string) => whole.get(name) ?? (await conceptNamed(store, scope, projectId, name));
    const types = await typesBeforeRun([...whole.keys()], { all, dependenciesOf, find, texts });
    return await inTurns(concepts, concept => conceptRecord(concept, dependenciesOf, results.get(concept.id), types.get(concept.name)));
}
