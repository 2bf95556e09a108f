import { say } from '#language/program/say.ts';
import { sourceKey } from '#language/tools/parse-binds.ts';
import type { ProgramEffects } from '#language/tools/program-effects.ts';
import { isRefusal, Refusal, refuse } from '#server/notices/refusal.ts';
import { lengthenWait } from '#server/processes/lengthen-wait.ts';
import { type Concept, withBinds } from '#server/projects/concept-reading.ts';
import { conceptText } from '#server/projects/concept-texts.ts';
import { textsOf } from '#server/projects/plan-run.ts';
import type { Project } from '#server/projects/project.ts';
import { conceptsOf } from '#server/projects/saved-concept.ts';
import { ApiError } from '#server/protocol/platform/api-error.ts';
import { startEvaluation } from '#server/runs/evaluation.ts';
import { NoResult, noResult } from '#server/runs/no-result.ts';
import { conceptRunner } from './concept-runner.ts';
import { evaluationError } from './evaluation-error.ts';
import type { PlatformContext } from './platform-context.ts';
import type { Asker } from './workers.ts';

/** The outputs of a program on the data at hand; a dry run stores and writes nothing. */
export interface DryRun {
    readonly outputs: readonly {
        readonly predicate: string;
        readonly row_count: number;
        /** The lacks of its rules, if it has no rows and the search for reasons finished in time. */
        readonly why_empty?: readonly string[];
    }[];
    /** Omitted steps with their reasons; sentences. */
    readonly not_run: readonly string[];
}

/** Milliseconds for one evaluation, and for everything: reading the concepts, starting processes and saying what is lacking too. */
const LONGEST = 5000;
const LONGEST_WHOLE = 3 * LONGEST;
const MOST_OUTPUTS = 5;
const MOST_REASONS = 5;

/**
 * Tries programs that the user has not seen yet. They read the concepts of a project, and of the world only sources that saved concepts
 * bind already. Other sources, targets, Python and models are named instead.
 */
