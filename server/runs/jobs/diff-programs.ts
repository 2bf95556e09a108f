import { type Listing, listPredicate } from '#engine/results/listing.ts';
import { withModules } from '#language/modules/include.ts';
import type { Predicate } from '#language/program/analysed-program.ts';
import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import { visible, visibleJson } from '#server/notices/visible-text.ts';
import { EXIT, type ProgramJob } from '#server/protocol/jobs.ts';
import { colourOf } from '#server/terminal/colour.ts';
import { type ComparedOutput, compareListings, type RowDifference } from '../compare-listings.ts';
import { causesOfRows } from '../differences/causes-of-rows.ts';
import { differentFacts } from '../differences/different-facts.ts';
import { type EditWords, editWords } from '../differences/edit-words.ts';
import { type Edit, rowEdits, type Sides } from '../differences/edits.ts';
import { type Evaluation, evaluateJob, jobSource } from '../evaluate-job.ts';
import { usedParameters } from '../given-parameters.ts';
import type { JobContext } from '../job-context.ts';
import type { KeptProgram } from '../kept-program.ts';
import { type LoadedProgram, loadProgram } from '../load-program.ts';
import type { MixedProgram } from '../mixed-program.ts';
import { providersOf } from '../model-providers.ts';
import { prepareRun } from '../prepare-run.ts';
import { type MadeOf, runEdits } from '../run-difference.ts';
import { findRunModules, runModules } from '../run-modules.ts';
import { checkpointOf } from '../write-outputs.ts';

export interface DiffJob extends ProgramJob {
    readonly kind: 'diff';
    /** The later program; `file` is the earlier one. */
    readonly later: string;
    /** Values of parameters that are others in the later run, by name. */
    readonly set: readonly (readonly [string, string])[];
    /** The outputs that are compared; all where empty. */
    readonly outputs: readonly string[];
    /** Rows printed of each output at most. */
    readonly limit: number;
    readonly format: 'text' | 'json';
    /** Milliseconds for what makes the differences. */
    readonly causes: number;
}

/** Shows which rows of outputs differ between two programs, and which edits make each difference. */
export async function diffPrograms(job: DiffJob, context: JobContext): Promise<number> {
    const laterJob = { ...job, file: job.later, parameters: [...job.parameters, ...job.set] };
    const before = await evaluateJob(job, context, () => undefined);
    if (!before.ok) return before.exitCode;
    const after = await evaluateJob(laterJob, context, () => undefined);
    if (!after.ok) return after.exitCode;
    const unknown = job.outputs.find(
        name => ![before, after].some(({ loaded }) => outputsOf(loaded).some(({ name: own }) => own === name)),
    );
    if (unknown !== undefined) {
        context.say(say`rulelang diff: neither program has an output '${unknown}'\n`);
        return EXIT.usage;
    }
    const [old, now] = [before, after].map(({ loaded, outcome }) =>
        outputsOf(loaded)
            .filter(({ name }) => job.outputs.length === 0 || job.outputs.includes(name))
            .map(({ key }) => listPredicate(outcome.database, key)),
    ) as [Listing[], Listing[]];
    const compared = compareListings(old, now);
    const sides: Sides = { before: sideOf(before, job.parameters), after: sideOf(after, laterJob.parameters) };
    const edits: Edit[] = [
        ...runEdits(sides.before.made, sides.after.made).map((edit): Edit => ({ kind: 'run', edit })),
        ...rowEdits(sides),
    ];
    const causes = job.causes === 0 ? [] : await causesOf(job, context, { before, sides, edits, compared });
    context.releaseTerminal();
    const words = new Map<number, EditWords>();
    const wordsOf = (number: number): EditWords => {
        const known = words.get(number) ?? editWords(edits[number] as Edit, sides, before.loaded, after.loaded);
        words.set(number, known);
        return known;
    };
    const told = compared.map((output, at): ToldOutput => {
        const { predicate } = output.listing;
        const facts = differentFacts(
            output,
            after.loaded.program.predicates.get(predicate) ?? before.loaded.program.predicates.get(predicate),
        );
        const rows = output.kinds.slice(0, job.limit).map((change, row): ToldRow => {
            const cause = causes[at]?.[row];
            return { change, fact: facts(row), ...(cause && { cause: { edits: cause.edits.map(wordsOf), smallest: cause.smallest } }) };
        });
        const counts = { added: output.added, removed: output.removed, changed: output.changed };
        return { output: output.listing.name, ...counts, differing: output.kinds.length, rows };
    });
    if (job.format === 'json') printJson(told, context);
    else for (const output of told) printOutput(output, job.causes > 0, context);
    return EXIT.fine;
}

interface ToldRow {
    readonly change: RowDifference;
    readonly fact: string;
    readonly cause?: { readonly edits: readonly EditWords[]; readonly smallest: boolean };
}

