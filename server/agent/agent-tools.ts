import { type Static, type TObject, Type } from 'typebox';
import { nearestName } from '#language/library/nearest-name.ts';
import { say } from '#language/program/say.ts';
import { type BindEntry, sourceKey } from '#language/tools/parse-binds.ts';
import type { ProgramEffects } from '#language/tools/program-effects.ts';
import type { Documentation } from '#server/assistant/documentation.ts';
import { type AgentTool, type AgentWork, type ConceptRecord, Proposal, ToolFailure } from './agent-tool.ts';
import { factsNear } from './facts-near.ts';

const STRICT = { additionalProperties: false } as const;
const NAME = { concept_name: Type.String({ description: 'The name of a concept: a predicate.' }) };
const CODE = {
    rulelang_code: Type.String({
        description: 'The whole text of the program, with @output of the predicate that the concept is called after.',
    }),
    description: Type.Optional(Type.String({ description: 'What it says, in one sentence for the user.' })),
};
const FACT = Type.String({ description: 'A fact of the concept with _ for any value: big("Rome", _).' });
const ROWS = 50;
const SECTIONS = 3;
/** Facts around named values at most. */
const MOST_FACTS = 100;
/** Rows that are checked against a rule in words. */
const VALIDATED = 200;
/** Characters of a name. */
const NAME_PATTERN = /^[A-Za-z_]\w{0,127}$/u;