export function dryRunner(context: PlatformContext) {
    const { store, tools, explanationLanes, models } = context;

    /** The binds of saved concepts, as `sourceKey` compares them. */
    const savedBinds = async (concepts: readonly Concept[], asker: Asker): Promise<ReadonlySet<string>> => {
        const found = new Set<string>();
        for (const concept of concepts.filter(
            ({ type, binds, definition }) => type === 'logic' && `${definition}${binds}`.includes('@bind'),
        )) {
            const answer = await tools.ask({ kind: 'parse-binds', program: withBinds(concept) }, asker);
            if (answer.kind === 'binds') for (const bind of answer.value.binds.input) found.add(sourceKey(bind));
        }
        return found;
    };

    return async (program: string, effects: ProgramEffects, { scope, id }: Project, asker: Asker): Promise<DryRun> => {
        const longest = lengthenWait(LONGEST_WHOLE);
        const late = AbortSignal.timeout(longest);
        const limited = { ...asker, departure: AbortSignal.any([asker.departure, late]) };
        const concepts = (await conceptsOf(store, scope, id)).map(
            (concept): Concept => ({ ...conceptText(concept), name: concept.name, scripts: concept.pythonScripts }),
        );
        const known = effects.input.length === 0 ? new Set() : await savedBinds(concepts, asker);
        const refused = [
            ...effects.input
                .filter(bind => bind.kind !== 'bind' || !known.has(sourceKey(bind)))
                .map(({ annotation }) => say`No saved concept reads this source: ${annotation}`),
            ...effects.output.map(({ annotation }) => say`It writes: ${annotation}`),
            ...(effects.python ? [say`It runs Python`] : []),
            ...(effects.model ? [say`It asks a language model`] : []),
        ];
        if (refused.length > 0) return { outputs: [], not_run: refused };
        const outputs: DryRun['outputs'][number][] = [];
        const notRun: string[] = [];
        for (const [i, predicate] of effects.outputs.entries()) {
            if (i === MOST_OUTPUTS) notRun.push(say`Only the first ${MOST_OUTPUTS} outputs were tried`);
            if (i === MOST_OUTPUTS) break;
            const began = performance.now();
            try {
                outputs.push(await tried(predicate, program, concepts, limited, notRun));
            } catch (error) {
                if (asker.departure.aborted) throw error;
                notRun.push(
                    `${predicate}: ${late.aborted ? say`it has no result within ${longest / 1000} s` : reasonOf(error, performance.now() - began)}`,
                );
                if (late.aborted) break;
            }
        }
        return { outputs, not_run: notRun };
    };

    async function tried(
        predicate: string,
        definition: string,
        saved: readonly Concept[],
        asker: Asker,
        remarks: string[],
    ): Promise<DryRun['outputs'][number]> {
        const concept: Concept = { name: predicate, type: 'logic', definition, binds: [], scripts: {} };
        const runner = conceptRunner(context, asker);
        const { currentFolder, folders, maxMemory } = runner;
        const concepts = [...saved.filter(({ name }) => name !== predicate), concept];
        const question = { concepts, target: predicate, parameters: new Map(), backend: 'local', currentFolder, folders, keysOfAll: false };
        const planned = await runner.plan(question);
        if (!planned.ok) refuse(reasonOfFault(planned), 'trial');
        const { steps, stamps, parameters, now } = planned;
        for (const warning of planned.warnings) if (!remarks.includes(warning)) remarks.push(warning);
        const script = steps.find(({ kind }) => kind === 'script');
        if (script !== undefined) refuse(say`'${script.concept}' runs Python`, 'trial');
        return await explanationLanes.run(
            'dry-runs',
            async ({ signal }) => {
                const run = {
                    steps,
                    parameters,
                    now,
                    // Evaluated to be explained, it writes no files.
                    explains: { stamps },
                    keepsAll: true,
                    currentFolder,
                    folders: await runner.reach(steps.flatMap(textsOf)),
                    python: { ...runner.python, enabled: false },
                    limits: { maxMemory: maxMemory / 2, timeout: LONGEST },
                };
                const evaluation = await startEvaluation(run, models.keptAnswers, signal);
                try {
                    const output = evaluation.outputs.at(-1);
                    if (output === undefined) throw new RangeError('the last step has no output');
                    if (output.rows > 0) return { predicate, row_count: output.rows };
                    const fact = `${predicate}(${output.columns.map(() => '_').join(', ')})`;
                    const answer = await evaluation.ask('rulelang/whyNot', { question: fact }, asker.departure).catch((error: unknown) => {
                        if (error instanceof Refusal) return undefined;
                        throw error;
                    });
                    if (answer?.kind !== 'absent') return { predicate, row_count: 0 };
                    const lacking = answer.absence.reasons.flatMap(({ lacks }) => lacks.map(({ words }) => words));
                    const words = [...new Set([...(answer.first === undefined ? [] : [answer.first.words]), ...lacking])];
                    return { predicate, row_count: 0, why_empty: words.slice(0, MOST_REASONS) };
                } finally {
                    evaluation.close();
                }
            },
            asker.departure,
        );
    }

    function reasonOf(error: unknown, took: number): string {
        if (isRefusal(error, 'trial') || error instanceof ApiError) return error.message;
        const known = noResult(error, LONGEST, took);
        if (!(known instanceof NoResult)) throw error;
        const told = evaluationError(known);
        if (!(told instanceof ApiError)) throw error;
        return told.message;
    }
}

function reasonOfFault(planned: Extract<Awaited<ReturnType<ReturnType<typeof conceptRunner>['plan']>>, { ok: false }>): string {
    if (planned.fault === 'cycle') return say`concepts depend on each other: ${planned.cycle.join(' -> ')}`;
    return say`parameters have no values: ${planned.names.join(', ')}`;
}
