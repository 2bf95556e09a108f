import { listPredicate, nullLabels } from '#engine/results/listing.ts';
import type { AnalysedProgram, PredicateKey } from '#language/program/analysed-program.ts';
import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import { problemNotice } from '#server/notices/notice.ts';
import { sourceText } from '#server/notices/source-texts.ts';
import { visible, visibleJson } from '#server/notices/visible-text.ts';
import { EXIT, type ProgramJob } from '#server/protocol/jobs.ts';
import { colourOf } from '#server/terminal/colour.ts';
import { evaluateJob, jobSource } from '../evaluate-job.ts';
import type { HeldRun } from '../held-run.ts';
import type { JobContext } from '../job-context.ts';
import { type LoadedProgram, loadProgram } from '../load-program.ts';
import { sayNotices } from '../say-notices.ts';
import type { ChangedOutput, Fate } from '../what-if/changed-outputs.ts';
import { changedRowText } from '../what-if/changed-row-text.ts';
import { changedSource } from '../what-if/changed-source.ts';
import { ADDED, type Changes, changesProgram, editedIn, readChanges, removesDerived } from '../what-if/read-changes.ts';
import { tryChanges } from '../what-if/try-changes.ts';
import { type EvaluatedChanges, type ExplainedChanges, evaluatedChanges, explainedChanges } from './explain-changes.ts';

export interface WhatIfJob extends ProgramJob {
    readonly kind: 'what-if';
    /** Texts of facts and rules to add, and to take away. */
    readonly added: readonly string[];
    readonly removed: readonly string[];
    /** New values of parameters, by name. */
    readonly set: readonly (readonly [string, string])[];
    /** Names of the outputs to compare; all if empty. */
    readonly outputs: readonly string[];
    /** Rows printed of each output at most. */
    readonly limit: number;
    readonly format: 'text' | 'json';
    /** Explain each printed row. */
    readonly explain: boolean;
}

/** Prints the rows of outputs that come and go if facts, rules or parameters change. Returns the exit code. */
export async function whatIf(asked: WhatIfJob, context: JobContext): Promise<number> {
    // All evaluations of the job share one present and one seed.
    const [seed = 0] = crypto.getRandomValues(new Uint32Array(1));
    const job = { ...asked, surroundings: { now: Date.now(), seed, ...asked.surroundings } };
    let held: HeldRun | undefined;
    let changes: Changes | undefined;
    const evaluated = await evaluateJob(
        job,
        context,
        loaded => {
            const read = changesOf(job, loaded);
            if (typeof read === 'string') return read;
            changes = read;
            if (job.explain && removesDerived(read, loaded.program))
                return say`Rows that rules derive are taken away here, which no rule explains; leave --explain out`;
            return undefined;
        },
        undefined,
        {
            edited: program => (changes === undefined ? new Set() : editedIn(changes, program)),
            held: run => {
                held = run;
            },
        },
    );
    if (!evaluated.ok || held === undefined || changes === undefined) return evaluated.ok ? EXIT.failed : evaluated.exitCode;
    const { loaded, outcome } = evaluated;
    const before = outputsOf(loaded.program, job.outputs).map(key => listPredicate(outcome.database, key));
    const changed = changesProgram(changes) ? await changedProgram(job, changes, context) : undefined;
    if (changed === 'failed') return EXIT.failed;
    const wanted = changes;
    let whole: Promise<EvaluatedChanges | undefined> | undefined;
    const evaluatedAnew = (): Promise<EvaluatedChanges | undefined> => {
        whole ??= evaluatedChanges(job, wanted, context);
        return whole;
    };
    const tried = await tryChanges(held, wanted, {
        loaded,
        ...(changed && { changed }),
        database: outcome.database,
        before,
        once: true,
        anew: async () => {
            const anew = await evaluatedAnew();
            return anew && before.map(({ predicate }) => listPredicate(anew.database, predicate as PredicateKey));
        },
    });
    if (tried.kind === 'failed') {
        if (typeof tried.why === 'string') context.say(`${tried.why}\n`);
        else sayNotices(tried.why, context);
        return EXIT.failed;
    }
    const { outputs, anew } = tried;
    if (anew !== undefined) context.say(say`The changed program was evaluated anew: ${anew}\n`);
    const explainable = job.explain ? await evaluatedAnew() : undefined;
    if (job.explain && explainable === undefined) return EXIT.failed;
    const explained = explainable && explainedChanges(explainable, wanted, job, context);
    context.releaseTerminal();
    const { program } = changed ?? loaded;
    if (job.format === 'json') await printJson(outputs, program, job, context, explained);
    else for (const output of outputs) await printOutput(output, program, job, context, explained);
    return EXIT.fine;
}