/** The tools of the agent. Each works through the platform's own routes, and with the rights of whoever asks. */
export function agentTools(documentation: Documentation | undefined): readonly AgentTool[] {
    return [
        tool(
            'list_concepts',
            'The concepts of the project, with columns, what they depend on, and how many rows are stored.',
            {},
            async (_, work) => ({
                concepts: (await concepts(work)).map(shortly),
            }),
        ),
        tool('read_concept', 'The text of a concept, with its columns and parameters.', NAME, async ({ concept_name: name }, work) => {
            const { definition, binds, python_scripts: scripts, ...record } = await conceptNamed(name, work);
            return {
                ...shortly({ definition, binds, python_scripts: scripts, ...record }),
                definition,
                binds,
                scripts: Object.keys(scripts),
            };
        }),
        tool(
            'create_concept',
            `Saves a program as a concept, or replaces the one of that name. It is checked first: with errors nothing is saved, and you get them to mend the
program. Keep what the user did not ask you to change.`,
            { ...NAME, ...CODE },
            ({ concept_name: name, rulelang_code: code, description = '' }, work) => proposed(name, code, description, work),
        ),
        tool(
            'edit_concept',
            'Replaces a part of the text of a concept. The old text must occur exactly once. It is checked like a new one.',
            {
                ...NAME,
                old_text: Type.String(),
                new_text: Type.String(),
                description: Type.Optional(Type.String({ description: 'What changes, in one sentence for the user.' })),
            },
            async ({ concept_name: name, old_text: before, new_text: after, description = '' }, work) => {
                const { definition } = await conceptNamed(name, work);
                const places = definition.split(before).length - 1;
                if (before === '' || places !== 1)
                    throw new ToolFailure('validation_error', say`old_text occurs ${places} times in '${name}'; it must occur once`);
                return await proposed(
                    name,
                    definition.replace(before, () => after),
                    description,
                    work,
                );
            },
        ),
        tool(
            'check_program',
            'What is wrong with a program, without saving it: each problem with place, code and remedy.',
            { rulelang_code: CODE.rulelang_code },
            async ({ rulelang_code: code }, work) => ({ diagnostics: await work.check('', code) }),
        ),
        tool(
            'analyze_program',
            'Which predicates a program defines, which it needs from elsewhere, and their columns.',
            { rulelang_code: CODE.rulelang_code },
            async ({ rulelang_code: program }, { client, signal }) => await client.analyze({ body: { program } }, signal),
        ),
        tool(
            'run_concept',
            `Evaluates a concept with all that it depends on, stores its rows and gives the first ${ROWS}.`,
            {
                ...NAME,
                params: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'Values of parameters by name.' })),
            },
            async ({ concept_name: name, params = {} }, work) => {
                const all = await concepts(work);
                const concept = named(name, all);
                const found = await Promise.all(neededBy(concept, all).map(one => effectsOf(one, work)));
                const reason = found.map(effects => effects && effectOf(effects)).find(effect => effect !== undefined);
                if (reason === undefined) return await run(name, params, work);
                const { definition: code, description } = concept;
                return new Proposal({
                    concept: name,
                    code,
                    description,
                    reason,
                    trial: undefined,
                    carryOut: () => run(name, params, work),
                });
            },
        ),
        tool(
            'fetch_results',
            `Stored rows of a concept, at most ${ROWS}; run it first where it has none.`,
            {
                ...NAME,
                page: Type.Optional(Type.Integer({ minimum: 1 })),
                order_by: Type.Optional(Type.String({ description: 'COLUMN or COLUMN:desc' })),
            },
            async ({ concept_name: name, page, order_by: order }, { client, project, scope, signal }) => {
                const query = {
                    output_predicate: name,
                    scope,
                    page_size: ROWS,
                    ...(page !== undefined && { page }),
                    ...(order !== undefined && { order_by: order }),
                };
                return await client.fetchResults({ path: { project_id: project }, query }, signal);
            },
        ),
        tool(
            'facts_near',
            `Stored facts around named values, over all concepts of the project: those that have one of the values, those that share a text with these, and so on. Use it to
find out what is known of something.`,
            {
                values: Type.Array(Type.String(), { minItems: 1, maxItems: 20 }),
                steps: Type.Optional(Type.Integer({ minimum: 1, maximum: 3, description: '1 where absent.' })),
            },
            async ({ values, steps = 1 }, { client, project, scope, signal }) =>
                await factsNear({ client, project, scope, signal, values, steps, most: MOST_FACTS }),
        ),
        tool(
            'validate_rows',
            `Has a language model check the first ${VALIDATED} stored rows of a concept against a rule in words; each objection names its row. For what can be written as a rule, write one instead.`,
            { ...NAME, rule: Type.String({ minLength: 1 }) },
            async ({ concept_name: name, rule }, { client, project, scope, signal }) => {
                const body = { concept_name: name, rule, limit: VALIDATED, scope };
                const { execution_id: _, model: __, ...told } = await client.validateRows({ path: { project_id: project }, body }, signal);
                return told;
            },
        ),
        tool(
            'explain_row',
            'Why a stored row of a concept is there: rules and what they rest on. The row is its number in the stored order, from 0.',
            { ...NAME, row: Type.Integer({ minimum: 0 }) },
            async ({ concept_name: name, row }, { client, project, scope, signal }) => {
                const { words, changed_files } = await client.explainRow(
                    { path: { project_id: project }, query: { concept_name: name, row, scope } },
                    signal,
                );
                return { explanation: words, ...(changed_files.length > 0 && { changed_files }) };
            },
        ),
        tool(
            'why_missing',
            'Why a concept has no such row, by its last run: what came nearest, what was lacking, and where to look first.',
            { ...NAME, fact: FACT },
            async ({ concept_name: name, fact }, { client, project, scope, signal }) => {
                const query = { concept_name: name, question: fact, scope };
                const { explanation_id: _, ...told } = await client.explainMissing({ path: { project_id: project }, query }, signal);
                return told;
            },
        ),
        tool(
            'list_sources',
            'Files and databases that the user has connected, with their columns and the bind that reads each.',
            {},
            async (_, { client, scope, signal }) => ({
                sources: (await client.listSources({ query: { scope } }, signal)).map(
                    ({ name, type, columns, row_count, bind_annotation }) => {
                        return { name, type, columns, row_count, bind_annotation };
                    },
                ),
            }),
        ),
        tool(
            'infer_schema',
            'A program that reads a source which the user has connected, with the columns of its tables; of a text or a PDF, the facts that a model finds there.',
            { name: Type.String({ description: 'The name of a source, as list_sources gives it.' }) },
            async ({ name }, { client, scope, signal }) => {
                const all = await client.listSources({ query: { scope } }, signal);
                const source = all.find(one => one.name === name);
                if (source === undefined)
                    throw new ToolFailure('source_unavailable', say`No source '${name}' is connected`, {
                        sources: all.map(one => one.name),
                    });
                const { database_type: databaseType, host, port, database_name: databaseName, schema } = source;
                const database = {
                    databaseType,
                    host,
                    databaseName,
                    username: '',
                    password: '',
                    ...(port !== null && { port }),
                    ...(schema !== null && { schema }),
                };
                return { rulelang_code: await client.inferSchema({ body: { database, addModel: true } }, signal) };
            },
        ),
        tool(
            'translate',
            'A query of SQL, or statements of RDF, as a rulelang program.',
            { from: Type.Unsafe<'sql' | 'rdf'>({ type: 'string', enum: ['sql', 'rdf'] }), text: Type.String() },
            async ({ from, text }, { client, project, signal }) => {
                const path = { project_id: project };
                const { rulelang_program: code } =
                    from === 'sql'
                        ? await client.translateSql({ path, body: { sql_data: text } }, signal)
                        : await client.translateRdf({ path, body: { rdf_data: text } }, signal);
                return { rulelang_code: code };
            },
        ),
        tool(
            'search_docs',
            'Sections of the documentation of the language: syntax, functions, annotations, data sources, and problems by their codes.',
            { question: Type.String() },
            async ({ question }) => ({
                sections: (documentation?.search([question], SECTIONS) ?? []).map(({ title, text }) => ({ title, text })),
            }),
        ),
    ];
}

