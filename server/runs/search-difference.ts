import { NO_PROVIDERS } from '#engine/contracts/providers.ts';
import { dependents } from '#engine/explain/trial-run.ts';
import type { Listing } from '#engine/results/listing.ts';
import type { AnalysedProgram, PredicateKey } from '#language/program/analysed-program.ts';
import { say } from '#language/program/say.ts';
import type { OutputEffect, RowCounts, RunEffects } from '#server/protocol/run-difference.ts';
import type { DifferenceSearch, ProgramRun, SourceState } from '#server/protocol/run-process.ts';
import type { OutputKey, RunNotice } from '#server/protocol/runs.ts';
import { sourceState, sourceStates } from '#server/sources/source-state.ts';
import { SourceLookup } from '#server/workspace/source-lookup.ts';
import { compareListings } from './compare-listings.ts';
import { rowEffects } from './differences/row-effects.ts';
import { errorsOf, evaluateLoaded, processHost } from './evaluate-loaded.ts';
import { explainingEdits, type RowTexts } from './explaining-edits.ts';
import { madeRun } from './keep-run.ts';
import type { KeptProgram } from './kept-program.ts';
import { type LoadedProgram, loadProgram } from './load-program.ts';
import { type MixedProgram, mixedProgram } from './mixed-program.ts';
import { rowText } from './row-text.ts';
import { runEdits, sourceChanges } from './run-difference.ts';
import { runSource } from './run-source.ts';

/** Programs that are evaluated at most, whatever time there is. */
const MOST_EVALUATIONS = 400;
/** Milliseconds that are left for the answer. */
const MARGIN = 500;

interface Evaluated {
    readonly loaded: LoadedProgram;
    readonly listings: ReadonlyMap<OutputKey, Listing>;
    readonly texts: RowTexts;
}

/**
 * Finds which changes between two runs make the difference: evaluates programs between the earlier and the later one over the data of now. No
 * target is written, no script is run and no model is asked.
 */
export async function searchDifference(search: DifferenceSearch): Promise<RunEffects> {
    const start = performance.now();
    const { timeout = Number.POSITIVE_INFINITY } = search.limits;
    const left = (): number => timeout - MARGIN - (performance.now() - start);
    const [before, after] = [madeRun(search.searched.before), madeRun(search.searched.after)];
    const [old, now] = [before.program, after.program];
    if (old === undefined || now === undefined) return failed(say`The programs of these runs are not kept`);
    const [earlier, later] = [
        { ...before, program: old },
        { ...after, program: now },
    ];
    const edits = runEdits(earlier, later);
    const [oldListings, nowListings] = [before.listings, after.listings].map(byKey) as [Listings, Listings];
    const outputs = comparedOutputs(oldListings, nowListings, old, now);
    let evaluations = 0;
    const lookup = new SourceLookup();
    const evaluate = (mixed: MixedProgram): Promise<Evaluated | readonly RunNotice[]> => {
        evaluations++;
        return evaluated(search, mixed, outputs, lookup, Math.max(left(), 1));
    };
    const withEdits = (numbers: readonly number[]): MixedProgram =>
        mixedProgram(
            earlier,
            later,
            numbers.flatMap(edit => edits[edit] ?? []),
        );

    const none = await evaluate(withEdits([]));
    if (!('loaded' in none)) return failed(whyNot(say`The earlier program cannot be evaluated again`, none));
    const all = edits.length === 0 ? none : await evaluate(withEdits([...edits.keys()]));
    if (!('loaded' in all)) return failed(whyNot(say`The later program cannot be evaluated again`, all));
    const explained = await explainingEdits({
        edits: edits.length,
        outputs,
        none: none.texts,
        all: all.texts,
        evaluate: async numbers => {
            const found = await evaluate(withEdits(numbers));
            return 'loaded' in found ? found.texts : undefined;
        },
        enough: () => left() <= 0 || evaluations >= MOST_EVALUATIONS,
    });

    const rows = await rowEffects({
        before: { made: earlier, loaded: none.loaded },
        after: { made: later, loaded: all.loaded },
        edits,
        compared: compareListings(
            outputs.flatMap(output => oldListings.get(output) ?? []),
            outputs.flatMap(output => nowListings.get(output) ?? []),
        ),
        limits: { ...search.limits, timeout: Math.max(left(), 1) },
        load: async mixed => {
            const loaded = await loadedOf(search, mixed, lookup, Math.max(left(), 1));
            return errorsOf(loaded).length > 0 ? undefined : loaded;
        },
        enough: () => left() <= 0,
    });

    const states = before.about.inputs?.sources ?? [];
    const stateOfLater = after.about.inputs?.sources ?? [];
    const between = sourceChanges(states, stateOfLater);
    const current = await sourceStates(all.loaded.program.binds, all.loaded.access);
    const since = changedNames(stateOfLater, current);
    const changed = between.filter(({ kind }) => kind === 'changed').map(({ name }) => name);
    const reached = await dependentsOf(changed, [none.loaded, all.loaded]);
    return {
        kind: 'found',
        outputs: outputs.map((output): OutputEffect => {
            const data = countsBetween(oldListings.get(output), none.listings.get(output));
            const behind = changed.filter(name => reached.get(name)?.has(output));
            const kept = nowListings.get(output);
            return {
                output,
                explained: explained.get(output) ?? { kind: 'undecided' },
                ...(data !== undefined && { data }),
                // What a constraint makes of other rows has no place among the rules.
                sources: behind.length === 0 && data !== undefined ? changed : behind,
                repeats: (kept && rowText(kept)) === all.texts.get(output),
                rows: [...(rows.get(output) ?? [])],
            };
        }),
        since,
        unknown: between.filter(({ kind }) => kind === 'unknown').map(({ name }) => name),
        evaluations,
    };
}

