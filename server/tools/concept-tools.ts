import { Type } from 'typebox';
import { say } from '#language/program/say.ts';
import { exactJson } from '#server/client/exact-json.ts';
import { factsNear } from './facts-near.ts';
import { LIMITS } from './limits.ts';
import { namedTexts } from './named-texts.ts';
import { CONCEPT_NAME, type ConceptRecord, conceptNamed, conceptsOf, PROJECT, projectOf, SCOPE, type ToolProject } from './project.ts';
import { type Answer, type ConceptRun, type ConceptSave, type Tool, tool } from './tool.ts';
import { ToolError } from './tool-error.ts';

const { checkedRows: CHECKED } = LIMITS;
const NAME = { name: CONCEPT_NAME };
const IN_PROJECT = { projects: PROJECT };
/** Characters of a name. */
const NAME_PATTERN = /^[A-Za-z_]\w{0,127}$/u;

/** Tools for the concepts of a project. They use the routes of the platform with the rights of the caller. */
export const CONCEPT_TOOLS: readonly Tool[] = [
    tool({
        name: 'list_projects',
        title: 'List projects',
        description: 'The projects of the platform service, with the ids that other tools ask for.',
        needs: 'projects',
        input: SCOPE,
        isReadOnly: true,
        viewer: true,
        async call({ scope = 'user' }, { platform, signal }) {
            const projects = await platform().listProjects({ query: { scopes: scope } }, signal);
            return answer({ projects: projects.map(({ id, name, description }) => ({ id, name, description })) });
        },
    }),
    tool({
        name: 'list_concepts',
        title: 'List concepts',
        description: `The concepts of a project: saved programs, each with one output that others may read by its name. Gives their columns and parameters, what they
depend on, and how many rows are stored.`,
        input: {},
        inputWith: IN_PROJECT,
        isReadOnly: true,
        viewer: true,
        call: async (input, place) => answer({ concepts: (await conceptsOf(projectOf(input, place))).map(shortly) }),
    }),
    tool({
        name: 'read_concept',
        title: 'Read a concept',
        description: 'The text of a concept, with its columns, parameters and binds, and the names of its scripts.',
        input: NAME,
        inputWith: IN_PROJECT,
        isReadOnly: true,
        viewer: true,
        givesRows: true,
        async call({ name, ...input }, place) {
            const concept = await conceptNamed(name, projectOf(input, place));
            const { definition, binds, python_scripts: scripts } = concept;
            return answer({ ...shortly(concept), definition, binds, scripts: Object.keys(scripts) });
        },
    }),
    tool({
        name: 'save_concept',
        title: 'Save a concept',
        description: `Saves the text of a program as a concept of a project, or replaces the one of that name. It is checked, not run: mend what comes back as
diagnostics, and save again. Keep what the user did not ask you to change.`,
        input: {
            ...NAME,
            definition: Type.String({
                description: 'The whole text of the program, with @output of the predicate that the concept is called after.',
            }),
            description: Type.Optional(Type.String({ description: 'What it says, in one sentence for the user.' })),
        },
        inputWith: IN_PROJECT,
        isReadOnly: false,
        isDestructive: true,
        viewer: false,
        call: async ({ name, definition, description, ...input }, place) =>
            conceptSave({ concept: name, code: definition, description }, projectOf(input, place)),
    }),
    tool({
        name: 'edit_concept',
        title: 'Change a part of a concept',
        description:
            'Replaces a part of the text of a concept. The old text must occur exactly once. It is checked and saved like a new one.',
        input: {
            ...NAME,
            old_text: Type.String(),
            new_text: Type.String(),
            description: Type.Optional(Type.String({ description: 'What the concept says then, in one sentence for the user.' })),
        },
        inputWith: IN_PROJECT,
        isReadOnly: false,
        isDestructive: true,
        viewer: false,
        async call({ name, old_text: before, new_text: after, description, ...input }, place) {
            const at = projectOf(input, place);
            const { definition, concept_type: type } = await conceptNamed(name, at);
            // Saved by this tool it would become a concept of rules.
            if (type !== 'logic')
                throw new ToolError('validation_error', say`'${name}' is a concept of ${type}; parts of rules are replaced here`);
            const places = definition.split(before).length - 1;
            if (before === '' || places !== 1)
                throw new ToolError('validation_error', say`old_text occurs ${places} times in '${name}'; it must occur once`);
            return conceptSave({ concept: name, code: definition.replace(before, () => after), description }, at);
        },
    }),
    tool({
        name: 'run_concept',
        title: 'Run a concept',
        description: `Evaluates a saved concept with all that it depends on, stores its rows and gives the first ${LIMITS.storedRows}.`,
        input: {
            ...NAME,
            parameters: Type.Optional(
                Type.Array(Type.String(), { description: 'Values of parameters: "name=value". A value may be a list: "names=[1, 2]".' }),
            ),
        },
        inputWith: IN_PROJECT,
        isReadOnly: false,
        viewer: false,
        call: async ({ name, parameters = [], ...input }, place) => conceptRun(name, parameterValues(parameters), projectOf(input, place)),
    }),
    tool({
        name: 'fetch_results',
        title: 'Read rows of a concept',
        description: `Stored rows of a concept, ${LIMITS.storedRows} on a page; run it first where it has none.`,
        input: {
            ...NAME,
            page: Type.Optional(Type.Integer({ minimum: 1 })),
            order_by: Type.Optional(Type.String({ description: 'COLUMN or COLUMN:desc' })),
        },
        inputWith: IN_PROJECT,
        isReadOnly: true,
        viewer: true,
        givesRows: true,
        async call({ name, page, order_by: order, ...input }, place) {
            const { client, project, scope, signal } = projectOf(input, place);
            const query = {
                output_predicate: name,
                scope,
                page_size: LIMITS.storedRows,
                ...(page !== undefined && { page }),
                ...(order !== undefined && { order_by: order }),
            };
            return answer(await client.fetchResults({ path: { project_id: project }, query }, signal));
        },
    }),
    tool({
        name: 'facts_near',
        title: 'Facts around values',
        description: `Stored facts around named values, over all concepts of a project: those that have one of the values, those that share a text with these, and so
on, the nearest first. Use it to find out what is known of something.`,
        input: {
            values: Type.Array(Type.String(), { minItems: 1, maxItems: 20 }),
            steps: Type.Optional(Type.Integer({ minimum: 1, maximum: 3, description: '1 where absent.' })),
        },
        inputWith: IN_PROJECT,
        isReadOnly: true,
        viewer: true,
        givesRows: true,
        call: async ({ values, steps = 1, ...input }, place) =>
            answer(await factsNear({ ...projectOf(input, place), values, steps, most: LIMITS.facts })),
    }),
    tool({
        name: 'validate_rows',
        title: 'Check rows against a rule in words',
        description: `Has the language model of the services check stored rows of a concept against a rule in words, which is sent the rows. Each objection names its row.
For what can be written as a rule or a constraint, write one instead.`,
        input: {
            ...NAME,
            rule: Type.String({ minLength: 1, description: 'In words: "Titles are in English."' }),
            limit: Type.Optional(
                Type.Integer({
                    minimum: 1,
                    maximum: CHECKED.most,
                    description: `Rows that are checked, from the first; ${CHECKED.usual} where absent.`,
                }),
            ),
        },
        inputWith: IN_PROJECT,
        isReadOnly: true,
        viewer: false,
        givesRows: true,
        async call({ name, rule, limit = CHECKED.usual, ...input }, place) {
            const { client, project, scope, signal } = projectOf(input, place);
            const body = { concept_name: name, rule, limit, scope };
            const { execution_id: _, model: __, ...told } = await client.validateRows({ path: { project_id: project }, body }, signal);
            return answer(told);
        },
    }),
];