function tool<P extends Parameters<typeof Type.Object>[0]>(
    name: string,
    description: string,
    properties: P,
    call: (input: Static<TObject<P>>, work: AgentWork) => Promise<object | Proposal>,
): AgentTool {
    return { name, description, input: Type.Object(properties, STRICT), call: call as AgentTool['call'] };
}

async function concepts({ client, project, scope, signal }: AgentWork): Promise<readonly ConceptRecord[]> {
    return await client.listConcepts({ path: { project_id: project }, query: { scope } }, signal);
}

async function conceptNamed(name: string, work: AgentWork): Promise<ConceptRecord> {
    return named(name, await concepts(work));
}

function named(name: string, all: readonly ConceptRecord[]): ConceptRecord {
    const found = all.find(one => one.concept_name === name);
    if (found !== undefined) return found;
    const names = all.map(one => one.concept_name);
    const meant = nearestName(name, names);
    const message = meant === undefined ? say`There is no concept '${name}'` : say`There is no concept '${name}'; did you mean '${meant}'?`;
    throw new ToolFailure('concept_not_found', message, { concepts: names });
}

function shortly({ concept_name, concept_type, description, columns, params, dependencies, row_count, is_stale }: ConceptRecord) {
    return { concept_name, concept_type, description, columns, params, dependencies, row_count, is_stale };
}

/** A change that the checker has nothing against; what it has goes back to the model. */
async function proposed(name: string, code: string, description: string, work: AgentWork): Promise<Proposal> {
    if (!NAME_PATTERN.test(name)) throw new ToolFailure('validation_error', say`'${name}' is no name of a concept: letters, digits and _`);
    const diagnostics = await work.check(name, code);
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    if (errors.length > 0)
        throw new ToolFailure('program_invalid', say`The program has errors; nothing was saved`, { diagnostics: errors });
    const effects = await work.effects(code, name);
    const reason = effects && ((await newSource(name, effects, work)) ?? effectOf(effects));
    const trial = effects && (await work.tryOut(code, effects));
    return new Proposal({ concept: name, code, description, reason, trial, carryOut: final => save(name, final, description, work) });
}