type Listings = ReadonlyMap<OutputKey, Listing>;

function byKey(listings: readonly Listing[]): Listings {
    return new Map(listings.map(listing => [listing.predicate, listing]));
}

/** The outputs whose rows differ; where a run had other predicates than its outputs, those that both had. */
function comparedOutputs(before: Listings, after: Listings, old: KeptProgram, now: KeptProgram): OutputKey[] {
    const isPart = old.predicates !== undefined || now.predicates !== undefined;
    return [...new Set([...before.keys(), ...after.keys()])].filter(output => {
        const [was, is] = [before.get(output), after.get(output)];
        if (was === undefined || is === undefined) return !isPart;
        return rowText(was) !== rowText(is);
    });
}

/** The rows of some outputs, or why there are none. */
async function evaluated(
    search: DifferenceSearch,
    mixed: MixedProgram,
    outputs: readonly OutputKey[],
    lookup: SourceLookup,
    timeout: number,
): Promise<Evaluated | readonly RunNotice[]> {
    const loaded = await loadedOf(search, mixed, lookup, timeout);
    const errors = errorsOf(loaded);
    if (errors.length > 0) return errors;
    const { program } = mixed;
    const shown = shownOf(loaded.program, program, outputs);
    const host = processHost(() => undefined);
    const done = await evaluateLoaded(
        loaded,
        { shown, writes: false, limits: { ...search.limits, timeout }, providers: NO_PROVIDERS },
        host,
    );
    if (!done.ok) return done.notices;
    const listings = byKey(done.results.listings);
    return { loaded, listings, texts: new Map(Array.from(listings, ([output, listing]) => [output, rowText(listing)])) };
}

/** A program between the two, which reaches what the search may. */
function loadedOf(
    search: DifferenceSearch,
    { program, parameters }: MixedProgram,
    lookup: SourceLookup,
    timeout: number,
): Promise<LoadedProgram> {
    const { roots, hosts, secrets } = search;
    const run: ProgramRun = {
        ...program,
        roots,
        ...(hosts && { hosts }),
        ...(secrets && { secrets }),
        parameters,
        limits: { ...search.limits, timeout },
    };
    return loadProgram(runSource(run), lookup);
}

function shownOf(
    { outputs, predicates }: AnalysedProgram,
    { predicates: part }: KeptProgram,
    wanted: readonly OutputKey[],
): PredicateKey[] {
    const there = part === undefined ? new Set(outputs) : new Set(predicates.keys());
    return wanted.flatMap(output => [...there].find(key => key === output) ?? []);
}

/** Counts the changes to the rows of an output; undefined without any. */
function countsBetween(before: Listing | undefined, after: Listing | undefined): RowCounts | undefined {
    if (before === undefined || after === undefined || rowText(before) === rowText(after)) return undefined;
    const [compared] = compareListings([before], [after]);
    return compared && { added: compared.added, removed: compared.removed, changed: compared.changed };
}

function changedNames(before: readonly SourceState[], after: readonly SourceState[]): string[] {
    return sourceChanges(before, after)
        .filter(({ kind }) => kind === 'changed')
        .map(({ name }) => name);
}

/** The predicates that depend on some sources, by the names of these. */
async function dependentsOf(names: readonly string[], programs: readonly LoadedProgram[]): Promise<Map<string, Set<string>>> {
    const found = new Map(names.map(name => [name, new Set<string>()]));
    for (const { program, access } of programs) {
        for (const bind of program.binds) {
            const reached = found.get((await sourceState(bind, access)).name);
            if (reached === undefined) continue;
            const own = new Set(program.predicatesNamed(bind.predicate).map(({ key }) => key));
            for (const key of dependents(program, own)) reached.add(key);
        }
    }
    return found;
}

function failed(reason: string): RunEffects {
    return { kind: 'failed', reason };
}

function whyNot(what: string, notices: readonly RunNotice[]): string {
    const why = notices.find(({ severity }) => severity === 'error')?.message;
    return why === undefined ? what : say`${what}: ${why}`;
}