interface ToldOutput {
    readonly output: string;
    readonly added: number;
    readonly removed: number;
    readonly changed: number;
    /** Rows of which `rows` has the first. */
    readonly differing: number;
    readonly rows: readonly ToldRow[];
}

interface Difference {
    readonly before: Evaluation;
    readonly sides: Sides;
    readonly edits: readonly Edit[];
    readonly compared: readonly ComparedOutput[];
}

async function causesOf(job: DiffJob, context: JobContext, { before, sides, edits, compared }: Difference) {
    if (edits.length === 0 || compared.every(({ kinds }) => kinds.length === 0)) return [];
    const { loaded, isLate } = before;
    const changed = new Set(
        edits.flatMap(edit => (edit.kind === 'rows' ? [...edit.added, ...edit.removed] : [])).map(({ predicate }) => predicate),
    );
    const edited = new Set([...changed].filter(key => (loaded.program.predicates.get(key)?.rules.length ?? 0) > 0));
    const end = context.clock() + job.causes;
    const enough = (): boolean => context.clock() >= end || isLate() || context.cancelled() !== undefined;
    const request = { shown: loaded.program.outputs, writes: false, limits: job.limits, python: job.python, providers: providersOf(job) };
    const prepared = await prepareRun(loaded, request, { ...context, send: () => undefined });
    return causesOfRows({
        sides,
        edits,
        compared,
        dictionary: sides.after.database.dictionary,
        most: job.limit,
        held: await prepared.open({ edited }),
        load: mixed => loadMixed(job, mixed),
        enough,
        checkpoint: checkpointOf(context, enough),
    });
}

/** The earlier program with some edits; its modules are those of both. */
async function loadMixed(job: DiffJob, { program, parameters }: MixedProgram): Promise<LoadedProgram | undefined> {
    const source = jobSource(job, parameters, program.text);
    const texts = new Map(program.modules.files.map(({ file, text }) => [file, text]));
    const loaded = await loadProgram({
        ...source,
        linked: read => withModules(read, findRunModules(program.modules, read)),
        textOf: file => texts.get(file),
    });
    return loaded.problems.some(({ severity }) => severity === 'error') ? undefined : loaded;
}

function sideOf({ loaded, outcome }: Evaluation, given: DiffJob['parameters']): Sides['before'] {
    const { program, source, file, access, texts } = loaded;
    const modules = runModules(
        program.program.inclusion,
        name => texts.get(name)?.text ?? '',
        name => name,
    );
    const kept: KeptProgram = { text: source.text, file, currentFolder: access.currentFolder, modules };
    const about: MadeOf['about'] = {
        parameters: usedParameters(program, new Map(given)),
        inputs: { program: '', given: Object.fromEntries(given), sources: [] },
    };
    return { made: { about, program: kept }, database: outcome.database };
}

function outputsOf({ program: { outputs, predicates } }: LoadedProgram): Predicate[] {
    return (outputs.length > 0 ? outputs : [...predicates.keys()]).flatMap(key => predicates.get(key) ?? []);
}

const SIGNS = { added: '+', now: '+', removed: '-', was: '-' } as const;

function printOutput({ output, added, removed, changed, differing, rows }: ToldOutput, searched: boolean, context: JobContext): void {
    const colour = colourOf(context.streams.outputColour);
    const said =
        differing === 0
            ? say`the same rows`
            : say`${countText(added)} rows added, ${countText(removed)} removed, ${countText(changed)} changed`;
    context.print(`${colour.strong(output)}: ${said}
`);
    for (const { change, fact, cause } of rows) {
        const line = `${SIGNS[change]} ${visible(fact)}`;
        const why = searched ? causeText(cause) : '';
        context.print(`  ${SIGNS[change] === '+' ? colour.added(line) : colour.removed(line)}${why === '' ? '' : `  ${colour.quiet(visible(why))}`}
`);
    }
    if (differing > rows.length)
        context.print(say`  … and ${countText(differing - rows.length)} more; --limit ${differing} shows all
`);
}

function causeText(cause: ToldRow['cause']): string {
    if (cause === undefined) return say`(what makes it was not found)`;
    const words = cause.edits.map(edit => edit.words).join('; ');
    return cause.smallest ? words : say`${words} (fewer may do)`;
}

function printJson(told: readonly ToldOutput[], context: JobContext): void {
    const outputs = told.map(({ rows, ...output }) => ({
        ...output,
        rows: rows.map(({ cause, ...row }) => ({
            ...row,
            ...(cause && { smallest: cause.smallest, edits: cause.edits.map(({ words: _, ...edit }) => edit) }),
        })),
    }));
    const json = JSON.stringify(outputs, undefined, 2);
    context.print(`${context.streams.outputWidth === undefined ? json : visibleJson(json)}
`);
}