/** Saves a concept, and remembers what was there before. */
async function save(name: string, definition: string, description: string, work: AgentWork): Promise<object> {
    const { client, project, scope, signal, changed } = work;
    const before = (await concepts(work)).find(one => one.concept_name === name);
    const body = { definition, concept_name: name, scope, ...(description !== '' && { description }) };
    const { id, concept_name, created, diagnostics = [] } = await client.saveConcept({ path: { project_id: project }, body }, signal);
    if (!changed.has(name)) changed.set(name, before);
    return { id, concept_name, created, ...(diagnostics.length > 0 && { diagnostics }) };
}

async function run(
    name: string,
    params: Readonly<Record<string, unknown>>,
    { client, project, scope, signal }: AgentWork,
): Promise<object> {
    const call = { path: { project_id: project, concept_name: name }, body: { scope, params } };
    const { execution_id, rows_processed, columns, results, warnings } = await client.runConcept(call, signal);
    return { execution_id, rows_processed, columns, rows: results.slice(0, ROWS), ...(warnings.length > 0 && { warnings }) };
}

/** Puts concepts back as they were before a turn; gives their names. */
export async function undo(
    changed: ReadonlyMap<string, ConceptRecord | undefined>,
    { client, project, scope, signal }: Pick<AgentWork, 'client' | 'project' | 'scope' | 'signal'>,
): Promise<string[]> {
    const path = { project_id: project };
    for (const [name, before] of changed) {
        if (before === undefined) await client.cleanupConcepts({ path, body: { scope, concept_names: [name] } }, signal);
        else {
            const { definition, description, python_scripts, binds, group } = before;
            const body = {
                definition,
                concept_name: name,
                concept_type: before.concept_type as 'logic' | 'sql',
                scope,
                description,
                python_scripts,
                binds,
                group,
            };
            await client.saveConcept({ path, body: body as Parameters<typeof client.saveConcept>[0]['body'] }, signal);
        }
    }
    return [...changed.keys()];
}

/** The first bind whose source is neither connected nor bound by another concept, as a reason to ask the user. */
async function newSource(name: string, { input }: ProgramEffects, work: AgentWork): Promise<string | undefined> {
    if (input.length === 0) return undefined;
    const sources = await work.client.listSources({ query: { scope: work.scope } }, work.signal);
    const found = await Promise.all([
        ...(await concepts(work)).map(one => effectsOf(one, work)),
        ...sources.map(({ bind_annotation }) => work.effects(bind_annotation)),
    ]);
    const known = new Set(found.flatMap(effects => effects?.input.map(sourceKey) ?? []));
    const unknown = input.find(bind => !known.has(sourceKey(bind)));
    return unknown && say`'${name}' reads a source that is neither connected nor bound by a concept: ${unknown.annotation}`;
}

/** What running a program does besides giving rows, as a reason to ask the user. */
function effectOf({ output: [written], python }: ProgramEffects): string | undefined {
    if (written !== undefined) return say`it writes: ${written.annotation}`;
    return python ? say`it runs a script of Python` : undefined;
}

function effectsOf(concept: ConceptRecord, work: AgentWork): Promise<ProgramEffects | undefined> {
    return work.effects(withBinds(concept), concept.output_predicate);
}

/** The definition of a concept with the binds that are kept beside it. */
function withBinds({ definition, binds, concept_type }: ConceptRecord): string {
    const { input = [], output = [] } = binds as { readonly input?: readonly BindEntry[]; readonly output?: readonly BindEntry[] };
    const beside = [...input, ...output].map(({ annotation }) => annotation);
    return [...(concept_type === 'sql' ? [] : [definition]), ...beside].join('\n');
}

/** A concept and all that it depends on. */
function neededBy(concept: ConceptRecord, all: readonly ConceptRecord[]): ConceptRecord[] {
    const found = new Set([concept]);
    for (const one of found) for (const other of all) if (one.dependencies.includes(other.concept_name)) found.add(other);
    return [...found];
}
