import { say } from '#language/program/say.ts';
import { type BindEntry, sourceKey } from '#language/tools/parse-binds.ts';
import type { ProgramEffects } from '#language/tools/program-effects.ts';
import { type ConceptRecord, conceptsOf, projectOf, type ToolProject } from '#server/tools/project.ts';
import type { Answer, ConceptRun, ConceptSave } from '#server/tools/tool.ts';
import { ToolError } from '#server/tools/tool-error.ts';
import type { AgentWork, Trial } from './agent-work.ts';

/** Something that is shown to the user before it is done. */
export interface Proposal {
    readonly concept: string;
    /** The text of the concept, without errors. */
    readonly code: string;
    /** Describes it in a sentence. */
    readonly description: string;
    /** Why the user must agree, where he must: what it reaches or writes. */
    readonly reason: string | undefined;
    /** The result of trying it. */
    readonly trial: Trial | undefined;
    /** Does it, with this text or the one that the user made of it. */
    carryOut(code: string): Promise<Answer>;
}

/** A program that is to be saved, once the checker has nothing against it; what it has is a `ToolError` for the model. */
export async function proposedSave({ concept, code, description = '', ...save }: ConceptSave, work: AgentWork): Promise<Proposal> {
    const diagnostics = await work.project.check(code, concept);
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    if (errors.length > 0) throw new ToolError('program_invalid', say`The program has errors; nothing was saved`, { diagnostics: errors });
    const effects = await work.effects(code, concept);
    const reason = effects && ((await newSource(concept, effects, work)) ?? effectOf(effects));
    const trial = effects && (await work.tryOut(code, effects));
    return {
        concept,
        code,
        description,
        reason,
        trial,
        async carryOut(final) {
            const before = (await conceptsOf(projectOf({}, work))).find(one => one.concept_name === concept);
            const saved = await save.carryOut(final);
            if (!work.changed.has(concept)) work.changed.set(concept, before);
            return saved;
        },
    };
}

/** A concept that is to be run, where the user must agree to what that does besides giving rows. */
export async function proposedRun({ concept: name, ...run }: ConceptRun, work: AgentWork): Promise<Proposal | undefined> {
    const all = await conceptsOf(projectOf({}, work));
    const concept = all.find(one => one.concept_name === name);
    if (concept === undefined) return undefined;
    const found = await Promise.all(neededBy(concept, all).map(one => effectsOf(one, work)));
    const reason = found.map(effects => effects && effectOf(effects)).find(effect => effect !== undefined);
    if (reason === undefined) return undefined;
    const { definition: code, description } = concept;
    return { concept: name, code, description, reason, trial: undefined, carryOut: () => run.carryOut() };
}

/** Puts concepts back as they were before a turn; gives their names. */
export async function undo(
    changed: ReadonlyMap<string, ConceptRecord | undefined>,
    { client, project, scope, signal }: ToolProject,
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
    const at = projectOf({}, work);
    const sources = await at.client.listSources({ query: { scope: at.scope } }, at.signal);
    const found = await Promise.all([
        ...(await conceptsOf(at)).map(one => effectsOf(one, work)),
        ...sources.map(({ bind_annotation }) => work.effects(bind_annotation)),
    ]);
    const known = new Set(found.flatMap(effects => effects?.input.map(sourceKey) ?? []));
    const unknown = input.find(bind => !known.has(sourceKey(bind)));
    return unknown && say`'${name}' reads a source that is neither connected nor bound by a concept: ${unknown.annotation}`;
}

/** Names an effect of a run besides its rows, as a reason to ask the user. */
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
