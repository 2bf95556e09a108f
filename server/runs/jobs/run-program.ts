import { resolve } from 'node:path';
import type { Database, RunStatistics } from '#engine/contracts/database.ts';
import { type Listing, listPredicate, nullLabels } from '#engine/results/listing.ts';
import { nearestName } from '#language/library/nearest-name.ts';
import { counted, countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import { visible } from '#server/notices/visible-text.ts';
import { EXIT, type RunJob } from '#server/protocol/jobs.ts';
import { EXPORT_FORMATS, isTableFormat } from '#server/protocol/result-formats.ts';
import { labelNulls } from '#server/terminal/label-nulls.ts';
import { type Answer, printAnswer } from '#server/terminal/print-answer.ts';
import { type AskedQueries, refusedQuery } from '../asked-queries.ts';
import { computeText } from '../compute-text.ts';
import { emptyOutputs } from '../empty-outputs.ts';
import { evaluateJob } from '../evaluate-job.ts';
import { exportRows } from '../export-rows.ts';
import { inventedValues } from '../invented-values.ts';
import type { JobContext } from '../job-context.ts';
import type { LoadedProgram } from '../load-program.ts';
import { projectProgram } from '../project-program.ts';
import { provenanceBinds } from '../provenance.ts';
import { sayNotices } from '../say-notices.ts';
import { tellProfile } from '../tell-profile.ts';

type Written = NonNullable<RunJob['written']>;

/** Rows of one output on a terminal where the command line sets no limit. */
const TERMINAL_ROWS = 1000;

/** Evaluates a program, puts its files in place and prints its outputs. */
export async function runProgram(asked: RunJob, context: JobContext): Promise<number> {
    const { file, refusal } = projectProgram(asked);
    if (file === undefined) {
        context.say(`${refusal}\n`);
        return EXIT.usage;
    }
    const job = { ...asked, file };
    const evaluated = await evaluateJob(job, context, (loaded, queries) => refusedQuery(queries) ?? refusedOutputs(job, loaded, queries));
    if (!evaluated.ok) return evaluated.exitCode;
    const { outcome, loaded, checkpoint } = evaluated;
    const answer = answerOf(outcome.database, job);
    const isTable = isTableFormat(job.format) && job.written === undefined && !replacesOutputs(job);
    const empty = isTable ? answer.listings.flatMap(({ count, predicate }) => (count === 0 ? [predicate] : [])) : [];
    const explained = await emptyOutputs(evaluated, empty);
    if (provenanceBinds(loaded.program).length > 0) labelNulls({ listings: [], all: answer.all, label: answer.label }, 0);
    const results = { database: outcome.database, listings: answer.all, label: answer.label };
    const written = job.queries.length > 0 ? { sentences: [], console: '' } : await evaluated.write(results, checkpoint);
    for (const sentence of written.sentences) context.say(`${sentence}\n`);
    try {
        if (job.written !== undefined) await writeAnswer(answer, job.written, context);
        else if (!replacesOutputs(job)) print(answer, job, context, outcome.database);
        if (explained.length > 0) context.say('\n');
        sayNotices(explained, context);
        const text = written.console.split('\n').map(visible).join('\n');
        if (isTableFormat(job.format)) context.print(text);
        else context.say(text);
    } catch (error) {
        if (context.cancelled() !== undefined) context.say(say`What is printed above is right, but not all.\n`);
        throw error;
    }
    if (job.profile !== undefined) tellProfile(job.profile, outcome.statistics, outcome.database, loaded, context);
    const { places } = outcome.statistics;
    if (places !== undefined) context.say(computeText(places, job.limits.compute ?? '', job.explainsCompute === true));
    if (job.statistics) context.say(statisticsText(outcome.statistics));
    return EXIT.fine;
}

function replacesOutputs({ profile }: RunJob): boolean {
    return profile !== undefined && profile.format !== 'text' && profile.file === undefined;
}

function print(answer: Answer, job: RunJob, context: JobContext, database: Database): void {
    const limit = rowLimit(job, context);
    const invented = inventedValues(database, answer.label, context.texts);
    printAnswer(answer, {
        format: job.format,
        limit,
        remark: listing => invented(listing, limit),
        ...(context.streams.outputWidth === undefined ? {} : { width: context.streams.outputWidth }),
        colour: context.streams.outputColour,
        elapsed: context.clock,
        print: context.print,
        say: context.say,
    });
}

/** Writes the outputs into the file that the user named, whole or not at all. */
async function writeAnswer({ listings, all, label }: Answer, { path, format }: Written, { say: tell, send }: JobContext): Promise<void> {
    labelNulls({ listings, all, label }, Number.POSITIVE_INFINITY);
    const onTemporary = (file: string, exists: boolean): void => send({ kind: 'temporary', path: file, exists });
    await exportRows(listings, { format, path: resolve(path), label, onTemporary });
    const rows = listings.reduce((sum, { count }) => sum + count, 0);
    tell(say`Wrote ${counted(rows, 'row')} to ${visible(path)}\n`);
}

function rowLimit({ limit, format }: RunJob, { streams }: JobContext): number {
    if (limit === 'all') return Number.POSITIVE_INFINITY;
    return limit ?? (isTableFormat(format) && streams.outputWidth !== undefined ? TERMINAL_ROWS : Number.POSITIVE_INFINITY);
}

/** The outputs to print, and labels for nulls that do not depend on which outputs and how many rows are printed. */
function answerOf(database: Database, { outputs, queries, unordered }: RunJob): Answer {
    const label = nullLabels(database.dictionary);
    const listings = database.program.outputs.map(key => listPredicate(database, key, { unordered }));
    const isChosen = ({ name }: Listing): boolean => outputs.length === 0 || queries.length > 0 || outputs.includes(name);
    return { listings: listings.filter(isChosen), all: listings, label };
}

function refusedOutputs({ outputs, format, written }: RunJob, { program }: LoadedProgram, asked: AskedQueries): string | undefined {
    const all = program.outputs.flatMap(key => program.predicates.get(key)?.name ?? []);
    const names = all.filter(name => !asked.names.has(name));
    for (const wanted of outputs) {
        if (names.includes(wanted)) continue;
        const meant = nearestName(wanted, names);
        const hint =
            meant === undefined
                ? names.length === 0
                    ? say`it has none`
                    : say`its outputs are ${names.join(', ')}`
                : say`did you mean '${meant}'?`;
        return say`rulelang run: the program has no output '${wanted}'; ${hint}`;
    }
    const printed = asked.names.size > 0 ? [...outputs, ...asked.names] : outputs.length === 0 ? names : outputs;
    const single = written?.format ?? format;
    if (!isTableFormat(single) && !EXPORT_FORMATS[single].several && new Set(printed).size > 1) {
        if (asked.names.size > 0)
            return say`rulelang run: --format ${single} holds one output, and ${printed.length} are asked for; ask one`;
        return say`rulelang run: --format ${single} holds one output, and the program has ${names.length}; choose one with --output: ${names.join(', ')}`;
    }
    return undefined;
}

function statisticsText({ facts, rounds, loading, evaluating, peakBytes }: RunStatistics): string {
    const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(2)} s`;
    const rows: [string, string][] = [
        [say`facts`, countText(facts)],
        [say`rounds`, countText(rounds)],
        [say`loading`, seconds(loading)],
        [say`evaluating`, seconds(evaluating)],
        [say`memory`, `${(peakBytes / 1024 / 1024).toFixed(1)} MiB`],
    ];
    const widest = Math.max(...rows.map(([name]) => name.length));
    const width = Math.max(...rows.map(([, value]) => value.length));
    return rows.map(([name, value]) => `${name.padEnd(widest)}  ${value.padStart(width)}\n`).join('');
}