/** Reads the changes that the job asks for; a text says why it cannot. */
function changesOf({ added, removed, set, outputs }: WhatIfJob, { program }: LoadedProgram): Changes | string {
    const unknown = outputs.find(name => !program.outputs.some(key => program.predicates.get(key)?.name === name));
    if (unknown !== undefined) return say`The program has no output '${unknown}'`;
    return readChanges({ with: added, without: removed, set: Object.fromEntries(set) }, program);
}

/** Loads the program with the changed rules and parameters, and reports its errors. */
async function changedProgram(job: WhatIfJob, changes: Changes, context: JobContext): Promise<LoadedProgram | 'failed'> {
    const loaded = await loadProgram(changedSource(jobSource(job, new Map(job.parameters)), changes));
    const errors = loaded.problems.filter(({ severity }) => severity === 'error').map(problemNotice);
    context.texts.set(ADDED, sourceText(changes.text));
    if (errors.length === 0) return loaded;
    sayNotices(errors, context);
    return 'failed';
}

function outputsOf({ outputs, predicates }: AnalysedProgram, names: readonly string[]): PredicateKey[] {
    const all = outputs.length > 0 ? outputs : [...predicates.keys()];
    return all.filter(key => names.length === 0 || names.includes(predicates.get(key)?.name ?? ''));
}

const SIGNS: Readonly<Record<Fate, string>> = { comes: '+', goes: '-' };

function countOf({ fates }: ChangedOutput, fate: Fate): number {
    return fates.filter(one => one === fate).length;
}

async function printOutput(
    output: ChangedOutput,
    program: AnalysedProgram,
    job: WhatIfJob,
    context: JobContext,
    explained: ExplainedChanges | undefined,
): Promise<void> {
    const { listing, fates } = output;
    const colour = colourOf(context.streams.outputColour);
    const rows = countText(output.rows);
    const [gone, come] = [countText(countOf(output, 'goes')), countText(countOf(output, 'comes'))];
    const isOne = output.rows === 1;
    const said =
        fates.length > 0
            ? say`${isOne ? say`1 row` : say`${rows} rows`}, ${gone} gone, ${come} new`
            : isOne
              ? say`the same row`
              : say`the same ${rows} rows`;
    context.print(`${colour.strong(listing.name)}: ${said}\n`);
    const label = nullLabels(listing.dictionary);
    for (const [row, fate] of fates.slice(0, job.limit).entries()) {
        const line = `${SIGNS[fate]} ${visible(changedRowText(output, row, program, label))}`;
        context.print(`  ${fate === 'comes' ? colour.added(line) : colour.removed(line)}\n`);
        // Leaves out the first line of the tree, which repeats the row.
        const [, ...lines] = (await explained?.lines(changedRowText(output, row, program, () => '_'))) ?? [];
        context.print(lines.map(one => (one === '' ? '' : `    ${visible(one)}\n`)).join(''));
    }
    if (fates.length > job.limit)
        context.print(say`  … and ${countText(fates.length - job.limit)} more; --limit ${fates.length} shows all\n`);
}

async function printJson(
    changed: readonly ChangedOutput[],
    program: AnalysedProgram,
    job: WhatIfJob,
    context: JobContext,
    explained: ExplainedChanges | undefined,
): Promise<void> {
    const outputs: object[] = [];
    for (const output of changed) {
        const { listing, fates, rows } = output;
        const label = nullLabels(listing.dictionary);
        const printed = fates.slice(0, job.limit);
        const facts = (fate: Fate): string[] =>
            printed.flatMap((one, row) => (one === fate ? [changedRowText(output, row, program, label)] : []));
        const told = { removed: facts('goes'), added: facts('comes') };
        const why: unknown[] = [];
        const questions = printed.map((_, row) => changedRowText(output, row, program, () => '_'));
        if (explained !== undefined) for (const question of questions) why.push((await explained.json(question)) ?? null);
        outputs.push({ output: listing.name, rows, ...told, ...(explained && { why }) });
    }
    const json = JSON.stringify(outputs, undefined, 2);
    context.print(`${context.streams.outputWidth === undefined ? json : visibleJson(json)}\n`);
}