/** Proposes to save a program. A `ToolError` says that a concept cannot have the name. */
export function conceptSave(
    { concept, code, description }: Pick<ConceptSave, 'concept' | 'code' | 'description'>,
    { client, project, scope, signal }: ToolProject,
): ConceptSave {
    if (!NAME_PATTERN.test(concept))
        throw new ToolError('validation_error', say`'${concept}' is no name of a concept: letters, digits and _`);
    return {
        kind: 'save',
        concept,
        code,
        description,
        async carryOut(definition) {
            const body = { definition, concept_name: concept, scope, ...(description !== undefined && { description }) };
            const saved = await client.saveConcept({ path: { project_id: project }, body }, signal);
            const { id, concept_name, created, warnings = [], diagnostics = [] } = saved;
            return answer({
                id,
                concept_name,
                created,
                ...(warnings.length > 0 && { warnings }),
                ...(diagnostics.length > 0 && { diagnostics }),
            });
        },
    };
}

export function conceptRun(
    concept: string,
    params: Readonly<Record<string, unknown>>,
    { client, project, scope, signal }: ToolProject,
): ConceptRun {
    return {
        kind: 'run',
        concept,
        async carryOut() {
            const call = { path: { project_id: project, concept_name: concept }, body: { scope, params } };
            const { execution_id, rows_processed, columns, results, warnings } = await client.runConcept(call, signal);
            const rows = results.slice(0, LIMITS.storedRows);
            return answer({ execution_id, rows_processed, columns, rows, ...(warnings.length > 0 && { warnings }) });
        },
    };
}

/** Values by name, of texts `name=value`. A list, a number and a truth value are those that JSON writes so; anything else is a text. */
function parameterValues(texts: readonly string[]): Record<string, unknown> {
    return Object.fromEntries(Object.entries(namedTexts(texts)).map(([name, text]) => [name, readValue(text)]));
}

function readValue(text: string): unknown {
    try {
        const value = exactJson(text);
        // A number of another form, such as 1.10, is a text where the parameter is one.
        return Array.isArray(value) || (typeof value !== 'object' && String(value) === text) ? value : text;
    } catch {
        return text;
    }
}

function shortly({ concept_name, concept_type, description, columns, params, dependencies, row_count, is_stale }: ConceptRecord) {
    return { concept_name, concept_type, description, columns, params, dependencies, row_count, is_stale };
}

function answer(data: object): Answer {
    return { kind: 'answer', data };
}
