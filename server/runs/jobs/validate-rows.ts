import { type Listing, listPredicate, nullLabels } from '#engine/results/listing.ts';
import { factText } from '#engine/values/fact-text.ts';
import { nearestName } from '#language/library/nearest-name.ts';
import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import { rowBatches, rowObjections } from '#server/model/row-objections.ts';
import { visible, visibleJson } from '#server/notices/visible-text.ts';
import { EXIT, type ProgramJob } from '#server/protocol/jobs.ts';
import { type Evaluation, evaluateJob } from '../evaluate-job.ts';
import type { JobContext } from '../job-context.ts';
import type { LoadedProgram } from '../load-program.ts';
import { askModel } from './ask-model.ts';

export interface ValidateJob extends ProgramJob {
    readonly kind: 'validate';
    /** In words, for a model. */
    readonly rule: string;
    /** Whose rows are checked; the only one where absent. */
    readonly output?: string;
    /** Rows that are checked at most. */
    readonly limit: number;
    readonly format: 'text' | 'json';
}

/** Has a model check the rows of an output against a rule in words, and prints what it has against them. */
export async function validateRows(job: ValidateJob, context: JobContext): Promise<number> {
    const evaluated = await evaluateJob(job, context, loaded => refusedOutput(job, loaded));
    if (!evaluated.ok) return evaluated.exitCode;
    context.releaseTerminal();
    const { name, columns, facts, count } = checkedFacts(evaluated, job);
    const asked = { rule: job.rule, predicate: name, columns, rows: facts };
    const told = await askModel('validate', rowBatches(facts).length, job, context, async (model, signal) => ({
        ...(await rowObjections(model, asked, signal)),
        model: model.name,
    }));
    if (told === undefined) return EXIT.failed;
    const objections = told.objections.map(({ row, reason }) => ({ row: row + 1, fact: facts[row] ?? '', reason }));
    if (job.format === 'json') {
        const json = JSON.stringify(objections, undefined, 2);
        context.print(`${context.streams.outputWidth === undefined ? json : visibleJson(json)}\n`);
    } else for (const { fact, reason } of objections) context.print(`${visible(fact)}\n  ${visible(reason)}\n`);
    const checked = countText(facts.length);
    context.say(
        objections.length === 0
            ? say`${told.model} has nothing against the ${checked} rows of ${name} that it was shown\n`
            : say`${told.model} objects to ${countText(objections.length)} of the ${checked} rows of ${name} that it was shown\n`,
    );
    if (count > facts.length) context.say(say`… and ${countText(count - facts.length)} more rows; --limit ${count} shows it all\n`);
    if (told.dropped > 0) context.say(say`${countText(told.dropped)} objections were dropped that name no row or give no reason\n`);
    return objections.length === 0 ? EXIT.fine : EXIT.failed;
}

function checkedFacts({ outcome: { database } }: Evaluation, { output, limit }: ValidateJob) {
    const { dictionary, program } = database;
    const label = nullLabels(dictionary);
    const listings = program.outputs.map((key): Listing => listPredicate(database, key));
    const listing = listings.find(({ name }) => output === undefined || name === output);
    const predicate = listing && program.predicates.get(listing.predicate);
    if (listing === undefined || predicate === undefined) throw new Error('the output was looked for before the run');
    const factAt = (row: number): string => {
        const values = listing.columns.map((_, column) => listing.at(row, column));
        return factText(dictionary, predicate, values, label);
    };
    return {
        name: listing.name,
        columns: listing.columns.map(column => column.name),
        facts: Array.from({ length: Math.min(listing.count, limit) }, (_, row) => factAt(row)),
        count: listing.count,
    };
}

function refusedOutput({ output }: ValidateJob, { program }: LoadedProgram): string | undefined {
    const names = program.outputs.flatMap(key => program.predicates.get(key)?.name ?? []);
    if (names.length === 0) return say`rulelang validate: the program has no output`;
    if (output === undefined)
        return names.length === 1
            ? undefined
            : say`rulelang validate: the program has several outputs; choose one with --output: ${names.join(', ')}`;
    if (names.includes(output)) return undefined;
    const meant = nearestName(output, names);
    return meant === undefined
        ? say`rulelang validate: the program has no output '${output}'; its outputs are ${names.join(', ')}`
        : say`rulelang validate: the program has no output '${output}'; did you mean '${meant}'?`;
}
